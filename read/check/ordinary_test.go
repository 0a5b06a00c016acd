package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// ordinaryContext is what ptxas was given around each line of ordinary.tsv.
const ordinaryContext = `.version 7.8
.target sm_80
.address_size 64
.global .align 16 .b8 mem[4096];
.const .align 4 .u32 tab[4];
.visible .entry k(.param .u64 p0)
{
	.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<6>; .reg .b64 %q<4>; .reg .f32 %f<4>; .reg .f64 %d<4>;
	.reg .u32 %u<4>; .reg .s32 %s<4>; .reg .u16 %uh<4>; .reg .u64 %uq<4>;
	.shared .align 4 .b8 sh[256]; .local .align 4 .b8 lo[64];
	LINE
	ret;
}
`

// checkModule checks a whole module.
func checkModule(text string) diag.List {
	tree, findings := syntax.Parse(source.New("module.ptx", text))
	_, more := check.Check(tree)
	return append(findings, more...)
}

// TestOrdinaryVerdicts: of 8000 lines of ordinary instructions, valid and mutated, exactly those are
// accepted that ptxas 11.8 accepts, but for recordings that went wrong.
func TestOrdinaryVerdicts(t *testing.T) {
	const lines, wrong = 8000, 8
	judged, differ := 0, 0
	for _, line := range readVerdicts(t, "ordinary.tsv.gz") {
		verdict, instruction, reason := line[0], line[1], line[2]
		if strings.HasPrefix(verdict, "#") {
			continue
		}
		judged++
		found := checkModule(strings.Replace(ordinaryContext, "LINE", instruction, 1))
		got := "accept"
		if found.HasErrors() {
			got = "reject"
		}
		switch {
		case got == verdict:
		case recordedWrongly(instruction, reason):
			differ++
		default:
			t.Errorf("%s: %s, ptxas says %s %s%s", instruction, got, verdict, reason, messages(found))
		}
	}
	if judged != lines || differ != wrong {
		t.Errorf("%d lines, of which %d were recorded wrongly; want %d and %d", judged, differ, lines, wrong)
	}
}

// recordedWrongly reports whether the reason that is recorded for a line is about another line: it
// names the instruction mov in a line without one, such as
// "Illegal modifier '.sat' for instruction 'mov'" for add.rz.ftz.f32 %r0,%r2,%r1.
func recordedWrongly(instruction, reason string) bool {
	return strings.HasSuffix(reason, "for instruction 'mov'") && !strings.HasPrefix(instruction, "mov")
}

