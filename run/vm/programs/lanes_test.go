package programs

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// collatz is the length of the sequence of x.
func collatz(x uint64) (steps uint32) {
	for ; x != 1; steps++ {
		if x%2 == 0 {
			x /= 2
		} else {
			x = 3*x + 1
		}
	}
	return steps
}

// TestCollatz has loops of up to 524 turns, of very different lengths, and then shuffles and a vote.
func TestCollatz(t *testing.T) {
	eachProgram(t, "lanes", func(p *vmtest.Program) {
		for _, c := range []struct{ first, n int }{{1, 1}, {1, 31}, {1, 32}, {837799 - 40, 77}, {1, 3001}} {
			blocks := blocksFor(c.n, 64)
			lengths, warps := make([]uint32, blocks*64), make([]uint32, blocks*6)
			total := uint32(0)
			for i := range c.n {
				lengths[i] = collatz(uint64(c.first + i))
				total += lengths[i]
			}
			for w := range blocks * 2 {
				part := lengths[32*w:][:32]
				longest := slices.Max(part)
				warps[3*w], warps[3*w+1] = longest, uint32(slices.Index(part, longest))
				for _, x := range part {
					warps[3*w+2] += x
				}
			}
			got, gotWarps := p.Filled("length", c.n, 77), p.Filled("warps", blocks*6, 77)
			p.Launch("collatz", blocks, 64, uint32(c.first), uint32(c.n), got, gotWarps)
			p.Hold(fmt.Sprint("lengths ", c), got, lengths[:c.n])
			p.Hold(fmt.Sprint("warps ", c), gotWarps, warps)
			queue, sum := p.Words("queue", 0), p.Words("total", 0)
			got = p.Filled("length", c.n, 77)
			p.Launch("collatzQueue", 3, 64, queue, uint32(c.first), uint32(c.n), got, sum)
			p.Hold(fmt.Sprint("lengths by queue ", c), got, lengths[:c.n])
			p.Hold(fmt.Sprint("total ", c), sum, []uint32{total})
		}
	})
}

// escape is how many turns a point takes.
func escape[T float32 | float64](width, i int, limit uint32) (t uint32) {
	x0, y0 := T(i%width)*0.0625-2, T(i/width)*0.0625-1
	for x, y := T(0), T(0); t < limit && T(x*x)+T(y*y) <= 4; t++ {
		x, y = T(T(x*x)-T(y*y))+x0, T(T(2*x)*y)+y0
	}
	return t
}

// TestMandelbrot has votes behind loops of up to 5000 turns.
func TestMandelbrot(t *testing.T) {
	limit := long.Of[uint32](5000, 1500)
	eachProgram(t, "lanes", func(p *vmtest.Program) {
		for kernel, turns := range map[string]func(width, i int, limit uint32) uint32{"mandelbrot32": escape[float32], "mandelbrot64": escape[float64]} {
			for _, size := range [][2]int{{1, 1}, {48, long.Of(33, 5)}} {
				n := size[0] * size[1]
				blocks := blocksFor(n, 96)
				want, warps := make([]uint32, blocks*96), make([]uint32, blocks*9)
				for i := range n {
					want[i] = turns(size[0], i, limit)
				}
				for w := range blocks * 3 {
					for lane, x := range want[32*w:][:32] {
						if x == limit {
							warps[3*w] |= 1 << lane
						}
						warps[3*w+1] |= x & 1 << lane
					}
					if warps[3*w] != 0 {
						warps[3*w+2] = 1
					}
					if bits.OnesCount32(warps[3*w]) == 32 {
						warps[3*w+2] = 3
					}
				}
				got, gotWarps := p.Filled("turns", n, 77), p.Filled("warps", len(warps), 77)
				p.Launch(kernel, blocks, 96, uint32(size[0]), uint32(n), limit, got, gotWarps)
				p.Hold(fmt.Sprint(kernel, size), got, want[:n])
				p.Hold(fmt.Sprint("warps of ", kernel, size), gotWarps, warps)
			}
		}
	})
}

