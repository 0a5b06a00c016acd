package build

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
)

// randomFlow returns a flow of n blocks with random edges, mostly to blocks near.
func randomFlow(rng *rand.Rand, n int) *flow {
	f := &flow{}
	for i := range n {
		b := flowBlock{from: i, to: i + 1, endAt: i, selector: -1, loop: -1}
		near := func() int { return min(max(i+rng.IntN(9)-3, 0), n-1) }
		switch k := rng.IntN(10); {
		case i == n-1 || k == 0:
			b.end = simt.Return
		case k < 4:
			b.end, b.succs = simt.Jump, []int{i + 1}
		case k < 9:
			b.end, b.succs = simt.Branch, []int{near(), i + 1}
		default:
			b.end, b.succs = simt.Switch, []int{rng.IntN(n), near(), i + 1}
		}
		f.blocks = append(f.blocks, b)
	}
	return f
}

// follow returns the instructions that are executed when the ends of blocks decide by random numbers, which
// depend on the instruction and how often it has been executed.
func (f *flow) follow(seed uint64, limit int) (trace []int) {
	selectors := make([]int, f.selectors)
	for b := 0; len(trace) < limit; {
		block := &f.blocks[b]
		for i := block.from; i < block.to; i++ {
			trace = append(trace, i)
		}
		for _, s := range block.sets {
			selectors[s.selector] = s.value
		}
		switch {
		case len(block.succs) == 0:
			return trace
		case block.selector >= 0:
			b = block.succs[selectors[block.selector]]
		default:
			rng := rand.New(rand.NewPCG(seed, uint64(len(trace))))
			b = block.succs[rng.IntN(len(block.succs))]
		}
	}
	return trace
}

// checkOrder looks whether an order of blocks is what flow promises.
func (f *flow) checkOrder(t *testing.T, order []int) {
	t.Helper()
	place := map[int]int{}
	for i, b := range order {
		if _, twice := place[b]; twice {
			t.Fatalf("block %d stands twice in %v", b, order)
		}
		place[b] = i
	}
	if order[0] != 0 {
		t.Fatalf("the order begins with %d", order[0])
	}
	latches := map[int]int{}
	for _, b := range order {
		for _, s := range f.blocks[b].succs {
			to, ok := place[s]
			if !ok {
				t.Fatalf("block %d leads to %d, which has no place", b, s)
			}
			if to > place[b] {
				continue
			}
			if other, twice := latches[s]; twice && other != b {
				t.Fatalf("%d and %d lead back to %d", other, b, s)
			}
			latches[s] = b
			if len(f.blocks[b].succs) != 1 {
				t.Fatalf("the latch %d leads to %v", b, f.blocks[b].succs)
			}
		}
	}
	for header, latch := range latches {
		inside := func(b int) bool { return place[header] <= place[b] && place[b] <= place[latch] }
		for _, b := range order {
			for _, s := range f.blocks[b].succs {
				if !inside(b) && inside(s) && s != header {
					t.Fatalf("%d leads to %d, in the loop of %d", b, s, header)
				}
			}
			around := false
			for l := f.blocks[b].loop; l >= 0; {
				around = around || l == header
				l = f.outer(l, latches, place)
			}
			if around != inside(b) {
				t.Fatalf("block %d: in the loop of %d: %v by its mark, %v by its place", b, header, around, inside(b))
			}
		}
	}
}

// Outer returns the header of the innermost loop around that of another header, or -1.
func (f *flow) outer(header int, latches, place map[int]int) int {
	best := -1
	for h, l := range latches {
		if h != header && place[h] < place[header] && place[header] <= place[l] && (best < 0 || place[h] > place[best]) {
			best = h
		}
	}
	return best
}

// TestArrange arranges random flows, reducible and not, and follows them before and after.
func TestArrange(t *testing.T) {
	irreducible, loops := 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(20)
		f := randomFlow(rng, n)
		before := &flow{}
		for _, b := range f.blocks {
			b.succs = slices.Clone(b.succs)
			before.blocks = append(before.blocks, b)
		}
		order := f.arrange()
		f.checkOrder(t, order)
		irreducible += min(f.selectors, 1)
		for _, b := range order {
			if f.blocks[b].loop == b {
				loops++
			}
		}
		for k := range uint64(5) {
			want, got := before.follow(k, 200), f.follow(k, 200)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: executes %v, want %v", seed, got, want)
			}
		}
	}
	if irreducible < 100 || loops < 1000 {
		t.Errorf("only %d flows are irreducible, and they have only %d loops", irreducible, loops)
	}
}
