package ordinary

// brain is bf16, and tf32 a result of conversions.
var (
	brain = format{"bf16", 16, 7, 0x7fff}
	tf32  = format{"tf32", 19, 10, 0x3ffff}
)

// outOfBounds is the NaN that stands for what is out of bounds, without its sign.
const outOfBounds = 0x7ff7

// brains enters arithmetic of bf16, and the forms of f16 that came with it (PTX ISA 9.7.4).
func (t *table) brains() {
	first := len(t.forms)
	for typ, count := range map[string]int{"bf16": 1, "bf16x2": 2} {
		for _, op := range []arithmetic{addition, subtraction, multiplication} {
			for _, mode := range []string{"", ".rn"} {
				t.bitwise(op.name+mode+"."+typ, typ, repeated(typ, op.count), lanes(brain, count, op.compute(brain, Nearest, finish{})))
			}
		}
		for _, m := range []finish{{}, {relu: true}} {
			t.bitwise("fma.rn"+m.suffix()+"."+typ, typ, repeated(typ, 3), lanes(brain, count, fused.compute(brain, Nearest, m)))
		}
		t.signs(brain, finish{}, typ, count)
		for _, nan := range []string{"", ".NaN"} {
			t.extremes(brain, finish{}, nan, typ, count)
			t.signedExtremes(brain, finish{}, nan, typ, count)
		}
	}
	for typ, count := range map[string]int{"f16": 1, "f16x2": 2} {
		for _, m := range flushing {
			for _, nan := range []string{"", ".NaN"} {
				t.signedExtremes(half, m, nan, typ, count)
			}
		}
	}
	for _, f := range []format{half, brain} {
		for _, m := range []finish{{}, {relu: true}} {
			compute := fused.compute(f, Nearest, m)
			guarded := func(x []uint64) uint64 {
				if x[0]&^f.signBit() == outOfBounds || x[1]&^f.signBit() == outOfBounds { // O12
					return 0
				}
				return compute(x)
			}
			for count, typ := range []string{f.name, f.name + "x2"} {
				t.bitwise("fma.rn.oob"+m.suffix()+"."+typ, typ, repeated(typ, 3), lanes(f, count+1, guarded))
			}
		}
	}
	t.halfComparisons()
	t.brainConversions()
	for i := first; i < len(t.forms); i++ {
		t.forms[i].Constant = false
	}
	for _, m := range flushing {
		for _, nan := range []string{"", ".NaN"} {
			t.signedExtremes(single, m, nan, "f32", 1)
		}
	}
	t.mixed()
}

// signedExtremes enters min and max with .xorsign.abs: of the magnitudes, with the sign that the operands' signs have by
// xor, but for a NaN.
func (t *table) signedExtremes(f format, m finish, nan, typ string, count int) {
	for _, op := range []string{"min", "max"} {
		t.bitwise(op+m.suffix()+nan+".xorsign.abs."+typ, typ, repeated(typ, 2), lanes(f, count, func(x []uint64) uint64 {
			a, b := m.source(f, x[0]&^f.signBit()), m.source(f, x[1]&^f.signBit())
			sign := (x[0] ^ x[1]) & f.signBit()
			switch {
			case a.nan && b.nan, nan != "" && (a.nan || b.nan):
				return f.nan
			case a.nan:
				return f.encode(b, Nearest) | sign
			case b.nan:
				return f.encode(a, Nearest) | sign
			}
			if order, _ := compare(a, b); order < 0 == (op == "min") {
				return f.encode(a, Nearest) | sign
			}
			return f.encode(b, Nearest) | sign
		}))
	}
}

