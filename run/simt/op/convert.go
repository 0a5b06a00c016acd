package op

func init() {
	defineFrom[uint8, uint32]("u8")
	defineFrom[uint16, uint32]("u16")
	defineFrom[uint32, uint32]("u32")
	defineFrom[uint64, uint64]("u64")
	defineFrom[int8, uint32]("s8")
	defineFrom[int16, uint32]("s16")
	defineFrom[int32, uint32]("s32")
	defineFrom[int64, uint64]("s64")
	define("widen.64", widen)
	define("narrow.32", narrow)
	define("high.32", high32)
	define("high.16", shiftedRight(16))
	define("high.8", shiftedRight(8))
	define("pack.64", pack64)
	define("pack.32", packed(16))
	define("pack.16", packed(8))
}

// defineFrom enters the conversions of an integer type to all others. A result
// narrower than its word is extended by its own sign, as cvt demands of
// destination registers wider than the type.
func defineFrom[S integer, A Word](from string) {
	defineTo[uint8, S, uint32, A]("u8", from)
	defineTo[uint16, S, uint32, A]("u16", from)
	defineTo[uint32, S, uint32, A]("u32", from)
	defineTo[uint64, S, uint64, A]("u64", from)
	defineTo[int8, S, uint32, A]("s8", from)
	defineTo[int16, S, uint32, A]("s16", from)
	defineTo[int32, S, uint32, A]("s32", from)
	defineTo[int64, S, uint64, A]("s64", from)
}

func defineTo[T, S integer, D, A Word](to, from string) {
	define("cvt."+to+"."+from, convert[T, S, D, A])
	define("cvt.sat."+to+"."+from, convertSaturated[T, S, D, A])
}

func convert[T, S integer, D, A Word](dst []D, a []A) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = D(T(S(a[i])))
	}
}

// convertSaturated clamps to the range of T. A value that T cannot hold comes back
// different, or with another sign.
func convertSaturated[T, S integer, D, A Word](dst []D, a []A) {
	a = a[:len(dst)]
	lowest, highest := limits[T]()
	for i := range dst {
		x := S(a[i])
		t := T(x)
		if S(t) != x || (t < 0) != (x < 0) {
			t = highest
			if x < 0 {
				t = lowest
			}
		}
		dst[i] = D(t)
	}
}

// widen extends words by zeros.
func widen(dst []uint64, a []uint32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = uint64(a[i])
	}
}

// narrow takes the low words.
func narrow(dst []uint32, a []uint64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = uint32(a[i])
	}
}

// high32 takes the high words.
func high32(dst []uint32, a []uint64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = uint32(a[i] >> 32)
	}
}

// pack64 puts two words together.
func pack64(dst []uint64, low, high []uint32) {
	low, high = low[:len(dst)], high[:len(dst)]
	for i := range dst {
		dst[i] = uint64(high[i])<<32 | uint64(low[i])
	}
}

// packed returns the operation that puts two values of a width together.
func packed(width int) Map2[uint32, uint32, uint32] {
	return func(dst, low, high []uint32) {
		low, high = low[:len(dst)], high[:len(dst)]
		for i := range dst {
			dst[i] = high[i]<<width | low[i]&(1<<width-1)
		}
	}
}

// shiftedRight returns the operation that takes the upper one of two values of a width.
func shiftedRight(width int) Map1[uint32, uint32] {
	return func(dst, a []uint32) {
		a = a[:len(dst)]
		for i := range dst {
			dst[i] = a[i] >> width
		}
	}
}
