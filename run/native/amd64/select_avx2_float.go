package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Floats with AVX2. Only rounding to nearest is there, by MXCSR; what is converted to integers is
// rounded by an instruction of its own before. Masks are vectors.

// vexFloats are floats of a size with the instructions that stand for those of masks.
type vexFloats struct {
	*floats
	test, blend, equal encode.Op
	infinity           uint64 // also the bits of the exponent
}

var (
	vexSingles = &vexFloats{singles, encode.VCMPPS, encode.VBLENDVPS, encode.VPCMPEQD, 0x7f800000}
	vexDoubles = &vexFloats{doubles, encode.VCMPPD, encode.VBLENDVPD, encode.VPCMPEQQ, 0x7ff0000000000000}
)

func (f *vexFloats) compare(s *selection, predicate int, x, y operand) operand {
	return s.new(f.test, x, y, immediate(predicate))
}

func (f *vexFloats) canonical(s *selection, x operand) operand {
	return s.new(f.blend, x, f.constant(s, f.nan), f.compare(s, floatUnordered, x, x))
}

// subnormalOrZero is the mask of what has no exponent.
func (f *vexFloats) subnormalOrZero(s *selection, x operand) operand {
	return s.new(f.equal, s.and(x, f.constant(s, f.infinity)), s.zero())
}

func (f *vexFloats) flush(s *selection, x operand) operand {
	return s.new(f.blend, x, s.and(x, f.constant(s, f.sign)), f.subnormalOrZero(s, x))
}

func (f *vexFloats) operands(s *selection, a []operand, ftz bool) []operand {
	flushed := make([]operand, len(a))
	for n, x := range a {
		if flushed[n] = x; ftz {
			flushed[n] = f.flush(s, x)
		}
	}
	return flushed
}

func (f *vexFloats) finish(s *selection, x operand, ftz, sat bool) operand {
	if ftz {
		x = f.flush(s, x)
	}
	if sat {
		return f.saturate(s, x)
	}
	return f.canonical(s, x)
}

// magnitude clears the sign.
func (f *vexFloats) magnitude(s *selection, x operand) operand {
	return s.and(x, f.constant(s, f.sign-1))
}

func defineAVX2Float() {
	for name, compute := range map[string]func(f *vexFloats, s *selection, a []operand) operand{
		"add":  func(f *vexFloats, s *selection, a []operand) operand { return s.new(f.add, a[0], a[1]) },
		"sub":  func(f *vexFloats, s *selection, a []operand) operand { return s.new(f.sub, a[0], a[1]) },
		"mul":  func(f *vexFloats, s *selection, a []operand) operand { return s.new(f.mul, a[0], a[1]) },
		"div":  func(f *vexFloats, s *selection, a []operand) operand { return s.new(f.div, a[0], a[1]) },
		"sqrt": func(f *vexFloats, s *selection, a []operand) operand { return s.new(f.sqrt, a[0]) },
		"fma":  func(f *vexFloats, s *selection, a []operand) operand { return s.change(f.fma, a[0], a[1], a[2]) },
		"rcp": func(f *vexFloats, s *selection, a []operand) operand {
			return s.new(f.div, f.floats.constant(s, f.one), a[0])
		},
	} {
		eachEnding(func(ending string, ftz, sat bool) {
			with2(name+".rn"+ending+".f32", func(s *selection, a []operand) operand {
				return vexSingles.finish(s, compute(vexSingles, s, vexSingles.operands(s, a, ftz)), ftz, sat)
			})
		})
		with2(name+".rn.f64", func(s *selection, a []operand) operand {
			return vexDoubles.canonical(s, compute(vexDoubles, s, a))
		})
	}
	for _, f := range []*vexFloats{vexSingles, vexDoubles} {
		f.defineTests()
		with2("copysign."+f.name, func(s *selection, a []operand) operand {
			sign := f.constant(s, f.sign)
			return s.or(s.and(a[0], sign), s.new(encode.VPANDN, sign, a[1]))
		})
		for _, name := range []string{"min", "max"} {
			with2(name+"."+f.name, func(s *selection, a []operand) operand {
				return f.canonical(s, f.extreme(s, a[0], a[1], name == "max"))
			})
		}
	}
	for _, ending := range []string{"", ".ftz"} {
		ftz := ending != ""
		for _, name := range []string{"min", "max"} {
			if ftz {
				with2(name+".ftz.f32", func(s *selection, a []operand) operand {
					a = vexSingles.operands(s, a, true)
					return vexSingles.canonical(s, vexSingles.extreme(s, a[0], a[1], name == "max"))
				})
			}
			with2(name+ending+".NaN.f32", func(s *selection, a []operand) operand {
				a = vexSingles.operands(s, a, ftz)
				r := vexSingles.extreme(s, a[0], a[1], name == "max")
				nan := vexSingles.compare(s, floatUnordered, a[0], a[1])
				return s.new(encode.VBLENDVPS, r, s.const32(uint32(singles.nan)), nan)
			})
		}
		with2("neg"+ending+".f32", func(s *selection, a []operand) operand {
			return s.xor(vexSingles.operands(s, a, ftz)[0], s.const32(1<<31))
		})
		with2("abs"+ending+".f32", func(s *selection, a []operand) operand {
			return s.and(vexSingles.operands(s, a, ftz)[0], s.const32(1<<31-1))
		})
		with2("slct.32"+ending+".f32", func(s *selection, a []operand) operand {
			k := vexSingles.compare(s, floatAtLeast, vexSingles.operands(s, a[2:], ftz)[0], s.zero())
			return s.new(encode.VBLENDVPS, a[1], a[0], k)
		})
	}
	defineAVX2Conversions()
}

