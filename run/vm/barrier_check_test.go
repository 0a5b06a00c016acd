package vm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// meetingAt is a kernel in which some threads execute one text, and the others another, and then all end. The first line of the one is line 8, and
// of the other line 11.
func meetingAt(which, one, other string) string {
	return `.visible .entry test() {
	.reg .pred %p<4>; .reg .b32 %r<9>; mov.u32 %r0, %tid.x; mov.u32 %r5, %laneid; setp.eq.u32 %p1, %r0, %r0;
	` + which + ` @%p0 bra OTHER; // of 64 threads

	` + one + `
	ret;
OTHER:
	` + other + `
	ret;
}`
}

const (
	secondWarp = "setp.ge.u32 %p0, %r0, 32;"
	upperLanes = "setp.ge.u32 %p0, %r5, 16;"
	upperOfOne = "setp.ge.u32 %p0, %r0, 48;"
	alone      = "setp.ne.u32 %p0, %r0, %r0;"
	halves     = "shr.u32 %r6, %r5, 4; add.u32 %r6, %r6, 1; " // 1 or 2
)

// barrierCases are kernels of two warps. What Check has to say of one is part of the detail of its only report.
var barrierCases = []struct {
	name, target, which, one, other string
	line                            int
	says                            string // nothing: it is right
}{
	{"not aligned, by warps at different lines", "", secondWarp, "barrier.sync 0;", "barrier.sync 0;", 0, ""},
	{"not aligned, by lanes of each warp at different lines", "", upperLanes, "barrier.sync 0;", "barrier.sync 0;", 0, ""},
	{"without sync and aligned, at different lines", "", upperLanes, "barrier.cta.sync 3;", "barrier.cta.sync 3;", 0, ""},
	{"a reduction that is not aligned, at different lines", "", upperLanes, "barrier.red.popc.u32 %r1, 0, %p1;", "barrier.red.popc.u32 %r1, 0, %p1;", 0, ""},
	{"not aligned, of a number of threads, at different lines", "", upperLanes, "barrier.sync 1, 64;", "barrier.sync 1, 64;", 0, ""},
	{"not aligned, of all threads and of their number", "", secondWarp, "barrier.sync 1;", "barrier.sync 1, 64;", 0, ""},
	{"lanes that arrive and lanes that wait", "", upperLanes, "barrier.arrive 1, 64;", "barrier.sync 1, 64;", 0, ""},
	{"aligned, of a number of threads, by warps at different lines", "", secondWarp, "bar.sync 1, 64;", "bar.sync 1, 64;", 0, ""},
	{"aligned, a warp arrives and a warp waits", "", secondWarp, "bar.arrive 1, 64;", "bar.sync 1, 64;", 0, ""},
	{"to and fro, as the manual has it", "", secondWarp, "bar.arrive 0, 64; bar.sync 1, 64; bar.arrive 0, 64;", "bar.sync 0, 64; bar.arrive 1, 64; bar.sync 0, 64;", 0, ""},
	{"aligned, and the others have ended", "", upperLanes, "bar.sync 0; bar.sync 1, 64;", "exit;", 0, ""},
	{"aligned, of a number of threads, and the others of the warp have ended", "", upperOfOne, "bar.sync 1, 64;", "exit;", 0, ""},
	{"not aligned, half of each warp for a whole one", "", upperLanes, "barrier.sync 1, 32;", "barrier.sync 2, 32;", 0, ""},
	{"arriving, and none waits when the CTA ends", "", secondWarp, "bar.arrive 1, 96;", "", 0, ""},
	{"a barrier of each warp, by one instruction", "", alone, "shr.u32 %r6, %r0, 5; barrier.sync %r6, 32;", "", 0, ""},
	{"the same number in all threads, from a register", "", alone, "and.b32 %r6, %r0, 0; barrier.sync %r6; bar.arrive %r6, 96;", "", 0, ""},
	{"halves of each warp that come to one instruction separately", "", upperLanes,
		"mov.u32 %r6, 1; bra SAME;", "mov.u32 %r6, 2; barrier.sync 3, 64; SAME: barrier.sync %r6, 32; @%p0 bra END; barrier.arrive 3, 64; END:", 0, ""},
	{"one instruction after the other", "", upperLanes, "bar.sync 0;", "bar.sync 1;", 8, "deadlock"},
	{"a thread of the warp has failed", "", secondWarp, "setp.eq.u32 %p2, %r0, 3; @%p2 trap; bar.sync 1, 32;", "bar.sync 1, 32;", 8, "trap"},

	{"aligned, by warps at different lines", "", secondWarp, "bar.sync 0;", "bar.sync 0;", 8, "32 threads are at this barrier, 32 (from thread (32, 0, 0) on) at that of line 11, and an aligned barrier is one instruction for all"},
	{"aligned, by lanes at different lines", "", upperLanes, "barrier.sync.aligned 0;", "barrier.sync.aligned 0;", 8, "32 threads are at this barrier, 32 (from thread (16, 0, 0) on) at that of line 11"},
	{"aligned, and others that are not", "", secondWarp, "barrier.sync 0;", "bar.sync 0;", 8, "32 threads are at this barrier, 32 (from thread (32, 0, 0) on) at that of line 11"},
	{"a reduction that is aligned, at different lines", "", secondWarp, "bar.red.popc.u32 %r1, 0, %p1;", "bar.red.popc.u32 %r1, 0, %p1;", 8, "an aligned barrier"},
	{"not aligned, for sm_60", "sm_60", secondWarp, "barrier.sync 0;", "barrier.sync 0;", 8, "an aligned barrier"},
	{"aligned, of a number of threads, by lanes of a warp at different lines", "", upperOfOne, "bar.sync 1, 64;", "bar.sync 1, 64;", 8, "48 threads are at this barrier, 16 (from thread (48, 0, 0) on) at that of line 11"},
	{"a reduction, and another that is none", "", secondWarp, "barrier.red.popc.u32 %r1, 0, %p1;", "barrier.sync 0;", 8, "32 (from thread (32, 0, 0) on) at that of line 11, and only one of them reduces"},
	{"different numbers of threads", "", secondWarp, "barrier.arrive 1, 96;", "barrier.sync 1, 64;", 8, "at that of line 11, which is for 64 threads, and this one for 96"},
	{"half of each warp for a whole one", "", upperLanes, "bar.sync 1, 32;", "barrier.sync 2;", 8, "16 threads are at this barrier, which lets them go while 16 of the same warp (from thread (16, 0, 0) on) have not come to it"},
	{"halves of each warp, together", "", alone, halves + "barrier.sync %r6, 32;", "", 8, "16 threads are at barrier 1, 16 of the same warp (from thread (16, 0, 0) on) at barrier 2, and those that execute this instruction together name one barrier (128 times)"},
	{"halves of each warp that only arrive, together", "", alone, halves + "barrier.arrive %r6, 96;", "", 8, "16 of the same warp (from thread (16, 0, 0) on) at barrier 2"},
	{"halves of each warp that reduce, together", "", alone, halves + "barrier.red.popc.u32 %r1, %r6, 32, %p1;", "", 8, "16 of the same warp (from thread (16, 0, 0) on) at barrier 2"},
	{"halves of each warp, together, for different numbers of threads", "", alone, halves + "shl.b32 %r7, %r6, 5; barrier.arrive %r6, %r7;", "", 8, "16 of the same warp (from thread (16, 0, 0) on) at barrier 2"},
	{"halves of each warp, together and aligned", "", alone, halves + "bar.sync %r6, 32;", "", 8, "16 of the same warp (from thread (16, 0, 0) on) at barrier 2"},
	{"halves of each warp, together under a guard", "", alone, halves + "setp.ne.u32 %p2, %r5, 0; @%p2 barrier.arrive %r6, 64;", "", 8, "15 threads are at barrier 1, 16 of the same warp (from thread (16, 0, 0) on) at barrier 2"},
	{"a thread of one warp, together with the others", "", alone, "setp.eq.u32 %p2, %r0, 40; selp.b32 %r6, 7, 6, %p2; barrier.arrive %r6, 96;", "", 8, "thread (32, 0, 0): 31 threads are at barrier 6, 1 of the same warp (from thread (40, 0, 0) on) at barrier 7"},
	{"four barriers, together", "", alone, "and.b32 %r6, %r5, 3; barrier.arrive %r6, 64;", "", 8, "8 threads are at barrier 0, 8 of the same warp (from thread (1, 0, 0) on) at barrier 1, 16 at others, and those"},
	{"numbers of threads that differ in a warp", "", alone, halves + "shl.b32 %r7, %r6, 5; barrier.arrive 4, %r7;", "", 8, "32 threads are at this barrier, 16 (from thread (16, 0, 0) on) at that of line 8, which is for 64 threads, and this one for 32"},
	{"arriving twice", "", secondWarp, "bar.arrive 1, 64;\nbar.arrive 1, 64;", "bar.sync 1, 64;", 9, "32 threads are at this barrier a second time, after that of line 8, and it has let nobody go in between"},
}

// TestCheckBarriers holds what Check says of barriers against what the manual allows (PTX ISA 9.7.13.1).
func TestCheckBarriers(t *testing.T) {
	for _, test := range barrierCases {
		t.Run(test.name, func(t *testing.T) {
			begin := vmtest.Header
			if test.target != "" {
				begin = strings.Replace(vmtest.Header, "sm_80", test.target, 1)
			}
			m := vmtest.Load(t, begin+meetingAt(test.which, test.one, test.other))
			err := vmtest.Kernel(t, m, "test").Launch(context.Background(), vm.Grid{Grid: vm.Dim{X: 2}, Block: vm.Dim{X: 64}, Workers: 1, Check: true})
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
