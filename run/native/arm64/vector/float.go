package vector

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Floats. The processor rounds to nearest, as Go leaves it; what rounds in another way sets its mode. It differs from PTX
// in NaNs, of which PTX has one for results, and in flushing.

// float is a size of floats.
type float struct {
	name           string
	size           encode.Op // the arrangement of lanes
	nan, sign      uint64
	smallest, unit uint64 // the smallest normal number, and 1
}

var (
	single  = &float{"f32", encode.S4, 0x7fffffff, 1 << 31, 0x00800000, 0x3f800000}
	twofold = &float{"f64", encode.D2, 0xfff8000000000000, 1 << 63, 0x0010000000000000, 0x3ff0000000000000}
)

// constant is a number in all lanes.
func (f *float) constant(s *Selection, bits uint64) machine.Register {
	if f == single {
		return s.Const32(uint32(bits))
	}
	return s.Const64(bits)
}

// canonical makes every NaN the one that PTX has for results.
func (f *float) canonical(s *Selection, x machine.Register) machine.Register {
	number := s.New(encode.FCMEQ|f.size, x, x)
	return s.choose(number, x, f.constant(s, f.nan))
}

// flush makes subnormal numbers zeros of their sign.
func (f *float) flush(s *Selection, x machine.Register) machine.Register {
	magnitude := s.New(encode.BIC, x, f.constant(s, f.sign))
	normal := s.New(encode.CMHS|f.size, magnitude, f.constant(s, f.smallest))
	return s.New(encode.AND, x, s.New(encode.ORR, normal, f.constant(s, f.sign)))
}

// finish brings a result, flushed already, into its form.
func (f *float) finish(s *Selection, x machine.Register, sat bool) machine.Register {
	if sat { // a NaN gives way to the number
		zero := f.constant(s, 0)
		positive := s.New(encode.FCMGT|f.size, x, zero)
		return s.New(encode.FMINNM|f.size, s.New(encode.AND, x, positive), f.constant(s, f.unit))
	}
	return f.canonical(s, x)
}

// floatFunc computes a vector of floats from those of the operands.
type floatFunc func(s *Selection, f *float, x []machine.Register) machine.Register

// instruction is an instruction on all operands.
func instruction(o encode.Op) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register { return s.New(o|f.size, x...) }
}

// modes are the ways of rounding by their names.
var modes = map[string]machine.Rounding{"rn": machine.ToNearest, "rz": machine.ToZero, "rm": machine.Downwards, "rp": machine.Upwards}

// endings are those of operations on f32.
var endings = []struct {
	name     string
	ftz, sat bool
}{{"", false, false}, {".ftz", true, false}, {".sat", false, true}, {".ftz.sat", true, true}}

// arithmetic are the operations that round.
var arithmetic = map[string]floatFunc{
	"add": instruction(encode.FADD), "sub": instruction(encode.FSUB), "mul": instruction(encode.FMUL), "div": instruction(encode.FDIV),
	"sqrt": instruction(encode.FSQRT),
	"fma": func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.Change(encode.FMLA|f.size, x[2], x[0], x[1])
	},
	"rcp": func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.New(encode.FDIV|f.size, f.constant(s, f.unit), x[0])
	},
}

// rounded is a function whose instructions round so.
func rounded(mode machine.Rounding, compute floatFunc) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		s.Round(mode)
		return compute(s, f, x)
	}
}

// singles makes a selector of a function on f32.
func singles(compute floatFunc, ftz bool, finish func(s *Selection, x machine.Register) machine.Register) selector {
	return func(s *Selection, a []simt.ID) Value {
		x := make([]machine.Register, len(a))
		for n, id := range a {
			if x[n] = s.V(id); ftz {
				x[n] = single.flush(s, x[n])
			}
		}
		return one(finish(s, compute(s, single, x)))
	}
}

// twice makes a selector of a function on f64.
func twice(compute floatFunc) selector {
	return func(s *Selection, a []simt.ID) Value {
		var d Value
		for h := range d {
			x := make([]machine.Register, len(a))
			for n, id := range a {
				x[n] = s.Both(id)[h]
			}
			d[h] = compute(s, twofold, x)
		}
		return d
	}
}

// extremeNumber is a minimum or maximum: a NaN gives way to the other operand. Two numbers are what the instruction has too.
func extremeNumber(o encode.Op) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		a := s.choose(s.New(encode.FCMEQ|f.size, x[0], x[0]), x[0], x[1])
		b := s.choose(s.New(encode.FCMEQ|f.size, x[1], x[1]), x[1], x[0])
		return f.canonical(s, s.New(o|f.size, a, b))
	}
}

