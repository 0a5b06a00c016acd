package vm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/cputime"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// growing is the text of a kernel that grows with n.
type growing struct {
	name    string
	body    func(w *strings.Builder, n int) // of the kernel
	head    func(w *strings.Builder, n int) // of the module; may be nil
	watched bool                            // launched with checks, too
	refused bool                            // since its loops are nested too deep
}

// bigKernels grow each in another way: what is built of them has much of one thing.
var bigKernels = []growing{
	{name: "one chain of additions", body: func(w *strings.Builder, n int) {
		for i := 1; i < n; i++ {
			fmt.Fprintf(w, "add.u32 %%r%d, %%r%d, %%r%d;\n", i, i-1, i/2)
		}
	}},
	{name: "registers that live across a branch", body: func(w *strings.Builder, n int) {
		for i := 1; i < n/2; i++ {
			fmt.Fprintf(w, "add.u32 %%r%d, %%r0, %d;\n", i, i)
		}
		fmt.Fprintf(w, "setp.eq.u32 %%p0, %%r0, 3; @%%p0 bra MEET; MEET:\n")
		for i := 1; i < n/2; i++ {
			fmt.Fprintf(w, "xor.b32 %%r0, %%r0, %%r%d;\n", i)
		}
	}},
	{name: "branches", body: func(w *strings.Builder, n int) {
		for i := 1; i < n/3; i++ {
			fmt.Fprintf(w, "setp.eq.u32 %%p0, %%r%d, 3; @%%p0 bra L%d; add.u32 %%r%d, %%r%d, %d; L%d:\n", i/2, i, i, i-1, i, i)
		}
	}},
	{name: "a value that everything reads", body: func(w *strings.Builder, n int) {
		for i := 1; i < n/2; i++ {
			fmt.Fprintf(w, "add.u32 %%r%d, %%r0, %%r%d; popc.b32 %%r%d, %%r%d;\n", 2*i, 2*i-1, 2*i+1, 2*i)
		}
	}},
	{name: "loads and stores", body: func(w *strings.Builder, n int) {
		for i := 1; i < n/2; i++ {
			fmt.Fprintf(w, "ld.global.u32 %%r%d, [%%rd0+%d]; st.global.u32 [%%rd0+%d], %%r%d;\n", i, 4*(i%16), 4*(i*7%16), i-1)
		}
	}},
	{name: "nested loops", refused: true, body: func(w *strings.Builder, n int) {
		for i := 1; i < n/4; i++ {
			fmt.Fprintf(w, "L%d: add.u32 %%r%d, %%r%d, %%r0;\n", i, i, i)
		}
		for i := n/4 - 1; i > 0; i-- {
			fmt.Fprintf(w, "add.u32 %%r%d, %%r%d, 1; setp.lt.u32 %%p0, %%r%d, 0; @%%p0 bra L%d;\n", i, i, i, i)
		}
	}},
	{name: "branches to and fro", refused: true, body: func(w *strings.Builder, n int) {
		fmt.Fprintf(w, "setp.ne.u32 %%p0, %%r0, %%r0;\n")
		for i := range n {
			fmt.Fprintf(w, "L%d: @%%p0 bra L%d;\n", i, n-1-i)
		}
	}},
	{name: "vector registers", watched: true, body: func(w *strings.Builder, n int) {
		fmt.Fprintf(w, ".reg .v4 .b32 %%v<%d>;\n", n)
		for i := 1; i < n; i++ {
			fmt.Fprintf(w, "add.u32 %%v%d.w, %%v%d.y, %%v%d.z;\n", i, i-1, i/2)
		}
	}},
	{name: "shared variables", watched: true, body: func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, ".shared .b8 s%d; st.shared.u8 [s%d], %%r0;\n", i, i)
		}
	}},
	{name: "local variables", body: func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, ".local .b32 s%d; st.local.u32 [s%d], %%r0;\n", i, i)
		}
	}},
	{name: "global variables", head: func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, ".global .b32 g%d;\n", i)
		}
	}, body: func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, "st.global.u32 [g%d], %%r0;\n", i)
		}
	}},
	{name: "functions", head: func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, ".func f%d(.param .b32 x) { ret; }\n", i)
		}
	}, body: func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, "call f%d, (%%r0); mov.u64 %%rd1, f%d;\n", i, i)
		}
	}},
	{name: "a table of addresses", head: func(w *strings.Builder, n int) {
		for i := range n / 4 {
			fmt.Fprintf(w, ".global .b32 g%d; .func f%d() { ret; }\n", i, i)
		}
		fmt.Fprintf(w, ".global .u64 table[%d] = {", n/4*2+1)
		for i := range n / 4 {
			fmt.Fprintf(w, "g%d, f%d, ", i, i)
		}
		fmt.Fprintf(w, "0};\n")
	}, body: func(w *strings.Builder, n int) {}},
	{name: "tables of labels", body: func(w *strings.Builder, n int) {
		fmt.Fprintf(w, "mov.u32 %%r1, 0;\n")
		for i := range n / 4 {
			fmt.Fprintf(w, "T%d: .branchtargets A%d, B%d; brx.idx %%r1, T%d; A%d: add.u32 %%r0, %%r0, 1; B%d:\n", i, i, i, i, i, i)
		}
	}},
	{name: "video instructions", body: func(w *strings.Builder, n int) {
		for i := 1; i < n/4; i++ {
			fmt.Fprintf(w, "vadd4.u32.u32.u32.sat %%r%d, %%r%d, %%r%d, %%r0;\n", i, i-1, i/2)
		}
	}},
	{name: "guards", body: func(w *strings.Builder, n int) {
		for i := 1; i < n/2; i++ {
			fmt.Fprintf(w, "setp.lt.u32 %%p%d, %%r%d, 5; @%%p%d add.u32 %%r%d, %%r%d, 1;\n", i, i-1, i, i, i-1)
		}
	}},
	{name: "calls through registers", head: func(w *strings.Builder, n int) {
		fmt.Fprintf(w, ".func f(.param .b32 x) { ret; }\n")
	}, body: func(w *strings.Builder, n int) {
		fmt.Fprintf(w, "mov.u64 %%rd1, f;\n")
		for i := range n / 4 {
			fmt.Fprintf(w, "P%d: .callprototype _ (.param .b32 _); call %%rd1, (%%r0), P%d;\n", i, i)
		}
	}},
	{name: "barriers", body: func(w *strings.Builder, n int) {
		for range n {
			fmt.Fprintf(w, "bar.sync 0;\n")
		}
	}},
	{name: "moves against their order", watched: true, body: func(w *strings.Builder, n int) {
		for i := range n {
			fmt.Fprintf(w, "L%d: mov.u32 %%r%d, %%r%d; setp.ne.u32 %%p0, %%r0, %%r0; @%%p0 bra L%d;\n", i, i, i+1, i)
		}
	}},
}

