package check_test

import (
	"fmt"
	"strings"
	"testing"
)

var tcgen05Before = map[string]string{"8.6": "8.5", "8.7": "8.6", "8.8": "8.7"}

// TestTensorMemory: tcgen05 of PTX ISA 9.7.16, in the first version that has it, on targets of the families that have it and on no others.
func TestTensorMemory(t *testing.T) {
	type line struct{ version, text string }
	const family, first, some = "sm_100f or sm_110f", "sm_100f", "sm_100a, sm_101a, sm_103a or sm_110a"
	const integers, reductions = "sm_100a, sm_101a or sm_110a", "sm_101f or sm_110f"
	all := map[string][]line{
		family: {
			{"8.6", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], 32;"}, {"8.6", "tcgen05.alloc.cta_group::2.sync.aligned.b32 [%q0], %r1;"},
			{"8.6", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, 512;"}, {"8.6", "tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;"},
			{"8.6", "tcgen05.wait::ld.sync.aligned;"}, {"8.6", "tcgen05.wait::st.sync.aligned;"}, {"8.6", "tcgen05.fence::before_thread_sync;"}, {"8.6",
				"tcgen05.fence::after_thread_sync;"},
			{"8.6", "tcgen05.cp.cta_group::1.128x256b [%r0], %q0;"}, {"8.6", "tcgen05.cp.cta_group::2.128x128b.b8x16.b6x16_p32 [%r0], %q0;"}, {"8.6",
				"tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%r0], %q0;"},
			{"8.6", "tcgen05.cp.cta_group::1.32x128b.warpx4.b8x16.b4x16_p64 [%r0], %q0;"}, {"8.6", "tcgen05.cp.cta_group::1.4x256b [%r0], %q0;"},
			{"8.6", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%q0];"}, {"8.6",
				"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r0];"},
			{"8.6", "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r0], %h0;"},
			{"8.6", "tcgen05.mma.cta_group::1.kind::tf32 [%r0], %q0, %q1, %r1, <R4>, %p0;"}, {"8.6",
				"tcgen05.mma.cta_group::2.kind::f16 [%r0], %q0, %q1, %r1, <R8>, %p0;"},
			{"8.6", "tcgen05.mma.cta_group::2.kind::tf32 [%r0], %q0, %q1, %r1, %p0;"}, {"8.6",
				"tcgen05.mma.cta_group::1.kind::f8f6f4.collector::a::fill [%r0], [%r2], %q1, %r1, <R4>, 1;"},
			{"8.6", "tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::lastuse [%r0], [%r2], %q1, %r1, %p0;"}, {"8.6",
				"tcgen05.mma.cta_group::1.kind::f16.ashift [%r0], [%r2], %q1, %r1, <R4>, %p0;"},
			{"8.6", "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r0], %q0, %q1, %r1, [%r2], [%r3], %p0;"}, {"8.6",
				"tcgen05.mma.cta_group::1.kind::mxf8f6f4 [%r0], [%r4], %q1, %r1, [%r2], [%r3], %p0;"},
			{"8.6", "tcgen05.mma.cta_group::2.kind::mxf4.block_scale.scale_vec::2X.collector::a::use [%r0], [%r4], %q1, %r1, [%r2], [%r3], %p0;"},
			{"8.7", "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X [%r0], %q0, %q1, %r1, [%r2], [%r3], %p0;"},
			{"8.8", "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.block16 [%r0], %q0, %q1, %r1, [%r2], [%r3], %p0;"}, {"8.8",
				"tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32 [%r0], %q0, %q1, %r1, [%r2], [%r3], %p0;"},
			{"8.6", "tcgen05.mma.sp.cta_group::1.kind::f16 [%r0], %q0, %q1, [%r5], %r1, %p0;"}, {"8.6",
				"tcgen05.mma.sp.cta_group::2.kind::f8f6f4.collector::a::lastuse [%r0], [%r6], %q1, [%r5], %r1, <R8>, %p0;"},
			{"8.6", "tcgen05.mma.sp.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%r0], %q0, %q1, [%r5], %r1, [%r2], [%r3], %p0;"},
			{"8.6", "tcgen05.mma.ws.cta_group::1.kind::f16 [%r0], %q0, %q1, %r1, %p0;"}, {"8.6",
				"tcgen05.mma.ws.cta_group::1.kind::tf32.collector::b2::use [%r0], [%r2], %q1, %r1, %p0, %q2;"},
			{"8.6", "tcgen05.mma.ws.sp.cta_group::1.kind::f8f6f4.collector::b0::fill [%r0], [%r2], %q1, [%r5], %r1, %p0, %q2;"},
		},
		first: {{"8.6", "tcgen05.mma.cta_group::1.kind::f16 [%r0], %q0, %q1, %r1, <R4>, %p0, 3;"}, {"8.6", "tcgen05.mma.sp.cta_group::1.kind::tf32 [%r0], %q0, %q1, [%r5], %r1, %p0, 15;"}},
		some:  {{"8.6", "tcgen05.shift.cta_group::1.down [%r0];"}, {"8.6", "tcgen05.shift.down.cta_group::2 [%r0];"}},
		integers: {
			{"8.6", "tcgen05.mma.cta_group::1.kind::i8 [%r0], %q0, %q1, %r1, <R4>, %p0;"}, {"8.6",
				"tcgen05.mma.sp.cta_group::2.kind::i8.collector::a::discard [%r0], %q0, %q1, [%r2], %r1, <R8>, %p0;"},
			{"8.6", "tcgen05.mma.ws.cta_group::1.kind::i8.collector::b3::discard [%r0], %q0, %q1, %r1, %p0, %q2;"},
		},
		reductions: {
			{"8.8", "tcgen05.ld.red.sync.aligned.32x32b.x4.min.abs.NaN.f32 <F4>, %f0, [%r0];"}, {"8.8",
				"tcgen05.ld.red.sync.aligned.16x32bx2.x8.u32.max <R8>, %r0, [%r1], 16;"},
		},
	}
	for shape, times := range map[string]int{"16x64b": 1, "32x32b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1} {
		offset := map[bool]string{true: ", 64", false: ""}[shape == "16x32bx2"]
		for n := 1; n*times <= 128; n *= 2 {
			registers := fmt.Sprintf("<R%d>", n*times)
			all[family] = append(all[family], line{"8.6", fmt.Sprintf("tcgen05.ld.sync.aligned.%s.x%d.b32 %s, [%%r0]%s;", shape, n, registers, offset)},
				line{"8.6", fmt.Sprintf("tcgen05.ld.sync.aligned.%s.x%d.pack::16b.b32 %s, [%%r0]%s;", shape, n, registers, offset)},
				line{"8.6", fmt.Sprintf("tcgen05.st.sync.aligned.%s.x%d.unpack::16b.b32 [%%r0]%s, %s;", shape, n, offset, registers)})
		}
	}
	on := map[string]string{family: "sm_100a sm_100f sm_103a sm_110f", first: "sm_100a sm_103f", some: "sm_100a sm_103a sm_110a", integers: "sm_100a sm_110a", reductions: "sm_103a sm_110f"}
	off := map[string]string{family: "sm_90a sm_100 sm_120a", first: "sm_100 sm_110f sm_90a", some: "sm_100 sm_120a", integers: "sm_103a sm_110", reductions: "sm_100a sm_103"}
	for targets, lines := range all {
		for _, l := range lines {
			text := fragments(l.text)
			for target := range strings.FieldsSeq(on[targets]) {
				holdGates(t, gatedLine{max(l.version, "9.0"), target, text}, nil)
				holdGates(t, gatedLine{l.version, target, text}, tcgen05Before)
			}
			for target := range strings.FieldsSeq(off[targets]) {
				found := checkModule(fmt.Sprintf(shapesContext, "9.2", target, text))
				if !strings.Contains(messages(found), "needs .target "+targets+"; the module says "+target) {
					t.Errorf("%s, %s:%s", target, text, messages(found))
				}
			}
		}
	}
}

