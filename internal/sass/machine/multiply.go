package machine

import "math/bits"

// IMAD, and the names that it has where a factor or the addend makes it a move (.MOV), an addition (.IADD) or
// a shift (.SHL): certain, mad.lo. .WIDE and .HI: certain, mad.wide and mad.hi with an addend of 64 bits,
// which the well-known sequence for divisions needs. .X: certain, seen as the upper half of additions of 64
// bits. The carry of .WIDE.U32 and .HI.U32, and .X with .WIDE: inferred from listings of long multiplications;
// of signed products nothing is known of the carry. IDP: certain, dp4a and dp2a.
var products = map[string]func(f *form) step{"IMAD": imad, "IDP": idp}

func imad(f *form) step {
	f.one("MOV", "IADD", "SHL") // names of the special case, which is computed as all others
	unsigned := f.has("U32")
	extended := f.has("X")
	switch f.one("WIDE", "HI") {
	case "WIDE":
		set, carry := f.wideResult(), f.carryOf(unsigned)
		sum := f.wideProduct(unsigned, extended)
		return func(t *thread) {
			x, c := sum(t)
			set(t, x)
			carry(t, c)
		}
	case "HI":
		set, carry := f.result(), f.carryOf(unsigned)
		sum := f.wideProduct(unsigned, extended)
		return func(t *thread) {
			x, c := sum(t)
			set(t, uint32(x>>32))
			carry(t, c)
		}
	}
	set, a, b := f.result(), f.word(), f.word()
	if extended {
		c, carried := f.inverted(), f.truth()
		return func(t *thread) {
			x := a(t)*b(t) + c(t)
			if carried(t) {
				x++
			}
			set(t, x)
		}
	}
	c := f.minused()
	return func(t *thread) { set(t, a(t)*b(t)+c(t)) }
}

// carryOf takes the predicate of a carry, if there is one.
func (f *form) carryOf(unsigned bool) func(t *thread, x bool) {
	before := f.next
	carry := f.truthResults(1)[0]
	if f.next > before && !unsigned && f.in.Operands[before].Number >= 0 {
		f.fail("%s with a carry is not known", spelled(f.in))
	}
	return carry
}

// wideProduct takes two factors and an addend of 64 bits.
func (f *form) wideProduct(unsigned, extended bool) func(t *thread) (sum uint64, carry bool) {
	a, b, c := f.word(), f.word(), f.wide()
	carried := func(*thread) bool { return false }
	if extended {
		carried = f.truth()
	}
	return func(t *thread) (uint64, bool) {
		product := uint64(a(t)) * uint64(b(t))
		if !unsigned {
			product = uint64(int64(int32(a(t))) * int64(int32(b(t))))
		}
		one := uint64(0)
		if carried(t) {
			one = 1
		}
		sum, carry := bits.Add64(product, c(t), one)
		return sum, carry != 0
	}
}

// idp multiplies parts of two words and adds the products up: four bytes each, or two halves by two bytes.
func idp(f *form) step {
	kind := f.must("4A", "2A")
	upper := 0
	if kind == "2A" && f.must("LO", "HI") == "HI" {
		upper = 2
	}
	if len(f.left) != 2 {
		f.fail("%s is not known: it has no two types", spelled(f.in))
		return nil
	}
	types := [2]string{f.left[0], f.left[1]}
	f.left = nil
	width, n := 8, 4
	if kind == "2A" {
		width, n = 16, 2
	}
	signed := [2]bool{}
	for i, want := range [2]string{map[int]string{8: "8", 16: "16"}[width], "8"} {
		if types[i] != "U"+want && types[i] != "S"+want {
			f.fail("%s with .%s is not known", f.in.Op, types[i])
		}
		signed[i] = types[i] == "S"+want
	}
	set, a, b, c := f.result(), f.word(), f.word(), f.word()
	return func(t *thread) {
		x, y, sum := a(t), b(t), c(t)
		for i := range n {
			sum += part(x, i, width, signed[0]) * part(y, i+upper, 8, signed[1])
		}
		set(t, sum)
	}
}

// part returns part i of a word, extended to 32 bits.
func part(x uint32, i, width int, signed bool) uint32 {
	x = x << (32 - width*(i+1)) // the part stands on top
	if signed {
		return uint32(int32(x) >> (32 - width))
	}
	return x >> (32 - width)
}