// extreme is the minimum or maximum; of two NaNs one of them.
func (f *vexFloats) extreme(s *selection, x, y operand, greatest bool) operand {
	predicate, zeros := 0x11, s.or(x, y)
	if greatest {
		predicate, zeros = floatGreater, s.and(x, y)
	}
	r := s.new(f.blend, y, x, f.compare(s, predicate, x, y))
	r = s.new(f.blend, r, zeros, f.compare(s, floatEqual, x, y))
	return s.new(f.blend, r, x, f.compare(s, floatUnordered, y, y))
}

func (f *vexFloats) defineTests() {
	for name, predicate := range floatPredicates {
		with2("setp."+name+"."+f.name, func(s *selection, a []operand) operand {
			return f.compare(s, predicate, a[0], a[1])
		})
		if f == vexSingles {
			with2("setp."+name+".ftz.f32", func(s *selection, a []operand) operand {
				a = f.operands(s, a, true)
				return f.compare(s, predicate, a[0], a[1])
			})
		}
	}
	const less = 0x11
	finite := func(s *selection, x operand) operand {
		return f.compare(s, less, f.magnitude(s, x), f.constant(s, f.infinity))
	}
	subnormal := func(s *selection, x operand) operand {
		return s.new(encode.VPANDN, s.new(f.equal, f.magnitude(s, x), s.zero()), f.subnormalOrZero(s, x))
	}
	for name, test := range map[string]func(s *selection, x operand) operand{
		"finite": finite, "subnormal": subnormal,
		"number":     func(s *selection, x operand) operand { return f.compare(s, floatOrdered, x, x) },
		"notanumber": func(s *selection, x operand) operand { return f.compare(s, floatUnordered, x, x) },
		"infinite": func(s *selection, x operand) operand {
			return s.new(f.equal, f.magnitude(s, x), f.constant(s, f.infinity))
		},
		"normal": func(s *selection, x operand) operand {
			return s.new(encode.VPANDN, subnormal(s, x), finite(s, x))
		},
	} {
		with2("testp."+name+"."+f.name, func(s *selection, a []operand) operand { return test(s, a[0]) })
	}
}

