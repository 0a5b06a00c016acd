package translate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/source"
)

func TestFormsUsed(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
		errors     bool
	}{
		{"k.ptx", body("7.8", "sm_80", "\tvadd4.sat.s32.s32.s32 %r0, %r1, %r2, %r3;\n\t@%p0 vadd4.s32.s32.s32.sat %r3.b3210, %r1, %r2, %r3;\n\t{ vmin.s32.s32.s32.max %r0, 5, %r2, %r3; }\n"),
			[]string{"vadd4.s32.s32.s32.sat d, a, b, c;", "vmin.s32.s32.s32.max d, a, b, c;"}, false},
		{"other.ptx", body("7.8", "sm_80", "\tvset.u32.u32.lt %r1, %r2.b0, %r3;\n\tmov.u32 %r0, %s0;\n"), []string{"vset.u32.u32.lt d, a.b0, b;"}, true},
		{"k.cu", `void f(int a) { int d; asm("{ @%%p vadd2.u32.u32.u32 %0, %1, %[c], %1; }" : "=r"(d) : "r"(a), [c] "r"(a)); asm("vset2.u32.u32.eq " S); }`,
			[]string{"vadd2.u32.u32.u32 d, a, b, c;"}, false},
		{"bad.ptx", body("7.8", "sm_80", "vadd.u32.u32.u32 %r1, %r2, %r3;\nvadd5.u32 %r1;\nvsub.u32.u32 %r1, %r2, %r3;\n"), []string{"vadd.u32.u32.u32 d, a, b;"}, true},
		{"none.ptx", body("7.8", "sm_80", ""), nil, false},
	} {
		forms, list := FormsUsed(source.New(test.name, test.text))
		var got []string
		for _, f := range forms {
			got = append(got, f.String())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if list.HasErrors() != test.errors {
			t.Errorf("%s: errors %v, want %v", test.name, list, test.errors)
		}
	}
}
