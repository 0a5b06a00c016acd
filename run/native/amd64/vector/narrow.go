package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// What f16 and bf16 have in common: operations on them as integers, and f32 that can be rounded to them.

// narrowFloat are floats of 16 bits: their infinity, and the largest number that is subnormal. Both have the same sign and
// the same NaN for results.
type narrowFloat struct{ infinity, subnormal uint16 }

func magnitude16(s *Selection, x machine.Operand) machine.Operand {
	return s.And(x, s.Const16(halfMagnitude))
}

// canonical makes every NaN the one that PTX has for results.
func (f narrowFloat) canonical(s *Selection, x machine.Operand) machine.Operand {
	nan := s.greater16(magnitude16(s, x), s.Const16(f.infinity))
	return s.choose16(nan, s.Const16(halfNaN), x)
}

// keepNumbers is r where halves without signs are numbers, and zero where they are NaNs.
func (f narrowFloat) keepNumbers(s *Selection, x, r machine.Operand) machine.Operand {
	infinity := s.Const16(f.infinity)
	if s.HasMasks() {
		return s.Zeroed(encode.VMOVDQU16, s.Test(encode.VPCMPW, x, infinity, machine.Immediate(int(compareLessOrEqual))), r)
	}
	return s.New(encode.VPANDN, s.greater16(x, infinity), r)
}

// flush makes subnormal numbers zeros of their sign.
func (f narrowFloat) flush(s *Selection, x machine.Operand) machine.Operand {
	sign := s.Const16(halfSign)
	if s.HasMasks() {
		return s.choose16(s.Test(encode.VPTESTNMW, x, s.Const16(f.infinity)), s.And(x, sign), x)
	}
	normal := s.greater16(magnitude16(s, x), s.Const16(f.subnormal))
	return s.And(x, s.Or(normal, sign))
}

// maybeFlushed is flush if that is asked for.
func (f narrowFloat) maybeFlushed(s *Selection, x machine.Operand, ftz string) machine.Operand {
	if ftz == "" {
		return x
	}
	return f.flush(s, x)
}

// finishFor is what operations on one number do at last. With bf16 the upper halves of words are zeros, with f16 they do not
// count.
func finishFor(size string, f partFunc) partFunc {
	if size != ".bf16" {
		return f
	}
	return func(s *Selection, a []machine.Operand) machine.Operand { return s.low16(f(s, a)) }
}

// defineSigns enters neg and abs.
func (f narrowFloat) defineSigns(ftz, size string) {
	both("neg"+ftz+size, finishFor(size, func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Xor(f.maybeFlushed(s, a[0], ftz), s.Const16(halfSign))
	}))
	both("abs"+ftz+size, finishFor(size, func(s *Selection, a []machine.Operand) machine.Operand {
		return magnitude16(s, f.maybeFlushed(s, a[0], ftz))
	}))
}

// defineExtremes enters minima and maxima.
func (f narrowFloat) defineExtremes(ftz, size string) {
	for _, nan := range []string{"", ".NaN"} {
		for _, name := range []string{"min", "max"} {
			e := extreme16{f, name == "max", nan != ""}
			both(name+ftz+nan+size, finishFor(size, func(s *Selection, a []machine.Operand) machine.Operand {
				return e.compute(s, f.maybeFlushed(s, a[0], ftz), f.maybeFlushed(s, a[1], ftz), true)
			}))
			both(name+ftz+nan+".xorsign.abs"+size, finishFor(size, func(s *Selection, a []machine.Operand) machine.Operand {
				magnitude := func(x machine.Operand) machine.Operand { return f.maybeFlushed(s, magnitude16(s, x), ftz) }
				m := e.compute(s, magnitude(a[0]), magnitude(a[1]), false)
				// The NaN has no sign.
				sign := s.And(s.Xor(a[0], a[1]), s.Const16(halfSign))
				return s.Or(m, f.keepNumbers(s, m, sign))
			}))
		}
	}
}

// extreme16 is the minimum or maximum, where a NaN gives way to a number unless it is propagated.
type extreme16 struct {
	narrowFloat
	greatest, propagate bool
}