// halfComparisons enters the comparisons of halves that f32 has not (9.7.7): those of two at once, and those whose result is
// a half.
func (t *table) halfComparisons() {
	for _, c := range relationsOfFloats() {
		for _, comb := range combinations {
			sources, operands := "", "S0, S1"
			if comb.of != nil {
				sources, operands = " pred", "S0, S1, S2"
			}
			combine := func(d uint64, x []uint64) uint64 {
				if comb.of != nil {
					return comb.of(d, x[2])
				}
				return d
			}
			for _, f := range []format{half, brain} {
				for _, m := range flushing {
					if m.ftz && f == brain {
						continue
					}
					name, pair := c.name+comb.name+m.suffix(), f.name+"x2"
					holds := func(x, y uint64) uint64 { return truth(c.holds(m.source(f, x), m.source(f, y))) }
					both := func(x []uint64) (low, high uint64) {
						return combine(holds(x[0]&0xffff, x[1]&0xffff), x), combine(holds(x[0]>>16, x[1]>>16), x)
					}
					t.addCode("setp."+name+"."+pair, "setp."+name+"."+pair+" D0|D1, "+operands, "pred pred", pair+" "+pair+sources, func(x []uint64) []uint64 {
						low, high := both(x)
						return []uint64{low, high}
					})
					for to, yes := range map[string]uint64{pair: f.one(), "u32": 0xffff, "s32": 0xffff} {
						t.addCode("set."+name+"."+to+"."+pair, "set."+name+"."+to+"."+pair+" D0, "+operands, "b32", pair+" "+pair+sources, func(x []uint64) []uint64 {
							low, high := both(x)
							return []uint64{low*yes | high*yes<<16}
						})
					}
					if f == brain {
						t.addCode("setp."+name+".bf16", "setp."+name+".bf16 D0, "+operands, "pred", "bf16 bf16"+sources, func(x []uint64) []uint64 {
							return []uint64{combine(holds(x[0], x[1]), x)}
						})
					}
					for to, yes := range map[string]uint64{"u16": 0xffff, "s16": 0xffff, "u32": mask(32), "s32": mask(32)} {
						if f == half && to[1:] == "32" {
							continue // with those of f32
						}
						t.addCode("set."+name+"."+to+"."+f.name, "set."+name+"."+to+"."+f.name+" D0, "+operands, to, f.name+" "+f.name+sources, func(x []uint64) []uint64 {
							return []uint64{combine(holds(x[0], x[1]), x) * yes}
						})
					}
				}
				for _, from := range []format{half, brain, single, double} {
					for _, m := range flushing {
						if m.ftz && (f == brain || from == brain || from == double) || f == half && from == brain {
							continue
						}
						name := c.name + comb.name + m.suffix() + "." + f.name + "." + from.name
						t.addCode("set."+name, "set."+name+" D0, "+operands, f.name, from.name+" "+from.name+sources, func(x []uint64) []uint64 {
							return []uint64{combine(truth(c.holds(m.source(from, x[0]), m.source(from, x[1]))), x) * f.one()}
						})
					}
				}
			}
		}
	}
}

// floatRelation is a comparison of numbers.
type floatRelation struct {
	name  string
	holds func(x, y number) bool
}

// relationsOfFloats are the fourteen comparisons of floating-point numbers.
func relationsOfFloats() (all []floatRelation) {
	for _, r := range relations {
		all = append(all,
			floatRelation{r.name, func(x, y number) bool { o, ok := compare(x, y); return ok && r.holds(o) }},
			floatRelation{r.name + "u", func(x, y number) bool { o, ok := compare(x, y); return !ok || r.holds(o) }})
	}
	return append(all,
		floatRelation{"num", func(x, y number) bool { return !x.nan && !y.nan }},
		floatRelation{"nan", func(x, y number) bool { return x.nan || y.nan }})
}

// mixed enters arithmetic of f32 with operands of other formats (9.7.5), and of two f32 at once (9.7.3).
func (t *table) mixed() {
	for _, mode := range append(modes, struct {
		name string
		mode Mode
	}{"", Nearest}) {
		rounding := "." + mode.name
		if mode.name == "" {
			rounding = ""
		}
		for _, f := range []format{half, brain} {
			for _, m := range []finish{{}, {sat: true}} {
				for _, op := range []arithmetic{addition, subtraction} {
					t.bitwise(op.name+rounding+m.suffix()+".f32."+f.name, "f32", f.name+" f32", func(x []uint64) uint64 {
						return m.result(single, op.of([]number{f.decode(x[0]), single.decode(x[1])}, mode.mode), mode.mode)
					}).Constant = false
				}
				if mode.name != "" {
					t.bitwise("fma"+rounding+m.suffix()+".f32."+f.name, "f32", f.name+" "+f.name+" f32", func(x []uint64) uint64 {
						return m.result(single, fused.of([]number{f.decode(x[0]), f.decode(x[1]), single.decode(x[2])}, mode.mode), mode.mode)
					}).Constant = false
				}
			}
		}
		for _, m := range flushing {
			for _, op := range []arithmetic{addition, subtraction, multiplication, fused} {
				if mode.name == "" && op.count == 3 {
					continue
				}
				compute := op.compute(single, mode.mode, m)
				t.bitwise(op.name+rounding+m.suffix()+".f32x2", "b64", repeated("b64", op.count), lanes(single, 2, compute)).Constant = false
			}
		}
	}
}

