package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Floats with AVX2. Only rounding to nearest is there, by MXCSR; what is converted to integers is
// rounded by an instruction of its own before. Masks are vectors.

// vexFloats are floats of a size with the instructions that stand for those of masks.
type vexFloats struct {
	*floats
	test, blend, equal, greater, fusedLess, lessFused encode.Op
	small, middle, raise                              uint64 // see directedProduct
}

var (
	vexSingles = &vexFloats{singles, encode.VCMPPS, encode.VBLENDVPS, encode.VPCMPEQD, encode.VPCMPGTD, encode.VFMSUB213PS, encode.VFNMADD213PS,
		(127 - 100) << 23, (127 - 50) << 23, (127 + 75) << 23}
	vexDoubles = &vexFloats{doubles, encode.VCMPPD, encode.VBLENDVPD, encode.VPCMPEQQ, encode.VPCMPGTQ, encode.VFMSUB213PD, encode.VFNMADD213PD,
		(1023 - 960) << 52, (1023 - 480) << 52, (1023 + 540) << 52}
)

func (f *vexFloats) compare(s *Selection, predicate int, x, y machine.Operand) machine.Operand {
	return s.New(f.test, x, y, machine.Immediate(predicate))
}

func (f *vexFloats) canonical(s *Selection, x machine.Operand) machine.Operand {
	return s.New(f.blend, x, f.constant(s, f.nan), f.compare(s, floatUnordered, x, x))
}

// subnormalOrZero is the mask of what has no exponent.
func (f *vexFloats) subnormalOrZero(s *Selection, x machine.Operand) machine.Operand {
	return s.New(f.equal, s.And(x, f.constant(s, f.infinity)), s.Zero())
}

func (f *vexFloats) flush(s *Selection, x machine.Operand) machine.Operand {
	return s.New(f.blend, x, s.And(x, f.constant(s, f.sign)), f.subnormalOrZero(s, x))
}

func (f *vexFloats) operands(s *Selection, a []machine.Operand, ftz bool) []machine.Operand {
	flushed := make([]machine.Operand, len(a))
	for n, x := range a {
		if flushed[n] = x; ftz {
			flushed[n] = s.flushed(f, x)
		}
	}
	return flushed
}

func (f *vexFloats) finish(s *Selection, x machine.Operand, sat bool) machine.Operand {
	if sat {
		return f.saturate(s, x)
	}
	return f.canonical(s, x)
}

// magnitude clears the sign.
func (f *vexFloats) magnitude(s *Selection, x machine.Operand) machine.Operand {
	return s.And(x, f.constant(s, f.sign-1))
}

