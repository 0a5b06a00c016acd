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
		{"bar.sync 0, 0;", ""}, // ruling O18
		{"bar.arrive 0, 0;", "immediate-range '0' 0 threads cannot meet at a barrier"},
		{"bfe.u32 %r1, %r2, 256, 4;", "immediate-range '256' '256' is no constant that bfe.u32 takes here: it takes 0 to 255"},
		{"bfi.b64 %q1, %q2, %q3, 4, -1;", "immediate-range '-1' '-1' is no constant that bfi.b64 takes here: it takes 0 to 255"},
		{"pmevent 16;", "immediate-range '16' '16' is no constant that pmevent takes here: it takes 0 to 15"},
		{"discard.global.L2 [%q1], 64;", "immediate-range '64' '64' is no constant that discard.global.L2 takes here: it takes 128"},
		{"cp.async.ca.shared.global [sh], [%q1], 8, 4;", ""},
		{"cp.async.ca.shared.global [sh], [%q1], 8, 16;", "immediate-range '16' cp.async cannot read 16 of 8 bytes"},
		{"cp.async.ca.shared.global [sh], [%q1], 8, !%p1;", ""},
		{"cp.async.ca.shared.global.L2::cache_hint [sh], [%q1], 8;", "operand-missing 'cp' cp with .L2::cache_hint takes an operand more, the cache policy"},
		{"cp.async.cg.global.shared [%q1], [sh], 16;", "type-not-allowed '.global' cp takes no '.global' here"}, // but .shared
		{"ld.global.L2::cache_hint.u32 %r1, [%q1];", "operand-missing 'ld' ld with .L2::cache_hint takes an operand more, the cache policy"},
		{"createpolicy.fractional.L2::evict_last.b64 %q1, 0.5;", ""},
		{"createpolicy.fractional.L2::evict_last.b64 %q1, 1.5;", "immediate-range '1.5' 1.5 is no part of the accesses"},
		{"createpolicy.range.L2::evict_last.b64 %q1, [%q2], 8, 4;", "immediate-range '8' 8 bytes are more than all 4 of the range"},
		{"alloca.u64 %q1, %q2, 3;", "immediate-range '3' '3' is no constant that alloca.u64 takes here: it takes powers of two"},
		{"brx.idx %r1, %r2;", "operand-kind '%r2' '%r2' is a register; brx.idx takes the name of a list of labels here"},
		{"membar.proxy.texture;", "modifier-missing 'membar' membar needs .alias\nunknown-modifier '.texture' there is no modifier '.texture'"},
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
		{".reg .v2 .u32 %v; .reg .v2 .u64 %w; mov.v2.u64 %v, %w;", "register-type '%v' '%v' is a vector register of 2 .u32; mov.v2.u64 takes a register for .u64 here"},
		{".reg .v2 .u32 %v; mov.v4.u32 {%r1, %r2, _, _}, %v;", "operand-kind '%v' '%v' has 2 elements, and mov takes 4 here"},
		{".reg .v4 .u32 %v; ld.global.v2.u32 %v, [%q1];", "operand-kind '%v' '%v' has 4 elements, and ld takes 2 here"},
		{".reg .v2 .u32 %v; ld.global.u32 %v, [%q1];", "operand-kind '%v' '%v' is a vector register of 2 .u32; ld.global.u32 takes a register for .u32 here"},
		{".reg .v2 .u32 %v; add.u32 %r1, %v, %r2;", "operand-kind '%v' '%v' is a vector register of 2 .u32; add.u32 takes a register for .u32 or a constant here"},
		{".reg .v2 .u64 %v; ld.global.u32 %r1, [%v];", "register-type '%v' '%v' is a vector register of 2 .u64; an address has 32 or 64 bits and is an integer"},
		{".reg .v2 .u64 %v; ld.global.u32 %r1, [%v.y + 4];", ""},
		{".reg .v2 .f32 %v; st.global.v2.f32 [%q1], -%v;", "negation-not-allowed '-' st cannot negate '%v'"},
		{".reg .v2 .u32 %v; mov.b64 %q1, %v; mov.b64 %v, %q1;", ""},
		{".reg .v2 .u64 %v; mov.b64 %q1, %v;", "register-type '%v' '%v' is a vector register of 2 .u64; mov.b64 takes a register for .b32 here"},
		{".reg .v3 .f32 %v;", "vector-type '.v3' there are no vectors of 3 elements"},
		{".reg .v2 .pred %v;", "vector-type '.v2' there are no vectors of predicates"},
		{".reg .v4 .f64 %v;", "vector-type '.v4' a .v4 of .f64 has 256 bits, and vectors have at most 128"},
		{".shared .v4 .u64 x;", "vector-type '.v4' a .v4 of .u64 has 256 bits, and vectors have at most 128"},
		{"mov.u64 %q1, mem.x;", "unknown-selector '.x' '.x' selects nothing of 'mem'"},
		{"cp.async.ca.shared.global [sh], [%q1], 8;", ""},
		{"cp.async.ca.shared.global [sh], [%q1], 3;", "immediate-range '3' cp.async.ca copies 4, 8 or 16 bytes, not 3"},
		{"cp.async.cg.shared.global [sh], [%q1], 8;", "immediate-range '8' cp.async.cg copies 16 bytes, not 8"},
		{"cp.async.cg.shared.global.L2::128B [sh], [%q1], 16, %r1;", ""},
		{"addd.s32 %r1, %r2, %r3;", "unknown-instruction 'addd' there is no instruction 'addd'"},
		{"Add.s32 %r1, %r2, %r3;", "unknown-instruction 'Add' there is no instruction 'Add'"},
		{"vadd9.s32 %r1, %r2, %r3;", "unknown-instruction 'vadd9' there is no video instruction 'vadd9'"},
		{"add.i32 %r1, %r2, %r3;", "unknown-modifier '.i32' there is no modifier '.i32'"},
		{"add.s32.u8 %r1, %r2, %r3;", "type-extra '.u8' '.u8' is one type too many: add takes 1 type"},
		{"add %r1, %r2, %r3;", "type-missing 'add' add takes 1 type, but none is given"},
		{"bfe.b64 %q1, %q2, %r2, %r3;", "type-not-allowed '.b64' bfe takes no '.b64' here"},
		{"shl.shared.b32 %r1, %r2, 3;", "modifier-not-allowed '.shared' shl takes no modifier '.shared'"},
		{"sub.sat.s64 %q1, %q2, %q3;", "modifier-conflict '.sat' '.sat' cannot stand together with '.s64'"},
		{"cvt.sat.u16.u8 %h1, %h2;", "modifier-conflict '.sat' '.sat' cannot stand together with '.u16'"},
		{"add.rn.rz.f32 %f1, %f2, %f3;", "modifier-repeated '.rz' '.rz' after '.rn': only one of .rn .rz .rm .rp can be written"},
		{"cvt.sat.sat.u8.s32 %h1, %r1;", "modifier-ignored '.sat' '.sat' is written twice; once is enough"},
		{"add.pred.f32 %f1, %f2, %f3;", "modifier-ignored '.pred' '.pred' has no effect on add"},
		{"mul.s32.lo %r1, %r2, %r3;", "modifier-order '.lo' '.lo' stands right after 'mul': it belongs to the name 'mul.lo'"},
		{"mul.s32 %r1, %r2, %r3;", "modifier-missing 'mul' mul needs one of .lo .hi .wide"},
		{"fma.f32 %f1, %f2, %f3, %f1;", "modifier-missing 'fma' fma needs one of .rn .rz .rm .rp"},
		{"mov.u32 %r1, %q1;", "register-type '%q1' '%q1' is a .b64 register; mov.u32 takes a register for .u32 here"},
		{"add.f32 %f1, %r1, %d1;", "register-type '%d1' '%d1' is a .f64 register; add.f32 takes a register for .f32 here"},
		{"ld.global.u64 %r1, [%q1];", "register-type '%r1' '%r1' is a .b32 register; ld.global.u64 takes a register for .u64 here"},
		{"ld.global.u8 %q1, [%q2];", ""},
		{"ld.global.v2.u32 {%r1, %h2}, [%q1];", "register-type '%h2' '%h2' is a .b16 register; ld.global.v2.u32 takes a register for .u32 here"},
		{"ld.global.v4.u32 {%r1, %r2}, [%q1];", "operand-kind '{%r1, %r2}' '{%r1, %r2}' has 2 elements, and ld takes 4 here"},
		{"ld.global.v2.u32 %r1, [%q1];", "operand-kind '%r1' '%r1' is a register; ld.global.v2.u32 takes a vector of 2 elements here"},
		{"ld.global.u32 %r1, %q1;", "operand-kind '%q1' '%q1' is a register; ld.global.u32 takes an address here, in brackets"},
		{"ld.global.u32 %r1, [%f1];", "register-type '%f1' '%f1' is a .f32 register; an address has 32 or 64 bits and is an integer"},
		{"ld.global.u32 %r1, [%q1], %q2;", "operand-extra '%q2' operand '%q2' stands only with .L2::cache_hint"},
		{"mov.b64 %q1, {%r1, %h2};", "register-type '%h2' '%h2' is a .b16 register; mov.b64 takes a register for .b32 here"},
		{"mov.b32 {%h1, %h2}, %r1;", ""},
		{"mov.b64 {_, %r1}, %q1;", ""},
		{"mov.b64 %q1, {%r1, 0f00000001};", ""}, // elements are bits, as those of mov.b32 %r1, 0f00000001
		{"setp.eq.s32 %p1|%r1, %r2, 5;", "register-type '%r1' '%r1' is a .b32 register; setp.eq.s32 takes a predicate here"},
		{"setp.eq.and.s32 _|%p1, %r2, 5, !%p2;", ""},
		{"selp.b32 %r1, %r2, %r3, %r0;", "register-type '%r0' '%r0' is a .b32 register; selp.b32 takes a predicate here"},
		{"add.f32 %f1, %f2, 1;", "immediate-kind '1' '1' is an integer, and add takes a floating-point number here"},
		{"add.s32 %r1, %r2, 1.5;", "immediate-kind '1.5' '1.5' is a floating-point number, and add takes an integer here"},
		{"add.f16 %h1, %h2, 1.5;", "immediate-not-allowed '1.5' add takes no constant such as '1.5' for a half-precision number"},
		{"add.s32 5, %r2, %r3;", "operand-kind '5' '5' cannot be written: the result goes to a register"},
		{"add.s32 %r1, -%r2, %r3;", "negation-not-allowed '-' add cannot negate '%r2'"},
		{"add.s32 %r1, %tid.x, %r3;", "operand-kind '%tid.x' add takes no special register such as '%tid.x'"},
		{"add.s32 %tid.x, %r2, %r3;", "special-register-written '%tid.x' '%tid.x' is read-only"},
		{"add.u64 %q1, %q2, mem;", "operand-kind 'mem' 'mem' is the name of a variable; add.u64 takes a register for .u64 or a constant here"},
		{"add.s32 %r1, %r2;", "operand-missing 'add' add takes 3 operands, but 2 are given"},
		{"add.s32 %r1, %q1, %r2, %r3;", "operand-extra '%q1' operand '%q1' is one too many: add takes 3 operands"},
		{"bar.sync;", "operand-missing 'bar' bar takes at least 1 operand, but none is given"},
		{"ret 5;", "operand-extra '5' operand '5' is one too many: ret takes no operands"},
		{"elect.sync %r1|%p1, -1;", "version-too-low 'elect' elect.sync needs .version 8.0; the module says 7.8\ntarget-too-low 'elect' elect.sync needs .target sm_90; the module says sm_80"},
		{"max.xorsign.abs.f32 %f1, %f2, %f3;", "target-too-low 'max' max.xorsign.abs.f32 needs .target sm_86; the module says sm_80"},
		{"vote.ballot.b32 %r1, %p1;", "target-too-high 'vote' 'vote' without '.sync' is gone since PTX 6.4 for sm_70 and later"},
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

