package op

import "math/bits"

func init() {
	defineBits[uint16, uint32]("b16")
	defineBits[uint32, uint32]("b32")
	defineBits[uint64, uint64]("b64")
	define("mov.32", move[uint32])
	define("mov.64", move[uint64])

	define("popc.b32", populationCount[uint32])
	define("popc.b64", populationCount[uint64])
	define("clz.b32", leadingZeros[uint32])
	define("clz.b64", leadingZeros[uint64])
	define("brev.b32", reverse32)
	define("brev.b64", reverse64)
	defineFields[uint32, uint32]("u32")
	defineFields[int32, uint32]("s32")
	defineFields[uint64, uint64]("u64")
	defineFields[int64, uint64]("s64")
	define("bfi.b32", insertField[uint32])
	define("bfi.b64", insertField[uint64])
	define("bmsk.clamp.b32", fieldMaskClamp)
	define("bmsk.wrap.b32", fieldMaskWrap)
	define("lop3.b32", logic3)
	define("shf.l.clamp.b32", funnelLeftClamp)
	define("shf.r.clamp.b32", funnelRightClamp)
	define("shf.l.wrap.b32", funnelLeftWrap)
	define("shf.r.wrap.b32", funnelRightWrap)
	define("fns.b32", findNthSet)

	define("prmt.b32", permute(permuteBytes))
	for name, selector := range permuteModes {
		define("prmt.b32."+name, permute(func(pair uint64, amount uint32) uint32 {
			return permuteBytes(pair, selector(amount&3))
		}))
	}
	defineDots[uint32, uint32]("u32.u32")
	defineDots[uint32, int32]("u32.s32")
	defineDots[int32, uint32]("s32.u32")
	defineDots[int32, int32]("s32.s32")
}

// defineBits enters the operations on untyped bits.
func defineBits[T uint16 | uint32 | uint64, W Word](name string) {
	define("and."+name, and[W])
	define("or."+name, or[W])
	define("xor."+name, xor[W])
	define("not."+name, not[W])
	define("cnot."+name, logicalNot[T, W])
	define("shl."+name, shiftLeft[T, W])
}

// defineFields enters the operations that find and extract bits.
func defineFields[T uint32 | int32 | uint64 | int64, W Word](name string) {
	define("bfe."+name, extractField[T, W])
	define("bfind."+name, findLeading[T, W])
	define("bfind.shiftamt."+name, findLeadingShift[T, W])
}

func move[W Word](dst, a []W) { copy(dst, a) }

func and[W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

func or[W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}

func xor[W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] ^ b[i]
	}
}

func not[W Word](dst, a []W) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = ^a[i]
	}
}

// logicalNot is 1 for 0 and 0 for all else.
func logicalNot[T integer, W Word](dst, a []W) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = W(bit(T(a[i]) == 0))
	}
}

// shiftLeft clamps amounts beyond the width, as Go's own shift does.
func shiftLeft[T integer, W Word](dst, a []W, amount []uint32) {
	a, amount = a[:len(dst)], amount[:len(dst)]
	for i := range dst {
		dst[i] = W(T(a[i]) << amount[i])
	}
}

func populationCount[W Word](dst []uint32, a []W) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = uint32(bits.OnesCount64(uint64(a[i])))
	}
}

func leadingZeros[W Word](dst []uint32, a []W) {
	a = a[:len(dst)]
	missing := 64 - width[W]()
	for i := range dst {
		dst[i] = uint32(bits.LeadingZeros64(uint64(a[i]))) - missing
	}
}

func reverse32(dst, a []uint32) {
	for i := range dst {
		dst[i] = bits.Reverse32(a[i])
	}
}

func reverse64(dst, a []uint64) {
	for i := range dst {
		dst[i] = bits.Reverse64(a[i])
	}
}

// leading is the position of the highest bit that is not a copy of the sign, all
// ones if there is none (9.7.1.16 bfind).
func leading[T uint32 | int32 | uint64 | int64](x T) uint32 {
	if x < 0 {
		x = ^x
	}
	return uint32(bits.Len64(uint64(x))) - 1
}

func findLeading[T uint32 | int32 | uint64 | int64, W Word](dst []uint32, a []W) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = leading(T(a[i]))
	}
}

// findLeadingShift is the amount to shift left by to bring that bit to the top.
func findLeadingShift[T uint32 | int32 | uint64 | int64, W Word](dst []uint32, a []W) {
	a = a[:len(dst)]
	top := width[W]() - 1
	for i := range dst {
		if at := leading(T(a[i])); at == ^uint32(0) {
			dst[i] = at
		} else {
			dst[i] = top - at
		}
	}
}

// extractField is bfe (9.7.1.19): length bits from position pos on; bits
// beyond the top, and all of them for s32 and s64, are copies of the field's sign.
func extractField[T uint32 | int32 | uint64 | int64, W Word](dst, a []W, pos, length []uint32) {
	a, pos, length = a[:len(dst)], pos[:len(dst)], length[:len(dst)]
	top := width[W]() - 1
	for i := range dst {
		from, count := pos[i]&0xff, length[i]&0xff
		switch x := T(a[i]); {
		case count == 0:
			dst[i] = 0
		case from+count > top:
			dst[i] = W(x >> from)
		default:
			dst[i] = W(x << (top + 1 - from - count) >> (top + 1 - count))
		}
	}
}

// insertField is bfi (9.7.1.20): b with length bits from position pos on replaced by a's.
func insertField[W Word](dst, a, b []W, pos, length []uint32) {
	a, b, pos, length = a[:len(dst)], b[:len(dst)], pos[:len(dst)], length[:len(dst)]
	for i := range dst {
		from, count := pos[i]&0xff, length[i]&0xff
		field := (W(1)<<count - 1) << from
		dst[i] = b[i]&^field | a[i]<<from&field
	}
}

