package vm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// loadFile loads a PTX file of testdata.
func loadFile(t testing.TB, name string) *vm.Module {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return vmtest.Load(t, string(text))
}

func TestCalls(t *testing.T) {
	fibonacci := []int{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610}
	m := loadFile(t, "call.ptx")
	for _, threads := range []int{1, 40, 256} {
		out, _ := m.Memory().Alloc("out", 4*threads)
		vmtest.Launch(t, vmtest.Kernel(t, m, "call"), vm.Grid{Block: vm.Dim{X: threads}}, out, float32(2.25))
		for tid, got := range vmtest.Words(out) {
			if want := fibonacci[tid&15] + (tid+2)*1000 + 2*(tid+1) + 5; int(got) != want {
				t.Fatalf("thread %d of %d: got %d, want %d", tid, threads, got, want)
			}
		}
	}
	out, _ := m.Memory().Alloc("out", 12)
	err := vmtest.Kernel(t, m, "endless").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 32}}, out)
	var f *vm.Fault
	if !errors.As(err, &f) || !strings.Contains(err.Error(), "calls are nested more than") {
		t.Errorf("endless recursion: got %v", err)
	}
}

// TestRegisterParameters calls functions whose parameters are registers.
func TestRegisterParameters(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }
.func (.param .b32 r) choose(.param .b32 x) {
	.reg .b32 %a; .reg .pred %p;
	ld.param.b32 %a, [x]; st.param.b32 [r], 100;
	setp.lt.u32 %p, %a, 10; @%p ret;
	add.u32 %a, %a, 1; st.param.b32 [r], %a;
}
`+strings.TrimPrefix(vmtest.PerThread(`
	setp.ge.u32 %p0, %r1, 5; mov.u32 %r0, 1; 
	@%p0 call (%r0), twice, (%r1);
	call (%r2), choose, (%r1); add.u32 %r0, %r0, %r2;
	call (%r2), twice, (7); add.u32 %r0, %r0, %r2;`), vmtest.Header))
	out, _ := m.Memory().Alloc("out", 4*50)
	vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 50}}, out)
	for tid, got := range vmtest.Words(out) {
		want := 1 + 14
		if tid >= 5 {
			want = 2*tid + 14
		}
		if tid < 10 {
			want += 100
		} else {
			want += tid + 1
		}
		if int(got) != want {
			t.Errorf("thread %d: got %d, want %d", tid, got, want)
		}
	}
}

func TestPrint(t *testing.T) {
	m := loadFile(t, "print.ptx")
	out, _ := m.Memory().Alloc("out", 4*8)
	var printed bytes.Buffer
	vmtest.Launch(t, vmtest.Kernel(t, m, "print"), vm.Grid{Block: vm.Dim{X: 6}, Output: &printed}, out, float32(1.5))
	var want string
	for tid := 0; tid < 6; tid += 2 {
		want += fmt.Sprintf("t=%d f=1.5 hey| 3.00|%-6d|0xff %c%%\n", tid, 123*tid, 'a'+tid)
		if got := vmtest.Words(out)[tid]; got != 7 {
			t.Errorf("printf returned %d in thread %d, want 7", got, tid)
		}
	}
	if printed.String() != want {
		t.Errorf("got:\n%swant:\n%s", printed.String(), want)
	}
	err := vmtest.Kernel(t, m, "print").Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 8}}, out, float32(1.5))
	var f *vm.Fault
	if !errors.As(err, &f) || f.Kind != vm.Assertion || f.Thread.X != 6 || !strings.Contains(err.Error(), "print.cu:") || !strings.Contains(err.Error(), "Assertion `t < 6' failed") {
		t.Errorf("got %v", err)
	}
}

