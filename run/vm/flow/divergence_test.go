package flow

import (
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestDivergence runs control flow on which threads disagree, with blocks of several sizes.
func TestDivergence(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       func(tid, threads uint32) uint32
	}{
		{"if", `
	setp.lt.u32 %p0, %r1, 10;
	mov.u32 %r0, 1;
	@%p0 bra THEN;
	add.u32 %r0, %r0, 100;
	bra.uni END;
THEN:
	add.u32 %r0, %r0, %r1;
END:`, func(tid, _ uint32) uint32 {
			if tid < 10 {
				return 1 + tid
			}
			return 101
		}},
		{"nested", `
	and.b32 %r2, %r1, 1; setp.ne.u32 %p0, %r2, 0;
	and.b32 %r2, %r1, 2; setp.ne.u32 %p1, %r2, 0;
	mov.u32 %r0, 0;
	@%p0 bra ODD;
	@%p1 bra A;
	mov.u32 %r0, 10; bra END;
A:	mov.u32 %r0, 12; bra END;
ODD:
	@!%p1 bra B;
	mov.u32 %r0, 13; bra END;
B:	mov.u32 %r0, 11;
END:`, func(tid, _ uint32) uint32 { return 10 + tid&3 }},
		{"trip counts", `
	mov.u32 %r0, 0; mov.u32 %r2, 0;
LOOP:
	setp.ge.u32 %p0, %r2, %r1;
	@%p0 bra END;
	add.u32 %r0, %r0, %r2;
	add.u32 %r2, %r2, 1;
	bra LOOP;
END:`, func(tid, _ uint32) uint32 { return tid * (tid - 1) / 2 }},
		{"continue and break", `
	mov.u32 %r0, 0; mov.u32 %r2, 0;
LOOP:
	add.u32 %r2, %r2, 1;
	setp.gt.u32 %p0, %r2, 50; @%p0 bra END;
	and.b32 %r3, %r2, 3; and.b32 %r4, %r1, 3;
	setp.eq.u32 %p1, %r3, %r4; @%p1 bra LOOP;
	setp.gt.u32 %p2, %r2, %r1; @%p2 bra END;
	add.u32 %r0, %r0, %r2;
	bra.uni LOOP;
END:`, func(tid, _ uint32) (sum uint32) {
			for i := uint32(1); i <= 50; i++ {
				if i&3 == tid&3 {
					continue
				}
				if i > tid {
					break
				}
				sum += i
			}
			return sum
		}},
		{"early exit", `
	mov.u32 %r0, 5;
	setp.ge.u32 %p0, %r1, 20; @%p0 bra OUT;
	mul.lo.u32 %r0, %r0, %r1; bra STORE;
OUT: exit;
STORE:`, func(tid, _ uint32) uint32 {
			if tid >= 20 {
				return 0
			}
			return 5 * tid
		}},
		{"guarded return", `
	mov.u32 %r0, 5; setp.ge.u32 %p0, %r1, 20; @%p0 ret; add.u32 %r0, %r0, 1;`,
			func(tid, _ uint32) uint32 {
				if tid >= 20 {
					return 0
				}
				return 6
			}},
		{"unset registers are zero", `
	setp.lt.u32 %p0, %r1, 7; @%p0 mov.u32 %r5, 3; add.u32 %r0, %r5, 1;`,
			func(tid, _ uint32) uint32 {
				if tid < 7 {
					return 4
				}
				return 1
			}},
		{"uniform value in a divergent branch", `
	mov.u32 %r0, 7; mov.u32 %r3, 7;
	setp.lt.u32 %p0, %r1, 3;
	@!%p0 bra END;
	mov.u32 %r3, 9; add.u32 %r0, %r0, %r3;
END: add.u32 %r0, %r0, %r3;`, func(tid, _ uint32) uint32 {
			if tid < 3 {
				return 25
			}
			return 14
		}},
		{"barrier in both branches", `
	.shared .align 4 .b8 s[4096];
	mov.u32 %r5, s; shl.b32 %r6, %r1, 2; add.u32 %r6, %r5, %r6;
	setp.lt.u32 %p0, %r1, 32;
	@%p0 bra A;
	st.shared.u32 [%r6], %r1; bar.sync 0; bra.uni JOIN;
A:	add.u32 %r7, %r1, 1000; st.shared.u32 [%r6], %r7; bar.sync 0;
JOIN:
	mov.u32 %r7, %ntid.x; sub.u32 %r7, %r7, 1; sub.u32 %r7, %r7, %r1;
	shl.b32 %r7, %r7, 2; add.u32 %r7, %r5, %r7; ld.shared.u32 %r0, [%r7];`,
			func(tid, threads uint32) uint32 {
				if other := threads - 1 - tid; other >= 32 {
					return other
				} else {
					return other + 1000
				}
			}},
		{"barrier after some have left", `
	.shared .align 4 .b8 s[4096];
	setp.ge.u32 %p0, %r1, 20; @%p0 ret;
	mov.u32 %r5, s; shl.b32 %r6, %r1, 2; add.u32 %r6, %r5, %r6;
	add.u32 %r2, %r1, 1; st.shared.u32 [%r6], %r2; bar.sync 0;
	xor.b32 %r2, %r1, 1; shl.b32 %r2, %r2, 2; add.u32 %r2, %r5, %r2; ld.shared.u32 %r0, [%r2];`,
			func(tid, threads uint32) uint32 {
				if tid >= 20 {
					return 0
				}
				if tid^1 >= threads {
					return 0
				}
				return tid ^ 1 + 1
			}},
	} {
		m := vmtest.Load(t, vmtest.PerThread(c.code))
		k := vmtest.Kernel(t, m, "test")
		for _, threads := range []int{1, 2, 31, 32, 33, 64, 100, 256, 1000, 1024} {
			t.Run(fmt.Sprintf("%s/%d", c.name, threads), func(t *testing.T) {
				out, _ := m.Memory().Alloc("out", 4*threads)
				defer out.Free()
				vmtest.Launch(t, k, vm.Grid{Block: vm.Dim{X: threads}}, out)
				for tid, got := range vmtest.Words(out) {
					if want := c.want(uint32(tid), uint32(threads)); got != want {
						t.Fatalf("thread %d: got %d, want %d", tid, got, want)
					}
				}
			})
		}
	}
}
