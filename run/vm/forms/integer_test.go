package forms

import (
	"fmt"
	"math/big"
	"math/bits"
	"testing"
)

var intTypes = []string{"u16", "u32", "u64", "s16", "s32", "s64"}

// clampShift is a shift amount as big.Int takes it.
func clampShift(x uint64) uint { return uint(min(x, 200)) }

// integerCases are the operations that all integer types have.
func integerCases(typ string) []formCase {
	v := func(x uint64) *big.Int { return value(typ, x) }
	two := func(name string, f func(a, b *big.Int) *big.Int) formCase {
		return formCase{name + "." + typ + " %d, %a, %b;", typ, typ + " " + typ,
			func(x []uint64) uint64 { return wrapped(f(v(x[0]), v(x[1]))) }}
	}
	three := func(name string, f func(a, b, c *big.Int) *big.Int) formCase {
		return formCase{name + "." + typ + " %d, %a, %b, %c;", typ, typ + " " + typ + " " + typ,
			func(x []uint64) uint64 { return wrapped(f(v(x[0]), v(x[1]), v(x[2]))) }}
	}
	n := uint(bitsOf(typ))
	product := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	cases := []formCase{
		two("add", func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }),
		two("sub", func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }),
		two("mul.lo", product),
		two("mul.hi", func(a, b *big.Int) *big.Int { p := product(a, b); return p.Rsh(p, n) }),
		three("mad.lo", func(a, b, c *big.Int) *big.Int { p := product(a, b); return p.Add(p, c) }),
		three("mad.hi", func(a, b, c *big.Int) *big.Int { p := product(a, b); return p.Add(p.Rsh(p, n), c) }),
		three("sad", func(a, b, c *big.Int) *big.Int {
			d := new(big.Int).Sub(a, b)
			return d.Add(d.Abs(d), c)
		}),
		two("div", func(a, b *big.Int) *big.Int {
			if b.Sign() == 0 {
				return big.NewInt(-1)
			}
			return new(big.Int).Quo(a, b)
		}),
		two("rem", func(a, b *big.Int) *big.Int {
			if b.Sign() == 0 {
				return big.NewInt(-1)
			}
			return new(big.Int).Rem(a, b)
		}),
		two("min", func(a, b *big.Int) *big.Int {
			if a.Cmp(b) < 0 {
				return a
			}
			return b
		}),
		two("max", func(a, b *big.Int) *big.Int {
			if a.Cmp(b) > 0 {
				return a
			}
			return b
		}),
		{"shr." + typ + " %d, %a, %b;", typ, typ + " u32", func(x []uint64) uint64 { return wrapped(new(big.Int).Rsh(v(x[0]), clampShift(x[1]))) }},
	}
	if typ[0] == 's' {
		cases = append(cases,
			formCase{"abs." + typ + " %d, %a;", typ, typ, func(x []uint64) uint64 { return wrapped(new(big.Int).Abs(v(x[0]))) }},
			formCase{"neg." + typ + " %d, %a;", typ, typ, func(x []uint64) uint64 { return wrapped(new(big.Int).Neg(v(x[0]))) }})
	}
	if n < 64 {
		to := fmt.Sprintf("%c%d", typ[0], 2*n)
		cases = append(cases,
			formCase{"mul.wide." + typ + " %d, %a, %b;", to, typ + " " + typ,
				func(x []uint64) uint64 { return wrapped(product(v(x[0]), v(x[1]))) }},
			formCase{"mad.wide." + typ + " %d, %a, %b, %c;", to, typ + " " + typ + " " + to,
				func(x []uint64) uint64 { p := product(v(x[0]), v(x[1])); return wrapped(p.Add(p, value(to, x[2]))) }})
	}
	compare := map[string]func(order int) bool{
		"eq": func(o int) bool { return o == 0 }, "ne": func(o int) bool { return o != 0 },
		"lt": func(o int) bool { return o < 0 }, "le": func(o int) bool { return o <= 0 },
		"gt": func(o int) bool { return o > 0 }, "ge": func(o int) bool { return o >= 0 },
	}
	if typ[0] == 'u' {
		compare["lo"], compare["ls"], compare["hi"], compare["hs"] = compare["lt"], compare["le"], compare["gt"], compare["ge"]
	}
	for name, holds := range compare {
		f := func(x []uint64) bool { return holds(v(x[0]).Cmp(v(x[1]))) }
		cases = append(cases,
			formCase{"setp." + name + "." + typ + " %p, %a, %b; selp.u32 %d, 7, 9, %p;", "u32", typ + " " + typ,
				func(x []uint64) uint64 { return 9 - 2*bool64(f(x)) }},
			formCase{"setp." + name + ".and." + typ + " %p|%q, %a, %b, %z; selp.u32 %d, 1, 0, %p; selp.u32 %k, 2, 0, %q; or.b32 %d, %d, %k;", "u32", typ + " " + typ,
				func(x []uint64) uint64 { return 0 }}, // %z does not hold where the code is run
			formCase{"setp." + name + ".xor." + typ + " %p|%q, %a, %b, !%z; selp.u32 %d, 1, 0, %p; selp.u32 %k, 2, 0, %q; or.b32 %d, %d, %k;", "u32", typ + " " + typ,
				func(x []uint64) uint64 { return 1 + bool64(f(x)) }},
			formCase{"set." + name + ".u32." + typ + " %d, %a, %b;", "u32", typ + " " + typ,
				func(x []uint64) uint64 { return -bool64(f(x)) }})
	}
	return cases
}

