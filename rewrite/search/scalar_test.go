package search

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// scalarProblem returns the problem of a scalar form, and whether a program is right on drawn operands.
func scalarProblem(f isa.Form) (p Problem, right func(*word.Program) bool) {
	p = Problem{Operands: 3, Value: func(a, b, c uint32) uint32 { return sem.Eval(f, a, b, c) }, Space: ScalarSpace(f, lower.SM80)}
	return p, func(q *word.Program) bool {
		rng := rand.New(rand.NewPCG(5, 5))
		for range 20_000 {
			a, b, c := conform.Operands(rng, f)
			if q.Eval(a, b, c) != sem.Eval(f, a, b, c) {
				return false
			}
		}
		return true
	}
}

// TestScalarsFound finds programs that the lowering did not have before they were searched.
func TestScalarsFound(t *testing.T) {
	for _, test := range []struct {
		form string
		want int
	}{
		{"vmin.u32.u32.s32.sat d, a, b;", 2},
		{"vmax.s32.u32.s32.sat d, a, b;", 2},
		{"vadd.u32.u32.u32 d.h1, a.h0, b.b2, c;", 2},
		{"vsub.s32.u32.s32.sat.add d, a.b1, b.b3, c;", 2},
		{"vabsdiff.u32.u32.u32 d, a.b2, b.b0;", 2},
		{"vset.u32.s32.lt d, a, b;", 0}, // nothing of one instruction
	} {
		f, err := conform.ParseForm(test.form)
		if err != nil {
			t.Fatal(err)
		}
		p, right := scalarProblem(f)
		most := max(test.want, 1)
		out := Shortest(t.Context(), p, most, right)
		if test.want == 0 {
			if out.Program != nil || out.Length != most {
				t.Errorf("%s: %d instructions\n%v", test.form, out.Length, out.Program)
			}
			continue
		}
		if out.Program == nil || out.Length != test.want {
			t.Errorf("%s: %d instructions, want %d", test.form, out.Length, test.want)
		} else if n := lower.SM80.Machine(out.Program).Instructions; n != test.want {
			t.Errorf("%s: the program found counts as %d instructions\n%v", test.form, n, out.Program)
		}
	}
}

// TestSelections finds a selection by a comparison, which is two instructions.
func TestSelections(t *testing.T) {
	p := Problem{Operands: 3, Space: Space{Compare: true, PlainLogic: true, Constants: []uint32{7}}, Value: func(a, b, c uint32) uint32 {
		if int32(a) < int32(b) {
			return c
		}
		return 7
	}}
	out := Shortest(t.Context(), p, 2, func(*word.Program) bool { return true })
	if out.Program == nil || out.Length != 2 || lower.SM80.Machine(out.Program).Instructions != 2 {
		t.Fatalf("%d instructions\n%v", out.Length, out.Program)
	}
	if err := out.Program.Check(); err != nil {
		t.Error(err)
	}
}

// TestNoScalarIsShorter: of the searched scalar forms none has a program of fewer instructions than it is lowered to, of two at most. Those of three take half a
// minute each: scalars.tsv has some.
func TestNoScalarIsShorter(t *testing.T) {
	every := 6
	if !long.Tests() {
		every = 97
	}
	forms := Scalars()
	if len(forms) != 2400 {
		t.Errorf("%d forms", len(forms))
	}
	for n, f := range forms {
		known := lower.SM80.Machine(lower.Form(f, lower.SM80)).Instructions
		if n%every != 0 || known == 1 {
			continue
		}
		p, right := scalarProblem(f)
		if out := Shortest(t.Context(), p, min(2, known-1), right); out.Program != nil {
			t.Errorf("%v takes %d machine instructions, but there is\n%v", f, known, out.Program)
		}
	}
}

// TestScalarsKept holds scalars.tsv to what the lowering makes now.
func TestScalarsKept(t *testing.T) {
	text, err := os.ReadFile("scalars.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines, ofThree, exact := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 4 {
			t.Fatalf("%q has %d fields, want 4", line, len(fields))
		}
		f, err := conform.ParseForm(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		caps, err := lower.Target(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		least, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		n := caps.Machine(lower.Form(f, caps)).Instructions
		if strconv.Itoa(n) != fields[3] || n < least {
			t.Errorf("%v takes %d machine instructions, scalars.tsv says %s and at least %d", f, n, fields[3], least)
		}
		lines++
		if least == 4 {
			ofThree++
			if n == 4 {
				exact++
			}
		}
	}
	t.Logf("%d forms, of %d of them every program of three was tried, %d of these take four", lines, ofThree, exact)
	if lines < 50 || ofThree < 15 {
		t.Errorf("%d forms, %d of them searched to length 3", lines, ofThree)
	}
}
