package lower

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/isa"
)

// TestSpans draws numbers and spans that hold them, and computes with both.
func TestSpans(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 12))
	number := func() int64 { return int64(rng.Uint64()) >> (30 + rng.IntN(34)) }
	around := func(x int64) span {
		s := span{x - number()&0xffff, x + number()&0xffff}
		if rng.IntN(8) == 0 {
			s.lo = -far
		}
		if rng.IntN(8) == 0 {
			s.hi = far
		}
		return s
	}
	holds := func(s span, x *big.Int) bool {
		return (s.lo <= -far || x.Cmp(big.NewInt(s.lo)) >= 0) && (s.hi >= far || x.Cmp(big.NewInt(s.hi)) <= 0)
	}
	for range 100_000 {
		x, y, z := number(), number(), number()
		s, p, c := around(x), around(y), around(z)
		product := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
		sum := new(big.Int).Add(product, big.NewInt(z))
		n := uint(rng.IntN(16))
		for _, is := range []struct {
			name string
			s    span
			x    *big.Int
		}{
			{"product", s.times(p), product},
			{"negated", s.times(p).negated(), new(big.Int).Neg(product)},
			{"sum", s.times(p).plus(c), sum},
			{"shifted", s.times(p).plus(c).shifted(n), new(big.Int).Rsh(sum, n)},
		} {
			if !holds(is.s, is.x) {
				t.Fatalf("%s of %d in %v, %d in %v, %d in %v, %d is %v, not in %v", is.name, x, s, y, p, z, c, n, is.x, is.s)
			}
		}
	}
}

// TestBounds lists what bounds of the operands are for: a clamp that cannot act is not there.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		form isa.Form
		want int // machine instructions
	}{
		// A product of bytes and c, shifted: the sum has 33 bits, what is left fits.
		{isa.Form{Op: isa.Vmad, ASel: isa.B0, BSel: isa.B1, Sat: true, Scale: isa.Shr7}, 5},
		{isa.Form{Op: isa.Vmad, DType: isa.S32, AType: isa.S32, BType: isa.S32, ASel: isa.H0, BSel: isa.H1, Sat: true, Scale: isa.Shr15}, 5},
		// Only one limit can be passed.
		{isa.Form{Op: isa.Vmad, ASel: isa.H0, BSel: isa.H1, Sat: true}, 5},
		// A negated part is taken from its word and negated at once.
		{isa.Form{Op: isa.Vmad, NegA: true, ASel: isa.H0, BSel: isa.H0}, 3},
		// The carry of whole words comes with their sum.
		{isa.Form{Op: isa.Vadd, Sat: true}, 2},
		{isa.Form{Op: isa.Vadd, Sat: true, BSel: isa.B1}, 3},
		{isa.Form{Op: isa.Vadd, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true}, 5},
	} {
		p := Form(test.form, SM80)
		if got := SM80.Machine(p).Instructions; got > test.want {
			t.Errorf("%v takes %d machine instructions, want %d\n%v", test.form, got, test.want, p)
		}
	}
}
