package programs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestLocksOfBuckets has threads of a warp wait for locks that others of the warp have.
func TestLocksOfBuckets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	eachProgram(t, "locks", func(p *vmtest.Program) {
		for _, kernel := range []string{"addInside", "addBehind"} {
			for _, size := range []struct{ n, buckets int }{{0, 1}, {1, 1}, {31, 8}, {33, 33}, {long.Of(65, 12), 1}, {1001, 700}} {
				keys, want := make([]uint32, size.n), make([]uint32, 2*size.buckets)
				for i := range keys {
					keys[i] = rng.Uint32()
					b := keys[i] % uint32(size.buckets)
					want[2*b] += keys[i]
					want[2*b+1]++
				}
				locks, values := p.Filled("locks", size.buckets, 0), p.Filled("values", 2*size.buckets, 0)
				p.Launch(kernel, blocksFor(size.n, 64), 64, locks, values, p.Words("keys", keys...), uint32(size.n), uint32(size.buckets))
				p.Hold(fmt.Sprintf("%s, %v", kernel, size), values, want)
			}
		}
	})
}

// TestTicketLock serves threads in the order of their tickets, which the result depends on.
func TestTicketLock(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	eachProgram(t, "locks", func(p *vmtest.Program) {
		for _, n := range []int{0, 1, 31, long.Of(70, 33)} {
			keys := make([]uint32, n)
			for i := range keys {
				keys[i] = rng.Uint32()
			}
			blocks := blocksFor(n, 64)
			tickets, values, order, warps := p.Words("tickets", 0, 0), p.Words("values", 1), p.Filled("order", n, 77), p.Filled("warps", 2*blocks, 77)
			p.Launch("addInTurn", blocks, 64, tickets, values, p.Words("keys", keys...), uint32(n), order, warps)
			value, sums := uint32(1), make([]uint32, 2*blocks)
			served := vmtest.Words(order)
			for ticket, i := range served {
				if int(i) >= n {
					p.Fatalf("%d threads: ticket %d was served to thread %d", n, ticket, i)
				}
				value = value*31 + keys[i]
				sums[i/32] += uint32(ticket)
			}
			if slices.Sort(served); len(slices.Compact(served)) != n {
				p.Fatalf("%d threads: a thread was served twice", n)
			}
			p.Hold("values", values, []uint32{value})
			p.Hold("tickets", tickets, []uint32{uint32(n), uint32(n)})
			p.Hold("sums of tickets", warps, sums)
		}
	})
}

// TestHashTable enters keys into a table that is nearly full, so that lanes look at one place, or at thousands.
func TestHashTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	eachProgram(t, "locks", func(p *vmtest.Program) {
		for _, c := range []struct{ n, different, size int }{{0, 1, 1}, {1, 1, 2}, {32, 1, 3}, {33, 20, 32}, {1000, 300, 301}, {3000, 2000, 2001}} {
			keys, asked, count := make([]uint32, c.n), make([]uint32, c.n), map[uint32]uint32{}
			for i := range keys {
				keys[i], asked[i] = uint32(rng.IntN(c.different)), uint32(rng.IntN(c.different*2))
				count[keys[i]]++
			}
			table, counts := p.Filled("table", c.size, math.MaxUint32), p.Filled("counts", c.size, 0)
			p.Launch("insert", blocksFor(c.n, 64), 64, table, counts, p.Words("keys", keys...), uint32(c.n), uint32(c.size))
			got := map[uint32]uint32{}
			for at, key := range vmtest.Words(table) {
				if key != math.MaxUint32 {
					got[key] += vmtest.Words(counts)[at]
				}
			}
			for key, n := range count {
				if got[key] != n || len(got) != len(count) {
					p.Fatalf("%v: key %d is there %d times, want %d; %d keys, want %d", c, key, got[key], n, len(got), len(count))
				}
			}
			want, turns := make([]uint32, c.n), make([]uint32, 2*blocksFor(c.n, 64))
			places := vmtest.Words(table)
			for i, key := range asked {
				want[i] = count[key]
				steps := uint32(0)
				for at := key * 2654435761 % uint32(c.size); places[at] != math.MaxUint32; at = (at + 1) % uint32(c.size) {
					if steps++; places[at] == key {
						break
					}
				}
				turns[i/32] = max(turns[i/32], steps)
			}
			found, gotTurns := p.Filled("found", c.n, 77), p.Filled("turns", len(turns), 77)
			p.Launch("find", blocksFor(c.n, 64), 64, table, counts, p.Words("asked", asked...), uint32(c.n), uint32(c.size), found, gotTurns)
			p.Hold(fmt.Sprint(c, " found"), found, want)
			p.Hold(fmt.Sprint(c, " turns"), gotTurns, turns)
		}
	})
}

// TestSharedStack pushes and pops under a lock in shared memory.
func TestSharedStack(t *testing.T) {
	eachProgram(t, "locks", func(p *vmtest.Program) {
		for _, c := range []struct{ threads, n int }{{1, 0}, {1, 1}, {32, 5}, {33, long.Of(33, 4)}, {1024, 2}} {
			const blocks = 2
			out := p.Filled("out", blocks*c.threads, 77)
			p.Launch("stack", blocks, c.threads, out, uint32(c.n))
			want := make([]uint32, c.threads)
			for i := range c.n {
				want[i] = uint32(i)*7 + 1
			}
			slices.Sort(want)
			for b := range blocks {
				got := vmtest.Words(out)[b*c.threads:][:c.threads]
				if slices.Sort(got); !slices.Equal(got, want) {
					p.Fatalf("%v, block %d: got %d, want %d", c, b, got, want)
				}
			}
		}
	})
}