func TestIntegerForms(t *testing.T) {
	for _, typ := range intTypes {
		testForms(t, integerCases(typ))
	}
}

func field(width uint) uint64 { return 1<<width - 1 }

// bitCases are the operations on untyped bits of a width.
func bitCases(n int) []formCase {
	typ, w := fmt.Sprintf("b%d", n), fmt.Sprintf("u%d", n)
	two := w + " " + w
	return []formCase{
		{"and." + typ + " %d, %a, %b;", w, two, func(x []uint64) uint64 { return x[0] & x[1] }},
		{"or." + typ + " %d, %a, %b;", w, two, func(x []uint64) uint64 { return x[0] | x[1] }},
		{"xor." + typ + " %d, %a, %b;", w, two, func(x []uint64) uint64 { return x[0] ^ x[1] }},
		{"not." + typ + " %d, %a;", w, w, func(x []uint64) uint64 { return ^x[0] }},
		{"cnot." + typ + " %d, %a;", w, w, func(x []uint64) uint64 { return bool64(x[0] == 0) }},
		{"shl." + typ + " %d, %a, %b;", w, w + " u32", func(x []uint64) uint64 { return x[0] << x[1] }},
		{"shr." + typ + " %d, %a, %b;", w, w + " u32", func(x []uint64) uint64 { return x[0] >> x[1] }},
		{"mov." + typ + " %d, %a;", w, w, func(x []uint64) uint64 { return x[0] }},
		{"setp.ne.s32 %p, %c, 0; selp." + typ + " %d, %a, %b, %p;", w, two + " u32", func(x []uint64) uint64 {
			if x[2] != 0 {
				return x[0]
			}
			return x[1]
		}},
		{"slct." + typ + ".s32 %d, %a, %b, %c;", w, two + " s32", func(x []uint64) uint64 {
			if int32(x[2]) >= 0 {
				return x[0]
			}
			return x[1]
		}},
	}
}

