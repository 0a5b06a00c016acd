package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// conversions are those between integers and floats, and among floats of 32 and 64 bits.
var conversions = func() map[string]selector {
	all := map[string]selector{}
	for mode, round := range modes {
		for _, t := range integerTypes {
			for _, e := range endings { // an integer is never subnormal, and never no number
				all["cvt."+mode+e.name+".f32."+t.name] = func(s *Selection, a []simt.ID) Value {
					x := s.singleOf(a[0], t, round)
					if e.sat {
						x = single.finish(s, x, true)
					}
					return one(x)
				}
			}
			all["cvt."+mode+".f64."+t.name] = func(s *Selection, a []simt.ID) Value { return s.doubleOf(a[0], t, round) }
			for _, sat := range []string{"", ".sat"} {
				for _, ftz := range []string{"", ".ftz"} {
					all["cvt."+mode+"i"+ftz+sat+"."+t.name+".f32"] = func(s *Selection, a []simt.ID) Value {
						return s.integerOfSingle(single.maybeFlushed(s, s.V(a[0]), ftz != ""), t, round)
					}
				}
				all["cvt."+mode+"i"+sat+"."+t.name+".f64"] = func(s *Selection, a []simt.ID) Value {
					return s.integerOfDouble(s.Both(a[0]), t, round)
				}
			}
		}
		whole := instruction([4]encode.Op{encode.FRINTN, encode.FRINTP, encode.FRINTM, encode.FRINTZ}[round])
		for _, e := range endings {
			all["cvt."+mode+"i"+e.name+".f32.f32"] = singles(whole, e.ftz, func(s *Selection, x machine.Register) machine.Register {
				return single.finish(s, x, e.sat)
			})
			all["cvt."+mode+e.name+".f32.f64"] = func(s *Selection, a []simt.ID) Value {
				return s.narrowResult(s.Both(a[0]), round, e.ftz, e.sat)
			}
		}
		all["cvt."+mode+"i.f64.f64"] = twice(func(s *Selection, f *float, x []machine.Register) machine.Register {
			return f.canonical(s, whole(s, f, x))
		})
	}
	for _, e := range endings {
		itself := func(s *Selection, f *float, x []machine.Register) machine.Register { return x[0] }
		all["cvt"+e.name+".f32.f32"] = singles(itself, e.ftz, func(s *Selection, x machine.Register) machine.Register {
			return single.finish(s, x, e.sat)
		})
	}
	for _, ftz := range []string{"", ".ftz"} {
		all["cvt"+ftz+".f64.f32"] = func(s *Selection, a []simt.ID) Value {
			return twofold.canonicalBoth(s, s.doubled(single.maybeFlushed(s, s.V(a[0]), ftz != "")))
		}
	}
	return all
}()

func (f *float) maybeFlushed(s *Selection, x machine.Register, flush bool) machine.Register {
	if flush {
		return f.flush(s, x)
	}
	return x
}

func (f *float) canonicalBoth(s *Selection, x Value) Value {
	return each(func(h int) machine.Register { return f.canonical(s, x[h]) })
}

// doubled converts f32 to f64.
func (s *Selection) doubled(x machine.Register) Value {
	return Value{s.New(encode.FCVTL|encode.S4, x), s.New(encode.FCVTL2|encode.S4, x)}
}

// narrowed converts f64 to f32.
func (s *Selection) narrowed(x Value, round machine.Rounding) machine.Register {
	s.Round(round)
	return s.Change(encode.FCVTN2|encode.S4, s.New(encode.FCVTN|encode.S4, x[0]), x[1])
}

// narrowedToOdd converts f64 to f32, whose last bit is 1 where that is not exact: rounding it once more, to at most 22 bits,
// gives in all modes what rounding the f64 would have given.
func (s *Selection) narrowedToOdd(x Value) machine.Register {
	return s.Change(encode.FCVTXN2|encode.S4, s.New(encode.FCVTXN|encode.S4, x[0]), x[1])
}

// toFloat and toInteger return the instructions for a type.
func (t integerType) toFloat() encode.Op {
	if t.signed {
		return encode.SCVTF
	}
	return encode.UCVTF
}

func (t integerType) toInteger(round machine.Rounding) encode.Op {
	if t.signed {
		return [4]encode.Op{encode.FCVTNS, encode.FCVTPS, encode.FCVTMS, encode.FCVTZS}[round]
	}
	return [4]encode.Op{encode.FCVTNU, encode.FCVTPU, encode.FCVTMU, encode.FCVTZU}[round]
}

// singleOf converts an integer to f32. One of 64 bits becomes an f64 before, rounded to odd.
func (s *Selection) singleOf(id simt.ID, t integerType, round machine.Rounding) machine.Register {
	if t.bits < 64 {
		x := s.extended(s.V(id), t)
		s.Round(round)
		return s.New(t.toFloat()|encode.S4, x)
	}
	return s.narrowed(s.doubleToOdd(id, t), round)
}

// doubleToOdd converts an integer to f64, whose last bit is 1 where that is not exact.
func (s *Selection) doubleToOdd(id simt.ID, t integerType) Value {
	if t.bits < 64 {
		return s.doubleOf(id, t, machine.ToNearest) // which is exact
	}
	x := s.Both(id)
	s.Round(machine.ToZero)
	return each(func(h int) machine.Register {
		y := s.New(t.toFloat()|encode.D2, x[h])
		exact := s.New(encode.CMEQ|encode.D2, s.New(t.toInteger(machine.ToZero)|encode.D2, y), x[h])
		return s.New(encode.ORR, y, s.New(encode.BIC, s.Const64(1), exact))
	})
}

// doubleOf converts an integer to f64.
func (s *Selection) doubleOf(id simt.ID, t integerType, round machine.Rounding) Value {
	x := s.Both(id)
	if t.bits < 64 {
		x = s.widened(s.extended(x[0], t), t.signed)
	} else {
		s.Round(round)
	}
	return each(func(h int) machine.Register { return s.New(t.toFloat()|encode.D2, x[h]) })
}

// integerOfSingle converts f32 to an integer, clamped. A NaN becomes 0, or of 64 bits the top bit.
func (s *Selection) integerOfSingle(x machine.Register, t integerType, round machine.Rounding) Value {
	if t.bits == 64 {
		return s.integerOfDouble(s.doubled(x), t, round)
	}
	return one(s.clamped(s.New(t.toInteger(round)|encode.S4, x), t, wordType(t.signed)))
}

// integerOfDouble converts f64 to an integer, clamped. A NaN becomes the top bit of the type.
func (s *Selection) integerOfDouble(x Value, t integerType, round machine.Rounding) Value {
	n := each(func(h int) machine.Register { return s.New(t.toInteger(round)|encode.D2, x[h]) })
	number := each(func(h int) machine.Register { return s.New(encode.FCMEQ|encode.D2, x[h], x[h]) })
	if t.bits == 64 {
		return each(func(h int) machine.Register { return s.choose(number[h], n[h], s.Const64(1<<63)) })
	}
	top := uint32(1) << (t.bits - 1)
	if t.signed {
		top = -top
	}
	w := s.clamped(s.saturatedWord(n, t.signed, t.signed), t, wordType(t.signed))
	return one(s.choose(s.New(encode.UZP1|encode.S4, number[0], number[1]), w, s.Const32(top)))
}
