package engine

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// samples are forms that between them use everything a kernel can: one step, slots,
// wide values, masks, operands that are not read.
func samples(t testing.TB) []isa.Form {
	var all []isa.Form
	rng := rand.New(rand.NewPCG(5, 0))
	for _, op := range isa.Ops() {
		for range 3 {
			all = append(all, isa.SampleOp(op, rng))
		}
	}
	return all
}

// mostTail is the longest array that the tests of lengths try: more than one
// block of every level, and every tail.
const mostTail = 130

// TestLengths runs arrays of every length from 0 to beyond a block, the words
// around the destination watched.
func TestLengths(t *testing.T) {
	const margin, watch = 8, 0xfeedface
	for _, e := range engines(t) {
		rng := rand.New(rand.NewPCG(6, 0))
		for _, f := range samples(t) {
			p := lower.Form(f, e.Caps())
			k := e.Compile(p)
			for n := range mostTail + 1 {
				a, b, c := randomWords(rng, n), randomWords(rng, n), randomWords(rng, n)
				around := slices.Repeat([]uint32{watch}, margin+n+margin)
				k.Run(around[margin:margin+n], a, b, c)
				for i, got := range around {
					want := uint32(watch)
					if i := i - margin; i >= 0 && i < n {
						want = p.Eval(a[i], b[i], c[i])
					}
					if got != want {
						t.Fatalf("%v on %v, %d words: word %d is %08x, want %08x", f, e.Level(), n, i-margin, got, want)
					}
				}
			}
		}
	}
}

// TestLongArrays runs more words than one call of assembly takes.
func TestLongArrays(t *testing.T) {
	const n = 2*longest + 77
	rng := rand.New(rand.NewPCG(7, 0))
	a, b, c, dst := randomWords(rng, n), randomWords(rng, n), randomWords(rng, n), make([]uint32, n)
	for _, e := range engines(t) {
		for _, f := range samples(t)[:10] {
			p := lower.Form(f, e.Caps())
			e.Compile(p).Run(dst, a, b, c)
			for i := range dst {
				if want := p.Eval(a[i], b[i], c[i]); dst[i] != want {
					t.Fatalf("%v on %v: word %d is %08x, want %08x", f, e.Level(), i, dst[i], want)
				}
			}
		}
	}
}

// TestBeyondCaches runs arrays that are too long for any cache, from aligned and other
// places, and onto an operand.
func TestBeyondCaches(t *testing.T) {
	const n = beyondCaches + 100
	dst, a, b, c := filled(n)
	f := isa.Form{Op: isa.Vadd, Second: isa.SecondAdd, ASel: isa.H1}
	p := lower.Form(f, word.Portable)
	check := func(e *Engine, what string, dst, a []uint32) {
		t.Helper()
		for i := range dst {
			// Every word near the ends of blocks and calls, and some others.
			if i%128 > 1 && i%128 < 126 && i%97 != 0 {
				continue
			}
			if want := p.Eval(a[i], b[i], c[i]); dst[i] != want {
				t.Fatalf("%v on %v, %s: word %d is %08x, want %08x", f, e.Level(), what, i, dst[i], want)
			}
		}
	}
	for _, e := range engines(t) {
		k := e.Compile(lower.Form(f, e.Caps()))
		clear(dst)
		k.Run(dst, a, b, c)
		check(e, "aligned", dst, a)
		clear(dst)
		k.Run(dst[1:], a, b, c)
		check(e, "not aligned", dst[1:], a)
		copy(dst, a)
		k.Run(dst, dst, b, c)
		check(e, "onto a", dst, a)
	}
}

