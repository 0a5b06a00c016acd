package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Halves: f16, one or two to a word. With FEAT_FP16 there are instructions on them. Without, arithmetic is that of f32, whose
// results are rounded once more. That is as good as to round once:
//
//   - A product has 22 bits at most: it is exact in f32.
//   - A sum or difference that an f16 has too few exponents for is exact, and for others two roundings, to 24 and to 11 bits,
//     are one, since 24 is no less than 2*11+1 (Figueroa, "When is double rounding innocuous?", 1995).
//   - A fused product is not: x*y+z may be so near to the middle of two f16 that the f32 is that middle. It is added in f64.
//     There the sum is exact, or x*y is less than 2^-30 of it: then it is as near to z, an f16, and not to a middle. From f64
//     to f16 it goes by an f32 that is rounded to odd, which no second rounding takes for a middle.

const (
	halfNaN       = 0x7fff
	halfExponent  = 0x7c00
	halfSign      = 0x8000
	halfMagnitude = 0x7fff
	halfUnit      = 0x3c00
)

// halves are operations on f16 and f16x2. Of the first, only the lower half of a word counts.
var halves = func() map[string]selector {
	all := map[string]selector{
		"cvt.f32.f16": func(s *Selection, a []simt.ID) Value { return one(single.canonical(s, s.singleOfHalf(s.V(a[0])))) },
		"cvt.f64.f16": func(s *Selection, a []simt.ID) Value {
			return twofold.canonicalBoth(s, s.doubled(s.singleOfHalf(s.V(a[0]))))
		},
	}
	for mode, round := range modes {
		for _, ftz := range []string{"", ".ftz"} {
			all["cvt."+mode+ftz+".f16.f32"] = func(s *Selection, a []simt.ID) Value {
				return one(s.halfOfSingle(single.maybeFlushed(s, s.V(a[0]), ftz != ""), round))
			}
		}
		all["cvt."+mode+".f16.f64"] = func(s *Selection, a []simt.ID) Value {
			return one(s.halfOfSingle(s.narrowedToOdd(s.Both(a[0])), round))
		}
	}
	for _, size := range []string{".f16", ".f16x2"} {
		wide := size == ".f16x2"
		all["flush"+size] = func(s *Selection, a []simt.ID) Value { return one(s.flushHalves(s.V(a[0]))) }
		for name, f := range map[string]floatFunc{"ex2": exponential, "tanh": tangent} {
			o := &halfOperation{halfFunc: halfFunc{compute: throughDouble(f)}, wide: wide}
			all[name+".approx"+size] = vectors(func(s *Selection, x []machine.Register) machine.Register { return o.bySingles(s, x) })
		}
		for _, ftz := range []string{"", ".ftz"} {
			flush := ftz != ""
			all["neg"+ftz+size] = func(s *Selection, a []simt.ID) Value {
				return one(s.New(encode.EOR, s.maybeFlushed(s.V(a[0]), flush), s.Const16(halfSign)))
			}
			all["abs"+ftz+size] = func(s *Selection, a []simt.ID) Value {
				return one(s.New(encode.AND, s.maybeFlushed(s.V(a[0]), flush), s.Const16(halfMagnitude)))
			}
			for name, o := range halfArithmetic {
				for _, end := range []string{"", ".sat", ".relu"} {
					operation := &halfOperation{o, flush, flush, wide, end}
					if end != ".relu" || name == "fma" {
						all[name+ftz+end+size] = operation.selector()
					}
					if name == "fma" && !flush && end != ".sat" {
						all["fma.oob"+end+size] = vectors(outOfBounds(operation.apply))
					}
				}
			}
			for name, o := range halfExtremes {
				operation := &halfOperation{o, flush, false, wide, ""}
				all[name[:3]+ftz+name[3:]+size] = operation.selector()
				all[name[:3]+ftz+name[3:]+".xorsign.abs"+size] = vectors(xorSigned(operation.apply, halfExponent))
			}
		}
	}
	return all
}()

// halvesFunc is a function of vectors of numbers of 16 bits.
type halvesFunc = func(s *Selection, x []machine.Register) machine.Register

