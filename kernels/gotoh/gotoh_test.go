package gotoh

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// The scheme of gotoh.cu.
const (
	open, extend       = 8, 2
	match, mismatch    = 5, 4
	diagonal, up, left = 1, 2, 4
)

// saturate keeps a score within a signed byte.
func saturate(score int) int { return min(max(score, -128), 127) }

// align is the dull model: one query, one subject. trace[j*len(query)+i] is that of query
// base i and subject base j.
func align(query, subject []byte) (best int, trace []byte) {
	score, gapLeft := make([]int, len(query)), make([]int, len(query))
	for i := range gapLeft {
		gapLeft[i] = -128
	}
	for _, base := range subject {
		before, above, gapUp := 0, 0, -128
		for i := range query {
			substitution := -mismatch
			if query[i] == base {
				substitution = match
			}
			matched := saturate(before + substitution)
			gapUp = max(saturate(gapUp-extend), saturate(above-open))
			gapLeft[i] = max(saturate(gapLeft[i]-extend), saturate(score[i]-open))
			here := max(0, matched, gapUp, gapLeft[i])
			from := 0
			if here == matched {
				from |= diagonal
			}
			if here == gapUp {
				from |= up
			}
			if here == gapLeft[i] {
				from |= left
			}
			trace = append(trace, byte(from))
			best = max(best, here)
			before = score[i]
			above, score[i] = here, here
		}
	}
	return best, trace
}

// relative returns a sequence of n bases like another: shifted, with substitutions and gaps.
func relative(rng *rand.Rand, of []byte, n int) []byte {
	var s []byte
	for len(s) < n {
		at := rng.IntN(len(of))
		for _, base := range of[at:] {
			switch p := rng.IntN(100); {
			case p < 10:
				s = append(s, byte(rng.IntN(4)))
			case p < 14: // a base left out
			case p < 18:
				s = append(s, base, byte(rng.IntN(4)))
			default:
				s = append(s, base)
			}
		}
	}
	return s[:n]
}

func TestGotoh(t *testing.T) {
	const threads, m, n = 128, 48, 60
	rng := rand.New(rand.NewPCG(1, 2))
	query := make([]byte, m)
	for i := range query {
		query[i] = byte(rng.IntN(4))
	}
	subjects := make([][]byte, 4*threads)
	for s := range subjects {
		subjects[s] = relative(rng, query, n)
	}
	subjects[0] = append(append([]byte{3, 2}, query...), make([]byte, n-m-2)...) // saturates

	packed := make([]uint32, n*threads)
	for s, bases := range subjects {
		for j, base := range bases {
			packed[j*threads+s/4] |= uint32(base) << (s % 4 * 8)
		}
	}
	wantBest, wantTrace := make([]uint32, threads), make([]uint32, m*n*threads)
	saturated := 0
	for s, bases := range subjects {
		best, trace := align(query, bases)
		wantBest[s/4] |= uint32(best) << (s % 4 * 8)
		for cell, from := range trace {
			wantTrace[cell*threads+s/4] |= uint32(from) << (s % 4 * 8)
		}
		if best == 127 {
			saturated++
		}
	}
	if saturated == 0 || saturated == len(subjects) {
		t.Fatalf("%d of %d alignments saturate: the test should have both kinds", saturated, len(subjects))
	}

	kerneltest.Each(t, "gotoh", func(t *testing.T, launch kerneltest.Launch) {
		best, trace := make([]uint32, threads), make([]uint32, m*n*threads)
		launch(vop.Grid{X: 2}, vop.Block{X: threads / 2}, query, m, packed, n, best, trace)
		if diff := cmp.Diff(wantBest, best); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(wantTrace, trace); diff != "" {
			t.Errorf("traces differ: %.1000s", diff)
		}
	})
}
