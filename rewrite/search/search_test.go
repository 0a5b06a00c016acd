package search

import (
	"testing"
	"time"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// problemOf returns the problem of an instruction on lanes.
func problemOf(t *testing.T, text string, caps word.Caps) Problem {
	t.Helper()
	f, err := conform.ParseForm(text)
	if err != nil {
		t.Fatal(err)
	}
	space := Bytes(caps)
	if f.Op.Lanes() == 2 {
		space = Halves(caps)
	}
	return Problem{Operands: 2, Value: func(a, b, c uint32) uint32 { return sem.Eval(f, a, b, c) }, Space: space}
}

// TestShortest finds sequences that people have found.
func TestShortest(t *testing.T) {
	for _, test := range []struct {
		form string
		want int
	}{
		{"vavrg4.u32.u32.u32 d, a, b, c;", 3},
		{"vavrg2.u32.u32.u32 d, a, b, c;", 3},
		{"vadd2.u32.u32.u32 d, a, b, c;", 3},
		{"vsub2.u32.u32.u32 d, a, b, c;", 3},
		{"vabsdiff4.u32.s32.s32 d, a, b, c;", 1},
	} {
		if !long.Tests() && test.want > 2 && test.form != "vavrg4.u32.u32.u32 d, a, b, c;" {
			continue
		}
		begin := time.Now()
		out := Shortest(t.Context(), problemOf(t, test.form, lower.SM80), 3, func(*word.Program) bool { return true })
		t.Logf("%s: %d, %v, %d candidates\n%v", test.form, out.Length, time.Since(begin), out.Candidates, out.Program)
		if out.Program == nil || out.Length != test.want {
			t.Errorf("%s: %d, want %d", test.form, out.Length, test.want)
		}
	}
}

// TestNothingShorter: of what needs three there is nothing of two, and the space is gone through.
func TestNothingShorter(t *testing.T) {
	for _, form := range []string{"vadd4.u32.u32.u32 d, a, b, c;", "vset4.u32.u32.gt d, a, b, c;", "vmin2.s32.s32.s32 d, a, b, c;"} {
		out := Shortest(t.Context(), problemOf(t, form, lower.SM80), 2, func(*word.Program) bool { return true })
		if out.Program != nil || out.Length != 2 {
			t.Errorf("%s: %d instructions\n%v", form, out.Length, out.Program)
		}
	}
}
