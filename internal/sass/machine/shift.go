package machine

// SHF: certain, shf.l, shf.r and the shifts of PTX by 32 and 64 bits. The first source is the lower half of
// 64 bits, the last one the upper half, and .HI takes the upper half of the result. Amounts are limited to
// the width of the type, or with .W taken modulo it; that is held to real GPUs by the published tests of
// Mesa's compiler. SGXT: certain, szext. BMSK: certain, bmsk.
var shifts = map[string]func(f *form) step{"SHF": shf, "SGXT": sgxt, "BMSK": bmsk}

func shf(f *form) step {
	right := f.must("L", "R") == "R"
	wrap := f.has("W")
	typ := f.must("U32", "S32", "U64", "S64")
	high := f.has("HI")
	width := uint32(32)
	if typ[1:] == "64" {
		width = 64
	}
	set, low, amount, up := f.result(), f.word(), f.word(), f.word()
	return func(t *thread) {
		x := uint64(up(t))<<32 | uint64(low(t))
		n := min(amount(t), width)
		if wrap {
			n = amount(t) % width
		}
		switch {
		case !right:
			x <<= n
		case typ[0] == 'S':
			x = uint64(int64(x) >> n)
		default:
			x >>= n
		}
		if high {
			x >>= 32
		}
		set(t, uint32(x))
	}
}

func sgxt(f *form) step {
	wrap, unsigned := f.has("W"), f.has("U32")
	set, a, b := f.result(), f.word(), f.word()
	return func(t *thread) {
		x, n := a(t), min(b(t), 32)
		if wrap {
			n = b(t) % 32
		}
		switch {
		case n == 0:
			x = 0
		case n < 32 && unsigned:
			x = x << (32 - n) >> (32 - n)
		case n < 32:
			x = uint32(int32(x<<(32-n)) >> (32 - n))
		}
		set(t, x)
	}
}

func bmsk(f *form) step {
	wrap := f.has("W")
	set, a, b := f.result(), f.word(), f.word()
	return func(t *thread) {
		from, n := min(a(t), 32), min(b(t), 32)
		if wrap {
			from, n = a(t)%32, b(t)%32
		}
		set(t, uint32((uint64(1)<<n-1)<<from))
	}
}
