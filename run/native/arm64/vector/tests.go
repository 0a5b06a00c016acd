package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// tests are those of testp, selections by the sign of a float, and copies of signs.
var tests = func() map[string]selector {
	all := map[string]selector{
		"slct.64.s32": func(s *Selection, a []simt.ID) Value {
			return s.selectedWide(s.New(encode.CMGEZ|encode.S4, s.V(a[2])), a)
		},
	}
	for name, f := range floatClasses {
		all["testp."+name+".f32"] = singles(f, false, unfinished)
		all["testp."+name+".f64"] = func(s *Selection, a []simt.ID) Value {
			d := twice(f)(s, a)
			return one(s.New(encode.UZP1|encode.S4, d[0], d[1]))
		}
	}
	sign := func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.bits(f.constant(s, f.sign), x[0], x[1])
	}
	all["copysign.f32"], all["copysign.f64"] = singles(sign, false, unfinished), twice(sign)
	for _, ftz := range []string{"", ".ftz"} {
		positive := func(s *Selection, id simt.ID) machine.Register {
			return s.New(encode.FCMGE|encode.S4, single.maybeFlushed(s, s.V(id), ftz != ""), s.Const32(0))
		}
		all["slct.32"+ftz+".f32"] = func(s *Selection, a []simt.ID) Value { return one(s.choose(positive(s, a[2]), s.V(a[0]), s.V(a[1]))) }
		all["slct.64"+ftz+".f32"] = func(s *Selection, a []simt.ID) Value { return s.selectedWide(positive(s, a[2]), a) }
	}
	return all
}()

// selectedWide takes the first value of 64 bits where a mask of words holds, and the second elsewhere.
func (s *Selection) selectedWide(mask machine.Register, a []simt.ID) Value {
	m, x, y := s.widened(mask, true), s.Both(a[0]), s.Both(a[1])
	return each(func(h int) machine.Register { return s.choose(m[h], x[h], y[h]) })
}

// magnitude clears the sign.
func (f *float) magnitude(s *Selection, x machine.Register) machine.Register {
	return s.New(encode.BIC, x, f.constant(s, f.sign))
}

// infinity returns the bits of the exponent.
func (f *float) infinity() uint64 {
	if f == single {
		return 0x7f800000
	}
	return 0x7ff0000000000000
}

// floatClasses are the tests of testp. Zeros are normal there.
var floatClasses = map[string]floatFunc{
	"finite": finiteNumber, "subnormal": subnormalNumber,
	"number": func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.New(encode.FCMEQ|f.size, x[0], x[0])
	},
	"notanumber": negated(func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.New(encode.FCMEQ|f.size, x[0], x[0])
	}),
	"infinite": func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.New(encode.CMEQ|f.size, f.magnitude(s, x[0]), f.constant(s, f.infinity()))
	},
	"normal": func(s *Selection, f *float, x []machine.Register) machine.Register {
		return s.New(encode.BIC, finiteNumber(s, f, x), subnormalNumber(s, f, x))
	},
}

func finiteNumber(s *Selection, f *float, x []machine.Register) machine.Register {
	return s.New(encode.CMHI|f.size, f.constant(s, f.infinity()), f.magnitude(s, x[0]))
}

func subnormalNumber(s *Selection, f *float, x []machine.Register) machine.Register {
	magnitude := f.magnitude(s, x[0])
	small := s.New(encode.CMHI|f.size, f.constant(s, f.smallest), magnitude)
	return s.New(encode.BIC, small, s.New(encode.CMEQZ|f.size, magnitude))
}
