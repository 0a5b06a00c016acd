package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// Floats of 32 and 64 bits. The processor rounds as PTX does, in the mode of the instruction. It
// differs in NaNs, which PTX has one of for results, in flushing, which it does for all or none,
// and in minimum and maximum.

// roundings are the modes by name: what they make of an instruction, and the number that
// instructions with an immediate have for them.
var roundings = map[string]struct {
	embed  func(o encode.Op) encode.Op
	number int
}{
	"rn": {func(o encode.Op) encode.Op { return o.RoundNearest() }, 0},
	"rm": {encode.Op.RoundDown, 1},
	"rp": {encode.Op.RoundUp, 2},
	"rz": {encode.Op.RoundZero, 3},
}

// floats are the instructions for one size of floats.
type floats struct {
	name                                        string
	nan, sign, one                              uint64
	infinity                                    uint64 // also the bits of the exponent
	add, sub, mul, div, fma, sqrt, min, max     encode.Op
	ranged, class, compare, scale, move, bitAnd encode.Op
	noneSet                                     encode.Op // no bit is set in both operands
	bits                                        int
}

var singles = &floats{
	name: "f32", nan: 0x7fffffff, sign: 1 << 31, one: 0x3f800000, infinity: 0x7f800000, bits: 32,
	add: encode.VADDPS, sub: encode.VSUBPS, mul: encode.VMULPS, div: encode.VDIVPS, fma: encode.VFMADD213PS, sqrt: encode.VSQRTPS,
	min: encode.VMINPS, max: encode.VMAXPS, ranged: encode.VRANGEPS, class: encode.VFPCLASSPS, compare: encode.VCMPPSK,
	scale: encode.VRNDSCALEPS, move: encode.VMOVDQA32, bitAnd: encode.VPANDD, noneSet: encode.VPTESTNMD,
}

var doubles = &floats{
	name: "f64", nan: 0xfff8000000000000, sign: 1 << 63, one: 0x3ff0000000000000, infinity: 0x7ff0000000000000, bits: 64,
	add: encode.VADDPD, sub: encode.VSUBPD, mul: encode.VMULPD, div: encode.VDIVPD, fma: encode.VFMADD213PD, sqrt: encode.VSQRTPD,
	min: encode.VMINPD, max: encode.VMAXPD, ranged: encode.VRANGEPD, class: encode.VFPCLASSPD, compare: encode.VCMPPDK,
	scale: encode.VRNDSCALEPD, move: encode.VMOVDQA64, bitAnd: encode.VPANDQ, noneSet: encode.VPTESTNMQ,
}

// constant is a constant in all elements.
func (f *floats) constant(s *Selection, x uint64) machine.Operand {
	if f.bits == 32 {
		return s.Const32(uint32(x))
	}
	return s.Const64(x)
}

// Predicates of comparisons of floats, none of which signals.
const (
	floatEqual     = 0x00
	floatUnordered = 0x03
	floatNotEqual  = 0x0c // of numbers
	floatOrdered   = 0x07
	floatLess      = 0x11
	floatAtLeast   = 0x1d
	floatGreater   = 0x1e
)

// floatPredicates are the comparisons of setp.
var floatPredicates = map[string]int{
	"lt": floatLess, "le": 0x12, "gt": floatGreater, "ge": floatAtLeast, "eq": floatEqual, "ne": floatNotEqual, "ltu": 0x19, "leu": 0x1a, "gtu": 0x16,
	"geu": 0x15, "equ": 0x08, "neu": 0x04, "num": floatOrdered, "nan": floatUnordered,
}

// Classes of vfpclass.
const (
	classQuietNaN   = 0x01
	classInfinite   = 0x08 | 0x10
	classSubnormal  = 0x20
	classSignalling = 0x80
	classNaN        = classQuietNaN | classSignalling
)

// test is a comparison to a mask, under the mask that the selection has.
func (f *floats) test(s *Selection, predicate int, x, y machine.Operand) machine.Operand {
	if !s.under.None() {
		return s.TestUnder(f.compare, s.under, x, y, machine.Immediate(predicate))
	}
	return s.Test(f.compare, x, y, machine.Immediate(predicate))
}

