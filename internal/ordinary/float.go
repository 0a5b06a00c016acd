package ordinary

import (
	"fmt"
	"slices"
)

// finish is what modifiers ask for besides rounding.
type finish struct{ ftz, sat, relu bool }

func (m finish) suffix() (s string) {
	for _, part := range []struct {
		on   bool
		text string
	}{{m.ftz, ".ftz"}, {m.sat, ".sat"}, {m.relu, ".relu"}} {
		if part.on {
			s += part.text
		}
	}
	return s
}

var (
	plainly   = []finish{{}}
	flushing  = []finish{{}, {ftz: true}}
	finishing = []finish{{}, {ftz: true}, {sat: true}, {ftz: true, sat: true}}
)

// source decodes an operand, flushed if that is asked for.
func (m finish) source(f format, x uint64) number {
	if m.ftz {
		x = f.flush(x)
	}
	return f.decode(x)
}

// result rounds a number and does what the modifiers say, in this order.
func (m finish) result(f format, x number, mode Mode) uint64 {
	d := f.encode(x, mode)
	if m.ftz && f.tiny(x, mode) { // O2
		d &= f.signBit()
	}
	if m.sat {
		d = f.saturate(d)
	}
	if m.relu && !x.nan && d&f.signBit() != 0 {
		d = 0 // O3
	}
	return d
}

// arithmetic is an operation on numbers, exact but for what more says.
type arithmetic struct {
	name  string
	count int
	of    func(x []number, mode Mode) number
}

var (
	addition       = arithmetic{"add", 2, func(x []number, mode Mode) number { return add(x[0], x[1], mode) }}
	subtraction    = arithmetic{"sub", 2, func(x []number, mode Mode) number { return add(x[0], x[1].negated(), mode) }}
	multiplication = arithmetic{"mul", 2, func(x []number, _ Mode) number { return multiply(x[0], x[1]) }}
	fused          = arithmetic{"fma", 3, func(x []number, mode Mode) number { return add(multiply(x[0], x[1]), x[2], mode) }}
	fusedMad       = arithmetic{"mad", 3, fused.of}
	division       = arithmetic{"div", 2, func(x []number, _ Mode) number { return divide(x[0], x[1]) }}
	reciprocal     = arithmetic{"rcp", 1, func(x []number, _ Mode) number { return divide(integer(one), x[0]) }}
	root           = arithmetic{"sqrt", 1, func(x []number, _ Mode) number { return squareRoot(x[0]) }}
)

// compute applies an operation to patterns.
func (op arithmetic) compute(f format, mode Mode, m finish) func(x []uint64) uint64 {
	return func(x []uint64) uint64 {
		numbers := make([]number, len(x))
		for i := range x {
			numbers[i] = m.source(f, x[i])
		}
		return m.result(f, op.of(numbers, mode), mode)
	}
}

// repeated is a list of one type, several times.
func repeated(typ string, count int) string {
	s := typ
	for range count - 1 {
		s += " " + typ
	}
	return s
}

// floats enters arithmetic of f32 and f64 (PTX ISA 9.7.3).
func (t *table) floats() {
	for _, f := range []format{single, double} {
		all, some := finishing, flushing
		if f == double {
			all, some = plainly, plainly
		}
		for _, op := range []struct {
			arithmetic
			finishes []finish
			optional bool // no rounding mode is rn
		}{
			{addition, all, true}, {subtraction, all, true}, {multiplication, all, true},
			{fused, all, false}, {fusedMad, all, false}, {division, some, false}, {reciprocal, some, false}, {root, some, false},
		} {
			for _, m := range op.finishes {
				for _, mode := range modes {
					t.bitwise(op.name+"."+mode.name+m.suffix()+"."+f.name, f.name, repeated(f.name, op.count), op.compute(f, mode.mode, m))
				}
				if op.optional {
					t.bitwise(op.name+m.suffix()+"."+f.name, f.name, repeated(f.name, op.count), op.compute(f, Nearest, m))
				}
			}
		}
		for _, m := range some {
			t.signs(f, m, f.name, 1)
			t.extremes(f, m, "", f.name, 1)
			if f == single {
				t.extremes(f, m, ".NaN", f.name, 1)
			}
		}
		t.bitwise("copysign."+f.name, f.name, repeated(f.name, 2), func(x []uint64) uint64 {
			return x[1]&^f.signBit() | x[0]&f.signBit()
		})
		t.classes(f)
	}
}

