package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/sem"
)

// edges are words whose bytes, halves or the word itself lie at the ends of their ranges.
var edges = []uint32{
	0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80808080, 0x7f7f7f7f, 0x80007fff, 0x7fff8000,
	0x00ff00ff, 0xff00ff00, 0x01010101, 0xfefefefe, 0x00010001, 0x0000ffff, 0xffff0000,
	0x7f80ff01, 0x0180ff7f, 0x12345678, 0x000000ff, 0x0000007f, 0xffffff80, 0x00000020, 0x0000001f,
}

// operands draws a word: an edge, a mixture of the lanes of two edges, a small number, or anything.
func operand(rng *rand.Rand) uint32 {
	edge := func() uint32 { return edges[rng.IntN(len(edges))] }
	switch rng.IntN(5) {
	case 0:
		return edge()
	case 1:
		mask := uint32(0)
		for i := range 4 {
			mask |= uint32(rng.IntN(2)) * 0xff << (8 * i)
		}
		return edge()&mask | edge()&^mask
	case 2:
		return uint32(rng.IntN(70))
	}
	return rng.Uint32()
}

const (
	sampledForms = 20_000
	triples      = 24
)

// TestFormEqualsSem compares the programs of sampled forms with the reference
// semantics, for every target.
func TestFormEqualsSem(t *testing.T) {
	for _, caps := range lower.Targets() {
		t.Run(caps.Name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(3, 1))
			forms := sampledForms
			if !long.Tests() {
				forms /= 5
			}
			failures := 0
			for f := range isa.Sample(rng) {
				p := lower.Form(f, caps)
				if err := p.Check(); err != nil {
					t.Fatalf("%v: %v\n%v", f, err, p)
				}
				for range triples {
					a, b, c := operand(rng), operand(rng), operand(rng)
					if got, want := p.Eval(a, b, c), sem.Eval(f, a, b, c); got != want {
						t.Errorf("%v with a=%08x b=%08x c=%08x is %08x, want %08x\n%v", f, a, b, c, got, want, p)
						failures++
						break
					}
				}
				if failures > 5 {
					t.Fatal("too many differences")
				}
				if forms--; forms == 0 {
					return
				}
			}
		})
	}
}
