package flow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// clusterKernels are bodies whose threads meet at the barrier of the cluster, each in another way: %r0 is the thread, %r1 its warp, %r2 the address of its
// word of s, which has its number, %r9 what it writes, and %r8 the address of the word of the thread that is opposite, of so many.
var clusterKernels = map[string]struct {
	body string
	want func(thread, threads uint32) uint32
}{
	"arrive and wait": {`
	add.u32 %r3, %r0, 7; st.shared.u32 [%r2], %r3;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	ld.shared.u32 %r9, [%r8];`, func(thread, threads uint32) uint32 { return threads - 1 - thread + 7 }},
	"five phases, with work of other lengths in between": {`
	mov.u32 %r3, 0;
PHASE:
	mad.lo.u32 %r4, %r3, 1000, %r0; st.shared.u32 [%r2], %r4;
	barrier.cluster.arrive.release;
	add.u32 %r5, %r1, %r3; and.b32 %r5, %r5, 3; mul.lo.u32 %r5, %r5, 25; add.u32 %r5, %r5, 1;
WORK:
	add.u32 %r9, %r9, 1; sub.u32 %r5, %r5, 1; setp.ne.u32 %p, %r5, 0; @%p bra WORK;
	barrier.cluster.wait.acquire;
	ld.shared.u32 %r6, [%r8]; add.u32 %r9, %r9, %r6;
	barrier.cluster.arrive; barrier.cluster.wait;
	add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, 5; @%p bra PHASE;`, func(thread, threads uint32) (sum uint32) {
		for phase := range uint32(5) {
			sum += (thread/32+phase)&3*25 + 1 + phase*1000 + threads - 1 - thread
		}
		return sum
	}},
	"lanes that end before, and warps that end between": {`
	and.b32 %r3, %r0, 3; setp.eq.u32 %p, %r3, 1; @%p ret;
	add.u32 %r3, %r0, 50; st.shared.u32 [%r2], %r3;
	barrier.cluster.arrive;
	setp.eq.u32 %p, %r1, 1; @%p bra END;
	barrier.cluster.wait;
	ld.shared.u32 %r9, [s+16];
	barrier.cluster.arrive; barrier.cluster.wait;
END:`, func(thread, _ uint32) uint32 {
		switch {
		case thread&3 == 1:
			return 0xffffffff
		case thread/32 == 1:
			return 0
		}
		return 54
	}},
	"lanes that part arrive and wait at places of their own": {`
	add.u32 %r3, %r0, 9; and.b32 %r4, %r0, 1; setp.eq.u32 %p, %r4, 1;
	@%p bra ODD;
	st.shared.u32 [%r2], %r3;
	barrier.cluster.arrive; add.u32 %r3, %r3, 1; barrier.cluster.wait;
	bra MEET;
ODD:
	st.shared.u32 [%r2], %r3;
	barrier.cluster.arrive;
	and.b32 %r4, %r0, 2; setp.eq.u32 %p, %r4, 2; @%p bra OTHERS;
	barrier.cluster.wait;
	bra MEET;
OTHERS:
	add.u32 %r3, %r3, 2; barrier.cluster.wait;
MEET:
	ld.shared.u32 %r4, [%r8]; mad.lo.u32 %r9, %r4, 1000, %r3;`, func(thread, threads uint32) uint32 {
		own := thread + 9 + [4]uint32{1, 0, 1, 2}[thread&3]
		return (threads-1-thread+9)*1000 + own
	}},
	"under a guard, and in a function": {`
	{ .reg .pred %g; setp.ne.u32 %g, %r0, 0; @%g add.u32 %r3, %r0, 3; @!%g mov.u32 %r3, 3; st.shared.u32 [%r2], %r3;
	@%g barrier.cluster.arrive; @!%g barrier.cluster.arrive; }
	call meet;
	ld.shared.u32 %r9, [%r8];`, func(thread, threads uint32) uint32 { return threads - 1 - thread + 3 }},
	"beside barriers of the CTA": {`
	st.shared.u32 [%r2], %r1; barrier.cluster.arrive; bar.sync 0; st.shared.u32 [%r2], %r0; bar.sync 1; barrier.cluster.wait; bar.sync 0;
	ld.shared.u32 %r9, [%r8]; bar.sync 0; barrier.cluster.arrive; barrier.cluster.wait;`, func(thread, threads uint32) uint32 { return threads - 1 - thread }},
	"values that live over it": {`
	mul.lo.u32 %r3, %r0, 3; mul.lo.u32 %r4, %r0, %r0; xor.b32 %r5, %r4, %r3; setp.gt.u32 %p, %r4, 900; setp.lt.u32 %q, %r5, 2000;
	barrier.cluster.arrive; add.u32 %r6, %r3, %r5; barrier.cluster.wait;
	add.u32 %r9, %r3, %r4; @%p add.u32 %r9, %r9, %r5; @%q sub.u32 %r9, %r9, %r6;`, func(thread, _ uint32) uint32 {
		three, square := thread*3, thread*thread
		x := three ^ square
		sum := three + square
		if square > 900 {
			sum += x
		}
		if x < 2000 {
			sum -= three + x
		}
		return sum
	}},
}

