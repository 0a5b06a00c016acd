package op

import "math/bits"

// integer is a type that an integer operation reads and writes its words as.
type integer interface {
	uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64
}

func init() {
	defineIntegers[uint16, uint32]("u16")
	defineIntegers[uint32, uint32]("u32")
	defineIntegers[uint64, uint64]("u64")
	defineIntegers[int16, uint32]("s16")
	defineIntegers[int32, uint32]("s32")
	defineIntegers[int64, uint64]("s64")

	defineWide[uint16, uint32, uint32]("u16")
	defineWide[uint32, uint32, uint64]("u32")
	defineWide[int16, uint32, uint32]("s16")
	defineWide[int32, uint32, uint64]("s32")

	define("add.sat.s32", addSaturated)
	define("sub.sat.s32", subtractSaturated)
	define("mul24.lo.u32", multiply24[uint32])
	define("mul24.lo.s32", multiply24[int32])
	define("mul24.hi.u32", multiply24High[uint32])
	define("mul24.hi.s32", multiply24High[int32])
	define("mul.hi.u64", multiplyHigh64)
	define("mul.hi.s64", multiplyHighSigned64)
	define("mad.hi.u64", composeAdd(multiplyHigh64))
	define("mad.hi.s64", composeAdd(multiplyHighSigned64))
	defineHigh[uint16]("u16")
	defineHigh[uint32]("u32")
	defineHigh[int16]("s16")
	defineHigh[int32]("s32")
}

// defineIntegers enters what every integer type has, for T held in words of type W.
func defineIntegers[T integer, W Word](name string) {
	define("add."+name, add[T, W])
	define("sub."+name, subtract[T, W])
	define("mul.lo."+name, multiply[T, W])
	define("mad.lo."+name, multiplyAdd[T, W])
	define("div."+name, divide[T, W])
	define("rem."+name, remainder[T, W])
	define("min."+name, minimum[T, W])
	define("max."+name, maximum[T, W])
	define("abs."+name, absolute[T, W])
	define("neg."+name, negate[T, W])
	define("sad."+name, sumAbsoluteDifference[T, W])
	define("shr."+name, shiftRight[T, W])
}

// width returns the number of bits of a type.
func width[T integer]() uint32 {
	lowest, highest := limits[T]()
	return uint32(bits.Len64(uint64(highest))) + uint32(bit(lowest < 0))
}

// limits returns the smallest and the greatest value of an integer type.
func limits[T integer]() (lowest, highest T) {
	if ^T(0) > 0 {
		return 0, ^T(0)
	}
	for highest<<1+1 > highest {
		highest = highest<<1 + 1
	}
	return ^highest, highest
}

func defineWide[T integer, W, D Word](name string) {
	define("mul.wide."+name, multiplyWide[T, W, D])
	define("mad.wide."+name, multiplyWideAdd[T, W, D])
}

func defineHigh[T uint16 | uint32 | int16 | int32](name string) {
	define("mul.hi."+name, multiplyHigh[T])
	define("mad.hi."+name, composeAdd(multiplyHigh[T]))
}

func add[T integer, W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = W(T(a[i]) + T(b[i]))
	}
}

func subtract[T integer, W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = W(T(a[i]) - T(b[i]))
	}
}

func multiply[T integer, W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = W(T(a[i]) * T(b[i]))
	}
}

func multiplyAdd[T integer, W Word](dst, a, b, c []W) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = W(T(a[i])*T(b[i]) + T(c[i]))
	}
}

func multiplyWide[T integer, W, D Word](dst []D, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = D(T(a[i])) * D(T(b[i]))
	}
}

func multiplyWideAdd[T integer, W, D Word](dst []D, a, b []W, c []D) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = D(T(a[i]))*D(T(b[i])) + c[i]
	}
}

// multiplyHigh takes the upper half of the product of two values of at most 32 bits.
func multiplyHigh[T uint16 | uint32 | int16 | int32](dst, a, b []uint32) {
	a, b = a[:len(dst)], b[:len(dst)]
	shift := width[T]()
	for i := range dst {
		dst[i] = uint32(int64(T(a[i])) * int64(T(b[i])) >> shift)
	}
}

