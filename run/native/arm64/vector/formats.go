package vector

import (
	"math"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Formats of floats of up to 19 bits, which have no arithmetic: conversions from and to f32, and what .relu and .satfinite
// make of numbers.

// smallFormat is a format. Codes above top are infinity, if that is above it, and NaNs.
type smallFormat struct {
	name                 string
	bits, fraction, bias int64
	top, infinity, nan   uint32
}

// packedFormats are those of 8 bits and less. Where there is no infinity, what is too large becomes the largest number.
var packedFormats = []*smallFormat{
	{"e4m3", 8, 3, 7, 0x7e, 0x7e, 0x7f}, {"e5m2", 8, 2, 15, 0x7b, 0x7c, 0x7f},
	{"e2m3", 6, 3, 1, 0x1f, 0x1f, 0x1f}, {"e3m2", 6, 2, 3, 0x1f, 0x1f, 0x1f}, {"e2m1", 4, 1, 1, 0x07, 0x07, 0x07},
}

// limitedFormats are those that .relu and .satfinite are of besides, where their infinities are: the last place of tf32 is bit 13.
var limitedFormats = []*smallFormat{
	{name: "f16", bits: 16, infinity: halfExponent}, {name: "bf16", bits: 16, infinity: brainExponent}, {name: "tf32", bits: 32, infinity: 0x7f800000},
}

var smallFormats = func() map[string]selector {
	all := map[string]selector{}
	for _, f := range packedFormats {
		all["cvt.f32."+f.name] = vectors(func(s *Selection, x []machine.Register) machine.Register { return f.opened(s, x[0]) })
		all["cvt.rn."+f.name+".f32"] = vectors(func(s *Selection, x []machine.Register) machine.Register { return f.nearest(s, x[0]) })
		all["cvt.rn."+f.name+".f64"] = func(s *Selection, a []simt.ID) Value {
			return one(f.nearest(s, s.narrowedToOdd(s.Both(a[0]))))
		}
		all["cvt.rs."+f.name+".f32"] = vectors(f.stochastic(16))
	}
	half := &smallFormat{"f16", 16, 10, 15, 0x7bff, halfExponent, halfNaN}
	all["cvt.rs.f16.f32"] = vectors(half.stochastic(13))
	all["cvt.rs.bf16.f32"] = vectors(func(s *Selection, x []machine.Register) machine.Register {
		sum := s.New(encode.ADD|encode.S4, x[0], s.New(encode.AND, x[1], s.Const32(0xffff)))
		return s.choose(s.New(encode.FCMEQ|encode.S4, x[0], x[0]), s.NewImm(encode.USHR|encode.S4, 16, sum), s.Const32(brainNaN))
	})
	for _, f := range append(limitedFormats, packedFormats...) {
		all["relu."+f.name] = vectors(func(s *Selection, x []machine.Register) machine.Register {
			return s.New(encode.BIC, x[0], s.New(encode.CMTST|encode.S4, x[0], s.Const32(1<<(f.bits-1))))
		})
		all["satfinite."+f.name] = identity
		if f.infinity > f.top {
			all["satfinite."+f.name] = vectors(f.finite)
		}
	}
	for mode, add := range map[string]func(s *Selection, x machine.Register) machine.Register{
		"rn": func(s *Selection, x machine.Register) machine.Register {
			return s.roundedBits(x, 13, machine.ToNearest)
		},
		"rz": func(s *Selection, x machine.Register) machine.Register { return x },
		"rna": func(s *Selection, x machine.Register) machine.Register {
			return s.New(encode.ADD|encode.S4, x, s.Const32(1<<12))
		},
	} {
		all["cvt."+mode+".tf32.f32"] = vectors(func(s *Selection, x []machine.Register) machine.Register {
			r := s.New(encode.AND, add(s, x[0]), s.Const32(^uint32(1<<13-1)))
			return s.choose(s.New(encode.FCMEQ|encode.S4, x[0], x[0]), r, s.Const32(uint32(single.nan)))
		})
	}
	for name, f := range scales {
		all[name] = vectors(f)
	}
	return all
}()

// finite makes an infinity the largest number, which is less by the last place.
func (f *smallFormat) finite(s *Selection, x []machine.Register) machine.Register {
	magnitude := s.New(encode.AND, x[0], s.Const32(1<<(f.bits-1)-1))
	infinite := s.New(encode.CMEQ|encode.S4, magnitude, s.Const32(f.infinity))
	last := uint32(1)
	if f.bits == 32 {
		last = 1 << 13
	}
	return s.New(encode.SUB|encode.S4, x[0], s.New(encode.AND, infinite, s.Const32(last)))
}

// power is 2^n as f32.
func (s *Selection) power(n int64) machine.Register {
	return s.Const32(math.Float32bits(float32(math.Ldexp(1, int(n)))))
}

// opened converts to f32: the bits stand where those of an f32 do, and the exponent is made right by a product, which is exact, also of
// numbers that are subnormal.
func (f *smallFormat) opened(s *Selection, x machine.Register) machine.Register {
	if f.infinity > f.top { // e5m2, the upper byte of an f16
		return single.canonical(s, s.singleOfHalf(s.NewImm(encode.SHL|encode.S4, 8, x)))
	}
	magnitude := s.New(encode.AND, x, s.Const32(1<<(f.bits-1)-1))
	r := s.New(encode.FMUL|encode.S4, s.NewImm(encode.SHL|encode.S4, 23-f.fraction, magnitude), s.power(127-f.bias))
	sign := s.New(encode.AND, s.NewImm(encode.SHL|encode.S4, 32-f.bits, x), s.Const32(1<<31))
	r = s.New(encode.ORR, r, sign)
	if f.nan == f.top {
		return r
	}
	return s.choose(s.New(encode.CMHI|encode.S4, magnitude, s.Const32(f.top)), s.Const32(uint32(single.nan)), r)
}

// nearest rounds f32. The sum of a number that is subnormal and a large one has the code in its last bits.
func (f *smallFormat) nearest(s *Selection, x machine.Register) machine.Register {
	s.Round(machine.ToNearest)
	magnitude, cut := single.magnitude(s, x), 23-f.fraction
	normal := s.NewImm(encode.USHR|encode.S4, cut, s.roundedBits(magnitude, cut, machine.ToNearest))
	large := s.power(23 + 1 - f.bias - f.fraction)
	subnormal := s.New(encode.SUB|encode.S4, s.New(encode.FADD|encode.S4, magnitude, large), large)
	return f.code(s, x, normal, subnormal)
}

// stochastic rounds f32 down after so many random bits have been added behind the last place.
func (f *smallFormat) stochastic(bits int64) halvesFunc {
	return func(s *Selection, x []machine.Register) machine.Register {
		s.Round(machine.ToNearest)
		magnitude, random, cut := single.magnitude(s, x[0]), s.New(encode.AND, x[1], s.Const32(1<<bits-1)), 23-f.fraction
		normal := s.New(encode.ADD|encode.S4, magnitude, s.shiftBy(encode.SHL, random, uint32(cut-bits)))
		units := s.New(encode.FMUL|encode.S4, magnitude, s.power(f.bias-1+f.fraction+bits))
		subnormal := s.New(encode.ADD|encode.S4, s.New(encode.FCVTZU|encode.S4, units), random)
		return f.code(s, x[0], s.NewImm(encode.USHR|encode.S4, cut, normal), s.NewImm(encode.USHR|encode.S4, bits, subnormal))
	}
}

// code is the code of a number, given what it is if it is normal, but for the bias of f32, and what if it is subnormal. What is too
// large becomes an infinity, or the largest number.
func (f *smallFormat) code(s *Selection, x, normal, subnormal machine.Register) machine.Register {
	magnitude := single.magnitude(s, x)
	normal = s.New(encode.SUB|encode.S4, normal, s.Const32(uint32(127-f.bias)<<f.fraction))
	code := s.choose(s.New(encode.CMHS|encode.S4, magnitude, s.power(1-f.bias)), normal, subnormal)
	code = s.New(encode.UMIN|encode.S4, code, s.Const32(f.infinity))
	sign := s.NewImm(encode.USHR|encode.S4, 32-f.bits, s.New(encode.AND, x, s.Const32(1<<31)))
	return s.choose(s.New(encode.FCMEQ|encode.S4, x, x), s.New(encode.ORR, code, sign), s.Const32(f.nan))
}

// scales are operations on ue8m0, the exponent of an f32: its largest code is a NaN, and 0 is 2^-127, which is subnormal as an f32.
var scales = map[string]halvesFunc{
	"cvt.f32.ue8m0": func(s *Selection, x []machine.Register) machine.Register {
		code := s.New(encode.AND, x[0], s.Const32(0xff))
		r := s.New(encode.UMAX|encode.S4, s.NewImm(encode.SHL|encode.S4, 23, code), s.Const32(1<<22))
		return single.canonical(s, s.choose(s.New(encode.CMEQ|encode.S4, code, s.Const32(0xff)), s.Const32(uint32(single.nan)), r))
	},
	"cvt.rz.ue8m0.f32": func(s *Selection, x []machine.Register) machine.Register {
		return s.NewImm(encode.USHR|encode.S4, 23, single.magnitude(s, x[0]))
	},
	"cvt.rp.ue8m0.f32": func(s *Selection, x []machine.Register) machine.Register {
		magnitude := single.magnitude(s, x[0])
		normal := s.NewImm(encode.USHR|encode.S4, 23, s.New(encode.ADD|encode.S4, magnitude, s.Const32(1<<23-1)))
		subnormal := s.New(encode.AND, s.New(encode.CMHI|encode.S4, magnitude, s.Const32(1<<22)), s.Const32(1))
		code := s.choose(s.New(encode.CMHS|encode.S4, magnitude, s.Const32(1<<23)), normal, subnormal)
		return s.New(encode.UMIN|encode.S4, code, s.Const32(0xff))
	},
	"satfinite.ue8m0.f32": func(s *Selection, x []machine.Register) machine.Register {
		large := s.New(encode.CMEQ|encode.S4, x[0], s.Const32(0xff))
		return s.New(encode.ADD|encode.S4, x[0], s.New(encode.AND, large, s.New(encode.FCMEQ|encode.S4, x[1], x[1])))
	},
}