// text returns the text of a kernel.
func (k *growing) text(n int) string {
	var w strings.Builder
	w.WriteString(vmtest.Header)
	if k.head != nil {
		k.head(&w, n)
	}
	fmt.Fprintf(&w, ".visible .entry test(.param .u64 p) {\n.reg .b32 %%r<%d>; .reg .b64 %%rd<2>; .reg .pred %%p<%d>;\nld.param.u64 %%rd0, [p]; mov.u32 %%r0, %%tid.x;\n", n+2, n+2)
	k.body(&w, n)
	w.WriteString("st.global.u32 [%rd0], %r0; ret;\n}\n")
	return w.String()
}

// Building a kernel, binding and running it take time as its text is long, and not as the square of that. A list of all windows
// that was read for each of them once took most of the time for loads and stores.
func TestBigKernelsAreBuiltInTime(t *testing.T) {
	if !long.Tests() {
		t.Skip("takes long where all is emulated or watched")
	}
	for _, k := range bigKernels {
		t.Run(k.name, func(t *testing.T) {
			cputime.Linear(t, 80_000, func(n int) { runBig(t, &k, n) })
		})
	}
}

// runBig builds a kernel and runs it, if it is not to be refused.
func runBig(t *testing.T, k *growing, n int) {
	tree, found := syntax.Parse(source.New("test.ptx", k.text(n)))
	checked, more := check.Check(tree)
	if found = append(found, more...); found.HasErrors() {
		t.Fatal(found[0].Message)
	}
	m, err := vm.Load(checked)
	if err != nil {
		t.Fatal(err)
	}
	test, err := m.Kernel("test")
	if _, ok := errors.AsType[*vm.MissingError](err); ok != k.refused || err != nil && !ok {
		t.Fatalf("%d: %v", n, err)
	}
	if err != nil {
		return
	}
	out, _ := m.Memory().Alloc("out", 4096)
	vmtest.Launch(t, test, vm.Grid{Block: vm.Dim{X: 32}}, out)
	if k.watched {
		_ = test.Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 32}, Check: true, Stats: &vm.Stats{}}, out)
	}
}

// Loops may be nested 256 deep. A kernel of 600, each with a counter, took two minutes.
func TestDeepLoopsAreRefused(t *testing.T) {
	for depth, refused := range map[int]bool{100: false, 257: true} {
		var w strings.Builder
		fmt.Fprintf(&w, "%s.visible .entry test() {\n.reg .pred %%p; .reg .b32 %%r;\nmov.u32 %%r, 0;\nsetp.ne.u32 %%p, %%r, %%r;\n", vmtest.Header)
		for i := range depth {
			fmt.Fprintf(&w, "L%d: add.u32 %%r, %%r, 1;\n", i)
		}
		for i := range depth {
			fmt.Fprintf(&w, "@%%p bra L%d;\n", depth-1-i)
		}
		w.WriteString("ret;\n}\n")
		k, err := vmtest.Load(t, w.String()).Kernel("test")
		for _, watched := range []bool{false, true} {
			if err == nil {
				err = k.Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}, Check: watched})
			}
		}
		missing, ok := errors.AsType[*vm.MissingError](err)
		if ok != refused || !ok && err != nil || ok && !strings.Contains(missing.Error(), "nested more than 256 deep") {
			t.Errorf("%d loops: %v", depth, err)
		}
	}
}
