package programs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// warpSums adds up what each 32 threads have.
func warpSums(values []uint32) []uint32 {
	sums := make([]uint32, (len(values)+31)/32)
	for i, x := range values {
		sums[i/32] += x
	}
	return sums
}

// TestRoundsOfSums has a function with exchanges, which lanes call after loops of very different lengths.
func TestRoundsOfSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	eachProgram(t, "calls", func(p *vmtest.Program) {
		for _, n := range []int{1, 31, 32, 33, 100} {
			const count, word = 3, 5
			turns := make([]uint32, n)
			for i := range turns {
				turns[i] = uint32(rng.IntN(40))
				if rng.IntN(9) == 0 {
					turns[i] += 2500
				}
			}
			want := make([]uint32, n)
			for round := range uint32(count) {
				mine := make([]uint32, n)
				for i := range mine {
					for turn := turns[i] * (round + 1); turn > 0; turn-- {
						mine[i] += word + turn%3
					}
				}
				sums := warpSums(mine)
				for i := range want {
					want[i] = want[i]*3 + sums[i/32]
				}
			}
			out := p.Filled("out", n, 77)
			p.Launch("rounds", blocksFor(n, 64), 64, p.Words("turns", turns...), p.Words("word", word), uint32(n), uint32(count), out)
			p.Hold(fmt.Sprint(n), out, want)
		}
	})
}

// TestRecursion has lanes at very different depths of a function.
func TestRecursion(t *testing.T) {
	eachProgram(t, "calls", func(p *vmtest.Program) {
		for _, threads := range []int{32, 96} {
			want := make([]uint32, 2*threads)
			for i := range want {
				m, n := uint32(i%threads%3), uint32(i%threads/3%8)
				want[i] = []uint32{n + 1, n + 2, 2*n + 3}[m]
			}
			out, warps := p.Filled("out", len(want), 77), p.Filled("warps", len(want)/32, 77)
			p.Launch("ackermanns", 2, threads, out, warps)
			p.Hold("values", out, want)
			p.Hold("sums", warps, warpSums(want))
		}
	})
}

// TestQuicksort has each thread sort words of its own.
func TestQuicksort(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	eachProgram(t, "calls", func(p *vmtest.Program) {
		for _, stride := range []int{1, 40, 100} {
			const threads = 64
			all, sizes := make([]uint32, threads*stride), make([]uint32, threads)
			for i := range all {
				all[i] = uint32(rng.IntN(stride * 2))
			}
			b := p.Words("words", all...)
			for i := range threads {
				sizes[i] = uint32(i % (stride + 1))
				slices.Sort(all[i*stride:][:sizes[i]])
			}
			longest := p.Filled("longest", threads/32, 77)
			p.Launch("sorts", 1, threads, b, uint32(stride), longest)
			p.Hold("words", b, all)
			p.Hold("sizes", longest, warpSums(sizes))
		}
	})
}

// TestInterpreter has a program a thread, each instruction of which is a call through a table.
func TestInterpreter(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	eachProgram(t, "calls", func(p *vmtest.Program) {
		for _, n := range []int{0, 1, 33, 100} {
			at, want := []uint32{0}, make([]uint32, n)
			var code []byte
			for i := range want {
				a := uint32(i + 1)
				for range rng.IntN(30) {
					c := byte(rng.IntN(256))
					code = append(code, c)
					b := uint32(c >> 2)
					switch c & 3 {
					case 0:
						a += b
					case 1:
						a *= b
					case 2:
						x := a
						for a = 1; b > 0; b-- {
							a *= x
						}
					case 3:
						if a > b {
							a -= b
						} else {
							a = b - a + 1000
						}
					}
				}
				want[i] = a
				at = append(at, uint32(len(code)))
			}
			blocks := blocksFor(n, 64)
			out, warps := p.Filled("out", n, 77), p.Filled("warps", 2*blocks, 77)
			p.Launch("interpret", blocks, 64, p.Bytes("code", code), p.Words("at", at...), uint32(n), out, warps)
			p.Hold("results", out, want)
			p.Hold("sums", warps, append(warpSums(want), 0, 0)[:2*blocks])
		}
	})
}

// TestLists builds lists of blocks from malloc in one launch, which another one walks and frees.
func TestLists(t *testing.T) {
	eachProgram(t, "calls", func(p *vmtest.Program) {
		for _, n := range []int{0, 1, 33, 500} {
			want := make([]uint32, n)
			for i := range want {
				of := n - 1 - i
				for k := of%17 - 1; k >= 0; k-- {
					want[i] = want[i]*7 + uint32(of*100+k)
				}
			}
			blocks := blocksFor(n, 64)
			heads, out, warps := p.Filled("heads", 2*n, 0), p.Filled("out", n, 77), p.Filled("warps", 2*blocks, 77)
			p.Launch("build", blocks, 64, heads, uint32(n))
			p.Launch("walk", blocks, 64, heads, uint32(n), out, warps)
			p.Hold("sums", out, want)
			p.Hold("sums of warps", warps, append(warpSums(want), 0, 0)[:2*blocks])
		}
	})
}

