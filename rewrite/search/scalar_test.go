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
	p = Problem{Operands: 3, Value: func(a, b, c uint32) uint32 { return sem.Eval(f, a, b, c) }, Space: SpaceOf(f, lower.SM80)}
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

// formOf reads a form.
func formOf(t *testing.T, text string) isa.Form {
	t.Helper()
	f, err := conform.ParseForm(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestScalarsKept holds scalars.tsv to what the lowering makes now.
func TestScalarsKept(t *testing.T) {
	lines, exact := kept(t, "scalars.tsv")
	t.Logf("%d forms, %d of them as short as any program", lines, exact)
	if lines < 50 || exact < 40 {
		t.Errorf("%d forms, %d of them as short as any program", lines, exact)
	}
}

// kept holds a file of lengths to what the lowering makes now. It returns the number of its lines, and of those whose program is as short as any of the space.
func kept(t *testing.T, name string) (lines, exact int) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 4 {
			t.Fatalf("%q has %d fields, want 4", line, len(fields))
		}
		f := formOf(t, fields[1])
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
			t.Errorf("%v takes %d machine instructions, %s says %s and at least %d", f, n, name, fields[3], least)
		}
		lines++
		if n == least {
			exact++
		}
	}
	return lines, exact
}
