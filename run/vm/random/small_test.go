package random

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// smallParts are lines of which kernels can consist that do next to nothing: most declare what nobody uses.
var smallParts = []string{
	".reg .pred %pN;", ".reg .b32 %rN;", ".reg .b64 %rdN;", ".reg .b16 %hN;", ".reg .f32 %fN;", ".reg .f64 %fdN;", ".reg .b8 %bN;",
	".reg .v2 .b32 %vN;", ".reg .v4 .f32 %wN;", ".reg .pred %qN<3>;", ".reg .b32 %sN<3>;", ".reg .b64 %tN<1>;",
	".shared .b32 shN;", ".shared .align 16 .b8 shN[16];", ".local .b32 loN;", ".local .align 8 .b8 loN[24];", ".param .b32 paN;",
	"LN:", "LN: bra LN2; LN2:", "LN: { .reg .pred %pN; .reg .b32 %rN; }", "{ LN: }", "{ }",
	"ret;", "exit;", "ret.uni;", "bar.sync 0;", "membar.gl;", "bra.uni LN; LN:", "brkpt;", "nanosleep.u32 1;",
	".reg .pred %pN; @%pN ret;", ".reg .pred %pN; @!%pN exit;", ".reg .pred %pN; @%pN bra LN; LN:", ".reg .pred %pN; @%pN bar.sync 0;",
	".reg .b32 %rN; mov.u32 %rN, %tid.x;", ".reg .b32 %rN; mov.u32 %rN, 5;", ".reg .b32 %rN; add.u32 %rN, %rN, %rN;",
	".reg .b64 %rN; mov.u64 %rN, %clock64;", ".reg .b32 %rN; mov.u32 %rN, %clock;", ".reg .pred %pN; setp.eq.u32 %pN, 1, 1;",
	".reg .pred %pN<2>; setp.eq.u32 %pN0|%pN1, 1, 2;", ".reg .v2 .b32 %vN; mov.u32 %vN.y, 1;", ".reg .b32 %rN; ld.param.u32 %rN, [p];",
	".reg .b32 %rN; call (%rN), f, (%rN);", "call g, ();", ".reg .b64 %rN; mov.u64 %rN, f;", ".reg .b64 %rN; mov.u64 %rN, p;",
	".reg .b32 %rN; vadd4.u32.u32.u32 %rN, %rN, %rN, %rN;", ".local .b32 loN; .reg .b64 %rN; mov.u64 %rN, loN; cvta.local.u64 %rN, %rN;",
	".reg .v2 .b32 %vN; mov.v2.b32 %vN, {1, %vN.x};", ".reg .v4 .b16 %vN; .reg .b64 %rN; mov.b64 %vN, %rN; mov.b64 %rN, %vN;",
	".reg .b32 %rN; bar.red.popc.u32 %rN, 0, 1;", ".reg .b32 %rN; activemask.b32 %rN;",
}

// smallKernel returns a kernel of a few parts.
func smallKernel(parts []string) string {
	var w strings.Builder
	w.WriteString(vmtest.Header + ".func (.param .b32 r) f(.param .b32 x) { .reg .pred %unused; ret; }\n.func g() { }\n.visible .entry test(.param .u64 p, .param .b32 q) {\n")
	for i, part := range parts {
		fmt.Fprintln(&w, strings.ReplaceAll(part, "N", fmt.Sprint(i)))
	}
	w.WriteString("}\n")
	return w.String()
}

// runSmall runs a kernel on every level, with checks and without; what is no PTX is left out.
func runSmall(t *testing.T, text string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v\n%s", r, text)
		}
	}()
	tree, found := syntax.Parse(source.New("test.ptx", text))
	checked, more := check.Check(tree)
	if found = append(found, more...); found.HasErrors() {
		return
	}
	for _, on := range level.Levels() {
		m, err := vm.NewMemory().Load(checked, on)
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Kernel("test")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, watched := range []bool{false, true} {
			for _, threads := range []int{1, 33} {
				grid := vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: threads}, Check: watched}
				if err := k.Launch(context.Background(), grid, uint64(1), 2); err != nil && !watched {
					t.Fatalf("%v\n%s", err, text)
				}
			}
		}
	}
}

// A kernel may declare registers, variables and labels that nothing uses, and may do nothing.
func TestUnusedDeclarations(t *testing.T) {
	for _, part := range append(smallParts, "") {
		runSmall(t, smallKernel([]string{part}))
		runSmall(t, smallKernel([]string{part, "ret;"}))
		runSmall(t, smallKernel([]string{"ret;", part}))
	}
}

// So may any mixture of them.
func TestRandomSmallKernels(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 6))
	for range long.Seeds(1000, 200) {
		parts := make([]string, 1+random.IntN(6))
		for i := range parts {
			parts[i] = smallParts[random.IntN(len(smallParts))]
		}
		runSmall(t, smallKernel(parts))
	}
}

// An element that a register does not have is an error, wherever it is found.
func TestElementsThatAreNotThere(t *testing.T) {
	for _, line := range []string{
		"mov.u32 %q.w, 1;", "mov.u32 %v.w, 1;", "add.u32 %q, %q.y, 1;", "st.global.u32 [%rd.y], %q;",
		"ld.global.v2.u32 {%q.y, %q}, [%rd];", "mov.b64 %rd, %rd.y;", "mov.u32 %v.z, %q;",
	} {
		_, err := vmtest.Build(vmtest.Header + ".visible .entry test() { .reg .b32 %q; .reg .b64 %rd; .reg .v2 .b32 %v; " + line + " ret; }")
		if err == nil {
			t.Errorf("%s: no error", line)
		}
	}
}