// outOfBoundsNaN is the NaN that stands for what is out of bounds, but for its sign, in f16 and in bf16.
const outOfBoundsNaN = 0x7ff7

// outOfBounds makes .oob of a fused product: it gives 0 where one of the factors is out of bounds.
func outOfBounds(f halvesFunc) halvesFunc {
	return func(s *Selection, x []machine.Register) machine.Register {
		out := func(x machine.Register) machine.Register {
			return s.New(encode.CMEQ|encode.H8, s.New(encode.AND, x, s.Const16(halfMagnitude)), s.Const16(outOfBoundsNaN))
		}
		either := s.New(encode.ORR, out(x[0]), out(x[1]))
		return s.New(encode.BIC, f(s, x), either)
	}
}

// xorSigned makes .xorsign.abs of a minimum or maximum: that of the magnitudes, with the sign that the operands' signs have by
// xor, but for a NaN.
func xorSigned(f halvesFunc, infinity uint16) halvesFunc {
	return func(s *Selection, x []machine.Register) machine.Register {
		magnitude := func(x machine.Register) machine.Register { return s.New(encode.AND, x, s.Const16(halfMagnitude)) }
		m := f(s, []machine.Register{magnitude(x[0]), magnitude(x[1])})
		sign := s.New(encode.AND, s.New(encode.EOR, x[0], x[1]), s.Const16(halfSign))
		return s.New(encode.ORR, m, s.New(encode.BIC, sign, s.New(encode.CMHI|encode.H8, m, s.Const16(infinity))))
	}
}

// halfFunc is an operation, as one on f32 and as an instruction on halves. That changes its last operand if it has three.
type halfFunc struct {
	compute floatFunc
	direct  encode.Op
}

var halfArithmetic = map[string]halfFunc{
	"add": {instruction(encode.FADD), encode.FADDH}, "sub": {instruction(encode.FSUB), encode.FSUBH}, "mul": {instruction(encode.FMUL), encode.FMULH},
	"fma": {fuseHalves, encode.FMLAH},
}

// Of minimum and maximum, a NaN gives way to a number, or does not. One that signals does not do so by itself, but is quiet once
// it has been converted to f32.
var halfExtremes = map[string]halfFunc{
	"min": {instruction(encode.FMINNM), encode.FMINNMH}, "max": {instruction(encode.FMAXNM), encode.FMAXNMH},
	"min.NaN": {instruction(encode.FMIN), encode.FMINH}, "max.NaN": {instruction(encode.FMAX), encode.FMAXH},
}

// throughDouble computes a function of f64 for f32, and rounds to odd. Package op has the functions of package math for halves, which
// differ in the last places of f64: all results are the same once they are rounded, which a test of package native holds.
func throughDouble(compute floatFunc) floatFunc {
	return func(s *Selection, f *float, x []machine.Register) machine.Register {
		wide := s.doubled(x[0])
		return s.narrowedToOdd(each(func(h int) machine.Register { return compute(s, twofold, []machine.Register{wide[h]}) }))
	}
}

// fuseHalves is x*y+z rounded to odd.
func fuseHalves(s *Selection, f *float, x []machine.Register) machine.Register {
	product, z := s.doubled(s.New(encode.FMUL|encode.S4, x[0], x[1])), s.doubled(x[2])
	return s.narrowedToOdd(each(func(h int) machine.Register { return s.New(encode.FADD|encode.D2, product[h], z[h]) }))
}

// halfOperation is an operation with its modifiers.
type halfOperation struct {
	halfFunc
	flushIn, flushOut, wide bool
	end                     string
}

func (o *halfOperation) selector() selector { return vectors(o.apply) }

func (o *halfOperation) apply(s *Selection, operands []machine.Register) machine.Register {
	x := make([]machine.Register, len(operands))
	for n, v := range operands {
		x[n] = s.maybeFlushed(v, o.flushIn)
	}
	s.Round(machine.ToNearest)
	if s.Options.Halves && !o.flushOut {
		return o.directly(s, x)
	}
	return o.bySingles(s, x)
}