func multiplyHigh64(dst, a, b []uint64) {
	for i := range dst {
		dst[i] = productHighUnsigned(a[i], b[i])
	}
}

func multiplyHighSigned64(dst, a, b []uint64) {
	for i := range dst {
		dst[i] = productHighSigned(a[i], b[i])
	}
}

// composeAdd makes a*b+c of a*b.
func composeAdd[W Word](product Map2[W, W, W]) Map3[W, W, W, W] {
	return func(dst, a, b, c []W) {
		for i := range dst {
			var p [1]W
			product(p[:], a[i:i+1], b[i:i+1])
			dst[i] = p[0] + c[i]
		}
	}
}

// multiply24 multiplies 24-bit values; the result is bits 0 to 31 of the 48 (9.7.1.5).
func multiply24[T uint32 | int32](dst, a, b []uint32) {
	for i := range dst {
		dst[i] = uint32((T(a[i]) << 8 >> 8) * (T(b[i]) << 8 >> 8))
	}
}

// multiply24High is bits 16 to 47 of the product of 24-bit values.
func multiply24High[T uint32 | int32](dst, a, b []uint32) {
	for i := range dst {
		dst[i] = uint32(int64(T(a[i])<<8>>8) * int64(T(b[i])<<8>>8) >> 16)
	}
}

// divide and remainder give all ones where the divisor is zero, as NVIDIA's machines do; the PTX ISA
// leaves these values open.
func divide[T integer, W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if T(b[i]) == 0 {
			dst[i] = ^W(0)
		} else {
			dst[i] = W(T(a[i]) / T(b[i]))
		}
	}
}

func remainder[T integer, W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if T(b[i]) == 0 {
			dst[i] = ^W(0)
		} else {
			dst[i] = W(T(a[i]) % T(b[i]))
		}
	}
}

func minimum[T integer, W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = W(min(T(a[i]), T(b[i])))
	}
}

func maximum[T integer, W Word](dst, a, b []W) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = W(max(T(a[i]), T(b[i])))
	}
}

func absolute[T integer, W Word](dst, a []W) {
	a = a[:len(dst)]
	for i := range dst {
		x := T(a[i])
		if x < 0 {
			x = -x
		}
		dst[i] = W(x)
	}
}

func negate[T integer, W Word](dst, a []W) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = W(-T(a[i]))
	}
}

// sumAbsoluteDifference is c + |a-b|.
func sumAbsoluteDifference[T integer, W Word](dst, a, b, c []W) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		x, y := T(a[i]), T(b[i])
		if x < y {
			x, y = y, x
		}
		dst[i] = W(x-y) + c[i]
	}
}

// shiftRight clamps amounts beyond the width, as Go's own shift does.
func shiftRight[T integer, W Word](dst, a []W, amount []uint32) {
	a, amount = a[:len(dst)], amount[:len(dst)]
	for i := range dst {
		dst[i] = W(T(a[i]) >> amount[i])
	}
}

func addSaturated(dst, a, b []uint32) {
	for i := range dst {
		dst[i] = uint32(saturate32(int64(int32(a[i])) + int64(int32(b[i]))))
	}
}

func subtractSaturated(dst, a, b []uint32) {
	for i := range dst {
		dst[i] = uint32(saturate32(int64(int32(a[i])) - int64(int32(b[i]))))
	}
}

func saturate32(x int64) int64 { return min(max(x, -1<<31), 1<<31-1) }

func productHighUnsigned(a, b uint64) uint64 {
	high, _ := bits.Mul64(a, b)
	return high
}

// productHighSigned corrects the unsigned product: a negative factor x stands there as x + 2^64.
func productHighSigned(a, b uint64) uint64 {
	return productHighUnsigned(a, b) - a&uint64(int64(b)>>63) - b&uint64(int64(a)>>63)
}
