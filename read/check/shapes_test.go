package check_test

import (
	"fmt"
	"strings"
	"testing"
)

// shapesContext is a kernel of a version and a target, around a line.
const shapesContext = `.version %s
.target %s
.address_size 64
.visible .entry k(.param .u64 p0)
{
	.reg .pred %%p<4>; .reg .b8 %%b<4>; .reg .b16 %%h<4>; .reg .b32 %%r<9>; .reg .b64 %%q<9>; .reg .f32 %%f<9>; .reg .f64 %%d<9>;
	.global .surfref s; .global .texref t;
	%s
	ret;
}
`

// TestNewForms: instructions with tables of types and shapes in the manual, in the first version and on the first target that
// have them. In the version before, or on a target that lacks them, they are errors.
func TestNewForms(t *testing.T) {
	const f4, r4, r2 = "{%f0, %f1, %f2, %f3}", "{%r0, %r1, %r2, %r3}", "{%r0, %r1}"
	for _, test := range []struct{ version, target, lines string }{
		{"6.4", "sm_70", "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%r0,%r1}, {%r2,%r3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};"},
		{"6.5", "sm_75", `mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 F4, R2, {%r4}, F4; mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 R2, R2, {%r4}, R2;
			mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32 R2, {%r2}, {%r3}, R2; mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 R2, {%r2}, {%r3}, R2;
			ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%q0]; ldmatrix.sync.aligned.x2.m8n8.shared.b16 R2, [%q0]; ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 R4, [%r4];`},
		{"7.0", "sm_80", `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 F4, R4, R2, F4; mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 F4, R4, R2, F4;
			mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 F4, R2, {%r2}, F4; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 F4, R4, R2, F4;
			mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d4,%d5}; mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 R4, R4, R2, R4;
			mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.u4.s32 R4, R4, R2, R4; mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc R4, R4, R2, R4;
			mbarrier.init.shared.b64 [%r0], 4; mbarrier.arrive.shared.b64 %q0, [%r0]; mbarrier.arrive.noComplete.b64 _, [%q1], 1; mbarrier.test_wait.b64 %p0, [%q1], %q0;`},
		{"7.1", "sm_80", "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc R2, {%r2}, {%r3}, R2; mbarrier.test_wait.parity.shared.b64 %p0, [%r0], 1;"},
		{"7.8", "sm_90", `mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%d0,%d1,%d2,%d3}, {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, {%d0,%d1,%d2,%d3}, {%d0,%d1,%d2,%d3};
			stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%q0], R4; mbarrier.try_wait.shared.b64 %p0, [%r0], %q0, 100; cvt.rz.f16.bf16 %h0, %h1;`},
		{"8.0", "sm_90", `mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r0], 128; mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r0], %r1;
			mbarrier.try_wait.parity.acquire.cluster.b64 %p0, [%q0], %r0;`},
		{"8.4", "sm_89", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 F4, R4, R2, F4;"},
		{"8.6", "sm_120f", `cvt.rn.satfinite.e2m1x2.f32 %b0, %f0, %f1; cvt.rn.relu.f16x2.e2m1x2 %r0, %b0; cvt.rn.satfinite.relu.e3m2x2.f32 %h0, %f0, 0f3F800000; cvt.rn.f16x2.e2m3x2 %r0, %h0;
			cvt.rp.satfinite.ue8m0x2.f32 %h0, %f0, %f1; cvt.rz.ue8m0x2.bf16x2 %h0, %r0; cvt.rn.bf16x2.ue8m0x2 %r0, %h0;
			ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 R4, [%q0]; ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%r0}, [%q0];`},
		{"8.7", "sm_100a", "cvt.rs.satfinite.e2m1x4.f32 %h0, F4, %r0; cvt.rs.relu.satfinite.e4m3x4.f32 %r0, F4, %r1; cvt.rs.bf16x2.f32 %r0, %f0, %f1, %r1;"},
		{"8.7", "sm_120a", `mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32 F4, R4, R2, F4;
			mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 F4, R4, R2, F4, %r0, {0, %h0}, %r1, {%h1, 1};`},
		{"8.8", "sm_100", `ld.global.v8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%q0]; st.global.L2::evict_first.v4.b64 [%q0], {%q1,%q2,%q3,%q4};
			ld.relaxed.gpu.v8.b32 {%r0,%r1,%r2,%r3,_,%r5,%r6,%r7}, [%q0];`},
		{"9.1", "sm_110f", "cvt.rn.satfinite.e4m3x2.bf16x2 %h0, %r0; cvt.rn.satfinite.relu.e2m1x2.f16x2 %b0, %r0;"},
	} {
		lines := strings.NewReplacer("F4", f4, "R4", r4, "R2", r2).Replace(test.lines)
		for line := range strings.SplitSeq(strings.TrimSuffix(lines, ";"), ";") {
			line = strings.TrimSpace(line) + ";"
			if found := checkModule(fmt.Sprintf(shapesContext, test.version, test.target, line)); found.HasErrors() {
				t.Errorf("%s, %s, %s:%s", test.version, test.target, line, messages(found))
			}
			for _, lacks := range [][2]string{{"6.3", test.target}, {test.version, "sm_60"}} {
				found := checkModule(fmt.Sprintf(shapesContext, lacks[0], lacks[1], line))
				if !strings.Contains(messages(found), "needs ."+map[bool]string{true: "version", false: "target"}[lacks[0] == "6.3"]) {
					t.Errorf("%s, %s, %s:%s", lacks[0], lacks[1], line, messages(found))
				}
			}
		}
	}
}

// TestWrongShapes: what the manual's tables do not have together, and what is said would be right.
func TestWrongShapes(t *testing.T) {
	const f4, r4, r2 = "{%f0, %f1, %f2, %f3}", "{%r0, %r1, %r2, %r3}", "{%r0, %r1}"
	for _, test := range []struct{ line, want string }{
		{"mma.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 R4, R4, R2, R4;", "mma takes no '.m16n8k64' here / it takes one of .m8n8k16 .m16n8k16 .m16n8k32"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 F4, R2, {%r4}, F4;", "mma takes no '.bf16' here / it takes .f16"},
		{"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f32 R2, R2, {%r4}, F4;", "mma takes no '.f32' here / it takes .f16"},
		{"mma.sync.aligned.m16n8k32.col.row.s32.s8.s8.s32 R4, R4, R2, R4;", "mma takes no '.col' here / it takes .row"},
		{"mma.sync.aligned.m16n8k32.s32.s8.s8.s32 R4, R4, R2, R4;", "mma needs .row / syntax: mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32.i8a.i8b.s32 {d0, ..., d3}"},
		{"mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32 F4, R4, R2, F4;", "'.satfinite' cannot stand together with '.m16n8k16'"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 F4, R4, R2, F4;", "has 4 elements, and mma takes 2 here"},
		{"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 R4, R4, R2, F4;", "'%f0' is a .f32 register; mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 takes a register for .s32 here"},
		{"ldmatrix.sync.aligned.m8n8.x3.shared.b16 R4, [%q0];", "there is no modifier '.x3' / did you mean .x1, .x2 or .x4?"},
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 R2, [%q0];", "has 2 elements, and ldmatrix takes 4 here"},
		{"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r0}, [%q0];", "ldmatrix takes no modifier '.global'"},
		{"ldmatrix.sync.aligned.m16n16.x4.trans.b8 R4, [%q0];", "ldmatrix takes no modifier '.x4'"},
		{"ldmatrix.sync.aligned.m16n16.x1.b8 R2, [%q0];", "ldmatrix needs .trans"},
		{"movmatrix.sync.aligned.m8n8.b16 %r0, %r1;", "movmatrix needs .trans"},
		{"mbarrier.arrive.shared.b64 %r0, [%q0];", "'%r0' is a .b32 register; mbarrier.arrive.shared.b64 takes a register for .b64 here"},
		{"mbarrier.expect_tx.shared.b64 [%q0];", "mbarrier takes 2 operands, but 1 is given"},
		{"mbarrier.test_wait.shared.b64 %p0, [%q0], %r0;", "'%r0' is a .b32 register; mbarrier.test_wait.shared.b64 takes a register for .u64 here"},
		{"mbarrier.try_wait.parity.acquire.shared.b64 %p0, [%q0], %r0;", "mbarrier needs one of .cta .cluster"},
		{"mbarrier.test_wait.b64 %p0, [%q0], %q1, 5;", "operand '5' is one too many"},
		{"cvt.rn.e2m1x2.f32 %b0, %f0, %f1;", "cvt needs .satfinite"},
		{"cvt.rz.satfinite.e2m1x2.f32 %b0, %f0, %f1;", "cvt takes no '.e2m1x2' here / it takes one of .f16x2 .bf16x2 .f16 .tf32 .bf16 .ue8m0x2"},
		{"cvt.rn.satfinite.e2m1x2.f32 %h0, %f0, %f1;", "'%h0' is a .b16 register; cvt.rn.satfinite.e2m1x2.f32 takes a register for .b8 here"},
		{"cvt.rn.satfinite.e4m3x2.f32 %h0, %f0;", "cvt takes 3 operands, but 2 are given"},
		{"cvt.rs.satfinite.e4m3x4.f32 %r0, {%f0, %f1}, %r1;", "has 2 elements, and cvt takes 4 here"},
		{"cvt.rs.satfinite.e4m3x4.f32 %r0, %f0, %r1;", "'%f0' is a register; cvt.rs.satfinite.e4m3x4.f32 takes a vector of 4 elements here"},
		{"cvt.f16.bf16 %h0, %h1;", "cvt needs one of .rn .rz .rm .rp"},
		{"sust.p.2d.b8.trap [s, {%r0, %r1}], {%r0};", "sust takes no '.b8' here / it takes .b32"},
		{"sust.p.cube.b32.trap [s, {%r0, %r1, %r2, %r3}], {%r0};", "sust takes no modifier '.cube'"},
		{"sust.p.2d.v4.b32.trap [s, {%r0, %r1}], {%r0};", "has 1 element, and sust takes 4 here"},
		{"suld.b.2d.v2.b32.trap R4, [s, {%r0, %r1}];", "has 4 elements, and suld takes 2 here"},
		{"tex.cube.v4.f32.s32 F4, [t, {%r0, %r1, %r2, %r3}];", "tex takes no '.s32' here / it takes .f32"},
		{"ld.global.v8.u16 {%h0,%h1,%h2,%h3,%h0,%h1,%h2,%h3}, [%q0];", "'.v8' cannot stand together with '.u16'"},
		{"ld.shared.v8.u32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%q0];", "'.v8' cannot stand together with '.shared'"},
		{"ld.global.L2::evict_last.u32 %r0, [%q0];", "ld needs .v8"},
	} {
		line := strings.NewReplacer("F4", f4, "R4", r4, "R2", r2).Replace(test.line)
		holdMessage(t, "sm_100a", line, test.want)
	}
}

// holdMessage looks for a text among what is said of a line, with all notes.
func holdMessage(t *testing.T, target, line, want string) {
	t.Helper()
	var got []string
	for _, d := range checkModule(fmt.Sprintf(shapesContext, "9.2", target, line)) {
		got = append(got, d.Message)
		got = append(got, d.Notes...)
	}
	if text := strings.Join(got, " / "); !strings.Contains(text, want) {
		t.Errorf("%s\n%s, want\n%s", line, text, want)
	}
}
