package ordinary

import (
	"fmt"
	"math/big"
	"strings"
)

var integerTypes = []string{"u16", "s16", "u32", "s32", "u64", "s64"}

// Operations on integers that leave their operands alone.
func plus(a, b *big.Int) *big.Int  { return new(big.Int).Add(a, b) }
func minus(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
func times(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func shiftedRight(a *big.Int, bits int) *big.Int { return new(big.Int).Rsh(a, uint(bits)) }

// low24 is the value of the 24 low bits of an integer of a type.
func low24(kind byte, a *big.Int) *big.Int {
	return Operand{kind, 24, 32}.value(pattern(a, 24))
}

// clamp limits an integer to the range of a type.
func clamp(o Operand, v *big.Int) *big.Int {
	least, most := new(big.Int), new(big.Int).SetUint64(mask(o.Bits))
	if o.Kind == 's' {
		most.SetUint64(mask(o.Bits - 1))
		least.Not(most)
	}
	switch {
	case v.Cmp(least) < 0:
		return least
	case v.Cmp(most) > 0:
		return most
	}
	return v
}

// integers enters integer arithmetic (PTX ISA 9.7.1).
func (t *table) integers() {
	for _, typ := range integerTypes {
		o := operand(typ)
		two, three := typ+" "+typ, typ+" "+typ+" "+typ
		t.whole("add."+typ, typ, two, func(v []*big.Int) *big.Int { return plus(v[0], v[1]) })
		t.whole("sub."+typ, typ, two, func(v []*big.Int) *big.Int { return minus(v[0], v[1]) })
		t.whole("mul.lo."+typ, typ, two, func(v []*big.Int) *big.Int { return times(v[0], v[1]) })
		t.whole("mul.hi."+typ, typ, two, func(v []*big.Int) *big.Int { return shiftedRight(times(v[0], v[1]), o.Bits) })
		t.whole("mad.lo."+typ, typ, three, func(v []*big.Int) *big.Int { return plus(times(v[0], v[1]), v[2]) })
		t.whole("mad.hi."+typ, typ, three, func(v []*big.Int) *big.Int {
			return plus(shiftedRight(times(v[0], v[1]), o.Bits), v[2])
		})
		t.whole("sad."+typ, typ, three, func(v []*big.Int) *big.Int {
			d := minus(v[0], v[1])
			return plus(v[2], d.Abs(d))
		})
		t.whole("div."+typ, typ, two, func(v []*big.Int) *big.Int {
			if v[1].Sign() == 0 {
				return big.NewInt(-1) // O1
			}
			return new(big.Int).Quo(v[0], v[1])
		})
		t.whole("rem."+typ, typ, two, func(v []*big.Int) *big.Int {
			if v[1].Sign() == 0 {
				return big.NewInt(-1) // O1
			}
			return new(big.Int).Rem(v[0], v[1])
		})
		t.whole("min."+typ, typ, two, func(v []*big.Int) *big.Int {
			if v[0].Cmp(v[1]) < 0 {
				return v[0]
			}
			return v[1]
		})
		t.whole("max."+typ, typ, two, func(v []*big.Int) *big.Int {
			if v[0].Cmp(v[1]) > 0 {
				return v[0]
			}
			return v[1]
		})
		if o.Kind == 's' {
			t.whole("abs."+typ, typ, typ, func(v []*big.Int) *big.Int { return new(big.Int).Abs(v[0]) })
			t.whole("neg."+typ, typ, typ, func(v []*big.Int) *big.Int { return new(big.Int).Neg(v[0]) })
		}
		if o.Bits < 64 {
			wide := fmt.Sprintf("%c%d", o.Kind, 2*o.Bits)
			t.whole("mul.wide."+typ, wide, two, func(v []*big.Int) *big.Int { return times(v[0], v[1]) })
			t.whole("mad.wide."+typ, wide, two+" "+wide, func(v []*big.Int) *big.Int { return plus(times(v[0], v[1]), v[2]) })
		}
	}
	for _, typ := range []string{"u32", "s32"} {
		product := func(v []*big.Int) *big.Int { return times(low24(typ[0], v[0]), low24(typ[0], v[1])) }
		for name, shift := range map[string]int{"lo": 0, "hi": 16} {
			t.whole("mul24."+name+"."+typ, typ, typ+" "+typ, func(v []*big.Int) *big.Int { return shiftedRight(product(v), shift) })
			t.whole("mad24."+name+"."+typ, typ, typ+" "+typ+" "+typ, func(v []*big.Int) *big.Int {
				// The 32 bits of the product are an addend like any other.
				p := operand(typ).value(pattern(shiftedRight(product(v), shift), 32))
				return plus(p, v[2])
			})
		}
	}
	s32 := operand("s32")
	t.whole("add.sat.s32", "s32", "s32 s32", func(v []*big.Int) *big.Int { return clamp(s32, plus(v[0], v[1])) })
	t.whole("sub.sat.s32", "s32", "s32 s32", func(v []*big.Int) *big.Int { return clamp(s32, minus(v[0], v[1])) })
	t.whole("mad.hi.sat.s32", "s32", "s32 s32 s32", func(v []*big.Int) *big.Int {
		return clamp(s32, plus(shiftedRight(times(v[0], v[1]), 32), v[2]))
	})
	t.whole("mad24.hi.sat.s32", "s32", "s32 s32 s32", func(v []*big.Int) *big.Int {
		return clamp(s32, plus(shiftedRight(times(low24('s', v[0]), low24('s', v[1])), 16), v[2]))
	})
	for _, a := range []string{"u32", "s32"} {
		for _, b := range []string{"u32", "s32"} {
			t.dotProducts(a, b)
		}
	}
}

// part is lane i of a source, of so many bits, as an integer of the kind.
func part(kind byte, x uint64, i, bits int) *big.Int {
	return Operand{kind, bits, 32}.value(x >> (i * bits))
}

func (t *table) dotProducts(a, b string) {
	sources := a + " " + b + " "
	c := "u32"
	if a == "s32" || b == "s32" {
		c = "s32"
	}
	t.bitwise("dp4a."+a+"."+b, c, sources+c, func(x []uint64) uint64 {
		sum := new(big.Int).SetUint64(x[2])
		for i := range 4 {
			sum.Add(sum, times(part(a[0], x[0], i, 8), part(b[0], x[1], i, 8)))
		}
		return pattern(sum, 32)
	})
	for name, first := range map[string]int{"lo": 0, "hi": 2} {
		t.bitwise("dp2a."+name+"."+a+"."+b, c, sources+c, func(x []uint64) uint64 {
			sum := new(big.Int).SetUint64(x[2])
			for i := range 2 {
				sum.Add(sum, times(part(a[0], x[0], i, 16), part(b[0], x[1], first+i, 8)))
			}
			return pattern(sum, 32)
		})
	}
}

// carries enters extended-precision arithmetic (PTX ISA 9.7.2). What an instruction leaves in CC.CF is shown
// by one after it, and what it takes from there is put there by one before.
func (t *table) carries() {
	for _, typ := range []string{"u32", "s32", "u64", "s64"} {
		o := operand(typ)
		unsigned := Operand{'u', o.Bits, o.Bits}
		low := func(v *big.Int) *big.Int { return unsigned.value(pattern(v, o.Bits)) }
		carryOf := func(v *big.Int) *big.Int { return new(big.Int).Rsh(v, uint(o.Bits)) } // of a sum: 0 or 1; of a difference: 0 or -1
		chain := func(name string, first, then string, count int, f func(x []uint64) []*big.Int) {
			results := typ + " " + typ
			if then != "" {
				results += " " + typ
			}
			sources := strings.TrimSpace(strings.Repeat(typ+" ", count))
			code := first
			if then != "" {
				code += "; " + then
			}
			t.addCode(name+"."+typ, strings.ReplaceAll(code, "TYPE", typ), results, sources, func(x []uint64) []uint64 {
				var all []uint64
				for _, v := range f(x) {
					all = append(all, pattern(v, o.Bits))
				}
				return all
			})
		}
		u := func(x uint64) *big.Int { return unsigned.value(x) }
		chain("add.cc", "add.cc.TYPE D0, S0, S1; addc.TYPE D1, 0, 0", "", 2, func(x []uint64) []*big.Int {
			sum := plus(u(x[0]), u(x[1]))
			return []*big.Int{sum, carryOf(sum)}
		})
		chain("addc", "add.cc.TYPE D0, S0, S1; addc.TYPE D1, S2, S3", "addc.TYPE D2, 0, 0", 4, func(x []uint64) []*big.Int {
			sum := plus(u(x[0]), u(x[1]))
			return []*big.Int{sum, plus(plus(u(x[2]), u(x[3])), carryOf(sum)), carryOf(sum)} // addc leaves CC.CF alone
		})
		chain("addc.cc", "add.cc.TYPE D0, S0, S1; addc.cc.TYPE D1, S2, S3", "addc.TYPE D2, 0, 0", 4, func(x []uint64) []*big.Int {
			sum := plus(u(x[0]), u(x[1]))
			next := plus(plus(u(x[2]), u(x[3])), carryOf(sum))
			return []*big.Int{sum, next, carryOf(next)}
		})
		chain("sub.cc", "sub.cc.TYPE D0, S0, S1; subc.TYPE D1, 0, 0", "", 2, func(x []uint64) []*big.Int {
			d := minus(u(x[0]), u(x[1]))
			return []*big.Int{d, carryOf(d)}
		})
		chain("subc", "sub.cc.TYPE D0, S0, S1; subc.TYPE D1, S2, S3", "subc.TYPE D2, 0, 0", 4, func(x []uint64) []*big.Int {
			d := minus(u(x[0]), u(x[1]))
			return []*big.Int{d, plus(minus(u(x[2]), u(x[3])), carryOf(d)), carryOf(d)}
		})
		chain("subc.cc", "sub.cc.TYPE D0, S0, S1; subc.cc.TYPE D1, S2, S3", "subc.TYPE D2, 0, 0", 4, func(x []uint64) []*big.Int {
			d := minus(u(x[0]), u(x[1]))
			next := plus(minus(u(x[2]), u(x[3])), carryOf(d))
			return []*big.Int{d, next, carryOf(next)}
		})
		for _, half := range []string{"lo", "hi"} {
			product := func(a, b uint64) *big.Int {
				p := times(o.value(a), o.value(b))
				if half == "hi" {
					p.Rsh(p, uint(o.Bits))
				}
				return low(p)
			}
			chain("mad."+half+".cc", "mad."+half+".cc.TYPE D0, S0, S1, S2; addc.TYPE D1, 0, 0", "", 3, func(x []uint64) []*big.Int {
				sum := plus(product(x[0], x[1]), u(x[2]))
				return []*big.Int{sum, carryOf(sum)}
			})
			chain("madc."+half, "add.cc.TYPE D0, S0, S1; madc."+half+".TYPE D1, S2, S3, S4", "addc.TYPE D2, 0, 0", 5, func(x []uint64) []*big.Int {
				sum := plus(u(x[0]), u(x[1]))
				return []*big.Int{sum, plus(plus(product(x[2], x[3]), u(x[4])), carryOf(sum)), carryOf(sum)}
			})
			chain("madc."+half+".cc", "add.cc.TYPE D0, S0, S1; madc."+half+".cc.TYPE D1, S2, S3, S4", "addc.TYPE D2, 0, 0", 5, func(x []uint64) []*big.Int {
				sum := plus(u(x[0]), u(x[1]))
				next := plus(plus(product(x[2], x[3]), u(x[4])), carryOf(sum))
				return []*big.Int{sum, next, carryOf(next)}
			})
		}
	}
}
