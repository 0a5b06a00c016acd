package translate

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// form reads a form from an instruction.
func form(t *testing.T, text string) isa.Form {
	t.Helper()
	src := source.New("form", text)
	in, list := syntax.ParseInstruction(src)
	if len(list) > 0 {
		t.Fatalf("%s: %s", text, list[0].Message)
	}
	f, list := check.Instruction(in, src)
	if list.HasErrors() {
		t.Fatalf("%s: %s", text, list[0].Message)
	}
	return f
}

func TestFunctionName(t *testing.T) {
	for _, test := range []struct{ instruction, want string }{
		{"vadd4.s32.s32.s32.sat d, a, b, c;", "vadd4_s32_s32_s32_sat"},
		{"vadd4.sat.s32.s32.s32 d.b3210, a, b, c;", "vadd4_s32_s32_s32_sat"},
		{"vadd.u32.u32.s32 d.h0, a.b1, b, c;", "vadd_u32_u32_s32_dh0_ab1"},
		{"vadd.u32.u32.s32.add d, a, b.h1, c;", "vadd_u32_u32_s32_add_bh1"},
		{"vset4.u32.u32.lt d.b10, a, b.b3333, c;", "vset4_u32_u32_lt_db10_bb3333"},
		{"vmad.s32.s32.s32.sat d, -a.h0, b.h1, c;", "vmad_s32_s32_s32_sat_nah0_bh1"},
		{"vmad.u32.u32.u32.shr7 d, a, b, -c;", "vmad_u32_u32_u32_shr7_nc"},
		{"vmad.u32.u32.u32.po d, a, b, c;", "vmad_u32_u32_u32_po"},
		{"vset.s32.u32.ne d, a, b;", "vset_s32_u32_ne"},
	} {
		if got := FunctionName(form(t, test.instruction)); got != test.want {
			t.Errorf("%s: %s, want %s", test.instruction, got, test.want)
		}
	}
}

// TestFunctionNamesDiffer samples forms: no two have the same name.
func TestFunctionNamesDiffer(t *testing.T) {
	identifier := regexp.MustCompile(`^v[a-z0-9_]+$`)
	forms := map[string]isa.Form{}
	check := func(f isa.Form) {
		name := FunctionName(f)
		if other, ok := forms[name]; ok && other != f {
			t.Errorf("%v and %v have the same name, %s", f, other, name)
		}
		if !identifier.MatchString(name) {
			t.Errorf("%v: %q is no identifier", f, name)
		}
		forms[name] = f
	}
	for f := range isa.Forms(isa.Vshl) {
		check(f)
	}
	for f := range isa.Forms(isa.Vset2) {
		check(f)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	n := 0
	for f := range isa.Sample(rng) {
		if n++; n > 30_000 {
			break
		}
		check(f)
	}
}