// compute compares integers whose order is that of the numbers: of those with a sign the other bits are complemented. NaNs are then
// at both ends, at each as many as there are subnormal numbers of a sign. When that many is added or subtracted, those of one end come
// to the other one, where they lose, or win. signs says that there are negative numbers.
func (e extreme16) compute(s *Selection, x, y machine.Operand, signs bool) machine.Operand {
	above := e.greatest == e.propagate // where NaNs shall be
	reorder := func(x machine.Operand) machine.Operand {
		if !signs {
			return x
		}
		sign := s.by(encode.VPSRAWI, x, 15)
		if s.HasMasks() {
			return s.Logic(emit.TableX^(emit.TableY&emit.TableZ), x, sign, s.Const16(halfMagnitude))
		}
		return s.Xor(x, s.by(encode.VPSRLWI, sign, 1))
	}
	var there, back encode.Op
	switch {
	case !above:
		there, back = encode.VPADDW, encode.VPSUBW
	case signs:
		there, back = encode.VPSUBW, encode.VPADDW
	}
	shift := func(o encode.Op, x machine.Operand) machine.Operand {
		if o == 0 {
			return x
		}
		return s.New(o, x, s.Const16(e.subnormal))
	}
	o := encode.Op(encode.VPMINSW)
	if e.greatest {
		o = encode.VPMAXSW
	}
	r := s.New(o, shift(there, reorder(x)), shift(there, reorder(y)))
	var nan machine.Operand
	switch {
	case !above: // the least number is -infinity
		nan = s.greater16(s.Const16(^e.infinity+e.subnormal), r)
	case signs:
		nan = s.greater16(r, s.Const16(e.infinity-e.subnormal))
	default:
		nan = s.greater16(r, s.Const16(e.infinity))
	}
	return reorder(s.choose16(nan, s.Const16(halfNaN), shift(back, r)))
}

// defineLimits enters what .relu and .satfinite make of a number: 0 of one with a sign, and of an infinity the number before. All of
// the word is given.
func (f narrowFloat) defineLimits(size string) {
	both("relu"+size, positive(halfSign))
	both("satfinite"+size, func(s *Selection, a []machine.Operand) machine.Operand {
		return s.finite(a[0], halfSign, uint32(f.infinity), 0)
	})
}

// positive makes words 0 where a number in their last bits has its sign set.
func positive(sign uint32) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		bit := s.Const32(sign)
		if s.HasMasks() {
			return s.Zeroed(encode.VMOVDQA32, s.Test(encode.VPTESTNMD, a[0], bit), a[0])
		}
		return s.New(encode.VPANDN, s.New(encode.VPCMPEQD, s.And(a[0], bit), bit), a[0])
	}
}

// outOfBoundsNaN is the NaN that stands for what is out of bounds, but for its sign.
const outOfBoundsNaN = 0x7ff7

// outOfBounds makes .oob of a fused product: it gives 0 where one of the factors is out of bounds.
func outOfBounds(fused partFunc) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		r, out := fused(s, a), s.Const16(outOfBoundsNaN)
		for _, x := range a[:2] {
			x = magnitude16(s, x)
			if s.HasMasks() {
				r = s.Zeroed(encode.VMOVDQU16, s.Test(encode.VPCMPW, x, out, machine.Immediate(int(compareUnequal))), r)
			} else {
				r = s.New(encode.VPANDN, s.New(encode.VPCMPEQW, x, out), r)
			}
		}
		return r
	}
}

// narrowArithmetic are operations on f32 with the values of f16 or bf16, whose results, rounded to the format once more, are
// rounded as if once:
//
//   - Sums have 24 bits, no fewer than twice those of the format and two more, or are exact where exponents end.
//   - Products of f16 are exact. So are those of bf16, or they are less than half of the least number: 16 bits of 1/2 of it
//     end where f32 ends. Such a product becomes 1/2 of it at most, which is rounded to 0 too.
//   - Fused products are rounded to odd with AVX-512. With AVX2 see fuseNearest.
var narrowArithmetic = map[string]partFunc{
	"add": func(s *Selection, x []machine.Operand) machine.Operand { return s.New(encode.VADDPS, x[0], x[1]) },
	"sub": func(s *Selection, x []machine.Operand) machine.Operand { return s.New(encode.VSUBPS, x[0], x[1]) },
	"mul": func(s *Selection, x []machine.Operand) machine.Operand { return s.New(encode.VMULPS, x[0], x[1]) },
	"fma": func(s *Selection, x []machine.Operand) machine.Operand {
		if !s.HasMasks() {
			return fuseNearest(s, x)
		}
		return s.oddOf(func(round embed) machine.Operand { return s.Change(round(encode.VFMADD213PS), x[0], x[1], x[2]) })
	},
}