func defineAVX2Float() {
	for name, compute := range map[string]func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand{
		"add":  func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand { return s.New(f.add, a[0], a[1]) },
		"sub":  func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand { return s.New(f.sub, a[0], a[1]) },
		"mul":  func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand { return s.New(f.mul, a[0], a[1]) },
		"div":  func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand { return s.New(f.div, a[0], a[1]) },
		"sqrt": func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand { return s.New(f.sqrt, a[0]) },
		"fma": func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand {
			return s.Change(f.fma, a[0], a[1], a[2])
		},
		"rcp": func(f *vexFloats, s *Selection, a []machine.Operand) machine.Operand {
			return s.New(f.div, f.floats.constant(s, f.one), a[0])
		},
	} {
		eachEnding(func(ending string, ftz, sat bool) {
			with2(name+".rn"+ending+".f32", singleResult(name, ftz, sat, func(s *Selection, a []machine.Operand) machine.Operand {
				return compute(vexSingles, s, a)
			}))
		})
		with2(name+".rn.f64", func(s *Selection, a []machine.Operand) machine.Operand {
			return vexDoubles.canonical(s, compute(vexDoubles, s, a))
		})
	}
	for _, f := range []*vexFloats{vexSingles, vexDoubles} {
		f.defineTests()
		with2("copysign."+f.name, func(s *Selection, a []machine.Operand) machine.Operand {
			sign := f.constant(s, f.sign)
			return s.Or(s.And(a[0], sign), s.New(encode.VPANDN, sign, a[1]))
		})
		for _, name := range []string{"min", "max"} {
			with2(name+"."+f.name, func(s *Selection, a []machine.Operand) machine.Operand {
				return f.canonical(s, f.extreme(s, a[0], a[1], name == "max"))
			})
		}
	}
	for _, ending := range []string{"", ".ftz"} {
		ftz := ending != ""
		for _, name := range []string{"min", "max"} {
			if ftz {
				with2(name+".ftz.f32", func(s *Selection, a []machine.Operand) machine.Operand {
					a = vexSingles.operands(s, a, true)
					return vexSingles.canonical(s, vexSingles.extreme(s, a[0], a[1], name == "max"))
				})
			}
			with2(name+ending+".NaN.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				a = vexSingles.operands(s, a, ftz)
				r := vexSingles.extreme(s, a[0], a[1], name == "max")
				nan := vexSingles.compare(s, floatUnordered, a[0], a[1])
				return s.New(encode.VBLENDVPS, r, s.Const32(uint32(singles.nan)), nan)
			})
		}
		with2("slct.32"+ending+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
			k := vexSingles.compare(s, floatAtLeast, vexSingles.operands(s, a[2:], ftz)[0], s.Zero())
			return s.New(encode.VBLENDVPS, a[1], a[0], k)
		})
	}
	defineAVX2Conversions()
}

// extreme is the minimum or maximum; of two NaNs one of them.
func (f *vexFloats) extreme(s *Selection, x, y machine.Operand, greatest bool) machine.Operand {
	predicate, zeros := 0x11, s.Or(x, y)
	if greatest {
		predicate, zeros = floatGreater, s.And(x, y)
	}
	r := s.New(f.blend, y, x, f.compare(s, predicate, x, y))
	r = s.New(f.blend, r, zeros, f.compare(s, floatEqual, x, y))
	return s.New(f.blend, r, x, f.compare(s, floatUnordered, y, y))
}

func (f *vexFloats) defineTests() {
	for name, predicate := range floatPredicates {
		with2("setp."+name+"."+f.name, func(s *Selection, a []machine.Operand) machine.Operand {
			return f.compare(s, predicate, a[0], a[1])
		})
		if f == vexSingles {
			with2("setp."+name+".ftz.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				a = s.taken(a, true)
				return f.compare(s, predicate, a[0], a[1])
			})
		}
	}
	const less = 0x11
	finite := func(s *Selection, x machine.Operand) machine.Operand {
		return f.compare(s, less, f.magnitude(s, x), f.constant(s, f.infinity))
	}
	subnormal := func(s *Selection, x machine.Operand) machine.Operand {
		return s.New(encode.VPANDN, s.New(f.equal, f.magnitude(s, x), s.Zero()), f.subnormalOrZero(s, x))
	}
	for name, test := range map[string]func(s *Selection, x machine.Operand) machine.Operand{
		"finite": finite, "subnormal": subnormal,
		"number":     func(s *Selection, x machine.Operand) machine.Operand { return f.compare(s, floatOrdered, x, x) },
		"notanumber": func(s *Selection, x machine.Operand) machine.Operand { return f.compare(s, floatUnordered, x, x) },
		"infinite": func(s *Selection, x machine.Operand) machine.Operand {
			return s.New(f.equal, f.magnitude(s, x), f.constant(s, f.infinity))
		},
		"normal": func(s *Selection, x machine.Operand) machine.Operand {
			return s.New(encode.VPANDN, subnormal(s, x), finite(s, x))
		},
	} {
		with2("testp."+name+"."+f.name, func(s *Selection, a []machine.Operand) machine.Operand { return test(s, a[0]) })
	}
}