// TestVersionsOfTheTable: what the table of instructions does not describe is not judged: later
// versions of PTX, and the first ones, whose instructions had defaults.
func TestVersionsOfTheTable(t *testing.T) {
	for _, test := range []struct{ header, line, want string }{
		{".version 9.9\n.target sm_120", "frobnicate.u32 %r1, %r2;", ""},
		{".version 9.2\n.target sm_120", "frobnicate.u32 %r1, %r2;", "unknown-instruction"},
		{".version 9.2\n.target sm_120f", "add.u8x4 %r1, %r2, %r3; add.sat.s8x4 %r1, %r2, %r3; sub.sat.u8x4 %r1, %r2, %r3; neg.s8x4 %r1, %r2; min.relu.s8x4 %r1, %r2, %r3; add.sat.u32 %r1, %r2, 3;", ""},
		{".version 9.2\n.target sm_121a", "max.u8x4 %r1, %r2, %r3;", ""},
		{".version 9.2\n.target sm_120", "add.u8x4 %r1, %r2, %r3;", "target-too-low"},
		{".version 9.2\n.target sm_100f", "min.u8x4 %r1, %r2, %r3;", "target-too-low"},
		{".version 8.0\n.target sm_90", "add.s8x4 %r1, %r2, %r3;", "version-too-low target-too-low"},
		{".version 9.1\n.target sm_120f", "add.sat.u16x2 %r1, %r2, %r3;", "version-too-low"},
		{".version 8.0\n.target sm_90", "add.u16x2 %r1, %r2, %r3; min.relu.s16x2 %r1, %r2, %r3; max.relu.s32 %r1, %r2, %r3;", ""},
		{".version 1.4\n.target sm_13", "div.f32 %f1, %f2, %f3;", ""},
		{".version 2.0\n.target sm_20", "div.f32 %f1, %f2, %f3;", "modifier-missing"},
		{".version 6.3\n.target sm_70", "vote.ballot.b32 %r1, %p1;", ""},
		{".version 6.4\n.target sm_60", "vote.ballot.b32 %r1, %p1;", ""},
		{".version 6.4\n.target sm_70", "vote.ballot.b32 %r1, %p1;", "target-too-high"},
		{".version 4.3\n.target sm_50", "lop3.b32 %r1, %r2, %r3, %r0, 0x80;", ""},
		{".version 4.2\n.target sm_50", "lop3.b32 %r1, %r2, %r3, %r0, 0x80;", "version-too-low"},
		{".version 4.3\n.target sm_35", "lop3.b32 %r1, %r2, %r3, %r0, 0x80;", "target-too-low"},
	} {
		text := strings.Replace(ordinaryContext, ".version 7.8\n.target sm_80", test.header, 1)
		var got []string
		for _, d := range checkModule(strings.Replace(text, "LINE", test.line, 1)) {
			got = append(got, string(d.Code))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s: %v, want %s", test.header, test.line, got, test.want)
		}
	}
}

// TestVectorRegisters: gcc moves vector registers as a whole.
func TestVectorRegisters(t *testing.T) {
	for _, line := range []string{
		".reg .v2 .u64 %v; mov.v2.u64 %v, {0, 0};",
		".reg .v2 .u64 %v, %w; mov.v2.u64 %v, %w;",
		".reg .v4 .f32 %v; ld.global.v4.f32 %v, [%q1];",
		".reg .v2 .u32 %v; add.u32 %r1, %v.x, %v.y;",
	} {
		if found := checkModule(strings.Replace(ordinaryContext, "LINE", line, 1)); len(found) > 0 {
			t.Errorf("%s%s", line, messages(found))
		}
	}
	line := ".reg .v2 .u64 %v; add.u32 %r1, %v.x, %r2;"
	if found := checkModule(strings.Replace(ordinaryContext, "LINE", line, 1)); len(found) != 1 || found[0].Code != diag.RegisterType {
		t.Errorf("%s%s", line, messages(found))
	}
}