// vectors makes a selector of a function on vectors.
func vectors(f func(s *Selection, x []machine.Register) machine.Register) selector {
	return func(s *Selection, a []simt.ID) Value {
		x := make([]machine.Register, len(a))
		for n, id := range a {
			x[n] = s.V(id)
		}
		return one(f(s, x))
	}
}

// directly computes by the instruction.
func (o *halfOperation) directly(s *Selection, x []machine.Register) machine.Register {
	if o.end == "" && (o.direct == encode.FMINNMH || o.direct == encode.FMAXNMH) { // of what is no number at all, either
		a := s.choose(s.New(encode.FCMEQH|encode.H8, x[0], x[0]), x[0], x[1])
		b := s.choose(s.New(encode.FCMEQH|encode.H8, x[1], x[1]), x[1], x[0])
		x = []machine.Register{a, b}
	}
	var r machine.Register
	if len(x) == 3 {
		r = s.Change(o.direct|encode.H8, x[2], x[0], x[1])
	} else {
		r = s.New(o.direct|encode.H8, x...)
	}
	switch o.end {
	case ".sat":
		positive := s.New(encode.AND, r, s.New(encode.FCMGTH|encode.H8, r, s.Const16(0)))
		return s.New(encode.FMINNMH|encode.H8, positive, s.Const16(halfUnit))
	case ".relu":
		r = s.New(encode.FMAXH|encode.H8, r, s.Const16(0))
	}
	return s.choose(s.New(encode.FCMEQH|encode.H8, r, r), r, s.Const16(halfNaN))
}

// bySingles computes in f32.
func (o *halfOperation) bySingles(s *Selection, x []machine.Register) machine.Register {
	compute := func(opened []machine.Register) machine.Register {
		r := o.compute(s, single, opened)
		if o.flushOut { // before they are rounded
			r = s.flushBelow(op.FlushedHalves, r, r)
		}
		switch o.end {
		case ".sat":
			r = single.finish(s, r, true)
		case ".relu":
			r = s.New(encode.FMAX|encode.S4, r, s.Const32(0))
		}
		return r
	}
	open := func(f func(x machine.Register) machine.Register) (opened []machine.Register) {
		for _, v := range x {
			opened = append(opened, f(v))
		}
		return opened
	}
	if !o.wide {
		return s.halfOfSingle(compute(open(s.singleOfHalf)), machine.ToNearest)
	}
	low := compute(open(func(x machine.Register) machine.Register { return s.New(encode.FCVTL|encode.H8, x) }))
	high := compute(open(func(x machine.Register) machine.Register { return s.New(encode.FCVTL2|encode.H8, x) }))
	r := s.Change(encode.FCVTN2|encode.H8, s.New(encode.FCVTN|encode.H8, low), high)
	if o.end == ".sat" {
		return r
	}
	nan := s.New(encode.CMHI|encode.H8, s.New(encode.AND, r, s.Const16(halfMagnitude)), s.Const16(halfExponent))
	return s.Change(encode.BIT, r, s.Const16(halfNaN), nan)
}

// singleOfHalf converts the lower halves of words.
func (s *Selection) singleOfHalf(x machine.Register) machine.Register {
	return s.New(encode.FCVTL|encode.H8, s.New(encode.XTN|encode.H8, x))
}

// halfOfSingle rounds to halves, in words whose upper halves are zero.
func (s *Selection) halfOfSingle(x machine.Register, round machine.Rounding) machine.Register {
	x = single.canonical(s, x)
	s.Round(round)
	return s.NewImm(encode.USHLL|encode.H8, 0, s.New(encode.FCVTN|encode.H8, x))
}

// flushHalves makes subnormal halves zeros of their sign.
func (s *Selection) flushHalves(x machine.Register) machine.Register {
	normal := s.New(encode.CMTST|encode.H8, x, s.Const16(halfExponent))
	return s.New(encode.AND, x, s.New(encode.ORR, normal, s.Const16(halfSign)))
}

func (s *Selection) maybeFlushed(x machine.Register, flush bool) machine.Register {
	if flush {
		return s.flushHalves(x)
	}
	return x
}
