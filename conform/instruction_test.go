package conform_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
)

func TestParseForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 0
	for f := range isa.Sample(rng) {
		text := f.Spell("%r4", "%r1", "%r2", "%r3")
		if got, err := conform.ParseForm(text); err != nil || got != f {
			t.Fatalf("%s is read as %v, %v", text, got, err)
		}
		if n++; n == 5000 {
			break
		}
	}
}

func TestParseFormRejects(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{"", "want an instruction"},
		{"vadd.s32.s32.s32 d, a, b", "semicolon"},
		{"vadd;", "operands"},
		{"add.s32 d, a, b;", "add is not a video instruction"},
		{"vadd.s32.s32 d, a, b;", "want vadd.dtype.atype.btype"},
		{"vadd.s32.s32.s32.s32 d, a, b;", "want vadd"},
		{"vadd.s32.s32.s32.. d, a, b;", "want vadd"},
		{"vadd.s32.s32.s32 d, a;", "want vadd"},
		{"vadd.s32.s32.s32 d, a, b, c, e, f, g;", "want vadd"},
		{"vadd.s32.s32.s32 d, , b;", "operand is missing"},
		{"vadd.s32.s32.s32 -d, a, b;", "want vadd"},
		{"vadd4.s32.s32.s32 d.b44, a, b, c;", "want vadd4"},
		{"vmad.u32.u32.u32 d, -a, b, -c;", "want vmad"},
	} {
		if f, err := conform.ParseForm(c.text); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%q is read as %v, %v; want an error with %q", c.text, f, err, c.message)
		}
	}
}

func FuzzParseForm(f *testing.F) {
	f.Add("vadd.s32.u32.s32.sat d.b0, a.h1, b, c;")
	f.Add("vset4.s32.u32.lt.add %r4.b10, %r1.b7654, %r2, %r3;")
	f.Add("vmad.u32.u32.u32.po d,a,b,c;")
	f.Fuzz(func(t *testing.T, text string) {
		form, err := conform.ParseForm(text)
		if err != nil {
			return
		}
		if again, err := conform.ParseForm(form.String()); err != nil || again != form {
			t.Fatalf("%q is read as %v, that as %v, %v", text, form, again, err)
		}
	})
}