// TestOverlap runs kernels whose destination is one of the operands, or overlaps
// one in any other way. The result is as if they did not overlap.
func TestOverlap(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for _, e := range engines(t) {
		for _, f := range samples(t) {
			p := lower.Form(f, e.Caps())
			k := e.Compile(p)
			for _, n := range []int{1, 100, 300} {
				for operand := range 3 {
					for _, shift := range []int{0, 1, -1, -70, 64, 200} {
						buffer := randomWords(rng, n+400)
						sources := [3][]uint32{randomWords(rng, n), randomWords(rng, n), randomWords(rng, n)}
						sources[operand] = buffer[200 : 200+n]
						dst := buffer[200+shift : 200+shift+n]
						want := make([]uint32, n)
						for i := range want {
							want[i] = p.Eval(sources[0][i], sources[1][i], sources[2][i])
						}
						k.Run(dst, sources[0], sources[1], sources[2])
						if !slices.Equal(dst, want) {
							t.Fatalf("%v on %v, %d words, destination %d words after operand %c: wrong",
								f, e.Level(), n, shift, 'a'+operand)
						}
					}
				}
			}
		}
	}
}

// TestUnreadOperands passes nil for operands that the program does not read, and
// expects a panic for one that it does.
func TestUnreadOperands(t *testing.T) {
	for _, e := range engines(t) {
		for _, f := range samples(t) {
			p := lower.Form(f, e.Caps())
			k := e.Compile(p)
			for _, n := range []int{1, 128, 300} {
				var operands [3][]uint32
				for i := range operands {
					if p.Reads(i) {
						operands[i] = make([]uint32, n)
					}
				}
				dst := make([]uint32, n)
				k.Run(dst, operands[0], operands[1], operands[2])
				for i := range operands {
					if !p.Reads(i) {
						continue
					}
					short := operands
					short[i] = short[i][:n-1]
					if !panics(func() { k.Run(dst, short[0], short[1], short[2]) }) {
						t.Fatalf("%v on %v: no panic for an operand %c that is too short", f, e.Level(), 'a'+i)
					}
				}
			}
		}
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// TestForeignPrograms runs programs with operations that the level is not fast at.
func TestForeignPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	const n = 150
	a, b, c, dst := randomWords(rng, n), randomWords(rng, n), randomWords(rng, n), make([]uint32, n)
	for _, e := range engines(t) {
		for _, caps := range lower.Targets() {
			for _, f := range samples(t) {
				p := lower.Form(f, caps)
				e.Compile(p).Run(dst, a, b, c)
				for i := range dst {
					if want := p.Eval(a[i], b[i], c[i]); dst[i] != want {
						t.Fatalf("%v for %v on %v: a=%08x b=%08x c=%08x: %08x, want %08x\n%v",
							f, caps.Name, e.Level(), a[i], b[i], c[i], dst[i], want, p)
					}
				}
			}
		}
	}
}

// TestAllocations holds that running a kernel allocates nothing.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool forget")
	}
	for _, e := range engines(t) {
		for _, f := range samples(t) {
			k := e.Compile(lower.Form(f, e.Caps()))
			for _, n := range []int{16, 1000, 4096} {
				a, b, c, dst := make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)
				run := func() { k.Run(dst, a, b, c) }
				run()
				if allocs := testing.AllocsPerRun(5, run); allocs != 0 {
					t.Errorf("%v on %v: %v allocations on %d words", f, e.Level(), allocs, n)
				}
			}
		}
	}
}

// TestConcurrentRuns runs one kernel from several goroutines.
func TestConcurrentRuns(t *testing.T) {
	for _, e := range engines(t) {
		for _, f := range samples(t)[:20] {
			p := lower.Form(f, e.Caps())
			k := e.Compile(p)
			var wait sync.WaitGroup
			for seed := range uint64(4) {
				wait.Go(func() {
					rng := rand.New(rand.NewPCG(seed, 0))
					const n = 333
					a, b, c, dst := randomWords(rng, n), randomWords(rng, n), randomWords(rng, n), make([]uint32, n)
					for range 3 {
						k.Run(dst, a, b, c)
						for i := range dst {
							if want := p.Eval(a[i], b[i], c[i]); dst[i] != want {
								t.Errorf("%v on %v: %08x, want %08x", f, e.Level(), dst[i], want)
								return
							}
						}
					}
				})
			}
			wait.Wait()
		}
	}
}