// wideBitCases are those that only 32 and 64 bits have.
func wideBitCases(n int) []formCase {
	b, u, s := fmt.Sprintf("b%d", n), fmt.Sprintf("u%d", n), fmt.Sprintf("s%d", n)
	leading := func(x uint64) uint64 { return uint64(bits.Len64(x)) - 1 }
	ofSign := func(x uint64) uint64 {
		if x>>(n-1) != 0 {
			return ^x & field(uint(n))
		}
		return x
	}
	shift := func(at uint64) uint64 {
		if int64(at) < 0 {
			return at
		}
		return uint64(n) - 1 - at
	}
	// extract follows the pseudo-code of bfe in the PTX ISA, bit by bit.
	extract := func(x []uint64, signed bool) (d uint64) {
		pos, length, msb := int(x[1]&0xff), int(x[2]&0xff), n-1
		var sign uint64
		if signed && length > 0 {
			sign = x[0] >> min(pos+length-1, msb) & 1
		}
		for i := 0; i <= msb; i++ {
			bit := sign
			if i < length && pos+i <= msb {
				bit = x[0] >> (pos + i) & 1
			}
			d |= bit << i
		}
		return d
	}
	return []formCase{
		{"popc." + b + " %d, %a;", "u32", u, func(x []uint64) uint64 { return uint64(bits.OnesCount64(x[0])) }},
		{"clz." + b + " %d, %a;", "u32", u, func(x []uint64) uint64 { return uint64(bits.LeadingZeros64(x[0]) - 64 + n) }},
		{"brev." + b + " %d, %a;", u, u, func(x []uint64) uint64 { return bits.Reverse64(x[0]) >> (64 - n) }},
		{"bfind." + u + " %d, %a;", "u32", u, func(x []uint64) uint64 { return leading(x[0]) }},
		{"bfind." + s + " %d, %a;", "u32", u, func(x []uint64) uint64 { return leading(ofSign(x[0])) }},
		{"bfind.shiftamt." + u + " %d, %a;", "u32", u, func(x []uint64) uint64 { return shift(leading(x[0])) }},
		{"bfind.shiftamt." + s + " %d, %a;", "u32", u, func(x []uint64) uint64 { return shift(leading(ofSign(x[0]))) }},
		{"bfe." + u + " %d, %a, %b, %c;", u, u + " u32 u32", func(x []uint64) uint64 { return extract(x, false) }},
		{"bfe." + s + " %d, %a, %b, %c;", u, u + " u32 u32", func(x []uint64) uint64 { return extract(x, true) }},
		{"bfi." + b + " %d, %a, %b, %c, %e;", u, u + " " + u + " u32 u32", func(x []uint64) uint64 {
			d := x[1]
			for i := 0; i < int(x[3]&0xff) && int(x[2]&0xff)+i < n; i++ {
				at := int(x[2]&0xff) + i
				d = d&^(1<<at) | x[0]>>i&1<<at
			}
			return d
		}},
	}
}

func TestBitForms(t *testing.T) {
	for _, n := range []int{16, 32, 64} {
		testForms(t, bitCases(n))
	}
	for _, n := range []int{32, 64} {
		testForms(t, wideBitCases(n))
	}
}

