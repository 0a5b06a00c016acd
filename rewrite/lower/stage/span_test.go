package stage

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSpans draws numbers and spans that hold them, and computes with both.
func TestSpans(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 12))
	number := func() int64 { return int64(rng.Uint64()) >> (30 + rng.IntN(34)) }
	around := func(x int64) Span {
		s := Span{x - number()&0xffff, x + number()&0xffff}
		if rng.IntN(8) == 0 {
			s.Lo = -Far
		}
		if rng.IntN(8) == 0 {
			s.Hi = Far
		}
		return s
	}
	holds := func(s Span, x *big.Int) bool {
		return (s.Lo <= -Far || x.Cmp(big.NewInt(s.Lo)) >= 0) && (s.Hi >= Far || x.Cmp(big.NewInt(s.Hi)) <= 0)
	}
	for range 100_000 {
		x, y, z := number(), number(), number()
		s, p, c := around(x), around(y), around(z)
		product := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
		sum := new(big.Int).Add(product, big.NewInt(z))
		n := uint(rng.IntN(16))
		for _, is := range []struct {
			name string
			s    Span
			x    *big.Int
		}{
			{"product", s.Times(p), product},
			{"negated", s.Times(p).Negated(), new(big.Int).Neg(product)},
			{"sum", s.Times(p).Plus(c), sum},
			{"shifted", s.Times(p).Plus(c).Shifted(n), new(big.Int).Rsh(sum, n)},
		} {
			if !holds(is.s, is.x) {
				t.Fatalf("%s of %d in %v, %d in %v, %d in %v, %d is %v, not in %v", is.name, x, s, y, p, z, c, n, is.x, is.s)
			}
		}
	}
}
