package sem

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// wrapped is x as a signed 128-bit integer.
func wrapped(x *big.Int) *big.Int {
	half, whole := new(big.Int).Lsh(big.NewInt(1), 127), new(big.Int).Lsh(big.NewInt(1), 128)
	x.Add(x, half)
	x.Mod(x, whole)
	return x.Sub(x, half)
}

// TestInt128 holds every operation against math/big.
func TestInt128(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.SampledFrom([]int64{0, 1, -1, 1<<63 - 1, -1 << 63, 1 << 32, -1 << 32, 1<<32 - 1})
		word := rapid.OneOf(rapid.Int64(), edges)
		p, q := word.Draw(t, "p"), word.Draw(t, "q")
		x := Int128{p, uint64(word.Draw(t, "lo"))}
		y := Int128{q, uint64(word.Draw(t, "lo"))}
		n := uint(rapid.IntRange(0, 63).Draw(t, "n"))
		check := func(name string, got Int128, want *big.Int) {
			if got.Big().Cmp(wrapped(want)) != 0 {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		}
		if got, want := x.String(), x.Big().String(); got != want {
			t.Errorf("String: %s, want %s", got, want)
		}
		check("extend128", extend128(p), big.NewInt(p))
		check("multiply", multiply(p, q), new(big.Int).Mul(big.NewInt(p), big.NewInt(q)))
		check("add", x.add(y), new(big.Int).Add(x.Big(), y.Big()))
		check("not", x.not(), new(big.Int).Not(x.Big()))
		check("shiftRight", x.shiftRight(n), new(big.Int).Rsh(x.Big(), n))
		unsigned := new(big.Int).Mod(x.Big(), new(big.Int).Lsh(big.NewInt(1), 128))
		check("shiftRightLogical", x.shiftRightLogical(n), unsigned.Rsh(unsigned, n))
		low, high := min(p, q), max(p, q)
		want := x.Big()
		if want.Cmp(big.NewInt(low)) < 0 {
			want = big.NewInt(low)
		} else if want.Cmp(big.NewInt(high)) > 0 {
			want = big.NewInt(high)
		}
		check("clamp", x.clamp(low, high), want)
	})
}

func TestInt128Text(t *testing.T) {
	x := Int128{-1, 0xfffffffffffffffe}
	if x.String() != "-2" || x.Hex() != "fffffffffffffffffffffffffffffffe" {
		t.Errorf("%v, %s", x, x.Hex())
	}
}
