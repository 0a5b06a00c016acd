package flow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// inStep has lanes that come out of a loop one after the other, and what they do then. The loop loads a word again and again, as one
// does that waits.
const inStep = `.version 6.0
.target sm_%d
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 flag) {
	.shared .align 4 .b8 s[128]; .reg .pred %%p, %%q; .reg .b32 %%i, %%n, %%v, %%w, %%a; .reg .b64 %%out, %%flag;
	ld.param.u64 %%out, [out]; ld.param.u64 %%flag, [flag]; mov.u32 %%i, %%tid.x; mov.u32 %%a, s; mad.lo.u32 %%a, %%i, 4, %%a;
	mad.wide.u32 %%out, %%i, 4, %%out; mul.lo.u32 %%n, %%i, 2000; add.u32 %%v, %%i, 100;
LOOP:
	setp.eq.u32 %%p, %%n, 0; @%%p bra BEHIND;
	ld.volatile.global.u32 %%w, [%%flag]; sub.u32 %%n, %%n, 1; bra LOOP;
BEHIND:
	%s
	st.global.u32 [%%out], %%w; ret; }`

// TestOldTargetsKeepInStep: on processors before Volta lanes that have parted meet behind the loop, and code for those relies on it.
func TestOldTargetsKeepInStep(t *testing.T) {
	for _, c := range []struct{ name, code string }{
		{"shuffle", "shfl.bfly.b32 %w, %v, 16, 31;"},
		{"shared memory", "st.volatile.shared.u32 [%a], %v; xor.b32 %a, %a, 64; ld.volatile.shared.u32 %w, [%a];"},
		{"vote", "setp.ge.u32 %p, %i, 0; vote.all.pred %q, %p; vote.ballot.b32 %w, %p; setp.eq.and.u32 %q, %w, -1, %q; xor.b32 %v, %i, 16; add.u32 %v, %v, 100; selp.b32 %w, %v, 0, %q;"},
	} {
		for _, target := range []int{35, 61} {
			for _, l := range level.Levels() {
				m := vmtest.LoadOn(t, l, fmt.Sprintf(inStep, target, c.code))
				out, _ := m.Memory().Alloc("out", 128)
				flag, _ := m.Memory().Alloc("flag", 4)
				vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 32}}, out, flag)
				for lane, got := range vmtest.Words(out) {
					if want := uint32(lane^16) + 100; got != want {
						t.Errorf("%s, sm_%d, %v: lane %d has %d, want %d", c.name, target, l, lane, got, want)
						break
					}
				}
			}
		}
	}
}

// TestOldTargetsGetOn: lanes that wait for others of their warp, which keep in step with them, get on in the end, and other warps
// meanwhile.
func TestOldTargetsGetOn(t *testing.T) {
	const text = `.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 flag) {
	.reg .pred %p; .reg .b32 %i, %v; .reg .b64 %out, %flag;
	ld.param.u64 %out, [out]; ld.param.u64 %flag, [flag]; mov.u32 %i, %tid.x; mad.wide.u32 %out, %i, 4, %out;
	setp.eq.u32 %p, %i, LAST; @%p bra BEHIND;
LOOP:
	ld.volatile.global.u32 %v, [%flag]; setp.ne.u32 %p, %v, 7; @%p bra LOOP;
	st.global.u32 [%out], %v; ret;
BEHIND:
	st.volatile.global.u32 [%flag], 7; st.global.u32 [%out], 7; ret; }`
	defer vmtest.WithTurns(50)() // which are short, as many are tried
	defer vmtest.WithMachineCode(native.Options{Turn: 500})()
	for _, c := range []struct{ name, last string }{{"of the same warp", "31"}, {"of another warp, too", "63"}} {
		for _, l := range level.Levels() {
			m := vmtest.LoadOn(t, l, strings.Replace(text, "LAST", c.last, 1))
			out, _ := m.Memory().Alloc("out", 256)
			flag, _ := m.Memory().Alloc("flag", 4)
			vmtest.Launch(t, vmtest.Kernel(t, m, "k"), vm.Grid{Block: vm.Dim{X: 64}}, out, flag)
			for lane, got := range vmtest.Words(out) {
				if got != 7 {
					t.Errorf("%s, %v: thread %d has %d", c.name, l, lane, got)
				}
			}
		}
	}
}