// otherCases are the operations that one type has.
var otherCases = []formCase{
	{"add.sat.s32 %d, %a, %b;", "s32", "s32 s32", func(x []uint64) uint64 { return clamped(value("s32", x[0]).Int64() + value("s32", x[1]).Int64()) }},
	{"sub.sat.s32 %d, %a, %b;", "s32", "s32 s32", func(x []uint64) uint64 { return clamped(value("s32", x[0]).Int64() - value("s32", x[1]).Int64()) }},
	{"mul24.lo.s32 %d, %a, %b;", "s32", "s32 s32", func(x []uint64) uint64 { return uint64(value24(x[0]) * value24(x[1])) }},
	{"mul24.hi.s32 %d, %a, %b;", "s32", "s32 s32", func(x []uint64) uint64 { return uint64(value24(x[0]) * value24(x[1]) >> 16) }},
	{"mul24.lo.u32 %d, %a, %b;", "u32", "u32 u32", func(x []uint64) uint64 { return x[0] & field(24) * (x[1] & field(24)) }},
	{"mul24.hi.u32 %d, %a, %b;", "u32", "u32 u32", func(x []uint64) uint64 { return x[0] & field(24) * (x[1] & field(24)) >> 16 }},
	{"mad24.lo.u32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return x[0]&field(24)*(x[1]&field(24)) + x[2] }},
	{"shf.l.wrap.b32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return (x[1]<<32 | x[0]) << (x[2] & 31) >> 32 }},
	{"shf.r.wrap.b32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return (x[1]<<32 | x[0]) >> (x[2] & 31) }},
	{"shf.l.clamp.b32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return (x[1]<<32 | x[0]) << min(x[2], 32) >> 32 }},
	{"shf.r.clamp.b32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return (x[1]<<32 | x[0]) >> min(x[2], 32) }},
	{"lop3.b32 %d, %a, %b, %c, 0x96;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return x[0] ^ x[1] ^ x[2] }},
	{"lop3.b32 %d, %a, %b, %c, 0x40;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return x[0] & x[1] &^ x[2] }},
	{"lop3.b32 %d, %a, %b, %c, 0x0f;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return ^x[0] }},
	{"prmt.b32 %d, %a, %b, %c;", "u32", "u32 u32 u32", permuted},
	{"prmt.b32 %d, %a, %b, 0x7632;", "u32", "u32 u32", func(x []uint64) uint64 { return permuted([]uint64{x[0], x[1], 0x7632}) }},
	{"prmt.b32.f4e %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return (x[1]<<32 | x[0]) >> (8 * (x[2] & 3)) }},
	{"prmt.b32.rc8 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return x[0] >> (8 * (x[2] & 3)) & 0xff * 0x01010101 }},
	{"prmt.b32.rc16 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return x[0] >> (16 * (x[2] & 1)) & 0xffff * 0x00010001 }},
	{"dp4a.s32.u32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 {
		d := x[2]
		for i := range 4 {
			d += uint64(int64(int8(x[0]>>(8*i)))) * (x[1] >> (8 * i) & 0xff)
		}
		return d
	}},
	{"dp2a.hi.u32.s32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 {
		return x[2] + x[0]&0xffff*uint64(int64(int8(x[1]>>16))) + x[0]>>16*uint64(int64(int8(x[1]>>24)))
	}},
	{"dp2a.lo.s32.u32 %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 {
		return x[2] + uint64(int64(int16(x[0])))*(x[1]&0xff) + uint64(int64(int16(x[0]>>16)))*(x[1]>>8&0xff)
	}},
	{"bmsk.wrap.b32 %d, %a, %b;", "u32", "u32 u32", func(x []uint64) uint64 { return field(uint(x[1]&31)) << (x[0] & 31) }},
	{"mov.b64 %d, {%a, %b};", "u64", "u32 u32", func(x []uint64) uint64 { return x[1]<<32 | x[0] }},
	{"mov.b64 {%d, %k}, %a; xor.b32 %d, %d, %k;", "u32", "u64", func(x []uint64) uint64 { return x[0] ^ x[0]>>32 }},
	{"mov.b64 {_, %d}, %a;", "u32", "u64", func(x []uint64) uint64 { return x[0] >> 32 }},
	{"mov.b32 %d, {%a, %b};", "u32", "u16 u16", func(x []uint64) uint64 { return x[1]<<16 | x[0] }},
	{"mov.b32 {%b, %d}, %a;", "u16", "u32 u16", func(x []uint64) uint64 { return x[0] >> 16 }},
	{"mov.b64 %d, {%a, %b, %a, %b};", "u64", "u16 u16", func(x []uint64) uint64 { return x[1]<<48 | x[0]<<32 | x[1]<<16 | x[0] }},
	{"mov.b64 {%b, %b, %d, %b}, %a;", "u16", "u64 u16", func(x []uint64) uint64 { return x[0] >> 32 }},
	// A sum of 128 bits, of which the upper half is looked at.
	{"add.cc.u64 %at, %a, %b; addc.u64 %d, %c, %e;", "u64", "u64 u64 u64 u64", func(x []uint64) uint64 {
		_, carry := bits.Add64(x[0], x[1], 0)
		return x[2] + x[3] + carry
	}},
	{"add.cc.u32 %k, %a, %b; addc.cc.u32 %k, %c, %e; addc.u32 %d, 0, 0;", "u32", "u32 u32 u32 u32", func(x []uint64) uint64 {
		return (x[2] + x[3] + (x[0]+x[1])>>32) >> 32
	}},
	{"sub.cc.u32 %k, %a, %b; subc.cc.u32 %k, %c, %e; subc.u32 %d, 0, 0;", "u32", "u32 u32 u32 u32", func(x []uint64) uint64 {
		low, borrow := bits.Sub64(x[2]<<32|x[0], x[3]<<32|x[1], 0)
		_ = low
		return -borrow
	}},
	{"mad.lo.cc.u32 %k, %a, %b, %c; madc.hi.u32 %d, %a, %b, %e;", "u32", "u32 u32 u32 u32", func(x []uint64) uint64 {
		return (x[0]*x[1]&field(32)+x[2])>>32 + x[0]*x[1]>>32 + x[3]
	}},
	{"add.s32 %d, %a, -5;", "s32", "s32", func(x []uint64) uint64 { return x[0] - 5 }},
	{"and.b64 %d, %a, 0xffffffff00000000;", "u64", "u64", func(x []uint64) uint64 { return x[0] &^ field(32) }},
	{"setp.lt.s32 %p, %a, 0; setp.lt.s32 %q, %b, 0; xor.pred %p, %p, %q; not.pred %q, %p; @%q mov.u32 %d, 1; @!%q mov.u32 %d, 2;", "u32", "s32 s32",
		func(x []uint64) uint64 { return 1 + (x[0]^x[1])>>31&1 }},
	{"vadd4.s32.s32.s32.sat %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) (d uint64) {
		for i := 0; i < 32; i += 8 {
			d |= uint64(uint8(max(-128, min(127, int(int8(x[0]>>i))+int(int8(x[1]>>i)))))) << i
		}
		return d
	}},
	{"vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 {
		d := x[2]
		for i := 0; i < 32; i += 8 {
			diff := int64(x[0]>>i&0xff) - int64(x[1]>>i&0xff)
			d += uint64(max(diff, -diff))
		}
		return d
	}},
	{"vadd.u32.u32.u32.add %d, %a, %b, %c;", "u32", "u32 u32 u32", func(x []uint64) uint64 { return x[0] + x[1] + x[2] }},
	{"vmin.s32.s32.s32 %d, %a, %b;", "u32", "s32 s32", func(x []uint64) uint64 { return uint64(min(int32(x[0]), int32(x[1]))) }},
}

func clamped(x int64) uint64 { return uint64(max(-1<<31, min(1<<31-1, x))) }

func value24(x uint64) int64 { return int64(x<<40) >> 40 }

// permuted follows the table of prmt: byte by byte, with replication of the sign.
func permuted(x []uint64) (d uint64) {
	pair := x[1]<<32 | x[0]
	for i := range 4 {
		selector := x[2] >> (4 * i)
		picked := pair >> (8 * (selector & 7)) & 0xff
		if selector&8 != 0 {
			picked = 0xff * (picked >> 7)
		}
		d |= picked << (8 * i)
	}
	return d
}

func TestOtherForms(t *testing.T) { testForms(t, otherCases) }

// TestConversions converts between all integer types, plainly and saturated.
func TestConversions(t *testing.T) {
	types := []string{"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"}
	for _, to := range types {
		for _, from := range types {
			n := uint(bitsOf(to))
			low, high := big.NewInt(0), new(big.Int).SetUint64(field(n))
			if to[0] == 's' {
				low, high = new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), n-1)), new(big.Int).SetUint64(field(n-1))
			}
			saturated := func(v *big.Int) *big.Int {
				if v.Cmp(low) < 0 {
					return low
				}
				if v.Cmp(high) > 0 {
					return high
				}
				return v
			}
			// A destination wider than the type gets the value extended by the type's sign.
			wider := fmt.Sprintf("%c%d", to[0], max(n, 16))
			if n == 8 {
				wider = fmt.Sprintf("%c32", to[0])
			}
			cases := []formCase{
				{"cvt." + to + "." + from + " %d, %a;", wider, from, func(x []uint64) uint64 { return wrapped(value(to, wrapped(value(from, x[0])))) }},
				{"cvt.sat." + to + "." + from + " %d, %a;", wider, from, func(x []uint64) uint64 { return wrapped(saturated(value(from, x[0]))) }},
			}
			if m := uint(bitsOf(from)); to[0] == from[0] && n >= m || to[0] == 's' && n > m {
				cases = cases[:1] // all values fit: .sat is not allowed
			}
			testForms(t, cases)
		}
	}
}
