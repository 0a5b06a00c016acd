package ordinary

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

var one = big.NewInt(1)

var convertedTypes = []string{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"}

// widths are the registers that a type may be in.
func widths(bits int) (all []int) {
	for _, w := range []int{16, 32, 64} {
		if w >= bits {
			all = append(all, w)
		}
	}
	return all
}

// inRegisters enters a conversion with all widths of registers that its types allow. A result that is
// not an integer is extended by zeros. Beside bf16 registers are as wide as their types.
func (t *table) inRegisters(name, to, from string, compute func(x uint64) uint64) {
	results, sources := widths(operand(to).Bits), widths(operand(from).Bits)
	if to == "bf16" || from == "bf16" {
		results, sources = []int{operand(to).Bits}, []int{operand(from).Bits}
	}
	for _, d := range results {
		for _, s := range sources {
			f := t.bitwise(name, fmt.Sprintf("%s/%d", to, d), fmt.Sprintf("%s/%d", from, s), func(x []uint64) uint64 { return compute(x[0]) })
			f.Constant = from != "f16"
		}
	}
}

// integerConversions enters cvt between integers, and cvt.pack (PTX ISA 9.7.9.21 and 22).
func (t *table) integerConversions() {
	for _, to := range convertedTypes {
		for _, from := range convertedTypes {
			d, s := operand(to), operand(from)
			t.inRegisters("cvt."+to+"."+from, to, from, func(x uint64) uint64 { return pattern(s.value(x), d.Bits) })
			// Saturation is allowed where there are values to be saturated.
			if d.Kind == s.Kind && d.Bits >= s.Bits || d.Kind == 's' && s.Kind == 'u' && d.Bits > s.Bits {
				continue
			}
			t.inRegisters("cvt.sat."+to+"."+from, to, from, func(x uint64) uint64 { return pattern(clamp(d, s.value(x)), d.Bits) })
		}
	}
	s32 := operand("s32")
	for _, typ := range []string{"u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16"} {
		o := operand(typ)
		packed := func(x []uint64) uint64 {
			a, b := clamp(o, s32.value(x[0])), clamp(o, s32.value(x[1]))
			return pattern(a, o.Bits)<<o.Bits | pattern(b, o.Bits)
		}
		if o.Bits == 16 {
			t.bitwise("cvt.pack.sat."+typ+".s32", "b32", "s32 s32", packed)
			continue
		}
		t.bitwise("cvt.pack.sat."+typ+".s32.b32", "b32", "s32 s32 b32", func(x []uint64) uint64 { return x[2]<<(2*o.Bits) | packed(x) })
	}
}

// floatConversions enters the conversions that have a floating-point type.
func (t *table) floatConversions() {
	formats := []format{half, single, double}
	for _, f := range formats {
		for _, typ := range convertedTypes {
			t.toInteger(f, typ)
			t.fromInteger(f, typ)
		}
		for _, g := range formats {
			t.betweenFloats(g, f)
		}
	}
}

// toInteger enters the conversions to an integer type. The result is clamped, with or without .sat.
func (t *table) toInteger(f format, to string) {
	o := operand(to)
	for _, mode := range modes {
		for _, m := range finishing {
			if m.ftz && f != single {
				continue
			}
			t.inRegisters("cvt."+mode.name+"i"+m.suffix()+"."+to+"."+f.name, to, f.name, func(x uint64) uint64 {
				n := m.source(f, x)
				switch {
				case n.nan && f != double && o.Bits < 64:
					return 0
				case n.nan: // O7
					return 1 << (o.Bits - 1)
				case n.infinite && n.negative:
					return pattern(clamp(o, new(big.Int).Lsh(big.NewInt(-1), 100)), o.Bits)
				case n.infinite:
					return pattern(clamp(o, new(big.Int).Lsh(one, 100)), o.Bits)
				}
				return pattern(clamp(o, n.integral(mode.mode).signed()), o.Bits)
			})
		}
	}
}

func (t *table) fromInteger(f format, from string) {
	o := operand(from)
	for _, mode := range modes {
		for _, m := range finishing {
			if m.ftz && f != single {
				continue
			}
			t.inRegisters("cvt."+mode.name+m.suffix()+"."+f.name+"."+from, f.name, from, func(x uint64) uint64 {
				return m.result(f, integer(o.value(x)), mode.mode)
			})
		}
	}
}

// betweenFloats enters the conversions from one format to another, or to integral numbers of the same one.
// .ftz is for subnormal f32 only, be they sources or results.
func (t *table) betweenFloats(to, from format) {
	convert := func(x uint64, m finish, mode Mode, integral bool) uint64 {
		n := finish{ftz: m.ftz && from == single}.source(from, x)
		if integral {
			n = n.integral(mode)
		}
		return finish{ftz: m.ftz && to == single, sat: m.sat}.result(to, n, mode) // O6
	}
	for _, m := range finishing {
		if m.ftz && from != single && to != single {
			continue
		}
		end := m.suffix() + "." + to.name + "." + from.name
		for _, mode := range modes {
			switch {
			case to.bits < from.bits:
				t.inRegisters("cvt."+mode.name+end, to.name, from.name, func(x uint64) uint64 { return convert(x, m, mode.mode, false) })
			case to == from:
				t.inRegisters("cvt."+mode.name+"i"+end, to.name, from.name, func(x uint64) uint64 { return convert(x, m, mode.mode, true) })
			}
		}
		if to.bits >= from.bits {
			t.inRegisters("cvt"+end, to.name, from.name, func(x uint64) uint64 { return convert(x, m, Nearest, false) })
		}
	}
}

// moves enters mov (PTX ISA 9.7.9.8 and 9.7.9.9).
func (t *table) moves() {
	for _, typ := range []string{"b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"} {
		t.bitwise("mov."+typ, typ, typ, func(x []uint64) uint64 { return x[0] })
		for _, count := range []int{2, 4} {
			if count == 4 && strings.HasSuffix(typ, "64") {
				continue // there are no moves of more than 128 bits
			}
			var results, sources []string
			for i := range count {
				results, sources = append(results, fmt.Sprintf("D%d", i)), append(sources, fmt.Sprintf("S%d", i))
			}
			name := fmt.Sprintf("mov.v%d.%s", count, typ)
			t.addCode(name, name+" {"+strings.Join(results, ", ")+"}, {"+strings.Join(sources, ", ")+"}", repeated(typ, count), repeated(typ, count),
				func(x []uint64) []uint64 { return slices.Clone(x) })
		}
	}
	for whole, counts := range map[int][]int{32: {2}, 64: {2, 4}} {
		for _, count := range counts {
			bits := whole / count
			typ, piece := fmt.Sprintf("b%d", whole), repeated(fmt.Sprintf("b%d", bits), count)
			sources, results, somewhere := "", "", ""
			for i := range count {
				if i > 0 {
					sources, results, somewhere = sources+", ", results+", ", somewhere+", "
				}
				sources += fmt.Sprintf("S%d", i)
				results += fmt.Sprintf("D%d", i)
				if i < count-1 {
					somewhere += "_"
				} else {
					somewhere += "D0"
				}
			}
			f := t.addCode("mov."+typ, "mov."+typ+" D0, {"+sources+"}", typ, piece, func(x []uint64) []uint64 {
				d := uint64(0)
				for i := range x {
					d |= x[i] << (i * bits)
				}
				return []uint64{d}
			})
			f.Constant = false
			f = t.addCode("mov."+typ, "mov."+typ+" {"+results+"}, S0", piece, typ, func(x []uint64) (d []uint64) {
				for i := range count {
					d = append(d, x[0]>>(i*bits)&mask(bits))
				}
				return d
			})
			f.Constant = false
			f = t.addCode("mov."+typ, "mov."+typ+" {"+somewhere+"}, S0", fmt.Sprintf("b%d", bits), typ, func(x []uint64) []uint64 {
				return []uint64{x[0] >> (whole - bits)}
			})
			f.Constant = false
		}
	}
}