// isNaN is the mask of what is no number.
func (f *floats) isNaN(s *Selection, x machine.Operand) machine.Operand {
	return s.Test(f.compare, x, x, machine.Immediate(floatUnordered))
}

// canonical makes every NaN the one that PTX has for results.
func (f *floats) canonical(s *Selection, x machine.Operand) machine.Operand {
	return s.Merged(f.move, f.isNaN(s, x), x, f.constant(s, f.nan))
}

// flush makes subnormal numbers zeros of their sign.
func (f *floats) flush(s *Selection, x machine.Operand) machine.Operand {
	return s.Merged(f.bitAnd, s.Test(f.noneSet, x, f.constant(s, f.infinity)), x, x, f.constant(s, f.sign))
}

// saturate clamps to 0 to 1. The instructions give their last operand where one is a NaN or both
// are zeros.
func (f *floats) saturate(s *Selection, x machine.Operand) machine.Operand {
	return s.New(f.min, s.New(f.max, x, s.Zero()), f.constant(s, f.one))
}

// finish brings a result, flushed already, into the form that its modifiers ask for.
func (f *floats) finish(s *Selection, x machine.Operand, sat bool) machine.Operand {
	if sat {
		return f.saturate(s, x)
	}
	return f.canonical(s, x)
}

// operands flushes operands if that is asked for.
func (f *floats) operands(s *Selection, a []machine.Operand, ftz bool) []machine.Operand {
	if !ftz {
		return a
	}
	flushed := make([]machine.Operand, len(a))
	for n, x := range a {
		flushed[n] = s.flushed(f, x)
	}
	return flushed
}

// eachEnding calls f for the combinations of .ftz and .sat.
func eachEnding(f func(ending string, ftz, sat bool)) {
	f("", false, false)
	f(".ftz", true, false)
	f(".sat", false, true)
	f(".ftz.sat", true, true)
}

func defineFloat() {
	for mode, rounding := range roundings {
		for name, compute := range map[string]func(f *floats, s *Selection, a []machine.Operand) machine.Operand{
			"add": func(f *floats, s *Selection, a []machine.Operand) machine.Operand {
				return s.New(rounding.embed(f.add), a[0], a[1])
			},
			"sub": func(f *floats, s *Selection, a []machine.Operand) machine.Operand {
				return s.New(rounding.embed(f.sub), a[0], a[1])
			},
			"mul": func(f *floats, s *Selection, a []machine.Operand) machine.Operand {
				return s.New(rounding.embed(f.mul), a[0], a[1])
			},
			"div": func(f *floats, s *Selection, a []machine.Operand) machine.Operand {
				return s.New(rounding.embed(f.div), a[0], a[1])
			},
			"sqrt": func(f *floats, s *Selection, a []machine.Operand) machine.Operand {
				return s.New(rounding.embed(f.sqrt), a[0])
			},
			"fma": func(f *floats, s *Selection, a []machine.Operand) machine.Operand {
				return s.Change(rounding.embed(f.fma), a[0], a[1], a[2])
			},
			"rcp": func(f *floats, s *Selection, a []machine.Operand) machine.Operand {
				return s.New(rounding.embed(f.div), f.constant(s, f.one), a[0])
			},
		} {
			eachEnding(func(ending string, ftz, sat bool) {
				with512(name+"."+mode+ending+".f32", singleResult(name, ftz, sat, func(s *Selection, a []machine.Operand) machine.Operand {
					return compute(singles, s, a)
				}))
			})
			with512(name+"."+mode+".f64", func(s *Selection, a []machine.Operand) machine.Operand {
				return doubles.canonical(s, compute(doubles, s, a))
			})
		}
	}
	defineFloatSelection()
	for _, f := range []*floats{singles, doubles} {
		f.defineTests()
	}
}