// defineAVX2Conversions enters conversions of f32 to integers of up to 32 bits, of those to f64, and of
// f32 to floats.
func defineAVX2Conversions() {
	for mode, rounding := range roundings {
		for _, t := range integerTypes[:6] {
			for _, ending := range []string{"", ".ftz", ".sat", ".ftz.sat"} {
				ftz := ending == ".ftz" || ending == ".ftz.sat"
				with2("cvt."+mode+"i"+ending+"."+t.name+".f32", func(s *Selection, a []machine.Operand) machine.Operand {
					x := vexSingles.operands(s, a, ftz)[0]
					return s.integerOfRounded(t, s.New(encode.VROUNDPS, x, machine.Immediate(rounding.number|8)))
				})
			}
			define(onlyAVX2, "cvt."+mode+".f64."+t.name, selector{group: func(s *Selection) {
				s.giveWide(s.doubleOfWord(t, s.extendTo(t, s.arg(0))))
			}})
		}
		eachEnding(func(ending string, ftz, sat bool) {
			with2("cvt."+mode+"i"+ending+".f32.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				x := s.New(encode.VROUNDPS, vexSingles.operands(s, a, ftz)[0], machine.Immediate(rounding.number|8))
				return vexSingles.finish(s, x, sat)
			})
		})
		with2("cvt."+mode+"i.f64.f64", func(s *Selection, a []machine.Operand) machine.Operand {
			return vexDoubles.canonical(s, s.New(encode.VROUNDPD, a[0], machine.Immediate(rounding.number|8)))
		})
	}
	eachEnding(func(ending string, ftz, sat bool) {
		with2("cvt"+ending+".f32.f32", func(s *Selection, a []machine.Operand) machine.Operand {
			return vexSingles.finish(s, vexSingles.operands(s, a, ftz)[0], sat)
		})
	})
	for _, ending := range []string{"", ".ftz"} {
		define(onlyAVX2, "cvt"+ending+".f64.f32", selector{group: func(s *Selection) {
			x := s.Extend(encode.VCVTPS2PD, s.taken([]machine.Operand{s.arg(0)}, ending != "")[0])
			s.giveWide([2]machine.Operand{vexDoubles.canonical(s, x[0]), vexDoubles.canonical(s, x[1])})
		}})
	}
}

// doubleOfWord converts words with the values of a type of up to 32 bits to f64.
func (s *Selection) doubleOfWord(t integerType, x machine.Operand) [2]machine.Operand {
	if t.bits < 32 || t.signed {
		return s.Extend(encode.VCVTDQ2PD, x)
	}
	// As if signed, and 2^31 more.
	wide := s.Extend(encode.VCVTDQ2PD, s.Xor(x, s.Const32(1<<31)))
	for h := range wide {
		wide[h] = s.New(encode.VADDPD, wide[h], s.Const64(0x41e0000000000000))
	}
	return wide
}

// integerOfRounded converts an f32 that is integral to an integer of up to 32 bits, clamped; a NaN
// becomes 0.
func (s *Selection) integerOfRounded(t integerType, x machine.Operand) machine.Operand {
	const half = 0x4f000000 // 2^31
	if t.bits == 32 && !t.signed {
		x = s.New(encode.VMAXPS, x, s.Zero())
		large := vexSingles.compare(s, floatAtLeast, x, s.Const32(half))
		// What is 2^31 or more is converted without that, and all ones from 2^32 on.
		rest := s.New(encode.VSUBPS, x, s.And(large, s.Const32(half)))
		r := s.Xor(s.New(encode.VCVTTPS2DQ, rest), s.And(large, s.Const32(1<<31)))
		return s.Or(r, vexSingles.compare(s, floatAtLeast, x, s.Const32(0x4f800000)))
	}
	r := s.And(s.New(encode.VCVTTPS2DQ, x), vexSingles.compare(s, floatOrdered, x, x))
	large := vexSingles.compare(s, floatAtLeast, x, s.Const32(half))
	r = s.New(encode.VBLENDVPS, r, s.Const32(1<<31-1), large)
	return s.clampWord(r, integerType{"s32", 32, true}, t)
}
