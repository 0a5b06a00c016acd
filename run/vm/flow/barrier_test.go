package flow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// barrierKernels are bodies in which the warps of a CTA meet, each in another way. %r0 is the thread, %r1 its warp, %r2 the address
// of its word of s; %r9 is what it writes.
var barrierKernels = map[string]string{
	"a tree of sums": `
	mov.u32 %r3, 64;
LOOP:
	setp.ge.u32 %p, %r0, %r3;
	@%p bra NEXT;
	shl.b32 %r4, %r3, 2; add.u32 %r4, %r4, %r2;
	ld.shared.u32 %r5, [%r2]; ld.shared.u32 %r6, [%r4]; add.u32 %r5, %r5, %r6; st.shared.u32 [%r2], %r5;
NEXT:
	bar.sync 0;
	shr.u32 %r3, %r3, 1;
	setp.ne.u32 %p, %r3, 0;
	@%p bra LOOP;
	ld.shared.u32 %r9, [s];`,
	"warps that end before": `
	setp.eq.u32 %p, %r1, 2;
	@%p ret;
	bar.sync 0;
	ld.shared.u32 %r9, [s+160];
	bar.sync 0;`,
	"the first warp ends, then the last": `
	setp.eq.u32 %p, %r1, 0;
	@%p ret;
	bar.sync 0;
	setp.eq.u32 %p, %r1, 3;
	@%p ret;
	bar.sync 0;
	ld.shared.u32 %r9, [s+160];`,
	"lanes that end before": `
	and.b32 %r3, %r0, 3;
	setp.eq.u32 %p, %r3, 1;
	@%p ret;
	st.shared.u32 [%r2], %r3;
	bar.sync 0;
	ld.shared.u32 %r9, [s+16];
	bar.sync 0;`,
	"another barrier for each warp": `
	setp.eq.u32 %p, %r1, 1;
	@%p bra OTHER;
	st.shared.u32 [%r2], 7;
	bar.sync 0;
	ld.shared.u32 %r9, [s+128];
	bra END;
OTHER:
	st.shared.u32 [%r2], %r0;
	bar.sync 0;
	ld.shared.u32 %r9, [s];
END:`,
	"two barriers in turn": `
	bar.sync 0;
	ld.shared.u32 %r3, [s+496];
	bar.sync 1;
	st.shared.u32 [%r2], %r3;
	bar.sync 0;
	ld.shared.u32 %r9, [s];`,
	"a vote in between": `
	bar.sync 0;
	setp.gt.u32 %p, %r0, 77;
	bar.red.popc.u32 %r9, 0, %p;
	bar.sync 0;`,
	"steps in between": `
	mov.u32 %r4, s;
	atom.shared.add.u32 %r3, [%r4], 1;
	bar.sync 0;
	ld.shared.u32 %r9, [s];
	bar.sync 0;
	atom.shared.max.u32 %r3, [%r4], %r0;
	bar.sync 0;
	ld.shared.u32 %r3, [s];
	mad.lo.u32 %r9, %r3, 1000, %r9;`,
	"a warp that arrives and does not wait": `
	setp.eq.u32 %p, %r1, 3;
	@%p bra ARRIVES;
	bar.sync 0, 128;
	ld.shared.u32 %r9, [s+384];
	bra END;
ARRIVES:
	bar.arrive 0, 128;
	mov.u32 %r9, 5;
END:
	bar.sync 1;`,
	"a warp that waits for another in a loop": `
	setp.ne.u32 %p, %r1, 0;
	@%p bra SETS;
WAITS:
	ld.volatile.shared.u32 %r3, [s+400];
	setp.eq.u32 %p, %r3, 100;
	@%p bra WAITS;
	bra MEET;
SETS:
	st.volatile.shared.u32 [%r2], 3;
MEET:
	bar.sync 0;
	ld.shared.u32 %r9, [s+400];`,
	"many values that live over it": `
	mul.lo.u32 %r3, %r0, 3; mul.lo.u32 %r4, %r0, %r0; xor.b32 %r5, %r4, %r3; setp.gt.u32 %p, %r4, 900; setp.lt.u32 %q, %r5, 2000;
	bar.sync 0;
	ld.shared.u32 %r6, [s+44];
	add.u32 %r9, %r3, %r4; @%p add.u32 %r9, %r9, %r5; @%q sub.u32 %r9, %r9, %r6;
	bar.sync 0;
	add.u32 %r9, %r9, %r3;`,
}

func barrierText(body string) string {
	return vmtest.Header + `.visible .entry test(.param .u64 out) {
	.reg .pred %p, %q; .reg .b32 %r<10>; .reg .b64 %d<3>;
	.shared .align 4 .b32 s[128];
	mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; shl.b32 %r2, %r0, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3;
	st.shared.u32 [%r2], %r0;
	mov.u32 %r9, 0;` + body + `
	ld.param.u64 %d0, [out]; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, 128, %r0; mul.wide.u32 %d1, %r3, 4; add.u64 %d0, %d0, %d1;
	st.global.u32 [%d0], %r9;
	ret;
}`
}

// The warps of a CTA go on one behind the other at barriers within machine code, which has the effect that it has by steps, with
// whatever else happens in between.
func TestBarriers(t *testing.T) {
	for name, body := range barrierKernels {
		t.Run(name, func(t *testing.T) {
			for _, threads := range []int{128, 100, 32, 5} {
				if threads != 128 && strings.HasPrefix(name, "a warp that") {
					continue // the other is not there
				}
				c := vmtest.Trial{Text: barrierText(body), Kernel: "test", Grid: vm.Grid{Grid: vm.Dim{X: 3}, Block: vm.Dim{X: threads}}, Args: []any{make([]byte, 4*128*3)}}
				for _, o := range []native.Options{{}, {Turn: 3}, {Registers: 10}} {
					restore := vmtest.WithMachineCode(o)
					err := c.Differ(vmtest.Unchecked())
					restore()
					if err != nil {
						t.Errorf("%d threads, %+v: %v", threads, o, err)
					}
				}
			}
		})
	}
}

// What fails behind a barrier is told of the thread that fails first by steps.
func TestFaultBehindBarrier(t *testing.T) {
	text := barrierText(`
	bar.sync 0;
	setp.ne.u32 %p, %r0, 70;
	mov.u64 %d2, 12;
	@%p bra OK;
	st.global.u32 [%d2], %r0;
OK:
	bar.sync 0;`)
	for _, l := range vmtest.MachineLevels(t) {
		m := vmtest.LoadOn(t, l, text)
		out, _ := m.Memory().Alloc("out", 4*128)
		err := vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{Block: vm.Dim{X: 128}}, out)
		fault, ok := errors.AsType[*vm.Fault](err)
		if !ok || fault.Thread != (vm.Dim{X: 70}) {
			t.Errorf("%v: got %v, want a fault of thread 70", l, err)
		}
	}
}

// Warps that meet again and again without end are stopped.
func TestEndlessBarriers(t *testing.T) {
	text := barrierText("\nLOOP:\n\tbar.sync 0;\n\tbra LOOP;")
	for _, l := range vmtest.MachineLevels(t) {
		for _, threads := range []int{32, 128} {
			m := vmtest.LoadOn(t, l, text)
			out, _ := m.Memory().Alloc("out", 4*128)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			err := vmtest.Kernel(t, m, "test").Launch(ctx, vm.Grid{Block: vm.Dim{X: threads}}, out)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error(fmt.Errorf("%v, %d threads: got %w", l, threads, err))
			}
		}
	}
}
