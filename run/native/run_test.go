package native_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native"
	amd64vector "github.com/vop-ptx/vop/run/native/amd64/vector"
	arm64vector "github.com/vop-ptx/vop/run/native/arm64/vector"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
)

// mix is a program that depends on all three operands.
func mix() *word.Program {
	return &word.Program{Insts: []word.Inst{{Op: word.Input}, {Op: word.Input, Imm: 1}, {Op: word.Input, Imm: 2},
		{Op: word.Mul, Arg: [3]word.Value{0, 1}}, {Op: word.Add, Arg: [3]word.Value{3, 2}}}, Result: 4}
}

// TestOverlap runs arrays whose destination is a source, or overlaps one before or behind.
func TestOverlap(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	p := mix()
	for _, l := range needCode(t) {
		k := compileWith(t, p, native.Options{Level: l})
		for range 3000 {
			memory := randomWords(rng, 400)
			n := rng.IntN(150)
			at := func() []uint32 { i := rng.IntN(len(memory) - n); return memory[i : i+n] }
			dst, a, b, c := at(), at(), at(), at()
			switch rng.IntN(4) {
			case 0:
				dst = a
			case 1:
				dst, b = c, c
			}
			want := make([]uint32, n)
			for i := range want {
				want[i] = p.Eval(a[i], b[i], c[i])
			}
			k.Run(dst, a, b, c)
			if !slices.Equal(dst, want) {
				t.Fatalf("%v: %d words: %08x, want %08x", l, n, dst, want)
			}
		}
	}
}

// TestOperands holds what may be nil, and that short operands panic and are not read.
func TestOperands(t *testing.T) {
	f := isa.Form{Op: isa.Vadd}
	for _, l := range needCode(t) {
		k := compile(t, f, l)
		dst, a := make([]uint32, 40), make([]uint32, 40)
		k.Run(dst, a, a, nil)
		k.Run(nil, nil, nil, nil)
		k.Run(dst[:0], nil, nil, nil)
		for _, short := range []func(){
			func() { k.Run(dst, a[:39], a, nil) },
			func() { k.Run(dst, a, nil, nil) },
		} {
			func() {
				defer func() {
					if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "words") {
						t.Errorf("%v: a short operand: %v", l, r)
					}
				}()
				short()
			}()
		}
	}
}

// TestLarge runs arrays longer than a call, and longer than what goes past the caches, at odd
// places.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("arrays of 20 MB")
	}
	p := mix()
	const most = 1<<22 + 100
	a, b, c, d := make([]uint32, most), make([]uint32, most), make([]uint32, most), make([]uint32, most)
	for i := range a {
		a[i], b[i], c[i] = uint32(i), uint32(i)*7, uint32(i)*13+1
	}
	for _, l := range needCode(t) {
		k := compileWith(t, p, native.Options{Level: l})
		for _, part := range [][2]int{{0, 1<<17 + 1}, {3, 1<<18 + 3}, {0, 1 << 22}, {5, most - 3}, {1, 1<<22 + 1}} {
			from, to := part[0], part[1]
			clear(d)
			k.Run(d[from:to], a[from:to], b[from:to], c[from:to])
			for i := range d {
				want := uint32(0)
				if from <= i && i < to {
					want = a[i]*b[i] + c[i]
				}
				if d[i] != want {
					t.Fatalf("%v: words %d to %d: word %d is %08x, want %08x", l, from, to, i, d[i], want)
				}
			}
		}
	}
}

// TestRunAllocatesNothing counts allocations of a call.
func TestRunAllocatesNothing(t *testing.T) {
	for _, l := range needCode(t) {
		spilled := native.Options{Level: l, Registers: 5, NoHoist: true}
		for _, o := range []native.Options{{Level: l}, spilled} {
			k := compileWith(t, lower.Form(isa.Form{Op: isa.Vmad, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Scale: isa.Shr15}, native.Caps(l)), o)
			dst, a := make([]uint32, 100), make([]uint32, 100)
			if n := testing.AllocsPerRun(100, func() { k.Run(dst, a, a, a) }); n != 0 && !race.Enabled {
				t.Errorf("%+v: %v allocations a call", o, n)
			}
		}
	}
}

// TestConcurrentUse compiles and runs arrays from several goroutines, and drops them: pages that
// hold code which is running are replaced by pages with more code, and blocks are freed.
func TestConcurrentUse(t *testing.T) {
	levels := needCode(t)
	var done sync.WaitGroup
	for g := range 8 {
		done.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 5))
			shared := compileWith(t, mix(), native.Options{Level: levels[len(levels)-1]})
			a, b, c, dst := randomWords(rng, 3000), randomWords(rng, 3000), randomWords(rng, 3000), make([]uint32, 3000)
			for range 150 {
				p := randomProgram(rng, native.Caps(levels[g%len(levels)]))
				k := compileWith(t, p, native.Options{Level: levels[g%len(levels)]})
				k.Run(dst[:20], a, b, c)
				for i := range 20 {
					if want := p.Eval(a[i], b[i], c[i]); dst[i] != want {
						t.Errorf("%08x, want %08x\n%v", dst[i], want, p)
						return
					}
				}
				shared.Run(dst, a, b, c)
				if i := rng.IntN(3000); dst[i] != a[i]*b[i]+c[i] {
					t.Errorf("word %d is %08x", i, dst[i])
					return
				}
				if rng.IntN(50) == 0 {
					runtime.GC()
				}
			}
		})
	}
	done.Wait()
}

// TestErrors holds what Compile says of functions that it cannot do.
func TestErrors(t *testing.T) {
	levels := needCode(t)
	l := levels[len(levels)-1]
	f := simt.NewFunction(nil)
	if _, err := native.CompileWith(f, native.Options{Level: l}); err == nil || !strings.Contains(err.Error(), "one block") {
		t.Errorf("a function without blocks: %v", err)
	}
	if !native.Supported(native.AVX512) {
		if _, err := native.CompileWith(build.Program(mix()), native.Options{Level: native.AVX512}); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("a level that is not there: %v", err)
		}
	}
	var missing *amd64vector.NotSelectedError
	var missingNEON *arm64vector.NotSelectedError
	p := lower.Form(isa.Form{Op: isa.Vmad}, word.AVX2.With("odd", word.PermS))
	if _, err := native.CompileWith(build.Program(p), native.Options{Level: l}); err != nil && !errors.As(err, &missing) && !errors.As(err, &missingNEON) {
		t.Errorf("a program for other machines: %v", err)
	}
}

// TestListing holds the lines that a person reads: offset, bytes, instruction.
func TestListing(t *testing.T) {
	levels := needCode(t)
	text := compile(t, isa.Form{Op: isa.Vadd}, levels[len(levels)-1]).String()
	wanted := []string{"vpaddd", "[rdx+0]", "vzeroupper", "ret\n", ".0:\n"}
	if levels[len(levels)-1] == native.NEON {
		wanted = []string{"add v0.4s, v0.4s, v2.4s\n", "ldp q2, q3, [x2], #64\n", "ret\n", ".0:\n"}
	}
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the listing:\n%s", want, text)
		}
	}
	if !strings.HasSuffix(strings.Fields(text)[0], "0") {
		t.Errorf("the listing does not begin at offset 0:\n%s", text)
	}
}