// lanes applies an operation to each of some numbers in a register.
func lanes(f format, count int, compute func(x []uint64) uint64) func(x []uint64) uint64 {
	if count == 1 {
		return compute
	}
	return func(x []uint64) (d uint64) {
		for i := range count {
			lane := make([]uint64, len(x))
			for k := range x {
				lane[k] = x[k] >> (i * f.bits) & mask(f.bits)
			}
			d |= compute(lane) << (i * f.bits)
		}
		return d
	}
}

// signs enters neg and abs.
func (t *table) signs(f format, m finish, typ string, count int) {
	flushed := func(x uint64) uint64 {
		if m.ftz {
			return f.flush(x)
		}
		return x
	}
	t.bitwise("neg"+m.suffix()+"."+typ, typ, typ, lanes(f, count, func(x []uint64) uint64 { return flushed(x[0]) ^ f.signBit() }))  // O5
	t.bitwise("abs"+m.suffix()+"."+typ, typ, typ, lanes(f, count, func(x []uint64) uint64 { return flushed(x[0]) &^ f.signBit() })) // O5
}

// threeExtremes enters min and max of three f32: that of the first two and the third. With .abs it is that of the magnitudes.
func (t *table) threeExtremes() {
	for _, m := range flushing {
		for _, op := range []string{"min", "max"} {
			for _, nan := range []string{"", ".NaN"} {
				for _, abs := range []string{"", ".abs"} {
					t.bitwise(op+m.suffix()+nan+abs+".f32", "f32", "f32 f32 f32", func(x []uint64) uint64 {
						numbers, nans := []uint64{}, 0
						for _, v := range x {
							if abs != "" {
								v &^= single.signBit()
							}
							if n := m.source(single, v); n.nan {
								nans++
							} else {
								numbers = append(numbers, single.encode(n, Nearest))
							}
						}
						if len(numbers) == 0 || nan != "" && nans > 0 {
							return single.nan
						}
						slices.SortFunc(numbers, func(a, b uint64) int {
							order, _ := compare(single.decode(a), single.decode(b))
							if order == 0 { // -0 is less than +0
								order = int(truth(b&single.signBit() != 0)) - int(truth(a&single.signBit() != 0))
							}
							return order
						})
						if op == "min" {
							return numbers[0]
						}
						return numbers[len(numbers)-1]
					})
				}
			}
		}
	}
}

// extremes enters min and max, in which -0 is less than +0. A NaN gives way to a number, unless nan is ".NaN".
func (t *table) extremes(f format, m finish, nan, typ string, count int) {
	for _, op := range []string{"min", "max"} {
		t.bitwise(op+m.suffix()+nan+"."+typ, typ, repeated(typ, 2), lanes(f, count, func(x []uint64) uint64 {
			a, b := m.source(f, x[0]), m.source(f, x[1])
			switch {
			case a.nan && b.nan, nan != "" && (a.nan || b.nan):
				return f.nan
			case a.nan:
				return f.encode(b, Nearest)
			case b.nan:
				return f.encode(a, Nearest)
			}
			order, _ := compare(a, b)
			if order == 0 && a.negative != b.negative {
				order = 1 - 2*int(truth(a.negative))
			}
			if order < 0 == (op == "min") {
				return f.encode(a, Nearest)
			}
			return f.encode(b, Nearest)
		}))
	}
}