// fuseNearest rounds x*y+z to f32 so that rounding it to f16 or bf16 is as good as rounding once. That matters only where the f32 is the
// middle of two numbers of the format but the sum is not: then the f32 is replaced by the one beside it that is nearer to the sum. What
// has an odd last bit already is no middle.
//
// What is left of the sum is (z - s) + x*y in two steps. It need be right only where s is a middle, with 12 bits for f16 and 9 for bf16:
//
//   - If z-s is exact, so is the sign of what is added to it at once.
//   - Otherwise z and s are far apart. If z is the larger one, then x*y is nearly -z, all bits of the sum are above the last of
//     x*y, and z-s would be exact. So s is the larger one, and x*y is near to it. What z-s has lost is exact (Dekker's sum), and
//     x*y+(z-s) is exact as well, as it is a few units of the last place of s.
//   - A product of bf16 that f32 has too few bits for is less than 1/2 of the least number, and far from what is missing
//     from z to a middle: 2^16-1, what it needed, is no product of two numbers of 8 bits.
//   - z-s is infinite only where the sum is exact, as z and s are both large; what is left is a NaN then, and so it is for
//     sums that are infinite or NaNs. None of these is changed.
func fuseNearest(s *Selection, x []machine.Operand) machine.Operand {
	sum := s.Change(encode.VFMADD213PS, x[0], x[1], x[2])
	part := s.New(encode.VSUBPS, x[2], sum)
	lost := s.New(encode.VSUBPS, x[2], s.New(encode.VADDPS, part, sum))
	rest := s.New(encode.VADDPS, s.Change(encode.VFMADD213PS, x[0], x[1], part), lost)
	return s.odd(sum, s.New(encode.VPSRADI, s.Xor(sum, rest), machine.Immediate(31)), vexSingles.compare(s, floatNotEqual, rest, s.Zero()))
}

// odd makes the last bit of f32 odd where they are inexact, that of the number next to zero where they are beyond what was
// rounded. Both are masks.
func (s *Selection) odd(x, beyond, inexact machine.Operand) machine.Operand {
	r := s.Or(s.New(encode.VPADDD, x, beyond), s.Const32(1))
	return s.New(encode.VBLENDVPS, x, r, inexact)
}

// oddOf rounds to odd what is computed with embedded roundings. Rounded down and up it is the same, or two f32 beside each other, of which
// one is odd. Rounded again, in any mode, that is as good as exact.
func (s *Selection) oddOf(compute func(round embed) machine.Operand) machine.Operand {
	down, up := compute(encode.Op.RoundDown), compute(encode.Op.RoundUp)
	return s.Merged(singles.move, s.Test(encode.VPTESTMD, down, s.Const32(1)), up, down)
}

// singleToOdd rounds f64 to f32, to odd: rounded again, in any mode, it is as good as exact. With AVX2: signs are the same, so that
// what is greater as an integer has the greater magnitude.
func (s *Selection) singleToOdd(x [2]machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.oddOf(func(round embed) machine.Operand {
			o := round(encode.VCVTPD2PS)
			return s.JoinHalves([2]machine.Operand{s.New(o, x[0]), s.New(o, x[1])})
		})
	}
	var rounded, beyond, exact [2]machine.Operand
	for h := range x {
		rounded[h] = s.New(encode.VCVTPD2PS, x[h])
		back := s.New(encode.VCVTPS2PD, rounded[h])
		beyond[h] = s.New(encode.VPCMPGTQ, back, x[h])
		exact[h] = s.New(encode.VPCMPEQQ, back, x[h])
	}
	r := s.New(encode.VPADDD, s.JoinHalves(rounded), s.joinMasks(beyond))
	return s.Or(r, s.New(encode.VPANDN, s.joinMasks(exact), s.Const32(1)))
}