// TestNamedBarriers has warps that leave early, and others that meet in parts of the CTA.
func TestNamedBarriers(t *testing.T) {
	eachProgram(t, "blocks", func(p *vmtest.Program) {
		for _, turns := range []int{0, 1, 20} {
			now, sums := make([]uint32, 256), make([]uint32, 256)
			for i := range now {
				now[i] = uint32(i)
			}
			for k := range turns {
				for i := range now {
					switch i / 32 {
					case 1, 2:
					case 0, 3:
						sums[i] += now[i^96] * uint32(k+1)
					default:
						sums[i] += now[128+(i+32)%128]
					}
				}
				copy(now, sums)
			}
			want := slices.Repeat([]uint32{77}, 256)
			for i := range want {
				switch i / 32 {
				case 1, 2:
				case 0, 3:
					want[i] = sums[i] + now[255-i%32]
				default:
					want[i] = sums[i] + now[0]
				}
			}
			const blocks = 3
			out := p.Filled("out", 256*blocks, 77)
			p.Launch("named", blocks, 256, out, uint32(turns))
			p.Hold(fmt.Sprint(turns), out, slices.Repeat(want, blocks))
		}
	})
}

// TestBarrierOfGrid has CTAs at work at the same time, which wait for each other after each step.
func TestBarrierOfGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	eachProgram(t, "blocks", func(p *vmtest.Program) {
		for _, n := range []int{1, 2, 33, 1000} {
			const steps = 7
			a := make([]uint32, n)
			for i := range a {
				a[i] = rng.Uint32()
			}
			first, second := p.Words("a", a...), p.Filled("b", n, 0)
			for range steps {
				next := make([]uint32, n)
				for i := range next {
					next[i] = a[(i+n-1)%n] + 2*a[i] + a[(i+1)%n]
				}
				a = next
			}
			blocks := p.How.Workers // so many are at work at the same time
			p.Launch("diffuse", blocks, 96, first, second, uint32(n), uint32(steps), p.Words("state", 0, 0))
			p.Hold(fmt.Sprint(n), []*vm.Buffer{first, second}[steps%2], a)
		}
	})
}

// TestLastBlock has the last CTA add up what all have found.
func TestLastBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	eachProgram(t, "blocks", func(p *vmtest.Program) { lastBlock(p, rng) })
}

func lastBlock(p *vmtest.Program, rng *rand.Rand) {
	for _, n := range []int{0, 1, 33, 5000} {
		in, sum := make([]uint32, n), uint32(0)
		for i := range in {
			in[i] = rng.Uint32()
			sum += in[i] * uint32(i+1)
		}
		for _, blocks := range []int{1, 9, 70} {
			out := p.Words("out", 77)
			p.Launch("lastAdds", blocks, 64, p.Words("in", in...), uint32(n), p.Filled("parts", blocks, 77), p.Words("count", 0), out)
			p.Hold(fmt.Sprint(n, " words, ", blocks, " blocks"), out, []uint32{sum})
		}
	}
}

// TestSortAndCount sorts words in a CTA, and counts equal ones.
func TestSortAndCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	eachProgram(t, "blocks", func(p *vmtest.Program) {
		for _, c := range []struct{ n, threads, kinds int }{{0, 32, 1}, {1, 32, 1}, {31, 32, 4}, {33, 64, 1}, {100, 128, 90}, {512, 512, 20}} {
			in := make([]uint32, c.n)
			for i := range in {
				in[i] = uint32(rng.IntN(c.kinds)) * 0x1234567
			}
			sorted, values, counts, runs := p.Filled("sorted", c.n, 77), p.Filled("values", c.n, 77), p.Filled("counts", c.n, 77), p.Words("runs", 77)
			p.Launch("sortAndCount", 1, c.threads, p.Words("in", in...), uint32(c.n), sorted, values, counts, runs)
			slices.Sort(in)
			var wantValues, wantCounts []uint32
			for i, x := range in {
				if i == 0 || x != in[i-1] {
					wantValues, wantCounts = append(wantValues, x), append(wantCounts, 0)
				}
				wantCounts[len(wantCounts)-1]++
			}
			p.Hold("sorted", sorted, in)
			p.Hold("runs", runs, []uint32{uint32(len(wantValues))})
			p.Hold("values", values, wantValues)
			p.Hold("counts", counts, wantCounts)
		}
	})
}