// fieldMaskClamp is a mask of length bits from position pos on.
func fieldMaskClamp(dst, pos, length []uint32) {
	for i := range dst {
		dst[i] = (1<<length[i] - 1) << pos[i]
	}
}

// fieldMaskWrap takes position and length modulo 32.
func fieldMaskWrap(dst, pos, length []uint32) {
	for i := range dst {
		dst[i] = (1<<(length[i]&31) - 1) << (pos[i] & 31)
	}
}

// logic3 is lop3: bit 4*a+2*b+c of the table decides each bit.
func logic3(dst, a, b, c, table []uint32) {
	a, b, c, table = a[:len(dst)], b[:len(dst)], c[:len(dst)], table[:len(dst)]
	for i := range dst {
		var word uint32
		for row := range uint32(8) {
			if table[i]>>row&1 != 0 {
				word |= (a[i] ^ (row>>2&1 - 1)) & (b[i] ^ (row>>1&1 - 1)) & (c[i] ^ (row&1 - 1))
			}
		}
		dst[i] = word
	}
}

// The funnel shifts (9.7.8.7) shift the pair b:a; left ones keep its upper word.
func funnelLeftClamp(dst, a, b, amount []uint32) {
	for i := range dst {
		dst[i] = uint32((uint64(b[i])<<32 | uint64(a[i])) << min(amount[i], 32) >> 32)
	}
}

func funnelLeftWrap(dst, a, b, amount []uint32) {
	for i := range dst {
		dst[i] = uint32((uint64(b[i])<<32 | uint64(a[i])) << (amount[i] & 31) >> 32)
	}
}

func funnelRightClamp(dst, a, b, amount []uint32) {
	for i := range dst {
		dst[i] = uint32((uint64(b[i])<<32 | uint64(a[i])) >> min(amount[i], 32))
	}
}

func funnelRightWrap(dst, a, b, amount []uint32) {
	for i := range dst {
		dst[i] = uint32((uint64(b[i])<<32 | uint64(a[i])) >> (amount[i] & 31))
	}
}

// findNthSet is fns (9.7.1.17): the position of the n-th set bit of the mask from
// base upwards, downwards for negative n; all ones if there is none.
func findNthSet(dst, mask, base, n []uint32) {
	for i := range dst {
		dst[i] = nthSet(mask[i], int(base[i]), int(int32(n[i])))
	}
}

func nthSet(mask uint32, at, n int) uint32 {
	step := 1
	switch {
	case n == 0 && (at > 31 || mask>>at&1 == 0):
		return ^uint32(0)
	case n == 0:
		n = 1
	case n < 0:
		n, step = -n, -1
	}
	for ; 0 <= at && at < 32; at += step {
		if mask>>at&1 != 0 {
			if n--; n == 0 {
				return uint32(at)
			}
		}
	}
	return ^uint32(0)
}

// permute applies a byte permutation of the pair b:a.
func permute(bytes func(pair uint64, selector uint32) uint32) Map3[uint32, uint32, uint32, uint32] {
	return func(dst, a, b, selector []uint32) {
		a, b, selector = a[:len(dst)], b[:len(dst)], selector[:len(dst)]
		for i := range dst {
			dst[i] = bytes(uint64(b[i])<<32|uint64(a[i]), selector[i])
		}
	}
}

// permuteBytes picks a byte of the pair for each nibble of the selector; with its
// top bit set, copies of that byte's sign (9.7.9.7 prmt).
func permuteBytes(pair uint64, selector uint32) uint32 {
	var word uint32
	for n := 0; n < 32; n += 8 {
		picked := uint32(pair >> (selector & 7 * 8) & 0xff)
		if selector&8 != 0 {
			picked = -(picked >> 7) & 0xff
		}
		word |= picked << n
		selector >>= 4
	}
	return word
}

// permuteModes give the selector that each mode of prmt stands for, by the low two bits of c.
var permuteModes = map[string]func(amount uint32) uint32{
	"f4e":  func(amount uint32) uint32 { return 0x3210 + 0x1111*amount },
	"b4e":  func(amount uint32) uint32 { return [4]uint32{0x5670, 0x6701, 0x7012, 0x0123}[amount] },
	"rc8":  func(amount uint32) uint32 { return 0x1111 * amount },
	"ecl":  func(amount uint32) uint32 { return [4]uint32{0x3210, 0x3211, 0x3222, 0x3333}[amount] },
	"ecr":  func(amount uint32) uint32 { return [4]uint32{0x0000, 0x1110, 0x2210, 0x3210}[amount] },
	"rc16": func(amount uint32) uint32 { return [4]uint32{0x1010, 0x3232, 0x1010, 0x3232}[amount] },
}

// defineDots enters the dot products of bytes, and of halves with bytes, that are
// added to c (9.7.1.23, 9.7.1.24).
func defineDots[A, B uint32 | int32](name string) {
	define("dp4a."+name, func(dst, a, b, c []uint32) {
		for i := range dst {
			sum := c[i]
			for n := 0; n < 32; n += 8 {
				sum += uint32(A(a[i])<<(24-n)>>24) * uint32(B(b[i])<<(24-n)>>24)
			}
			dst[i] = sum
		}
	})
	for half, first := range map[string]int{"lo": 0, "hi": 16} {
		define("dp2a."+half+"."+name, func(dst, a, b, c []uint32) {
			for i := range dst {
				low, high := uint32(A(a[i])<<16>>16), uint32(A(a[i])>>16)
				dst[i] = c[i] + low*uint32(B(b[i])<<(24-first)>>24) + high*uint32(B(b[i])<<(16-first)>>24)
			}
		})
	}
}
