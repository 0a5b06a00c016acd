package forms

import (
	"errors"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// wideKernel copies 32 bytes a thread by vectors of 256 bits, with the elements in reverse, as far as threads are at work.
const wideKernel = `.version 8.8
.target sm_100
.address_size 64
.visible .entry words(.param .u64 in, .param .u64 out, .param .u32 step) {
	.reg .b64 %d<3>; .reg .b32 %r<12>; .reg .pred %p;
	ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; ld.param.u32 %r8, [step];
	mov.u32 %r9, %tid.x; mul.wide.u32 %d2, %r9, %r8; add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;
	and.b32 %r10, %r9, 3; setp.eq.u32 %p, %r10, 2; mov.b32 %r4, 77;
	@!%p ld.global.L2::evict_last.v8.b32 {%r0, %r1, %r2, %r3, _, %r5, %r6, %r7}, [%d0];
	@!%p st.global.v8.b32 [%d1], {%r7, %r6, %r5, %r4, %r3, %r2, %r1, %r0};
	ret;
}
.visible .entry longs(.param .u64 in, .param .u64 out, .param .u32 step) {
	.reg .b64 %d<7>; .reg .b32 %r<12>; .reg .pred %p;
	ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; ld.param.u32 %r8, [step];
	mov.u32 %r9, %tid.x; mul.wide.u32 %d2, %r9, %r8; add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;
	and.b32 %r10, %r9, 3; setp.eq.u32 %p, %r10, 2;
	@!%p ld.relaxed.gpu.v4.u64 {%d3, %d4, %d5, %d6}, [%d0];
	@!%p st.v4.u64 [%d1], {%d6, %d5, %d4, %d3};
	ret;
}
`

// Vectors of 256 bits move all of their elements, in machine code as in plain Go, wherever the threads' addresses are.
func TestWideVectors(t *testing.T) {
	const threads = 45
	for name, width := range map[string]int{"words": 4, "longs": 8} {
		for _, step := range []int{32, 96, 0} {
			in := make([]byte, threads*max(step, 32))
			for i := range in {
				in[i] = byte(i*i>>4 ^ 3*i)
			}
			c := vmtest.Trial{Text: wideKernel, Kernel: name, Grid: vm.Grid{Block: vm.Dim{X: threads}}, Args: []any{in, make([]byte, len(in)), uint32(step)}}
			all := vmtest.Ways()
			if step == 0 { // all write to the same place
				all = vmtest.Unchecked()
			}
			if err := c.Differ(all); err != nil {
				t.Errorf("%s, step %d: %v", name, step, err)
			}
			if step == 0 {
				continue
			}
			m, err := c.Checked()
			if err != nil {
				t.Fatal(err)
			}
			e, err := c.Run(m, vmtest.PlainWay)
			if err != nil {
				t.Fatal(err)
			}
			for thread := range threads {
				for k := range 32 / width {
					want := vmtest.Get(in[thread*step:], 32/width-1-k, 8*width)
					if width == 4 && k == 3 {
						want = 77
					}
					if thread&3 == 2 {
						want = 0
					}
					if got := vmtest.Get(e.Buffers[1][thread*step:], k, 8*width); got != want {
						t.Fatalf("%s, step %d: element %d of thread %d is %#x, want %#x", name, step, k, thread, got, want)
					}
				}
			}
		}
	}
}

// A vector of 256 bits is aligned by all of its size, and all of it is in bounds.
func TestWideVectorFaults(t *testing.T) {
	for _, size := range []int{1024, 1020} {
		m := vmtest.Load(t, wideKernel)
		in, _ := m.Memory().Alloc("in", size)
		out, _ := m.Memory().Alloc("out", 4096)
		step := map[int]uint32{1024: 16, 1020: 32}[size]
		err := vmtest.Kernel(t, m, "words").Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 32}}, in, out, step)
		fault, ok := errors.AsType[*vm.Fault](err)
		want := map[int]vm.FaultKind{1024: vm.Misaligned, 1020: vm.OutOfBounds}[size]
		if !ok || fault.Kind != want {
			t.Errorf("%d bytes, step %d: %v", size, step, err)
		}
	}
}