// withSign changes the sign.
func withSign(o encode.Op) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.New(o, x[0], f.constant(s, f.sign))
	}
}

func canonicalSingle(s *Selection, x machine.Register) machine.Register {
	return single.canonical(s, x)
}

func unfinished(s *Selection, x machine.Register) machine.Register { return x }

// floats are operations on f32.
var floats = func() map[string]selector {
	all := map[string]selector{}
	for name, compute := range arithmetic {
		for mode, round := range modes {
			for _, ending := range endings {
				all[name+"."+mode+ending.name+".f32"] = singleResult(name, ending.ftz, ending.sat, rounded(round, compute))
			}
		}
	}
	for _, ftz := range []bool{false, true} {
		ending := map[bool]string{false: ".f32", true: ".ftz.f32"}[ftz]
		all["min"+ending] = singles(extremeNumber(encode.FMINNM), ftz, unfinished)
		all["max"+ending] = singles(extremeNumber(encode.FMAXNM), ftz, unfinished)
		all["min"+strings.Replace(ending, ".f32", ".NaN.f32", 1)] = singles(instruction(encode.FMIN), ftz, canonicalSingle)
		all["max"+strings.Replace(ending, ".f32", ".NaN.f32", 1)] = singles(instruction(encode.FMAX), ftz, canonicalSingle)
		all["neg"+ending] = singles(withSign(encode.EOR), ftz, unfinished)
		all["abs"+ending] = singles(withSign(encode.BIC), ftz, unfinished)
		for name, c := range floatComparisons {
			all["setp."+name+ending] = singles(c, ftz, unfinished)
		}
	}
	return all
}()

// floatComparisons are the comparisons of setp: those with a u hold for NaNs too.
var floatComparisons = map[string]floatFunc{
	"eq": floatOrder(encode.FCMEQ, false, false), "neu": floatOrder(encode.FCMEQ, false, true),
	"gt": floatOrder(encode.FCMGT, false, false), "leu": floatOrder(encode.FCMGT, false, true),
	"ge": floatOrder(encode.FCMGE, false, false), "ltu": floatOrder(encode.FCMGE, false, true),
	"lt": floatOrder(encode.FCMGT, true, false), "geu": floatOrder(encode.FCMGT, true, true),
	"le": floatOrder(encode.FCMGE, true, false), "gtu": floatOrder(encode.FCMGE, true, true),
	"ne": unequalNumbers, "equ": negated(unequalNumbers), "num": bothNumbers, "nan": negated(bothNumbers),
}

func floatOrder(o encode.Op, swap, not bool) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		a, b := x[0], x[1]
		if swap {
			a, b = b, a
		}
		r := s.New(o|f.size, a, b)
		if not {
			r = s.New(encode.NOT|encode.B16, r)
		}
		return r
	}
}

func unequalNumbers(s *Selection, f *float, x []machine.Register) machine.Register {
	return s.New(encode.ORR, s.New(encode.FCMGT|f.size, x[0], x[1]), s.New(encode.FCMGT|f.size, x[1], x[0]))
}

func bothNumbers(s *Selection, f *float, x []machine.Register) machine.Register {
	return s.New(encode.AND, s.New(encode.FCMEQ|f.size, x[0], x[0]), s.New(encode.FCMEQ|f.size, x[1], x[1]))
}

func negated(compute floatFunc) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.New(encode.NOT|encode.B16, compute(s, f, x))
	}
}

// doubles are operations on f64.
var doubles = func() map[string]selector {
	all := map[string]selector{
		"neg.f64": twice(withSign(encode.EOR)), "abs.f64": twice(withSign(encode.BIC)),
		"min.f64": twice(extremeNumber(encode.FMINNM)), "max.f64": twice(extremeNumber(encode.FMAXNM)),
	}
	for name, compute := range arithmetic {
		for mode, round := range modes {
			all[name+"."+mode+".f64"] = twice(func(s *Selection, f *float, x []machine.Register) machine.Register {
				return f.canonical(s, rounded(round, compute)(s, f, x))
			})
		}
	}
	for name, c := range floatComparisons {
		all["setp."+name+".f64"] = func(s *Selection, a []simt.ID) Value {
			d := twice(c)(s, a)
			return one(s.New(encode.UZP1|encode.S4, d[0], d[1]))
		}
	}
	return all
}()