// TestSparseRows multiplies a sparse matrix whose rows have no element, or thousands.
func TestSparseRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	eachProgram(t, "lanes", func(p *vmtest.Program) {
		for _, n := range []int{0, 1, 33, 500} {
			g := skewedGraph(rng, max(n, 1), 2, 9000)
			if n == 0 {
				g = graph{rows: []uint32{0}}
			}
			values, x, want := make([]uint32, len(g.columns)), make([]uint32, n), make([]uint32, n)
			for i := range values {
				values[i] = rng.Uint32()
			}
			for i := range x {
				x[i] = rng.Uint32()
			}
			for row := range n {
				for e := g.rows[row]; e < g.rows[row+1]; e++ {
					want[row] += values[e] * x[g.columns[e]]
				}
			}
			y := p.Filled("y", n, 77)
			p.Launch("sparse", 2, 96, p.Words("rows", g.rows...), p.Words("columns", g.columns...), p.Words("values", values...), p.Words("x", x...), y, uint32(n))
			p.Hold(fmt.Sprint(n, " rows"), y, want)
		}
	})
}

// queens counts the ways to place queens in rows from row on, beside those that stand at these columns.
func queens(at []int, n int) (count uint32) {
	for i := range at {
		for j := range i {
			if at[i] == at[j] || at[i]-at[j] == i-j || at[j]-at[i] == i-j {
				return 0
			}
		}
	}
	if len(at) == n {
		return 1
	}
	for c := range n {
		count += queens(append(at[:len(at):len(at)], c), n)
	}
	return count
}

// TestQueens searches with stacks in local memory.
func TestQueens(t *testing.T) {
	sizes := []int{2, 4, 6, 8}
	wants := map[int][]uint32{}
	for _, n := range sizes {
		for i := range n * n {
			wants[n] = append(wants[n], queens([]int{i % n, i / n}, n))
		}
	}
	eachProgram(t, "lanes", func(p *vmtest.Program) {
		for _, n := range sizes {
			want, sum := wants[n], uint32(0)
			for _, x := range want {
				sum += x
			}
			found, total := p.Filled("found", n*n, 77), p.Words("total", 0)
			p.Launch("queens", blocksFor(n*n, 64), 64, uint32(n), found, total)
			p.Hold(fmt.Sprint(n), found, want)
			p.Hold(fmt.Sprint("all of ", n), total, []uint32{sum})
		}
	})
}

// TestSumsByKeys adds up what lanes with the same key have.
func TestSumsByKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	eachProgram(t, "lanes", func(p *vmtest.Program) {
		for _, c := range []struct{ n, keys int }{{0, 1}, {1, 1}, {31, 2}, {33, 1}, {1000, 5}, {5001, 40}} {
			keys, values, want := make([]uint32, c.n), make([]uint32, c.n), make([]uint32, c.keys)
			for i := range keys {
				keys[i], values[i] = uint32(rng.IntN(c.keys)), rng.Uint32()
				want[keys[i]] += values[i]
			}
			sums := p.Filled("sums", c.keys, 0)
			p.Launch("byKeys", 3, 64, p.Words("keys", keys...), p.Words("values", values...), uint32(c.n), sums)
			p.Hold(fmt.Sprint(c), sums, want)
		}
	})
}

// alignment is the best score of any parts of two texts.
func alignment(a, b []byte) (best int) {
	scores := make([][]int, len(a)+1)
	scores[0] = make([]int, len(b)+1)
	for i, x := range a {
		scores[i+1] = make([]int, len(b)+1)
		for j, y := range b {
			score := -2
			if x == y {
				score = 3
			}
			scores[i+1][j+1] = max(0, scores[i][j]+score, scores[i+1][j]-1, scores[i][j+1]-1)
			best = max(best, scores[i+1][j+1])
		}
	}
	return best
}

// TestAlign aligns texts of any lengths, a warp a pair.
func TestAlign(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	var a, b []byte
	aAt, bAt, want, longest := []uint32{0}, []uint32{0}, []uint32(nil), 0
	for _, size := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {31, 32}, {32, 31}, {33, 200}, {200, 33}, {97, 101}} {
		for range size[0] {
			a = append(a, "acgt"[rng.IntN(4)])
		}
		for range size[1] {
			b = append(b, "acgt"[rng.IntN(4)])
		}
		longest = max(longest, size[1])
		aAt, bAt = append(aAt, uint32(len(a))), append(bAt, uint32(len(b)))
		want = append(want, uint32(alignment(a[len(a)-size[0]:], b[len(b)-size[1]:])))
	}
	eachProgram(t, "lanes", func(p *vmtest.Program) {
		best, border := p.Filled("best", len(want), 77), p.Filled("border", len(want)*(longest+1), 0)
		p.Launch("align", len(want), 32, p.Bytes("a", a), p.Words("aAt", aAt...), p.Bytes("b", b), p.Words("bAt", bAt...), border, uint32(longest), best)
		p.Hold("scores", best, want)
	})
}