// defineFloatSelection enters minimum, maximum, signs and choices.
func defineFloatSelection() {
	for _, ending := range []string{"", ".ftz"} {
		ftz := ending != ""
		for number, name := range []string{"min", "max"} {
			with512(name+ending+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
				return singles.extreme(s, singles.operands(s, a, ftz), number)
			})
			with512(name+ending+".NaN.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				a = singles.operands(s, a, ftz)
				nan := s.Test(singles.compare, a[0], a[1], machine.Immediate(floatUnordered))
				return s.Merged(singles.move, nan, s.New(singles.ranged, a[0], a[1], machine.Immediate(4+number)), singles.constant(s, singles.nan))
			})
		}
		both("neg"+ending+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
			return s.Xor(s.flushedBits(a[0], ftz), s.Const32(1<<31))
		})
		both("abs"+ending+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
			return s.And(s.flushedBits(a[0], ftz), s.Const32(1<<31-1))
		})
		with512("slct.32"+ending+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
			k := s.Test(singles.compare, singles.operands(s, a[2:], ftz)[0], s.Zero(), machine.Immediate(floatAtLeast))
			return s.BlendUnder(4, k, a[0], a[1])
		})
		group512("slct.64"+ending+".f32", func(s *Selection) {
			args := s.Node.Args
			c := singles.operands(s, []machine.Operand{s.arg(2)}, ftz)[0]
			x, y, k := s.wide(args[0]), s.wide(args[1]), s.splitMask(s.Test(singles.compare, c, s.Zero(), machine.Immediate(floatAtLeast)))
			s.giveWide([2]machine.Operand{s.Blend64(k[0], x[0], y[0]), s.Blend64(k[1], x[1], y[1])})
		})
	}
	for number, name := range []string{"min", "max"} {
		with512(name+".f64", func(s *Selection, a []machine.Operand) machine.Operand { return doubles.extreme(s, a, number) })
	}
	both("neg.f64", func(s *Selection, a []machine.Operand) machine.Operand { return s.Xor(a[0], s.Const64(1<<63)) })
	both("abs.f64", func(s *Selection, a []machine.Operand) machine.Operand { return s.And(a[0], s.Const64(1<<63-1)) })
	for _, f := range []*floats{singles, doubles} {
		with512("copysign."+f.name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.Logic(emit.TableX&emit.TableZ|emit.TableY&^emit.TableZ&0xff, a[0], a[1], f.constant(s, f.sign))
		})
	}
}

// extreme is the minimum or maximum: a NaN gives way to a number, and -0 is less than +0. vrange
// does that, but for signalling NaNs, which a product with 1 makes quiet.
func (f *floats) extreme(s *Selection, a []machine.Operand, number int) machine.Operand {
	one := f.constant(s, f.one)
	x, y := s.New(f.mul, a[0], one), s.New(f.mul, a[1], one)
	return f.canonical(s, s.New(f.ranged, x, y, machine.Immediate(4+number)))
}

// floatComparisons are the comparisons that can be done under a mask.
var floatComparisons = func() map[string]bool {
	all := map[string]bool{}
	for name := range floatPredicates {
		for _, end := range []string{".f32", ".ftz.f32", ".f64"} {
			all["setp."+name+end] = true
		}
	}
	return all
}()

// defineTests enters what gives predicates.
func (f *floats) defineTests() {
	for name, predicate := range floatPredicates {
		with512("setp."+name+"."+f.name, func(s *Selection, a []machine.Operand) machine.Operand { return f.test(s, predicate, a[0], a[1]) })
		if f == singles {
			with512("setp."+name+".ftz.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				a = s.taken(a, true)
				return f.test(s, predicate, a[0], a[1])
			})
		}
	}
	for name, classes := range map[string]int{"infinite": classInfinite, "notanumber": classNaN, "subnormal": classSubnormal} {
		with512("testp."+name+"."+f.name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.Test(f.class, a[0], machine.Immediate(classes))
		})
	}
	for name, classes := range map[string]int{"finite": classInfinite | classNaN, "number": classNaN, "normal": classInfinite | classNaN | classSubnormal} {
		with512("testp."+name+"."+f.name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.Test(encode.KNOTW, s.Test(f.class, a[0], machine.Immediate(classes)))
		})
	}
}
