package check_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
)

// TestAsm checks asm statements: what is found, at its line and column in the C source.
func TestAsm(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{
			name:   "right",
			source: `asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));`,
		},
		{
			name: "at its place, behind escapes and joined literals",
			source: "asm volatile(\"{ .reg .u32 t;\\n\\t\"\n" +
				"  \"vadd.u32.u32.u32\\tt, %1.b5, %2;\\n\"\n  \"mov.u32 %0, t; }\" : \"=r\"(d) : \"r\"(a), \"r\"(b));",
			want: []string{"2:27-30 unknown-selector"},
		},
		{
			name:   "constraints",
			source: `asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=l"(d) : "f"(a), "h"(b), "n"(3));`,
			want:   []string{"1:24-26 register-type", "1:28-30 register-type", "1:32-34 register-type", "1:36-38 immediate-not-allowed"},
		},
		{
			name:   "constraints of an ordinary instruction",
			source: `asm("add.s32 %0, %1, %2; add.f32 %3, %3, %4; shfl.sync.bfly.b32 %3, %3, %0, 31, -1;" : "=r"(d) : "l"(a), "n"(b), "f"(x), "C"(y));`,
			want:   []string{"1:18-20 register-type"},
		},
		{
			name:   "constants of unknown value",
			source: `asm("lop3.b32 %0, %0, %0, %0, %1; cp.async.cg.shared.global [%2], [%3], %1; mul.f32 %4, %4, %1;" :: "r"(d), "n"(a), "r"(b), "l"(p), "f"(x));`,
		},
		{
			name:   "immediates and alternatives",
			source: `asm("vadd.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "n"(1), "rn"(b), "i"(3));`,
			want:   []string{"1:64-68 asm-nvcc"},
		},
		{
			name:   "names, matching constraints",
			source: `asm("vadd4.u32.u32.u32 %[out], %[out], %1, %[in].b0;" : [out] "=r"(d) : "0"(b), [in] "r"(c));`,
			want:   []string{"1:49-52 selector-not-allowed", "1:57-67 asm-nvcc"},
		},
		{
			name:   "a clobber that is not PTX",
			source: `asm("vadd4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "r"(a) : "memory", "cc");`,
			want:   []string{"1:72-76 asm-nvcc"},
		},
		{
			name:   "an operand that is not there",
			source: `asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "+r"(d) : "r"(a), "r"(b));`,
			want:   []string{"1:36-38 asm-operand"},
		},
		{
			name:   "an input written to",
			source: `asm("vadd4.u32.u32.u32 %1, %0, %1, %1;" : "=r"(d) : "r"(a));`,
			want:   []string{"1:24-26 asm-input-written"},
		},
		{
			name:   "an input tied to an output may be written to",
			source: `asm("vadd4.u32.u32.u32 %1, %0, %1, %1;" : "=r"(d) : "0"(a));`,
		},
		{
			name:   "names from around",
			source: `asm("vadd4.u32.u32.u32 acc, acc, x, y; bra DONE;");`,
		},
		{
			name:   "operands from macros",
			source: `asm("vadd4.u32.u32.u32 %0, %1, %7, %3;" : OUT : "l"(a), MORE);`,
		},
		{
			name:   "instructions from macros",
			source: "#define V(op) asm(\"v\" #op \".u32.u32.u32 %0, %1;\" \"vadd.foo %0;\" : \"=r\"(d) : \"r\"(a))",
			want:   []string{"1:51-55 type-missing", "1:55-59 unknown-modifier", "1:60-62 operand-missing"},
		},
		{
			name:   "the other machine",
			source: `asm("vaddps %ymm0, %ymm1, %ymm2" ::: "ymm2");`,
		},
	} {
		statements, found := inline.Find(source.New("k.cu", c.source))
		if found.HasErrors() {
			t.Errorf("%s: %s", c.name, messages(found))
		}
		var got []string
		for i := range statements {
			for _, d := range check.Asm(&statements[i]) {
				r := d.Region()
				got = append(got, fmt.Sprintf("%d:%d-%d %s", r.Line, r.Col, r.EndCol, d.Code))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