// brainConversions enters the conversions to and from bf16, tf32 and the formats of a byte (9.7.9.21).
func (t *table) brainConversions() {
	for _, to := range []format{single, double} {
		for _, m := range []finish{{}, {sat: true}} {
			t.inRegisters("cvt"+m.suffix()+"."+to.name+".bf16", to.name, "bf16", func(x uint64) uint64 { return m.result(to, brain.decode(x), Nearest) })
		}
	}
	t.inRegisters("cvt.bf16.bf16", "bf16", "bf16", func(x uint64) uint64 { return brain.encode(brain.decode(x), Nearest) }) // O6
	for _, mode := range modes {
		t.inRegisters("cvt."+mode.name+".f16.bf16", "f16", "bf16", func(x uint64) uint64 { return half.encode(brain.decode(x), mode.mode) })
		t.inRegisters("cvt."+mode.name+"i.bf16.bf16", "bf16", "bf16", func(x uint64) uint64 { return brain.encode(brain.decode(x).integral(mode.mode), mode.mode) })
		for _, from := range []format{half, single, double} {
			t.inRegisters("cvt."+mode.name+".bf16."+from.name, "bf16", from.name, func(x uint64) uint64 { return brain.encode(from.decode(x), mode.mode) })
		}
		for _, typ := range convertedTypes {
			o := operand(typ)
			t.inRegisters("cvt."+mode.name+".bf16."+typ, "bf16", typ, func(x uint64) uint64 { return brain.encode(integer(o.value(x)), mode.mode) })
			toInteger := &table{}
			toInteger.toInteger(brain, typ)
			for i := range toInteger.forms {
				if f := &toInteger.forms[i]; f.Name == "cvt."+mode.name+"i."+typ+".bf16" {
					t.forms = append(t.forms, *f)
				}
			}
		}
	}
	ends := []finish{{}, {relu: true}}
	for _, finite := range []bool{false, true} {
		for _, m := range ends {
			suffix := map[finish]string{{}: "", {relu: true}: ".relu"}[m] + map[bool]string{true: ".satfinite"}[finite]
			for _, mode := range modes[:2] {
				convert := func(to format) func(x uint64) uint64 {
					return func(x uint64) uint64 { return m.limited(to, single.decode(x), mode.mode, finite) }
				}
				name := "cvt." + mode.name + suffix
				if suffix != "" {
					for _, to := range []format{half, brain} {
						t.bitwise(name+"."+to.name+".f32", to.name, "f32", func(x []uint64) uint64 { return convert(to)(x[0]) })
					}
				}
				for _, to := range []format{half, brain} {
					t.bitwise(name+"."+to.name+"x2.f32", to.name+"x2", "f32 f32", func(x []uint64) uint64 { return convert(to)(x[0])<<16 | convert(to)(x[1]) })
				}
				t.bitwise(name+".tf32.f32", "b32", "f32", func(x []uint64) uint64 { return asTF32(single.decode(x[0]), convert(tf32)(x[0])) })
			}
		}
		// Ties go away from zero, as of what is a little more than they are.
		t.bitwise("cvt.rna"+map[bool]string{true: ".satfinite"}[finite]+".tf32.f32", "b32", "f32", func(x []uint64) uint64 {
			n := single.decode(x[0])
			n.more = !n.nan && !n.infinite && !n.zero()
			return asTF32(n, finish{}.limited(tf32, n, Nearest, finite))
		})
	}
	t.byteConversions()
}

// asTF32 is where tf32 is in its register. A NaN is that of f32.
func asTF32(x number, d uint64) uint64 {
	if x.nan {
		return single.nan
	}
	return d << 13
}

// limited rounds a number and does what .relu and .satfinite say.
func (m finish) limited(f format, x number, mode Mode, finite bool) uint64 {
	d := f.encode(x, mode)
	if finite && d&^f.signBit() == f.infinity() {
		d--
	}
	if m.relu && !x.nan && d&f.signBit() != 0 {
		d = 0
	}
	return d
}
