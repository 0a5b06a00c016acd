package native_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/sem"
)

var (
	formsFlag    = flag.Int("forms", 0, "number of forms that TestForms draws; 0 for what fits the time")
	programsFlag = flag.Int("programs", 0, "number of programs that TestPrograms draws for each level; 0 for what fits the time")
)

// drawn is how many a test draws: what was asked for, or what fits the time.
func drawn(asked, all int) int {
	switch {
	case asked > 0:
		return asked
	case race.Enabled:
		return 200
	}
	return long.Of(all, 500)
}

// needCode skips a test where no machine code can be run.
func needCode(t testing.TB) []native.Level {
	t.Helper()
	levels := native.Levels()
	if len(levels) == 0 {
		t.Skip("no machine code for this machine")
	}
	return levels
}

// compileWith makes an array of a program.
func compileWith(t testing.TB, p *word.Program, o native.Options) *native.Array {
	t.Helper()
	k, err := native.CompileWith(build.Program(p), o)
	if err != nil {
		t.Fatalf("%+v: %v\n%v", o, err, p)
	}
	return k
}

// switched returns options with a choice of switches, all off for the first.
func switched(rng *rand.Rand, l native.Level, first bool) native.Options {
	o := native.Options{Level: l}
	if first {
		return o
	}
	o.Groups = rng.IntN(5)
	o.NoHoist, o.NoFold, o.Base = rng.IntN(3) == 0, rng.IntN(3) == 0, rng.IntN(2) == 0
	switch rng.IntN(3) {
	case 0:
		o.Without = amd64.AllFusions
	case 1:
		o.Without = amd64.Fusion(rng.Uint32()) & amd64.AllFusions
	}
	if rng.IntN(2) == 0 {
		o.Registers = 5 + rng.IntN(8)
	}
	return o
}

// TestForms holds arrays of every level against package sem: forms drawn by the table's own
// generator, operands at which something changes, arrays of all short lengths at any alignment;
// with the code as it is by itself, and with switches.
func TestForms(t *testing.T) {
	levels := needCode(t)
	left := drawn(*formsFlag, 2000)
	rng := rand.New(rand.NewPCG(3, 0))
	var memory [4][100]uint32
	for f := range isa.Sample(rng) {
		if left--; left < 0 {
			break
		}
		n := rng.IntN(71)
		var s [4][]uint32
		for i := range s {
			at := rng.IntN(20)
			s[i] = memory[i][at : at+n]
		}
		want := make([]uint32, n)
		for i := range n {
			s[1][i], s[2][i], s[3][i] = conform.Operands(rng, f)
			want[i] = sem.Eval(f, s[1][i], s[2][i], s[3][i])
		}
		for _, l := range levels {
			p := lower.Form(f, native.Caps(l))
			for turn := range 2 {
				o := switched(rng, l, turn == 0)
				k := compileWith(t, p, o)
				for i := range memory[0] {
					memory[0][i] = 0xdeadbeef
				}
				k.Run(s[0], s[1], s[2], s[3])
				compareForms(t, fmt.Sprintf("%v\n%+v\n%v\n%v", f, o, p, k), s, want)
				for i, x := range memory[0] {
					if inside := &s[0]; (n == 0 || i < cap(memory[0])-cap(*inside) || i >= cap(memory[0])-cap(*inside)+n) && x != 0xdeadbeef {
						t.Fatalf("%v: %+v writes beyond dst", f, o)
					}
				}
			}
		}
	}
}

func compareForms(t *testing.T, what string, s [4][]uint32, want []uint32) {
	t.Helper()
	for i := range want {
		if s[0][i] != want[i] {
			t.Fatalf("%s: word %d of %d: a=%08x b=%08x c=%08x: %08x, want %08x", what, i, len(want), s[1][i], s[2][i], s[3][i], s[0][i], want[i])
		}
	}
}

// TestPrograms holds arrays against the definition of word programs, on programs that need not have
// come from an instruction.
func TestPrograms(t *testing.T) {
	for _, l := range needCode(t) {
		rng := rand.New(rand.NewPCG(1, 9))
		for range drawn(*programsFlag, 1500) {
			p := randomProgram(rng, native.Caps(l))
			if err := p.Check(); err != nil {
				t.Fatalf("the test makes bad programs: %v\n%v", err, p)
			}
			o := switched(rng, l, rng.IntN(2) == 0)
			k := compileWith(t, p, o)
			n := 1 + rng.IntN(40)
			s := [4][]uint32{make([]uint32, n), randomWords(rng, n), randomWords(rng, n), randomWords(rng, n)}
			want := make([]uint32, n)
			for i := range want {
				want[i] = p.Eval(s[1][i], s[2][i], s[3][i])
			}
			k.Run(s[0], s[1], s[2], s[3])
			compareForms(t, fmt.Sprintf("%+v\n%v\n%v", o, p, k), s, want)
		}
	}
}
