package search

import (
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// TestOthersFound finds programs that the lowering did not have before they were searched.
func TestOthersFound(t *testing.T) {
	for form, want := range map[string]int{
		"vset.u32.u32.ne.add d, a, b, c;":       2,
		"vset.u32.u32.eq d, a.b1, b;":           2,
		"vshr.u32.u32.u32.wrap.add d, a, b, c;": 2,
		"vshl.u32.u32.u32.clamp d, a.b0, b;":    2,
		"vmad.u32.u32.u32 d, a, b, c;":          1,
		"vmad.s32.s32.s32 d, a.b1, b.b3, c;":    2,
	} {
		f := formOf(t, form)
		p, right := scalarProblem(f)
		out := Shortest(t.Context(), p, want, right)
		if out.Program == nil || out.Length != want {
			t.Errorf("%s: %d instructions, want %d", form, out.Length, want)
		} else if n := lower.SM80.Machine(out.Program).Instructions; n != want {
			t.Errorf("%s: the program found counts as %d instructions\n%v", form, n, out.Program)
		} else if err := out.Program.Check(); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// TestVariable: what is searched computes what the program that is made of it does, shifts by five bits of a value too.
func TestVariable(t *testing.T) {
	for _, form := range []string{"vshl.u32.u32.u32.wrap d, a, b.b1;", "vshr.s32.s32.u32.clamp d, a.b2, b.b0;", "vmad.u32.u32.u32 d, a, b, c;"} {
		f := formOf(t, form)
		p, _ := scalarProblem(f)
		tests := operands(p)
		s := start(p, tests)
		n := 0
		s.eachVariable(func(i instruction) {
			n++
			v, q := i.eval(s.values), program(p.Space.Constants, p.Operands, []instruction{i})
			for k := range v {
				if x := tests[k]; q.Eval(x[0], x[1], x[2]) != v[k] {
					t.Fatalf("%s: %+v gives %x of %x, the program gives %x\n%v", form, i, v[k], x, q.Eval(x[0], x[1], x[2]), q)
				}
			}
			if i.first(s.values) != v[0] {
				t.Fatalf("%s: %+v gives %x first and %x of all", form, i, i.first(s.values), v[0])
			}
			if i.kind == variable && lower.SM80.Machine(q).Instructions != 1 && !(i.imm != 0 && i.n == 3) { // .wrap of a funnel shift is no operation yet
				t.Fatalf("%s: %+v counts as %d instructions\n%v", form, i, lower.SM80.Machine(q).Instructions, q)
			}
		})
		if n < 100 {
			t.Errorf("%s: only %d instructions", form, n)
		}
	}
}

// TestNoOtherIsShorter: of the searched shifts, comparisons and products none has a program of two instructions where it is lowered to more, and none of one where
// it is lowered to two.
func TestNoOtherIsShorter(t *testing.T) {
	every := 23
	if !long.Tests() {
		every = 211
	}
	forms := Others()
	if len(forms) < 1800 {
		t.Errorf("only %d forms", len(forms))
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

// TestOthersKept holds others.tsv to what the lowering makes now.
func TestOthersKept(t *testing.T) {
	lines, exact := kept(t, "others.tsv")
	t.Logf("%d forms, %d of them as short as any program", lines, exact)
	if lines < 100 || exact < 60 {
		t.Errorf("%d forms, %d of them as short as any program", lines, exact)
	}
}