// defineAVX2Conversions enters conversions between f32 and integers of up to 32 bits, and among
// floats.
func defineAVX2Conversions() {
	for mode, rounding := range roundings {
		for _, t := range integerTypes[:6] {
			for _, ending := range []string{"", ".ftz", ".sat", ".ftz.sat"} {
				ftz := ending == ".ftz" || ending == ".ftz.sat"
				with2("cvt."+mode+"i"+ending+"."+t.name+".f32", func(s *selection, a []operand) operand {
					x := vexSingles.operands(s, a, ftz)[0]
					return s.integerOfRounded(t, s.new(encode.VROUNDPS, x, immediate(rounding.number|8)))
				})
			}
			define(onlyAVX2, "cvt."+mode+".f64."+t.name, selector{group: func(s *selection) {
				if x := s.extendTo(t, s.arg(0)); t.bits < 32 || t.signed {
					s.giveWide(s.extend(encode.VCVTDQ2PD, x))
				} else {
					// As if signed, and 2^31 more.
					wide := s.extend(encode.VCVTDQ2PD, s.xor(x, s.const32(1<<31)))
					for h := range wide {
						wide[h] = s.new(encode.VADDPD, wide[h], s.const64(0x41e0000000000000))
					}
					s.giveWide(wide)
				}
			}})
		}
		eachEnding(func(ending string, ftz, sat bool) {
			with2("cvt."+mode+"i"+ending+".f32.f32", func(s *selection, a []operand) operand {
				x := s.new(encode.VROUNDPS, vexSingles.operands(s, a, ftz)[0], immediate(rounding.number|8))
				return vexSingles.finish(s, x, false, sat)
			})
		})
		with2("cvt."+mode+"i.f64.f64", func(s *selection, a []operand) operand {
			return vexDoubles.canonical(s, s.new(encode.VROUNDPD, a[0], immediate(rounding.number|8)))
		})
	}
	for _, t := range integerTypes[:6] {
		eachEnding(func(ending string, _, sat bool) {
			with2("cvt.rn"+ending+".f32."+t.name, func(s *selection, a []operand) operand {
				x := s.extendTo(t, a[0])
				r := operand{}
				if t.bits < 32 || t.signed {
					r = s.new(encode.VCVTDQ2PS, x)
				} else {
					// Both halves are exact as floats, so that their sum is rounded once.
					high := s.new(encode.VCVTDQ2PS, s.new(encode.VPSRLDI, x, immediate(16)))
					low := s.new(encode.VCVTDQ2PS, s.low16(x))
					r = s.new(encode.VADDPS, s.new(encode.VMULPS, high, s.const32(0x47800000)), low)
				}
				if sat {
					return singles.saturate(s, r)
				}
				return r
			})
		})
	}
	eachEnding(func(ending string, ftz, sat bool) {
		with2("cvt"+ending+".f32.f32", func(s *selection, a []operand) operand {
			return vexSingles.finish(s, vexSingles.operands(s, a, ftz)[0], false, sat)
		})
		define(onlyAVX2, "cvt.rn"+ending+".f32.f64", selector{group: func(s *selection) {
			x := s.wide(s.node.args[0])
			r := s.joinHalves([2]operand{s.new(encode.VCVTPD2PS, x[0]), s.new(encode.VCVTPD2PS, x[1])})
			s.give(vexSingles.finish(s, r, ftz, sat))
		}})
	})
	for _, ending := range []string{"", ".ftz"} {
		define(onlyAVX2, "cvt"+ending+".f64.f32", selector{group: func(s *selection) {
			x := s.extend(encode.VCVTPS2PD, vexSingles.operands(s, []operand{s.arg(0)}, ending != "")[0])
			s.giveWide([2]operand{vexDoubles.canonical(s, x[0]), vexDoubles.canonical(s, x[1])})
		}})
	}
}

// integerOfRounded converts an f32 that is integral to an integer of up to 32 bits, clamped; a NaN
// becomes 0.
func (s *selection) integerOfRounded(t integerType, x operand) operand {
	const half = 0x4f000000 // 2^31
	if t.bits == 32 && !t.signed {
		x = s.new(encode.VMAXPS, x, s.zero())
		large := vexSingles.compare(s, floatAtLeast, x, s.const32(half))
		// What is 2^31 or more is converted without that, and all ones from 2^32 on.
		rest := s.new(encode.VSUBPS, x, s.and(large, s.const32(half)))
		r := s.xor(s.new(encode.VCVTTPS2DQ, rest), s.and(large, s.const32(1<<31)))
		return s.or(r, vexSingles.compare(s, floatAtLeast, x, s.const32(0x4f800000)))
	}
	r := s.and(s.new(encode.VCVTTPS2DQ, x), vexSingles.compare(s, floatOrdered, x, x))
	large := vexSingles.compare(s, floatAtLeast, x, s.const32(half))
	r = s.new(encode.VBLENDVPS, r, s.const32(1<<31-1), large)
	return s.clampWord(r, integerType{"s32", 32, true}, t)
}