// classes enters testp. Zeros are normal numbers, as the manual has it.
func (t *table) classes(f format) {
	for name, holds := range map[string]func(x number, subnormal bool) bool{
		"finite":     func(x number, _ bool) bool { return !x.nan && !x.infinite },
		"infinite":   func(x number, _ bool) bool { return x.infinite },
		"number":     func(x number, _ bool) bool { return !x.nan },
		"notanumber": func(x number, _ bool) bool { return x.nan },
		"normal":     func(x number, subnormal bool) bool { return !x.nan && !x.infinite && !subnormal },
		"subnormal":  func(_ number, subnormal bool) bool { return subnormal },
	} {
		t.bitwise("testp."+name+"."+f.name, "pred", f.name, func(x []uint64) uint64 {
			n := f.decode(x[0])
			return truth(holds(n, x[0]&f.infinity() == 0 && !n.zero()))
		})
	}
}

// halves enters arithmetic of f16 and of two f16 in a word (PTX ISA 9.7.4).
func (t *table) halves() {
	for typ, count := range map[string]int{"f16": 1, "f16x2": 2} {
		first := len(t.forms)
		for _, m := range finishing {
			for _, op := range []arithmetic{addition, subtraction, multiplication} {
				for _, mode := range []string{"", ".rn"} {
					t.bitwise(op.name+mode+m.suffix()+"."+typ, typ, repeated(typ, op.count), lanes(half, count, op.compute(half, Nearest, m)))
				}
			}
			t.bitwise("fma.rn"+m.suffix()+"."+typ, typ, repeated(typ, 3), lanes(half, count, fused.compute(half, Nearest, m)))
		}
		for _, m := range flushing {
			m.relu = true
			t.bitwise("fma.rn"+m.suffix()+"."+typ, typ, repeated(typ, 3), lanes(half, count, fused.compute(half, Nearest, m)))
			m.relu = false
			t.signs(half, m, typ, count)
			t.extremes(half, m, "", typ, count)
			t.extremes(half, m, ".NaN", typ, count)
		}
		for i := first; i < len(t.forms); i++ {
			t.forms[i].Constant = false // there are none of f16
		}
	}
}

// relations are the comparisons: those of numbers that have an order, by it, and whether they hold for NaNs.
var relations = []struct {
	name  string
	holds func(order int) bool
}{
	{"eq", func(o int) bool { return o == 0 }}, {"ne", func(o int) bool { return o != 0 }},
	{"lt", func(o int) bool { return o < 0 }}, {"le", func(o int) bool { return o <= 0 }},
	{"gt", func(o int) bool { return o > 0 }}, {"ge", func(o int) bool { return o >= 0 }},
}

// combinations are the boolean operations of setp and set, and none.
var combinations = []struct {
	name string
	of   func(t, c uint64) uint64
}{
	{"", nil},
	{".and", func(t, c uint64) uint64 { return t & c }},
	{".or", func(t, c uint64) uint64 { return t | c }},
	{".xor", func(t, c uint64) uint64 { return t ^ c }},
}