func clusterText(body string, threads int) string {
	return `.version 8.0
.target sm_90
.address_size 64
.func meet() { barrier.cluster.wait; ret; }
.visible .entry test(.param .u64 out) {
	.reg .pred %p, %q; .reg .b32 %r<10>; .reg .b64 %d<3>;
	.shared .align 4 .b32 s[128];
	mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; shl.b32 %r2, %r0, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3;
` + fmt.Sprintf("\tsub.u32 %%r8, %d, %%r0; shl.b32 %%r8, %%r8, 2; add.u32 %%r8, %%r8, %%r3;\n", threads-1) + `
	st.shared.u32 [%r2], %r0; bar.sync 0;
	mov.u32 %r9, 0;` + body + `
	ld.param.u64 %d0, [out]; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, 128, %r0; mul.wide.u32 %d1, %r3, 4; add.u64 %d0, %d0, %d1;
	st.global.u32 [%d0], %r9;
	ret;
}`
}

// TestClusterBarrier: threads of a cluster meet, on all levels, with turns of several lengths and with checks, and have what a thread by itself says.
func TestClusterBarrier(t *testing.T) {
	const blocks = 3
	for name, k := range clusterKernels {
		t.Run(name, func(t *testing.T) {
			for _, threads := range []int{128, 100, 32, 5} {
				out := make([]byte, 4*128*blocks)
				for i := range out {
					out[i] = 0xff
				}
				c := vmtest.Trial{Text: clusterText(k.body, threads), Kernel: "test", Grid: vm.Grid{Grid: vm.Dim{X: blocks}, Block: vm.Dim{X: threads}}, Args: []any{out}}
				m, err := c.Checked()
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range []native.Options{{}, {Turn: 3}, {Registers: 10}} {
					for _, way := range append(vmtest.Ways(), vmtest.PlainWay) {
						restore := vmtest.WithMachineCode(o)
						e, err := c.Run(m, way)
						restore()
						for i := 0; err == nil && i < 128*blocks; i++ {
							want := uint32(0xffffffff)
							if i%128 < threads {
								want = k.want(uint32(i%128), uint32(threads))
							}
							if got := binary.LittleEndian.Uint32(e.Buffers[0][4*i:]); got != want {
								err = fmt.Errorf("block %d, thread %d: %d, want %d", i/128, i%128, got, want)
							}
						}
						if err != nil {
							t.Errorf("%d threads, %+v, %v: %v", threads, o, way, err)
						}
					}
				}
			}
		})
	}
}

// TestClusterBarrierMissed: threads that wait and have not arrived, or while others have not, wait for ever, and the fault says at what.
func TestClusterBarrierMissed(t *testing.T) {
	for body, want := range map[string]string{
		"barrier.cluster.wait;": "128 threads (from thread (0, 0, 0) on) wait at the barrier of the cluster, line 12",
		"setp.eq.u32 %p, %r0, 40; @!%p barrier.cluster.arrive;\n@!%p barrier.cluster.wait; @%p bar.sync 0;":                        "127 threads (from thread (0, 0, 0) on) wait at the barrier of the cluster",
		"barrier.cluster.arrive; barrier.cluster.wait; setp.lt.u32 %p, %r0, 32; @%p barrier.cluster.arrive; barrier.cluster.wait;": "wait at the barrier of the cluster",
	} {
		for _, l := range vmtest.Levels() {
			m := vmtest.LoadOn(t, l, clusterText(body, 128))
			out, _ := m.Memory().Alloc("out", 4*128)
			err := vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 128}}, out)
			if fault, ok := errors.AsType[*vm.Fault](err); !ok || fault.Kind != vm.Deadlock || !strings.Contains(fault.Detail, want) {
				t.Errorf("%v: %s: got %v, want %s", l, body, err, want)
			}
		}
	}
}