// TestOrdinaryInstructions: what is said, and about which token.
func TestOrdinaryInstructions(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"lop3.b32 %r0, %r1, %r2, %r3, 255;", ""},
		{"lop3.b32 %r0, %r1, %r2, %r3, 256;", "immediate-range '256' the table of lop3 is 256, not a number from 0 to 255"},
		{"lop3.b32 %r0, %r1, %r2, %r3, -1;", "immediate-range '-1' the table of lop3 is -1, not a number from 0 to 255"},
		{"lop3.b32 %r0, %r1, %r2, %r3, 0xff + 1;", "immediate-range '0xff + 1' the table of lop3 is 0xff + 1, not a number from 0 to 255"},
		{"lop3.or.b32 %r0|%p1, %r1, %r2, %r3, 0x100, %p2;", "immediate-range '0x100' the table of lop3 is 0x100, not a number from 0 to 255"},
		{"bar.sync 15;", ""},
		{"bar.sync 16;", "immediate-range '16' there is no barrier 16"},
		{"bar.sync -1;", "immediate-range '-1' there is no barrier -1"},
		{"bar.sync %r0, 64;", ""},
		{"bar.sync 0, 0;", "immediate-range '0' 0 threads cannot meet at a barrier"},
		{"barrier.cta.sync 0, 33;", "immediate-range '33' 33 threads cannot meet at a barrier"},
		{"bar.arrive 0, WARP_SZ;", ""},
		{"bar.red.popc.u32 %r0, 3, %p1;", ""},
		{"bar.red.popc.u32 %r0, 99, %p1;", "immediate-range '99' there is no barrier 99"},
		{"bar.red.and.pred %p0, 0, 16, %p1;", "immediate-range '16' 16 threads cannot meet at a barrier"},
		{"bar.warp.sync 0xffffffff;", ""},
		{"barrier.cluster.arrive;", "target-too-low 'barrier' barrier.cluster.arrive needs .target sm_90; the module says sm_80"},
		{"mov.u32 %laneid, %r1;", "special-register-written '%laneid' '%laneid' is read-only"},
		{"mov.u32 %tid.x, %r1;", "special-register-written '%tid.x' '%tid.x' is read-only"},
		{"setp.eq.u32 %tid.x, %r1, %r2;", "special-register-written '%tid.x' '%tid.x' is read-only"},
		{".reg .b32 %tid;", "reserved-name '%tid' '%tid' is a special register and cannot be declared"},
		{".reg .b32 %laneid<4>, %tidx;", ""},
		{".reg .b32 %clusterid;", "reserved-name '%clusterid' '%clusterid' is a special register and cannot be declared"},
		{".reg .b32 %aggr_smem_size;", ""}, // of a later version
		{"mov.u32 %r1, %tid.w;", ""},
		{"mov.u32 %r1, %tid.q;", "unknown-selector '.q' '.q' is not an element of '%tid'"},
		{"mov.u32 %r1, %laneid.x;", "unknown-selector '.x' '.x' selects nothing of '%laneid', which is no vector"},
		{"ld.const.u32 %r1, [%q1];", ""},
		{"st.const.u32 [%q1], %r1;", "constant-written '.const' 'st' has no '.const': constant memory is read-only"},
		{"atom.const.add.u32 %r0, [%q1], %r1;", "constant-written '.const' 'atom' has no '.const': constant memory is read-only"},
		{"red.const.add.u32 [%q1], %r1;", "constant-written '.const' 'red' has no '.const': constant memory is read-only"},
		{"bra k;", "branch-target 'k' bra goes to a label, and 'k' is a kernel"},
		{"bra.uni mem;", "branch-target 'mem' bra goes to a label, and 'mem' is a variable"},
		{"@%p1 bra %r1;", "branch-target '%r1' bra goes to a label, and '%r1' is a register"},
		{"L: bra L;", ""},
		{"st.param.u64 [p0], %q1;", "parameter-written 'p0' 'p0' is a parameter of the kernel and cannot be written"},
		{"st.param.u32 [p0 + 4], %r1;", "parameter-written 'p0' 'p0' is a parameter of the kernel and cannot be written"},
		{"{ .param .b32 a; st.param.b32 [a], %r1; }", ""},
		{"st.param.u64 [%q1], %q1;", ""}, // where it goes is seen when it runs
		{"mov.b32 %r1, %r2.w;", "unknown-selector '.w' '.w' selects nothing of '%r2', which is no vector register"},
		{"mov.b32 %r1, %r2.foo;", "unknown-selector '.foo' '.foo' selects nothing of '%r2', which is no vector register"},
		{"st.global.u32 [%q1.x], %r1;", "unknown-selector '.x' '.x' selects nothing of '%q1', which is no vector register"},
		{"mov.b64 %q1, {%r1.y, %r2};", "unknown-selector '.y' '.y' selects nothing of '%r1', which is no vector register"},
		{".reg .v2 .b32 %v; mov.b32 %r1, %v.y;", ""},
		{".reg .v2 .b32 %v; mov.b32 %r1, %v.z;", "unknown-selector '.z' '.z' is not an element of '%v'"},
		{"mov.u64 %q1, mem.x;", "unknown-selector '.x' '.x' selects nothing of 'mem'"},
		{"mov.u32 %r1, 5.x;", "unknown-selector '.x' '.x' selects nothing of '5'"},
		{"mov.u32 %r1, %r2.b0;", "selector-not-allowed '.b0' 'mov' takes no selectors"},
		{"mov.u32 %r1, 99999999999999999999;", "syntax-number-range '99999999999999999999' the number '99999999999999999999' is too large"},
		{"mov.f64 %d1, 1e999;", "syntax-number-range '1e999' the number '1e999' is too large"},
		{"mov.u32 %r1, 089;", "syntax-bad-number '089' bad number '089': a number that begins with 0 is octal, and 8 is no octal digit"},
		{"mov.f32 %f1, 0f3f80000;", "syntax-bad-number '0f3f80000' bad number '0f3f80000': '0f' is followed by 8 hexadecimal digits, not by 7"},
	} {
		var got []string
		for _, d := range checkModule(strings.Replace(ordinaryContext, "LINE", test.line, 1)) {
			got = append(got, fmt.Sprintf("%s '%s' %s", d.Code, d.File.Text[d.Span.Start:d.Span.End], d.Message))
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%s\n%s, want\n%s", test.line, strings.Join(got, "\n"), test.want)
		}
	}
}

// TestFunctionsMayStore: only the parameters of kernels are read-only.
func TestFunctionsMayStore(t *testing.T) {
	if found := checkModule(".version 7.8\n.target sm_80\n.func (.param .b32 r) f(.param .b32 a) { .reg .b32 %x; st.param.b32 [r], %x; ret; }"); len(found) > 0 {
		t.Error(messages(found))
	}
}
