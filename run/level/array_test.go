package level_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/sem"
)

var formsFlag = flag.Int("forms", 2000, "number of forms that TestForms draws")

// samples are forms that between them use everything that an array can have: one operation, many, wide values, masks,
// operands that are not read.
func samples() []isa.Form {
	var all []isa.Form
	rng := rand.New(rand.NewPCG(5, 0))
	for _, op := range isa.Ops() {
		for range 3 {
			all = append(all, isa.SampleOp(op, rng))
		}
	}
	return all
}

// randomWords returns words of which many have fields that are at the ends of their ranges.
func randomWords(rng *rand.Rand, n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = rng.Uint32()
		if rng.IntN(2) == 0 {
			words[i] = [...]uint32{0, 1, ^uint32(0), 1 << 31, 1<<31 - 1, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff}[rng.IntN(9)]
		}
	}
	return words
}

// TestForms holds every level against package sem: forms drawn by the table's own generator, operands at which
// something changes, arrays of all short lengths.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	const most = 70
	var a, b, c, want, dst [most]uint32
	drawn := 0
	for f := range isa.Sample(rng) {
		if drawn++; drawn > *formsFlag {
			break
		}
		n := rng.IntN(most)
		for i := range n {
			a[i], b[i], c[i] = conform.Operands(rng, f)
			want[i] = sem.Eval(f, a[i], b[i], c[i])
		}
		for _, l := range level.Levels() {
			p := lower.Form(f, l.Caps())
			l.Array(p).Run(dst[:n], a[:n], b[:n], c[:n])
			for i := range n {
				if dst[i] != want[i] {
					t.Fatalf("%v on %v: a=%08x b=%08x c=%08x: %08x, want %08x\n%v", f, l, a[i], b[i], c[i], dst[i], want[i], p)
				}
			}
		}
	}
}

// TestMachineCode holds that levels of machine code have it for every form.
func TestMachineCode(t *testing.T) {
	for _, l := range level.Levels() {
		for _, f := range samples() {
			if a := l.Array(lower.Form(f, l.Caps())); (a.Code == nil) != (l == level.Portable) || (a.Code == nil) != (a.Loops != nil) {
				t.Errorf("%v on %v: %+v", f, l, a)
			}
		}
	}
}

// TestLengths runs arrays of every length from 0 to beyond a few warps, the words around the destination watched,
// and a long one.
func TestLengths(t *testing.T) {
	const margin, watch = 8, 0xfeedface
	for _, l := range level.Levels() {
		rng := rand.New(rand.NewPCG(6, 0))
		for turn, f := range samples() {
			p := lower.Form(f, l.Caps())
			array := l.Array(p)
			for n := range 132 {
				if n == 131 {
					if n = 70_077; turn%10 != 0 {
						break
					}
				}
				a, b, c := randomWords(rng, n), randomWords(rng, n), randomWords(rng, n)
				around := slices.Repeat([]uint32{watch}, margin+n+margin)
				array.Run(around[margin:margin+n], a, b, c)
				for i, got := range around {
					want := uint32(watch)
					if i := i - margin; i >= 0 && i < n {
						want = p.Eval(a[i], b[i], c[i])
					}
					if got != want {
						t.Fatalf("%v on %v, %d words: word %d is %08x, want %08x", f, l, n, i-margin, got, want)
					}
				}
			}
		}
	}
}

// TestOverlap runs arrays whose destination is one of the operands, or overlaps one in any other way. The result is
// as if they did not overlap.
func TestOverlap(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for _, l := range level.Levels() {
		for _, f := range samples() {
			p := lower.Form(f, l.Caps())
			array := l.Array(p)
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
						array.Run(dst, sources[0], sources[1], sources[2])
						if !slices.Equal(dst, want) {
							t.Fatalf("%v on %v, %d words, destination %d words after operand %c: wrong", f, l, n, shift, 'a'+operand)
						}
					}
				}
			}
		}
	}
}

// TestUnreadOperands passes nil for operands that the program does not read, and expects a panic for one that it
// does.
func TestUnreadOperands(t *testing.T) {
	for _, l := range level.Levels() {
		for _, f := range samples() {
			p := lower.Form(f, l.Caps())
			array := l.Array(p)
			for _, n := range []int{1, 128, 300} {
				var operands [3][]uint32
				for i := range operands {
					if p.Reads(i) {
						operands[i] = make([]uint32, n)
					}
				}
				dst := make([]uint32, n)
				array.Run(dst, operands[0], operands[1], operands[2])
				for i := range operands {
					if !p.Reads(i) {
						continue
					}
					short := operands
					short[i] = short[i][:n-1]
					if !panics(func() { array.Run(dst, short[0], short[1], short[2]) }) {
						t.Fatalf("%v on %v: no panic for an operand %c that is too short", f, l, 'a'+i)
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
	for _, l := range level.Levels() {
		for _, caps := range lower.Targets() {
			for _, f := range samples() {
				p := lower.Form(f, caps)
				l.Array(p).Run(dst, a, b, c)
				for i := range dst {
					if want := p.Eval(a[i], b[i], c[i]); dst[i] != want {
						t.Fatalf("%v for %v on %v: a=%08x b=%08x c=%08x: %08x, want %08x\n%v", f, caps.Name, l, a[i], b[i], c[i], dst[i], want, p)
					}
				}
			}
		}
	}
}

// TestConcurrentRuns runs one array from several goroutines.
func TestConcurrentRuns(t *testing.T) {
	for _, l := range level.Levels() {
		for _, f := range samples()[:20] {
			p := lower.Form(f, l.Caps())
			array := l.Array(p)
			var wait sync.WaitGroup
			for seed := range uint64(4) {
				wait.Go(func() {
					rng := rand.New(rand.NewPCG(seed, 0))
					const n = 333
					a, b, c, dst := randomWords(rng, n), randomWords(rng, n), randomWords(rng, n), make([]uint32, n)
					for range 3 {
						array.Run(dst, a, b, c)
						for i := range dst {
							if want := p.Eval(a[i], b[i], c[i]); dst[i] != want {
								t.Errorf("%v on %v: %08x, want %08x", f, l, dst[i], want)
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
