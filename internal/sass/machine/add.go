package machine

// IADD3 without .X and with it, and LEA, with their carries: certain. They are additions of PTX (add, sub,
// add.cc, addc), and the published tests of Mesa's compiler hold the carries of all combinations of signs to
// real GPUs: -x is ~x with a 1 added, and that 1 counts for the carry; of the two predicates, the first
// tells of one carry at least, the second of two. LEA.HI.SX32: inferred from listings, in which it adds an index
// with a sign to an address. VIADD, which sm_90 has beside IADD3: inferred from its
// name and listings; only without modifiers and predicates. IABS: certain, abs.s32.
var additions = map[string]func(f *form) step{
	"IADD3": iadd3, "IADD": iadd, "VIADD": iadd, "LEA": lea, "IABS": iabs,
}

// term returns what a source adds to a sum of which the carries are looked at.
func (s source) term(t *thread) uint64 {
	switch x := s.word(t); {
	case s.negated:
		return uint64(^x) + 1
	case s.inverted:
		return uint64(^x)
	default:
		return uint64(x)
	}
}

func iadd3(f *form) step {
	extended := f.has("X")
	signs := minus
	if extended {
		signs = tilde
	}
	set, carries := f.result(), f.truthResults(2)
	sources := [3]source{f.signed(signs), f.signed(signs), f.signed(signs)}
	carried := [2]truth{}
	if extended {
		carried = [2]truth{f.truth(), f.truthOr(false)}
	}
	return func(t *thread) {
		sum := uint64(0)
		for _, s := range sources {
			sum += s.term(t)
		}
		for _, c := range carried {
			if c != nil && c(t) {
				sum++
			}
		}
		set(t, uint32(sum))
		carries[0](t, sum >= 1<<32)
		carries[1](t, sum >= 2<<32)
	}
}

func iadd(f *form) step {
	set, a, b := f.result(), f.minused(), f.minused()
	return func(t *thread) { set(t, a(t)+b(t)) }
}

// lea adds b to a shifted left, or with .HI to the upper half of that: of c and a as 64 bits, or of a with
// its sign if .SX32 is there. A sign before a is one of the shifted word.
func lea(f *form) step {
	high := f.has("HI")
	extended, sign := f.has("X"), f.has("SX32")
	if sign && !high {
		f.fail("LEA.SX32 without .HI is not known")
	}
	signs := minus
	if extended {
		signs = tilde
	}
	set, carry := f.result(), f.truthResults(1)[0]
	a, b := f.signed(signs), f.signed(signs)
	upper := func(*thread) uint32 { return 0 }
	if high && !sign {
		upper = f.word()
	}
	shift := f.number(31)
	carried := func(*thread) bool { return false }
	if extended {
		carried = f.truth()
	}
	return func(t *thread) {
		x := a.word(t)
		u := upper(t)
		if sign {
			u = uint32(int32(x) >> 31)
		}
		s := a
		s.word = func(*thread) uint32 {
			if high {
				return uint32((uint64(u)<<32 | uint64(x)) >> (32 - shift))
			}
			return x << shift
		}
		sum := s.term(t) + b.term(t)
		if carried(t) {
			sum++
		}
		set(t, uint32(sum))
		carry(t, sum >= 1<<32)
	}
}

func iabs(f *form) step {
	set, a := f.result(), f.word()
	return func(t *thread) {
		x := a(t)
		if int32(x) < 0 {
			x = -x
		}
		set(t, x)
	}
}