// TestWrongTensorMemory: what tcgen05 does not take, and what is said would be right.
func TestWrongTensorMemory(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"tcgen05.ld.sync.aligned.16x256b.x2.b32 <R4>, [%r0];", "has 4 elements, and tcgen05 takes 8 here"},
		{"tcgen05.ld.sync.aligned.16x256b.x64.b32 <R4>, [%r0];", "tcgen05 needs one of .x1 .x2 .x4 .x8 .x16 .x32 / "},
		{"tcgen05.ld.sync.aligned.16x32bx2.x2.b32 <R2>, [%r0];", "tcgen05 takes 3 operands, but 2 are given"},
		{"tcgen05.ld.sync.aligned.32x32b.x2.b32 <R2>, [%r0], 4;", "operand '4' is one too many"},
		{"tcgen05.ld.sync.aligned.32x32b.x2.unpack::16b.b32 <R2>, [%r0];", "'.unpack::16b' cannot stand together with '.ld'"},
		{"tcgen05.st.sync.aligned.32x32b.x2.b32 <R2>, [%r0];", "takes an address here, in brackets"},
		{"tcgen05.alloc.sync.aligned.b32 [%r0], 32;", "tcgen05 needs one of .cta_group::1 .cta_group::2"},
		{"tcgen05.alloc.cta_group::1.sync.aligned.shared.b32 [%r0], 32;", "tcgen05 takes no modifier '.shared'"},
		{"tcgen05.dealloc.cta_group::1.sync.aligned.b32 [%r0], 32;",
			"'[%r0]' is an address; tcgen05.dealloc.cta_group::1.sync.aligned.b32 takes a register for .b32 or a constant here"},
		{"tcgen05.cp.cta_group::1.64x128b [%r0], %q0;", "tcgen05 needs one of .warpx2::02_13 .warpx2::01_23"},
		{"tcgen05.cp.cta_group::1.128x256b.warpx4 [%r0], %q0;", "'.warpx4' cannot stand together with '.128x256b'"},
		{"tcgen05.cp.cta_group::1.128x256b [%r0], %r1;", "'%r1' is a .b32 register"},
		{"tcgen05.commit.cta_group::1.b64 [%q0];", "tcgen05 needs .mbarrier::arrive::one"},
		{"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%q0], %h0;", "operand '%h0' is one too many"},
		{"tcgen05.mma.cta_group::1.kind::f16 [%r0], %q0, %q1, %r1, <R8>, %p0;", "has 8 elements, and tcgen05 takes 4 here"},
		{"tcgen05.mma.cta_group::1.kind::f16 [%r0], %q0, %q1, %r1, <R4>, %r1;",
			"'%r1' is a .b32 register; tcgen05.mma.cta_group::1.kind::f16 takes a predicate here"},
		{"tcgen05.mma.cta_group::1.kind::f8f6f4 [%r0], %q0, %q1, %r1, <R4>, %p0, 3;", "operand '3' is one too many"},
		{"tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::fill [%r0], [%r1], %q1, %r1, %p0;", "cannot stand together with '.ashift'"},
		{"tcgen05.mma.cta_group::1.kind::f16.ashift [%r0], %q0, %q1, %r1, %p0;",
			"'%q0' is a register; tcgen05.mma.cta_group::1.kind::f16.ashift takes an address here, in brackets"},
		{"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale [%r0], %q0, %q1, %r1, [%r2], [%r3], %p0;", "tcgen05 needs one of .scale_vec::2X .scale_vec::4X"},
		{"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::4X [%r0], %q0, %q1, %r1, [%r2], [%r3], %p0;",
			"'.scale_vec::4X' cannot stand together with '.kind::mxf8f6f4'"},
		{"tcgen05.mma.sp.cta_group::1.kind::f16 [%r0], %q0, %q1, %r1, %p0;", "tcgen05 takes 6 operands, but 5 are given"},
		{"tcgen05.mma.ws.cta_group::2.kind::f16 [%r0], %q0, %q1, %r1, %p0;", "'.ws' cannot stand together with '.cta_group::2'"},
		{"tcgen05.wait::ld.sync.aligned %r0;", "operand '%r0' is one too many: tcgen05 takes no operands"},
		{"tcgen05.fence::during_thread_sync;", "there is no modifier '.fence::during_thread_sync'"},
	} {
		holdMessage(t, "sm_100a", fragments(test.line), test.want)
	}
}
