package array

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/op"
)

// TestEveryFormHasCode compiles forms drawn from the table, with every switch: no operation of their programs is missing.
// What the code computes is held by the tests of package native, on arm64 or under qemu-user.
func TestEveryFormHasCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	drawn := 0
	for f := range isa.Sample(rng) {
		if drawn++; drawn > 3000 {
			break
		}
		o := arm64.Options{DotProduct: drawn%2 == 0, NoFuse: rng.IntN(4) == 0, NoHoist: rng.IntN(4) == 0, NoPairs: rng.IntN(4) == 0, Groups: rng.IntN(9)}
		if rng.IntN(3) == 0 {
			o.Registers = 5 + rng.IntN(10)
		}
		if _, err := Compile(build.Program(lower.Form(f, word.NEON)), o); err != nil {
			t.Fatalf("%v: %+v: %v", f, o, err)
		}
	}
}

// body returns the instructions of the main loop, without numbers of registers.
func body(t *testing.T, form string, o arm64.Options) string {
	t.Helper()
	var f isa.Form
	w := isa.Written{Operands: make([]isa.Argument, 4)}
	op, modifiers, _ := strings.Cut(form, ".")
	w.Op = isa.ParseOp(op)
	for m := range strings.SplitSeq(modifiers, ".") {
		w.Modifiers = append(w.Modifiers, "."+m)
	}
	if ok, problems := isa.Match(&w, &f); !ok {
		t.Fatalf("%s: %v", form, problems)
	}
	o.Listing, o.Groups = true, 1
	code, err := Compile(build.Program(lower.Form(f, word.NEON)), o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	in := false
	for _, l := range code.Lines {
		switch {
		case l.At == l.End && in:
			return strings.Join(names, " ")
		case l.At == l.End:
			in = true
		case in && !strings.ContainsAny(l.Text, "[") && !strings.HasPrefix(l.Text, "subs") && !strings.HasPrefix(l.Text, "b."):
			name, operands, _ := strings.Cut(l.Text, " ")
			_, arrangement, _ := strings.Cut(operands, ".")
			arrangement, _, _ = strings.Cut(arrangement, ",")
			names = append(names, name+"."+arrangement)
		}
	}
	t.Fatalf("%s has no loop", form)
	return ""
}

// TestBodies holds what instructions become of forms, with patterns and without.
func TestBodies(t *testing.T) {
	for _, c := range []struct {
		form string
		o    arm64.Options
		want string
	}{
		{"vadd4.s32.s32.s32.sat", arm64.Options{}, "sqadd.16b"},
		{"vavrg2.u32.u32.u32", arm64.Options{}, "urhadd.8h"},
		{"vabsdiff2.u32.u32.u32", arm64.Options{}, "uabd.8h"},
		{"vabsdiff2.u32.u32.u32", arm64.Options{NoFuse: true}, "umax.8h umin.8h sub.8h"},
		{"vabsdiff2.s32.s32.s32", arm64.Options{}, "sabd.8h"},
		{"vabsdiff4.s32.s32.s32", arm64.Options{}, "sabd.16b"},
		{"vabsdiff.u32.u32.u32", arm64.Options{}, "uabd.4s"},
		{"vabsdiff.s32.s32.s32.add", arm64.Options{}, "saba.4s"},
		{"vabsdiff4.u32.u32.u32.add", arm64.Options{}, "uabd.16b uaddlp.8h uadalp.4s"},
		{"vabsdiff4.u32.u32.u32.add", arm64.Options{DotProduct: true}, "uabd.16b udot.4s"},
		{"vadd2.u32.u32.u32.add", arm64.Options{}, "uadalp.4s uadalp.4s"},
		{"vmax4.u32.u32.u32.add", arm64.Options{}, "umax.16b uaddlp.8h uadalp.4s"},
		{"vmad.u32.u32.u32", arm64.Options{}, "mla.4s"},
		{"vmad.u32.u32.u32", arm64.Options{NoFuse: true}, "mul.4s add.4s"},
		{"vmin.s32.s32.s32.max", arm64.Options{}, "smin.4s smax.4s"},
		{"vshl.u32.u32.u32.wrap.add", arm64.Options{}, "and.16b ushl.4s add.4s"},
	} {
		if got := body(t, c.form, c.o); got != c.want {
			t.Errorf("%s %+v:\n%s, want\n%s", c.form, c.o, got, c.want)
		}
	}
}

// TestErrors holds what is said of functions that arrays cannot be.
func TestErrors(t *testing.T) {
	if _, err := Compile(simt.NewFunction(nil), arm64.Options{}); err == nil || !strings.Contains(err.Error(), "one block") {
		t.Errorf("a function without blocks: %v", err)
	}
	p := &word.Program{Insts: []word.Inst{{Op: word.Input}, {Op: word.Not, Arg: [3]word.Value{0}}}, Result: 1}
	f := build.Program(p)
	insts := f.Blocks[0].Insts
	insts[len(insts)-1].Op = op.Must("sqrt.rz.f32")
	if _, err := Compile(f, arm64.Options{}); err == nil || !strings.Contains(err.Error(), "general registers") {
		t.Errorf("sqrt.rz.f32: %v", err)
	}
}
