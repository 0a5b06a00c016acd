package op

import "math"

func init() {
	for name, mode := range roundings {
		defineFromInteger[uint8, uint32](name, "u8", mode)
		defineFromInteger[uint16, uint32](name, "u16", mode)
		defineFromInteger[uint32, uint32](name, "u32", mode)
		defineFromInteger[uint64, uint64](name, "u64", mode)
		defineFromInteger[int8, uint32](name, "s8", mode)
		defineFromInteger[int16, uint32](name, "s16", mode)
		defineFromInteger[int32, uint32](name, "s32", mode)
		defineFromInteger[int64, uint64](name, "s64", mode)

		defineToInteger[uint8, uint32](name, "u8", mode)
		defineToInteger[uint16, uint32](name, "u16", mode)
		defineToInteger[uint32, uint32](name, "u32", mode)
		defineToInteger[uint64, uint64](name, "u64", mode)
		defineToInteger[int8, uint32](name, "s8", mode)
		defineToInteger[int16, uint32](name, "s16", mode)
		defineToInteger[int32, uint32](name, "s32", mode)
		defineToInteger[int64, uint64](name, "s64", mode)

		finishers(mode, func(suffix string, f finisher) {
			define("cvt."+name+suffix+".f64", func(dst []uint32, a []uint64) {
				for i := range dst {
					dst[i] = f.result(math.Float64frombits(a[i]))
				}
			})
			define("cvt."+name+"i"+suffix+".f32", func(dst, a []uint32) {
				for i := range dst {
					dst[i] = f.result(integral(f.operand(a[i]), mode))
				}
			})
		})
		define("cvt."+name+"i.f64.f64", func(dst, a []uint64) {
			for i := range dst {
				dst[i] = bitsOf64(integral(math.Float64frombits(a[i]), mode))
			}
		})
	}
	finishers(toNearest, func(suffix string, f finisher) {
		define("cvt"+suffix+".f32", func(dst, a []uint32) {
			for i := range dst {
				dst[i] = f.result(f.operand(a[i]))
			}
		})
	})
	define("cvt.f64.f32", func(dst []uint64, a []uint32) {
		for i := range dst {
			dst[i] = bitsOf64(readSingle(a[i]))
		}
	})
	define("cvt.ftz.f64.f32", func(dst []uint64, a []uint32) {
		for i := range dst {
			dst[i] = bitsOf64(readFlushed(a[i]))
		}
	})
}

// canonicalNaN64 is the NaN that f64 operations give here: CUDA's own (CUDART_NAN). The PTX
// ISA leaves it open.
const canonicalNaN64 = 0xfff8000000000000

func bitsOf64(x float64) uint64 {
	if x != x {
		return canonicalNaN64
	}
	return math.Float64bits(x)
}

// defineFromInteger enters the conversions of an integer type to f32 and f64.
func defineFromInteger[S integer, A Word](rounding, from string, mode rounding) {
	magnitude := func(x A) (uint64, bool) {
		if v := S(x); v < 0 {
			return -uint64(v), true
		} else {
			return uint64(v), false
		}
	}
	finishers(mode, func(suffix string, f finisher) {
		define("cvt."+rounding+suffix+"."+from, func(dst []uint32, a []A) {
			for i := range dst {
				m, negative := magnitude(a[i])
				dst[i] = f.result(fromInteger(m, negative, 24, mode))
			}
		})
	})
	define("cvt."+rounding+".f64."+from, func(dst []uint64, a []A) {
		for i := range dst {
			m, negative := magnitude(a[i])
			dst[i] = math.Float64bits(fromInteger(m, negative, 53, mode))
		}
	})
}

// defineToInteger enters the conversions of f32 and f64 to an integer type. They clamp to its
// range, with or without .sat. A NaN becomes 0, or 1 and zeros if an f64 or a type of 64 bits has to do with
// it (9.7.9.21).
func defineToInteger[T integer, D Word](rounding, to string, mode rounding) {
	top := T(1) << (width[T]() - 1)
	convertNaN := func(x float64, nan T) D {
		if x != x {
			return D(nan)
		}
		return D(clampToInteger[T](integral(x, mode)))
	}
	ofSingle := T(0)
	if width[T]() == 64 {
		ofSingle = top
	}
	convert := func(x float64) D { return convertNaN(x, ofSingle) }
	for _, sat := range []string{"", ".sat"} {
		define("cvt."+rounding+"i"+sat+"."+to+".f32", func(dst []D, a []uint32) {
			for i := range dst {
				dst[i] = convert(readSingle(a[i]))
			}
		})
		define("cvt."+rounding+"i.ftz"+sat+"."+to+".f32", func(dst []D, a []uint32) {
			for i := range dst {
				dst[i] = convert(readFlushed(a[i]))
			}
		})
		define("cvt."+rounding+"i"+sat+"."+to+".f64", func(dst []D, a []uint64) {
			for i := range dst {
				dst[i] = convertNaN(math.Float64frombits(a[i]), top)
			}
		})
	}
}

// clampToInteger converts an integral value. The limits of 64-bit types are not f64
// values, but powers of two beyond them are.
func clampToInteger[T integer](x float64) T {
	lowest, highest := limits[T]()
	switch {
	case x <= float64(lowest):
		return lowest
	case x >= float64(highest):
		return highest
	}
	return T(x)
}