// comparisons enters comparison and selection (PTX ISA 9.7.6).
func (t *table) comparisons() {
	for _, n := range []int{16, 32, 64} {
		for _, kind := range "bus" {
			typ := fmt.Sprintf("%c%d", kind, n)
			o := operand(typ)
			for _, r := range relations {
				if kind == 'b' && r.name != "eq" && r.name != "ne" {
					continue
				}
				holds := func(x []uint64) bool { return r.holds(o.value(x[0]).Cmp(o.value(x[1]))) }
				t.comparison(r.name, "", typ, holds)
				if name, ok := map[string]string{"lt": "lo", "le": "ls", "gt": "hi", "ge": "hs"}[r.name]; ok && kind == 'u' {
					t.comparison(name, "", typ, holds)
				}
			}
		}
	}
	for _, f := range []format{single, double, half} {
		for _, m := range flushing {
			if m.ftz && f == double {
				continue
			}
			ordered := func(x []uint64) (int, bool) { return compare(m.source(f, x[0]), m.source(f, x[1])) }
			for _, r := range relations {
				t.comparison(r.name, m.suffix(), f.name, func(x []uint64) bool { o, ok := ordered(x); return ok && r.holds(o) })
				t.comparison(r.name+"u", m.suffix(), f.name, func(x []uint64) bool { o, ok := ordered(x); return !ok || r.holds(o) })
			}
			t.comparison("num", m.suffix(), f.name, func(x []uint64) bool { _, ok := ordered(x); return ok })
			t.comparison("nan", m.suffix(), f.name, func(x []uint64) bool { _, ok := ordered(x); return !ok })
		}
	}
	for _, typ := range []string{"b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"} {
		two := typ + " " + typ
		t.bitwise("selp."+typ, typ, two+" pred", func(x []uint64) uint64 {
			if x[2] != 0 {
				return x[0]
			}
			return x[1]
		})
		t.bitwise("slct."+typ+".s32", typ, two+" s32", func(x []uint64) uint64 {
			if bit(x[2], 31) == 0 {
				return x[0]
			}
			return x[1]
		})
		for _, m := range flushing {
			t.bitwise("slct"+m.suffix()+"."+typ+".f32", typ, two+" f32", func(x []uint64) uint64 {
				if order, ok := compare(m.source(single, x[2]), zero(false)); ok && order >= 0 {
					return x[0]
				}
				return x[1]
			})
		}
	}
}

// comparison enters setp and set with one comparison.
func (t *table) comparison(relation, ftz, typ string, holds func(x []uint64) bool) {
	first := len(t.forms)
	for _, c := range combinations {
		sources, operands := typ+" "+typ, "S0, S1"
		if c.of != nil {
			sources, operands = sources+" pred", "S0, S1, S2"
		}
		name := relation + c.name + ftz
		t.addCode("setp."+name+"."+typ, "setp."+name+"."+typ+" D0, "+operands, "pred", sources, func(x []uint64) []uint64 {
			d := truth(holds(x))
			if c.of != nil {
				d = c.of(d, x[2])
			}
			return []uint64{d}
		})
		if typ != "f16" { // of which there is no second predicate
			t.addCode("setp."+name+"."+typ, "setp."+name+"."+typ+" D0|D1, "+operands, "pred pred", sources, func(x []uint64) []uint64 {
				p, q := truth(holds(x)), truth(!holds(x))
				if c.of != nil {
					p, q = c.of(p, x[2]), c.of(q, x[2])
				}
				return []uint64{p, q}
			})
		}
		if c.of != nil { // the predicate may be negated
			t.addCode("setp."+name+"."+typ, "setp."+name+"."+typ+" D0, S0, S1, !S2", "pred", sources, func(x []uint64) []uint64 {
				return []uint64{c.of(truth(holds(x)), 1-x[2])}
			})
		}
		for _, to := range []string{"u32", "s32", "f32", "f16", "bf16"} {
			if to == "f32" && typ == "f16" || to[len(to)-2:] == "16" && typ[0] == 'f' {
				continue // PTX has no such form, or it is with those of halves
			}
			yes := mask(32)
			switch to {
			case "f32":
				yes = single.one()
			case "f16":
				yes = half.one()
			case "bf16":
				yes = brain.one()
			}
			t.addCode("set."+name+"."+to+"."+typ, "set."+name+"."+to+"."+typ+" D0, "+operands, to, sources, func(x []uint64) []uint64 {
				d := truth(holds(x))
				if c.of != nil {
					d = c.of(d, x[2])
				}
				return []uint64{d * yes}
			})
		}
	}
	if typ == "f16" {
		for i := first; i < len(t.forms); i++ {
			t.forms[i].Constant = false
		}
	}
}
