package machine

import "math/bits"

// LOP3: certain, lop3, whose table it has as an immediate. Its predicate: the result is not 0, or the
// predicate that is read holds (!PT, which is nearly always there, adds nothing); with .PAND both. That is
// inferred from listings in which it is a test (and.b32; setp.ne), and from what others have measured.
//
// PLOP3: the same of predicates, with a table for each of the two that are written: certain of the first,
// inferred of the second. POPC, BREV: certain. FLO: certain, bfind, with .SH its .shiftamt.
var logic = map[string]func(f *form) step{"LOP3": lop3, "PLOP3": plop3, "POPC": popc, "FLO": flo, "BREV": brev}

func lop3(f *form) step {
	f.must("LUT")
	both := f.has("PAND")
	test := f.truthResults(1)[0]
	set := f.result()
	a, b, c := f.word(), f.word(), f.word()
	table := f.number(255)
	p := f.truth()
	return func(t *thread) {
		x, y, z := a(t), b(t), c(t)
		d := uint32(0)
		for i := range 8 {
			if table>>i&1 != 0 {
				d |= same(x, i&4) & same(y, i&2) & same(z, i&1)
			}
		}
		truth := p(t)
		set(t, d)
		if both {
			test(t, d != 0 && truth)
		} else {
			test(t, d != 0 || truth)
		}
	}
}

// same returns the bits of a word that are set, or those that are not.
func same(x uint32, set int) uint32 {
	if set != 0 {
		return x
	}
	return ^x
}

func plop3(f *form) step {
	f.must("LUT")
	sets := [2]func(*thread, bool){f.truthResult(), f.truthResult()}
	sources := [3]truth{f.truth(), f.truth(), f.truth()}
	tables := [2]int{f.number(255), f.number(255)}
	return func(t *thread) {
		i := 0
		for _, p := range sources {
			i <<= 1
			if p(t) {
				i |= 1
			}
		}
		sets[0](t, tables[0]>>i&1 != 0)
		sets[1](t, tables[1]>>i&1 != 0)
	}
}

func popc(f *form) step {
	set, a := f.result(), f.inverted()
	return func(t *thread) { set(t, uint32(bits.OnesCount32(a(t)))) }
}

func brev(f *form) step {
	set, a := f.result(), f.inverted()
	return func(t *thread) { set(t, bits.Reverse32(a(t))) }
}

// flo finds the highest bit that is set; of signed words the highest that is not the sign.
func flo(f *form) step {
	unsigned, distance := f.has("U32"), f.has("SH")
	set, a := f.result(), f.inverted()
	return func(t *thread) {
		x := a(t)
		if !unsigned && int32(x) < 0 {
			x = ^x
		}
		switch n := uint32(bits.Len32(x)) - 1; {
		case x == 0:
			set(t, 0xffffffff)
		case distance:
			set(t, 31-n)
		default:
			set(t, n)
		}
	}
}
