package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var wgmmaBefore = map[string]string{"8.0": "7.8", "8.2": "8.1", "8.4": "8.3", "sm_90a": "sm_90"}

// TestWGMMA: wgmma of PTX ISA 9.7.15, in all shapes, with the first matrix described or in registers: the second and the result have as many
// columns as the shape says.
func TestWGMMA(t *testing.T) {
	var all []gatedLine
	product := func(version, shape, types, sparse, d string, columns, registers int, described, inRegisters string) {
		form := fmt.Sprintf("wgmma.mma_async%s.sync.aligned.m64n%d%s.%s <%s%d>, ", sparse, columns, shape, types, d, registers)
		meta := ""
		if sparse != "" {
			meta = "%r0, 0, "
		}
		all = append(all, gatedLine{version, "sm_90a", form + "%q0, %q1, " + meta + "%p0" + described + ";"}, gatedLine{version, "sm_90a", form + "<R4>, %q1, " + meta + "1" + inRegisters + ";"})
	}
	for n := 8; n <= 256; n += 8 {
		for _, k := range []struct {
			version, sparse          string
			half, single, byte_, bit string
		}{{"8.0", "", "k16", "k8", "k32", "k256"}, {"8.2", ".sp", "k32", "k16", "k64", ""}} {
			product(k.version, k.half, "f32.f16.f16", k.sparse, "F", n, n/2, ", -1, 1, 0, 1", ", -1, 1, 0")
			product(k.version, k.half, "f16.f16.f16", k.sparse, "R", n, n/4, ", -1, 1, 0, 1", ", -1, 1, 0")
			product(k.version, k.half, "f32.bf16.bf16", k.sparse, "F", n, n/2, ", 1, 1, 0, 1", ", 1, 1, 0")
			product(k.version, k.single, "f32.tf32.tf32", k.sparse, "F", n, n/2, ", 1, 1", ", 1, -1")
			product(k.version, k.byte_, "f32.e4m3.e5m2", k.sparse, "F", n, n/2, ", 1, 1", ", 1, -1")
			product(k.version, k.byte_, "f16.e5m2.e4m3", k.sparse, "R", n, n/4, ", 1, 1", ", 1, -1")
			if n > 32 && n%16 != 0 {
				continue
			}
			product(k.version, k.byte_, "s32.s8.s8.satfinite", k.sparse, "R", n, n/2, "", "")
			product(k.version, k.byte_, "s32.u8.u8", k.sparse, "R", n, n/2, "", "")
			product("8.4", k.byte_, "s32.u8.s8", k.sparse, "R", n, n/2, "", "")
			product("8.4", k.byte_, "s32.s8.u8.satfinite", k.sparse, "R", n, n/2, "", "")
			if k.bit != "" {
				product(k.version, k.bit, "s32.b1.b1.and.popc", k.sparse, "R", n, n/2, "", "")
			}
		}
	}
	for _, line := range []string{"wgmma.fence.sync.aligned;", "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;"} {
		all = append(all, gatedLine{"8.0", "sm_90a", line})
	}
	for _, g := range all {
		if found := checkModule(fmt.Sprintf(shapesContext, g.version, g.target, fragments(g.line))); found.HasErrors() {
			t.Errorf("%s, %s:%s", g.version, g.line, messages(found))
		}
	}
	for _, g := range slices.Concat(all[:30], all[len(all)-20:]) {
		holdGates(t, g, wgmmaBefore)
		found := checkModule(fmt.Sprintf(shapesContext, g.version, "sm_100a", fragments(g.line)))
		if !strings.Contains(messages(found), "needs .target sm_90a; the module says sm_100a") {
			t.Errorf("sm_100a, %s:%s", g.line, messages(found))
		}
	}
}

// TestWrongWGMMA: what wgmma does not take, and what is said would be right.
func TestWrongWGMMA(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 <F4>, %q0, %q1, %p0, 1, 1, 0, 0;", "has 4 elements, and wgmma takes 8 here"},
		{"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 <F8>, <R2>, %q1, %p0, 1, 1, 0;", "has 2 elements, and wgmma takes 4 here"},
		{"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 <F8>, %q0, %q1, %p0, 1, 1, 0;",
			"'%q0' is a register; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 takes a vector of 4 elements here"},
		{"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 <F8>, <R4>, %q1, %p0, 1, 1, 0, 0;",
			"is a vector; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 takes a register for .b64 or a constant here"},
		{"wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 <F8>, %q0, %q1, %p0, 1, 1, 0, 0;", "is one too many: wgmma takes 6 operands"},
		{"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 <F8>, %q0, %q1, %r0, 1, 1, 0, 0;",
			"'%r0' is a .b32 register; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 takes a predicate here"},
		{"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 <F8>, %q0, %q1, %p0, %r0, 1, 0, 0;", "takes a constant here"},
		{"wgmma.mma_async.sync.aligned.m64n16k8.f32.f16.f16 <F8>, %q0, %q1, %p0, 1, 1, 0, 0;", "'.m64n16k8' cannot stand together with '.f16'"},
		{"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 <F8>, %q0, %q1, %p0, 1, 1, 0, 0;", "there is no modifier '.m64n12k16'"},
		{"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 <R20>, %q0, %q1, %p0;", "'.m64n40k32' cannot stand together with '.s32'"},
		{"wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 <R2>, %q0, %q1, %p0, 1, 1, 0, 0;", "wgmma takes no '.f16' here / it takes .f32"},
		{"wgmma.mma_async.aligned.m64n8k16.f32.f16.f16 <F4>, %q0, %q1, %p0, 1, 1, 0, 0;", "wgmma needs .sync"},
		{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 <F4>, %q0, %q1, %p0, 1, 1, 0, 0;", "wgmma takes 10 operands, but 8 are given"},
		{"wgmma.wait_group.sync.aligned;", "wgmma takes 1 operand, but none is given"},
		{"wgmma.wait_group.sync.aligned %r0;", "'%r0' is a register; wgmma.wait_group.sync.aligned takes a constant here"},
		{"wgmma.fence.sync;", "wgmma needs .aligned"},
	} {
		holdMessage(t, "sm_90a", fragments(test.line), test.want)
	}
}
