package flow

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

const indirectKernel = vmtest.Header + `
.func (.param .b32 result) twice(.param .b32 x) {
	.reg .b32 %r<2>;
	ld.param.b32 %r0, [x];
	add.u32 %r1, %r0, %r0;
	st.param.b32 [result], %r1;
	ret;
}
.func (.param .b32 result) square(.param .b32 x) {
	.reg .b32 %r<2>; .reg .pred %p; .local .align 8 .b8 padding[24];
	ld.param.b32 %r0, [x];
	setp.eq.u32 %p, %r0, 6;
	st.param.b32 [result], 1000;
	@%p ret;
	mul.lo.u32 %r1, %r0, %r0;
	st.param.b32 [result], %r1;
	ret;
}
.func (.param .b64 result) other(.param .b32 x) {
	{ .reg .b32 %x; movmatrix.sync.aligned.m8n8.trans.b16 %x, %x; }
	ret;
}
.global .u64 table[3] = {twice, square, other};
.visible .entry test(.param .u64 out, .param .u64 third) {
	.reg .b32 %r<6>; .reg .b64 %d<6>; .reg .pred %p; .param .b32 x; .param .b32 y;
	ld.param.u64 %d0, [out];
	mov.u32 %r0, %tid.x;
	rem.u32 %r1, %r0, 3;
	mul.wide.u32 %d1, %r1, 8;
	mov.u64 %d2, table;
	add.u64 %d2, %d2, %d1;
	setp.ne.u32 %p, %r1, 2;
	ld.param.u64 %d3, [third];
	@%p ld.global.u64 %d3, [%d2];
	st.param.b32 [x], %r0;
	st.param.b32 [y], 5;
PROTOTYPE: .callprototype (.param .b32 _) _ (.param .b32 _);
	@%p call (y), %d3, (x), PROTOTYPE;
	activemask.b32 %r3;
	ld.param.b32 %r2, [y];
	add.u32 %r2, %r2, %r3;
	mul.wide.u32 %d4, %r0, 4;
	add.u64 %d4, %d4, %d0;
	st.global.u32 [%d4], %r2;
	ret;
}
.visible .entry wrong(.param .u64 address) {
	.reg .b64 %d;  .param .b32 x; .param .b32 y;
	ld.param.u64 %d, [address];
	st.param.b32 [x], 1;
PROTOTYPE: .callprototype (.param .b32 _) _ (.param .b32 _);
	call (y), %d, (x), PROTOTYPE;
	ret;
}`

// Threads call different functions through a register, and meet again behind the call. Functions of other
// types are not looked at.
func TestIndirectCall(t *testing.T) {
	m := vmtest.Load(t, indirectKernel)
	for _, checks := range []bool{false, true} {
		out, _ := m.Memory().Alloc("out", 64*4)
		stats := &vm.Stats{}
		vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: 64}, Check: checks, Stats: stats}, out, 0)
		for i := range 64 {
			want := []int{2 * i, i * i, 5}[i%3] - 1
			if i == 6 {
				want = 11
			}
			if got := int(int32(vmtest.Get(out.Bytes(), i, 32))); got != want {
				t.Errorf("thread %d: got %d, want %d", i, got, want)
			}
		}
		for _, i := range stats.Instructions {
			// A warp executes the instruction once, whatever functions its threads go to.
			if i.Opcode == "call" && (i.Threads != 43 || i.Warps != 2) {
				t.Errorf("%d threads in %d warps call", i.Threads, i.Warps)
			}
		}
	}
	err := vmtest.Kernel(t, m, "wrong").Launch(context.Background(), vm.Grid{}, 0x1234)
	if fault, ok := errors.AsType[*vm.Fault](err); !ok || fault.Kind != vm.Trap || !strings.Contains(fault.Detail, "0x1234 is not the address of a function") {
		t.Errorf("got %v", err)
	}
}

// Threads of a warp that have parted wait for each other at bar.warp.sync, wherever it stands.
func TestWarpBarrier(t *testing.T) {
	m := vmtest.Load(t, vmtest.Header+`
.visible .entry test(.param .u64 out) {
	.reg .pred %p, %q; .reg .b32 %r<6>; .reg .b64 %d<3>; .shared .align 4 .b32 s[128];
	ld.param.u64 %d0, [out];
	mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; and.b32 %r2, %r0, 31;
	setp.lt.u32 %p, %r2, 16;
	xor.b32 %r3, %r1, 64;
	@%p bra LOW;
	st.shared.u32 [%r1], %r0;
	bar.warp.sync -1;
	ld.shared.u32 %r4, [%r3];
	bar.warp.sync 0xffffffff;
	bra END;
LOW:
	add.u32 %r5, %r0, 1000;
	st.shared.u32 [%r1], %r5;
	bar.warp.sync -1;
	ld.shared.u32 %r4, [%r3];
	setp.lt.u32 %q, %r2, 3;
	@%q exit;
	bar.warp.sync -1;
END:
	mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0;
	st.global.u32 [%d1], %r4;
	ret;
}`)
	out, _ := m.Memory().Alloc("out", 128*4)
	for _, threads := range []int{32, 64, 128} {
		for _, checks := range []bool{false, true} {
			clear(out.Bytes())
			vmtest.Launch(t, vmtest.Kernel(t, m, "test"), vm.Grid{Block: vm.Dim{X: threads}, Check: checks}, out)
			for i := range threads {
				want := i - 16 + 1000
				if i%32 < 16 {
					want = i + 16
				}
				if i%32 < 3 {
					want = 0
				}
				if got := int(vmtest.Get(out.Bytes(), i, 32)); got != want {
					t.Errorf("%d threads: thread %d: got %d, want %d", threads, i, got, want)
				}
			}
		}
	}
}

// Kernels of a module may be launched for the first time at the same time. What they are built of is found once for all.
func TestCheckFirstLaunchesAtTheSameTime(t *testing.T) {
	m := vmtest.Load(t, indirectKernel)
	var group sync.WaitGroup
	for _, checks := range []bool{true, false} {
		for _, name := range []string{"test", "wrong"} {
			out, _ := m.Memory().Alloc("out", 64*4)
			group.Go(func() {
				args := []any{out, 0}
				if name == "wrong" {
					args = []any{0x1234}
				}
				err := vmtest.Kernel(t, m, name).Launch(context.Background(), vm.Grid{Block: vm.Dim{X: 3}, Check: checks, Stats: &vm.Stats{}}, args...)
				if fault, ok := errors.AsType[*vm.Fault](err); ok != (name == "wrong") || ok && fault.Kind != vm.Trap {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	group.Wait()
}
