package vm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// clusterCases are what 64 threads of two warps do at the barrier of the cluster: %r0 is the thread, %r1 the address of its word of s, %r2 that of the
// thread's of the other warp, %r5 the lane. The first line is line 8. What Check has to say is part of its only report.
var clusterCases = []struct {
	name, code string
	line       int
	says       string // nothing: it is right
}{
	{"written before, read behind", "st.shared.u32 [%r1], %r0; barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r3, [%r2];", 0, ""},
	{"aligned, and many times", "AGAIN: st.shared.u32 [%r1], %r0; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ld.shared.u32 %r3, [%r2]; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; add.u32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, 3; @%p0 bra AGAIN;", 0, ""},
	{"read before, written behind", "st.shared.u32 [%r1], %r0; bar.sync 0; ld.shared.u32 %r3, [%r2]; barrier.cluster.arrive.release; barrier.cluster.wait.acquire; st.shared.u32 [%r1], 5;", 0, ""},
	{"relaxed, behind a fence", "st.shared.u32 [%r1], %r0; fence.acq_rel.cluster; barrier.cluster.arrive.relaxed; barrier.cluster.wait; ld.shared.u32 %r3, [%r2];", 0, ""},
	{"written in between, and read behind the next", "barrier.cluster.arrive; st.shared.u32 [%r1], %r0; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r3, [%r2];", 0, ""},
	{"not aligned, at places of their own", "setp.ge.u32 %p0, %r5, 16; st.shared.u32 [%r1], %r0; @%p0 bra B; barrier.cluster.arrive; barrier.cluster.wait; bra C; B: barrier.cluster.arrive; barrier.cluster.wait; C: ld.shared.u32 %r3, [%r2];", 0, ""},
	{"aligned, at a place for each warp", "setp.ge.u32 %p0, %r0, 32; st.shared.u32 [%r1], %r0; @%p0 bra B; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; bra C; B: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; C: ld.shared.u32 %r3, [%r2];", 0, ""},
	{"aligned, and others of the warp have ended", "setp.ge.u32 %p0, %r5, 16; @%p0 exit; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;", 0, ""},

	{"no wait", "st.shared.u32 [%r1], 0; bar.sync 0; setp.ge.u32 %p0, %r0, 32; @!%p0 st.shared.u32 [%r1], %r0; barrier.cluster.arrive;\n@%p0 ld.shared.u32 %r3, [%r2]; barrier.cluster.wait;", 9, "has written it at line 8, and there is no barrier in between (32 times)"},
	{"relaxed", "st.shared.u32 [%r1], %r0; barrier.cluster.arrive.relaxed; barrier.cluster.wait;\nld.shared.u32 %r3, [%r2];", 9, "has written it at line 8, and there is no barrier in between"},
	{"relaxed, written behind the fence", "fence.acq_rel.cluster; st.shared.u32 [%r1], %r0; barrier.cluster.arrive.relaxed; barrier.cluster.wait;\nld.shared.u32 %r3, [%r2];", 9, "has written it at line 8"},
	{"written in between", "st.shared.u32 [%r1], 0; bar.sync 0; barrier.cluster.arrive;\nst.shared.u32 [%r1], %r0; barrier.cluster.wait;\nld.shared.u32 %r3, [%r2];", 10, "has written it at line 9"},
	{"arriving twice", "barrier.cluster.arrive;\nbarrier.cluster.arrive; barrier.cluster.wait;", 9, "32 threads are at the barrier of the cluster a second time, after that of line 8, and they have not waited for it in between (2 times)"},
	{"arriving twice, when all had arrived", "barrier.cluster.arrive; bar.sync 0;\nbarrier.cluster.arrive; barrier.cluster.wait;", 9, "a second time, after that of line 8"},
	{"aligned arrivals at two places of a warp", "setp.ge.u32 %p0, %r5, 16; @%p0 bra B; barrier.cluster.arrive.aligned; bra C;\nB: barrier.cluster.arrive.aligned;\nC: barrier.cluster.wait;", 9,
		"16 threads are at this barrier, 16 (from thread (0, 0, 0) on) at that of line 8, and an aligned barrier of the cluster is one instruction for all of a warp"},
	{"aligned waits at two places of a warp", "barrier.cluster.arrive; setp.ge.u32 %p0, %r5, 16; @%p0 bra B; barrier.cluster.wait.aligned; bra C;\nB: barrier.cluster.wait;\nC:", 9,
		"at that of line 8, and an aligned barrier of the cluster is one instruction for all of a warp"},
	{"no arrival", "barrier.cluster.wait;", 8, "64 threads (from thread (0, 0, 0) on) wait at the barrier of the cluster"},
}

// TestCheckClusterBarrier holds what Check says of the barrier of the cluster against what the manual allows (PTX ISA 9.7.13.3).
func TestCheckClusterBarrier(t *testing.T) {
	for _, test := range clusterCases {
		t.Run(test.name, func(t *testing.T) {
			m := vmtest.Load(t, strings.NewReplacer("sm_80", "sm_90", "7.8", "8.0").Replace(vmtest.Header)+`.visible .entry test() {
	.reg .pred %p<4>; .reg .b32 %r<9>; mov.u32 %r0, %tid.x; mov.u32 %r5, %laneid; mov.u32 %r6, 0; .shared .align 4 .b32 s[64]; mov.u32 %r3, s;
	shl.b32 %r1, %r0, 2; add.u32 %r1, %r1, %r3; xor.b32 %r2, %r0, 32; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r3;

`+test.code+`
	ret;
}`)
			err := vmtest.Kernel(t, m, "test").Launch(t.Context(), vm.Grid{Grid: vm.Dim{X: 1}, Block: vm.Dim{X: 64}, Workers: 1, Check: true})
			if test.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			found, ok := errors.AsType[*vm.CheckError](err)
			if !ok || len(found.Reports) != 1 || found.Reports[0].Line != test.line || !strings.Contains(found.Reports[0].Error(), test.says) {
				t.Errorf("got %v, want line %d: %s", err, test.line, test.says)
			}
		})
	}
}