// Arguments that are declared by a number, as gcc does, are variables of their own, and so is what other spaces have of them.
func TestVariablesByNumber(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.global .u32 bias<2>;
.visible .func (.param .b32 r) weighed(.param .b32 x, .param .b32 y) {
	.reg .b32 %a, %b; ld.param.b32 %a, [x]; ld.param.b32 %b, [y]; mad.lo.u32 %a, %a, 10, %b; st.param.b32 [r], %a; ret;
}
.visible .entry k(.param .u64 out) {
	.reg .b64 %d; .reg .b32 %r<4>; .local .b32 l<3>; .param .b32 sum;
	ld.param.u64 %d, [out]; mov.u32 %r0, %tid.x; mad.wide.u32 %d, %r0, 4, %d;
	st.local.u32 [l1], 7; st.local.u32 [l0], %r0; st.local.u32 [l2], 9; st.global.u32 [bias1], 1000;
	{
		.param .b32 %P<2>;
		ld.local.u32 %r1, [l0]; ld.local.u32 %r2, [l1];
		st.param.b32 [%P0], %r1; st.param.b32 [%P1], %r2;
		call (sum), weighed, (%P0, %P1);
	}
	ld.param.b32 %r3, [sum]; ld.global.u32 %r0, [bias0]; add.u32 %r3, %r3, %r0; ld.global.u32 %r0, [bias1]; add.u32 %r3, %r3, %r0;
	st.global.u32 [%d], %r3;
	ret;
}`)
	out, _ := m.Memory().Alloc("out", 4*40)
	vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 40}}, out)
	for tid, got := range vmtest.Words(out) {
		if want := tid*10 + 7 + 1000; int(got) != want {
			t.Fatalf("thread %d: got %d, want %d", tid, got, want)
		}
	}
}

// TestTurnsInFunctions lets lanes lose their turns in a function, from which others have returned: these must not go on in
// machine code, which writes homes of all lanes, as those that are behind still need what they have there.
func TestTurnsInFunctions(t *testing.T) {
	for _, turn := range []int{0, 5, 20, 40, 60} {
		func() {
			defer vmtest.WithMachineCode(native.Options{Turn: turn})()
			for _, l := range level.Levels() {
				m := vmtest.LoadOn(t, l, vmtest.Header+turnsKernel)
				out, _ := m.Memory().Alloc("out", 4*64)
				vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 64}}, out)
				for n, got := range vmtest.Words(out) {
					if want := turnsOf(uint32(n)); got != want {
						t.Fatalf("turns of %d, %v: thread %d has %#x, want %#x", turn, l, n, got, want)
					}
				}
			}
		}()
	}
}

// turnsKernel computes turnsOf: the second value of each pair can be where the first was.
const turnsKernel = `
.func (.param .b32 r) f(.param .b32 x)
{
	.reg .b32 %r<9>;
	.reg .pred %p;
	ld.param.b32 %r1, [x];
	and.b32 %r2, %r1, 31;
	mov.u32 %r3, %r1;
L:
	mad.lo.u32 %r3, %r3, 5, %r1;
	sub.u32 %r2, %r2, 1;
	setp.gt.s32 %p, %r2, 0;
	@%p bra L;
	st.param.b32 [r], %r3;
	ret;
}
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<20>;
	.reg .b64 %d<4>;
	mov.u32 %r0, %tid.x;
	ld.param.u64 %d0, [out];
	mad.wide.u32 %d1, %r0, 4, %d0;
	mad.lo.u32 %r1, %r0, 7, 3;
	xor.b32 %r2, %r0, 21;
	mul.lo.u32 %r3, %r2, %r1;
	mul.lo.u32 %r4, %r3, %r1;
	{
	.param .b32 x;
	.param .b32 r;
	st.param.b32 [x], %r1;
	call (r), f, (x);
	ld.param.b32 %r5, [r];
	}
	xor.b32 %r6, %r3, %r5;
	mad.lo.u32 %r7, %r4, %r5, %r6;
	mul.lo.u32 %r8, %r7, %r6;
	{
	.param .b32 x;
	.param .b32 r;
	st.param.b32 [x], %r2;
	call (r), f, (x);
	ld.param.b32 %r9, [r];
	}
	mad.lo.u32 %r9, %r9, %r7, %r8;
	st.global.u32 [%d1], %r9;
	ret;
}
`

func turnsOf(tid uint32) uint32 {
	f := func(x uint32) uint32 {
		r := x
		for n := int32(x & 31); ; {
			r = r*5 + x
			if n--; n <= 0 {
				return r
			}
		}
	}
	first, second := tid*7+3, tid^21
	product := second * first
	x := product ^ f(first)
	y := product*first*f(first) + x
	return f(second)*y + y*x
}
