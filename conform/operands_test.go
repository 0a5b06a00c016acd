package conform_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

func TestEdgeWords(t *testing.T) {
	seen := map[uint32]bool{}
	for _, w := range conform.EdgeWords() {
		if seen[w] {
			t.Errorf("%08x appears twice", w)
		}
		seen[w] = true
	}
	for _, w := range []uint32{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x80808080, 0x7fff7fff, 31, 32, 33} {
		if !seen[w] {
			t.Errorf("%08x is missing", w)
		}
	}
}

// TestOperandsReachTheCorners: the drawn operands clamp at both ends, hit equal
// values, and shift by every amount up to 33.
func TestOperandsReachTheCorners(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	saturating := isa.Form{Op: isa.Vsub4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 0xf, ALane: 0x3210, BLane: 0x7654}
	var low, high, within int
	for range 2000 {
		a, b, c := conform.Operands(rng, saturating)
		for _, lane := range sem.TraceOf(sem.ISA, saturating, a, b, c).Lanes {
			switch {
			case lane.Result < lane.Min:
				low++
			case lane.Result > lane.Max:
				high++
			default:
				within++
			}
		}
	}
	if low < 400 || high < 400 || within < 400 {
		t.Errorf("%d below the range, %d above, %d within", low, high, within)
	}

	shifting := isa.Form{Op: isa.Vshl, Mode: isa.Clamp, BSel: isa.B2}
	amounts := map[uint32]bool{}
	equal := 0
	for range 2000 {
		a, b, c := conform.Operands(rng, shifting)
		amounts[b>>16&0xff] = true
		if a == b || a == c || b == c {
			equal++
		}
	}
	for n := range uint32(34) {
		if !amounts[n] {
			t.Errorf("no shift by %d", n)
		}
	}
	if equal < 50 {
		t.Errorf("%d times equal operands", equal)
	}
}
