package check_test

import (
	"fmt"
	"strings"
	"testing"
)

// strictBefore are the versions and targets before those that what follows came with.
var strictBefore = map[string]string{
	"2.0": "1.5", "4.2": "4.1", "4.3": "4.2", "7.1": "7.0", "8.0": "7.8", "8.1": "8.0", "8.2": "8.1", "8.3": "8.2", "8.6": "8.5", "8.7": "8.6",
	"9.0": "8.8", "9.1": "9.0", "sm_90": "sm_89", "sm_90a": "sm_90", "sm_100": "sm_90", "sm_100f": "sm_100", "sm_103a": "sm_100a",
}

// TestStrictRows: instructions that no version of ptxas at hand has, in the first version and on the first target that the manual names.
func TestStrictRows(t *testing.T) {
	const bytes = ".mbarrier::complete_tx::bytes"
	for _, g := range []gatedLine{
		// st.async, red.async and st.bulk
		{"8.1", "sm_90", "st.async.shared::cluster" + bytes + ".u32 [%r0], %r1, [%r2];"}, {"8.1", "sm_90", "st.async.weak" + bytes + ".v4.f32 [%q0], {%f0, %f1, %f2, %f3}, [%q1];"},
		{"8.1", "sm_90", "st.async.weak.shared::cluster" + bytes + ".v2.b64 [%r0], {%q0, %q1}, [%r2];"}, {"8.7", "sm_100", "st.async.cluster.shared::cluster" + bytes + ".b32 [%r0], %r1, [%r2];"},
		{"8.7", "sm_100", "st.async.sys.release.global.u32 [%q0], %r1;"}, {"8.7", "sm_100", "st.async.mmio.release.sys.u8 [%q0], %h1;"},
		{"8.1", "sm_90", "red.async.relaxed.cluster" + bytes + ".min.s32 [%r0], %r1, [%r2];"}, {"8.1", "sm_90", "red.async.relaxed.cluster.shared::cluster" + bytes + ".inc.u32 [%r0], %r1, [%r2];"},
		{"8.1", "sm_90", "red.async.relaxed.cluster.shared::cluster.xor.b32 [%r0], %r1, [%r2];"}, {"8.1", "sm_90", "red.async.relaxed.cluster" + bytes + ".add.u64 [%q0], %q1, [%q2];"},
		{"8.7", "sm_100", "red.async.release.sys.global.add.u32 [%q0], %r1;"}, {"8.7", "sm_100", "red.async.mmio.release.sys.add.s64 [%q0], %q1;"},
		{"8.6", "sm_100", "st.bulk.weak.shared::cta [%r0], %q1, 0;"}, {"9.0", "sm_100", "st.bulk [%q0], %r1, 0;"},
		// multimem
		{"8.1", "sm_90", "multimem.ld_reduce.and.b32 %r0, [%q0];"}, {"8.1", "sm_90", "multimem.ld_reduce.acquire.gpu.global.add.u32 %r0, [%q0];"},
		{"8.2", "sm_90", "multimem.ld_reduce.add.acc::f32.v2.f16x2 {%r0, %r1}, [%q0];"}, {"8.1", "sm_90", "multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%f0, %f1, %f2, %f3}, [%q0];"},
		{"8.1", "sm_90", "multimem.ld_reduce.weak.min.v2.bf16 {%h0, %h1}, [%q0];"}, {"8.1", "sm_90", "multimem.ld_reduce.relaxed.cta.max.s64 %q1, [%q0];"},
		{"8.6", "sm_100f", "multimem.ld_reduce.relaxed.cta.min.v2.e4m3x2 {%h0, %h1}, [%q0];"}, {"8.6", "sm_100f", "multimem.ld_reduce.add.acc::f16.v4.e5m2 {%b0, %b1, %b0, %b1}, [%q0];"},
		{"8.1", "sm_90", "multimem.st.relaxed.gpu.b32 [%q0], %r0;"}, {"8.1", "sm_90", "multimem.st.weak.v4.bf16x2 [%q0], {%r0, %r1, %r2, %r3};"}, {"8.6", "sm_100f", "multimem.st.v2.e5m2x4 [%q0], {%r0, %r1};"},
		{"8.1", "sm_90", "multimem.red.release.cta.global.add.v4.f32 [%q0], {%f0, %f1, %f2, %f3};"}, {"8.1", "sm_90", "multimem.red.relaxed.gpu.max.u64 [%q0], %q1;"},
		{"8.1", "sm_90", "multimem.red.xor.b64 [%q0], %q1;"}, {"8.1", "sm_90", "multimem.red.add.v2.f16 [%q0], {%h0, %h1};"},
		{"9.1", "sm_90", "multimem.cp.async.bulk.global.shared::cta.bulk_group [%q0], [%r0], 512;"}, {"9.1", "sm_100", "multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%q0], [%r0], %r1, %h0;"},
		{"9.1", "sm_90", "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%q0], [%r0], %r1;"},
		{"9.1", "sm_90", "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [%q0], [%r0], %r1;"}, {"9.1", "sm_90", "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [%q0], [%r0], 16;"},
		// tensormap
		{"8.3", "sm_90a", "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r0], %q0;"}, {"8.3", "sm_90a", "tensormap.replace.tile.rank.global.b1024.b32 [%q0], 4;"},
		{"8.3", "sm_90a", "tensormap.replace.tile.box_dim.b1024.b32 [%q0], 4, %r0;"}, {"8.3", "sm_90a", "tensormap.replace.tile.global_stride.global.b1024.b64 [%q0], 0, %q1;"},
		{"8.3", "sm_90a", "tensormap.replace.tile.elemtype.b1024.b32 [%q0], 12;"}, {"8.7", "sm_100f", "tensormap.replace.tile.elemtype.b1024.b32 [%q0], 15;"},
		{"8.6", "sm_100f", "tensormap.replace.tile.swizzle_atomicity.b1024.b32 [%q0], 3;"}, {"8.8", "sm_103a", "tensormap.replace.tile.swizzle_mode.b1024.b32 [%q0], 4;"},
		{"8.3", "sm_90", "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%q0], [%r0], 128;"},
		// fences, launches of clusters, conversions, reductions of vectors
		{"8.0", "sm_90", "fence.proxy.async;"}, {"8.0", "sm_90", "fence.proxy.async.shared::cta;"}, {"8.3", "sm_90", "fence.proxy.tensormap::generic.release.cta;"},
		{"8.3", "sm_90", "fence.proxy.tensormap::generic.acquire.sys [%q0], 128;"}, {"8.6", "sm_90", "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;"},
		{"8.6", "sm_90", "fence.release.sync_restrict::shared::cta.cluster;"}, {"8.6", "sm_90", "fence.acquire.gpu;"},
		{"8.6", "sm_100", "clusterlaunchcontrol.try_cancel.async.shared::cta" + bytes + ".b128 [%r0], [%r1];"}, {"8.6", "sm_100f", "clusterlaunchcontrol.try_cancel.async" + bytes + ".multicast::cluster::all.b128 [%q0], [%q1];"},
		{"8.6", "sm_100", ".reg .b128 %x; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %x;"}, {"8.6", "sm_100", ".reg .b128 %x; clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r0, %x;"},
		{"8.6", "sm_100", ".reg .b128 %x; clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r0, %r1, %r2, _}, %x;"},
		{"9.1", "sm_100f", "cvt.rn.satfinite.s2f6x2.f32 %h0, %f0, %f1;"}, {"9.1", "sm_100f", "cvt.rn.satfinite.relu.scaled::n2::ue8m0.s2f6x2.bf16x2 %h0, %r0, %h1;"},
		{"9.1", "sm_100f", "cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 %r0, %h0, %h1;"},
		{"8.1", "sm_90", "atom.global.v8.f16.max.noftz {%h0,%h1,%h2,%h3,%h0,%h1,%h2,%h3}, [%q0], {%h0,%h1,%h2,%h3,%h0,%h1,%h2,%h3};"}, {"8.1", "sm_90", "red.global.add.v2.f32 [%q0], {%f0, %f1};"},
		{"8.1", "sm_90", "atom.add.L2::cache_hint.v4.f32 _, [%q0], {%f0, %f1, %f2, %f3}, %q1;"},
		// wgmma's and others' constants
		{"8.0", "sm_90a", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %q0, %q1, %p0, -1, 1, 0, 1;"}, {"8.0", "sm_90a", "setmaxnreg.dec.sync.aligned.u32 24;"},
	} {
		holdGates(t, g, strictBefore)
	}
}

// TestPartsOfTextures: what of texture instructions came later than they.
func TestPartsOfTextures(t *testing.T) {
	const line = "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}"
	for _, test := range []struct{ version, target, line, want string }{
		{"2.0", "sm_20", line + ", [t, {%f0, %f1}];", ""},
		{"4.3", "sm_30", line + ", [t, {%f0, %f1}], {%r0, %r1}, %f0;", ""},
		{"4.2", "sm_30", line + ", [t, {%f0, %f1}], {%r0, %r1};", "operand '{%r0, %r1}' of tex needs .version 4.3; the module says 4.2"},
		{"4.3", "sm_20", line + ", [t, {%f0, %f1}], %f0;", "operand '%f0' of tex needs .target sm_30; the module says sm_20"},
		{"7.1", "sm_60", line + "|%p0, [t, {%f0, %f1}];", ""},
		{"7.0", "sm_60", line + "|%p0, [t, {%f0, %f1}];", "operand '%p0' of tex needs .version 7.1; the module says 7.0"},
		{"4.2", "sm_53", "tex.1d.v2.f16x2.s32 {%r0, %r1}, [t, s, {%r2}];", ""},
		{"4.2", "sm_52", "tex.1d.v2.f16x2.s32 {%r0, %r1}, [t, {%r2}];", "tex with .f16x2 needs .target sm_53; the module says sm_52"},
		{"3.0", "sm_20", "tex.level.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f0, %f1}], %f0;", "tex with .level needs .version 3.1; the module says 3.0"},
		{"4.3", "sm_20", "tld4.r.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f0, %f1, %f2, %f3}];", "tld4 with .cube needs .target sm_30; the module says sm_20"},
		{"8.0", "sm_80", "sured.b.min.1d.s64.trap [u, {%r0}], %q0;", "needs .version 8.1; the module says 8.0"},
		{"4.0", "sm_30", "txq.array_size.b32 %r0, [t];", "needs .version 4.1; the module says 4.0"},
	} {
		text := fmt.Sprintf(".version %s\n.target %s\n.global .texref t; .global .samplerref s; .global .surfref u;\n.entry k() { .reg .f32 %%f<4>; .reg .b32 %%r<4>; .reg .b64 %%q<2>; .reg .pred %%p<1>;\n%s\nret; }",
			test.version, test.target, test.line)
		if got := strings.TrimSpace(messages(checkModule(text))); test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s, %s: %s\n%s, want\n%s", test.version, test.target, test.line, got, test.want)
		}
	}
}

// TestWrongStrictRows: what is wrong, and what is said would be right.
func TestWrongStrictRows(t *testing.T) {
	const bytes = ".mbarrier::complete_tx::bytes"
	const texel = "{%f0, %f1, %f2, %f3}"
	for _, test := range []struct{ line, want string }{
		{"tex.2d.v4.f32.f32 " + texel + ", [s, {%f0, %f1}];", "'s' is the name of a variable; tex.2d.v4.f32.f32 takes a .texref variable here, or a 64-bit register with the address of one"},
		{"tex.2d.v4.f32.f32 " + texel + ", [%r0, {%f0, %f1}];", "'%r0' is a .b32 register; tex.2d.v4.f32.f32 takes a .texref variable here"},
		{"tex.2d.v4.f32.f32 " + texel + ", [t, %r0, {%f0, %f1}];", "'%r0' is a .b32 register; tex.2d.v4.f32.f32 takes a .samplerref variable here"},
		{"tex.2d.v4.f32.f32 " + texel + ", [t];", "'[t]' is an address; tex.2d.v4.f32.f32 takes a .texref here with 2 or 4 coordinates, as in [t, {x, y}]"},
		{"tex.3d.v4.f32.f32 " + texel + ", [t, {%f0, %f1}];", "'{%f0, %f1}' has 2 elements, and tex takes 4 here"},
		{"tex.1d.v4.f32.f32 " + texel + ", [t, {%f0, %f1, %f2}];", "has 3 elements, and tex takes 1, 2 or 4 here"},
		{"tex.2d.v4.f32.s32 " + texel + ", [t, {%f0, %f1}];", "'%f0' is a .f32 register; tex.2d.v4.f32.s32 takes a register for .s32 here"},
		{"tex.a2d.v4.f32.f32 " + texel + ", [t, {%f3, %f0, %f1, %f2}];", "'%f3' is a .f32 register; tex.a2d.v4.f32.f32 takes a register for .u32 here"},
		{"tex.2d.v4.f32.f32 " + texel + ", [t, {1, 2}];", "'1' is an integer, and tex takes a floating-point number here"},
		{"tex.2d.v4.f32.f32 {%f0, %f1}, [t, {%f0, %f1}];", "'{%f0, %f1}' has 2 elements, and tex takes 4 here"},
		{"tex.2d.v2.f32.f32 {%f0, %f1}, [t, {%f0, %f1}];", "tex takes no '.f32' here / it takes .f16x2"},
		{"tex.2d.v4.f32.f32 " + texel + "|%r0, [t, {%f0, %f1}];", "'%r0' is a .b32 register; tex.2d.v4.f32.f32 takes a predicate here"},
		{"tex.2d.v4.f32.f32 " + texel + ", [t, {%f0, %f1}], {%r0};", "'{%r0}' has 1 element, and tex takes 2 or 4 here"},
		{"tex.2d.v4.f32.f32 " + texel + ", [t, {%f0, %f1}], {%f0, %f1};", "'%f0' is a .f32 register; tex.2d.v4.f32.f32 takes a register for .s32 here"},
		{"tex.3d.v4.f32.f32 " + texel + ", [t, " + texel + "], {%r0, %r1, %r2, %r3}, %f0;", "operand '%f0' is one too many: tex takes at most 3 operands"},
		{"tex.level.2d.v4.f32.f32 " + texel + ", [t, {%f0, %f1}];", "tex takes at least 3 operands, but 2 are given"},
		{"tex.grad.2d.v4.f32.f32 " + texel + ", [t, {%f0, %f1}], {%f0}, {%f1};", "'{%f0}' has 1 element, and tex takes 2 here"},
		{"tex.2d.level.v4.f32.f32 " + texel + ", [t, {%f0, %f1}], %f0;", "'.level' stands right after 'tex': it belongs to the name 'tex.level'"},
		{"tld4.r.1d.v4.f32.f32 " + texel + ", [t, {%f0}];", "tld4 takes no modifier '.1d'"},
		{"tld4.r.2d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [t, {%f0, %f1}];", "tld4 takes no '.f16' here / it takes one of .u32 .s32 .f32"},
		{"txq.width.b32 %r0, [s];", "'s' is the name of a variable; txq.width.b32 takes a .texref variable here"},
		{"txq.level.filter_mode.b32 %r0, [t], 1;", "'.level' cannot stand together with '.filter_mode'"},
		{"suld.b.2d.b32 %r0, [s, {%r0, %r1}];", "suld needs one of .trap .clamp .zero"},
		{"suld.b.2d.b32.trap %r0, [t, {%r0, %r1}];", "'t' is the name of a variable; suld.b.2d.b32.trap takes a .surfref variable here"},
		{"suld.b.2d.b32.trap %r0, [s, %q0, {%r0, %r1}];", "takes a .surfref here with 2 or 4 coordinates"},
		{"suld.b.2d.v4.b64.trap {%q0, %q1, %q2, %q3}, [s, {%r0, %r1}];", "'.v4' cannot stand together with '.b64'"},
		{"sust.b.2d.b32.trap [s, {%f0, %f1}], %r0;", "'%f0' is a .f32 register; sust.b.2d.b32.trap takes a register for .s32 here"},
		{"sured.b.add.2d.s64.trap [s, {%r0, %r1}], %q0;", "sured takes no '.s64' here / it takes one of .u32 .u64 .s32"},
		{"sured.b.and.2d.u32.trap [s, {%r0, %r1}], %r0;", "sured takes no '.u32' here / it takes .b32"},
		{"sured.p.add.2d.b64.trap [s, {%r0, %r1}], %q0;", "sured takes no '.b64' here / it takes .b32"},
		{"suq.width.b32 %r0, [t];", "'t' is the name of a variable; suq.width.b32 takes a .surfref variable here"},
		{"istypep.texref %p0, t;", "'t' is the name of a variable"},
		{"st.async.shared::cluster.u32 [%r0], %r1, [%r2];", "st needs .mbarrier::complete_tx::bytes"},
		{"st.async.release.gpu.v2.u32 [%q0], {%r0, %r1};", "'.v2' cannot stand together with '.release'"},
		{"st.async.shared::cluster" + bytes + ".v4.b64 [%r0], {%q0, %q1, %q2, %q3}, [%r2];", "'.v4' cannot stand together with '.b64'"},
		{"st.async.shared::cluster" + bytes + ".u64 [%r0], %r1, [%r2];", "'%r1' is a .b32 register"},
		{"red.async.relaxed.cluster" + bytes + ".min.u64 [%r0], %q1, [%r2];", "red takes no '.u64' here / it takes one of .u32 .s32"},
		{"st.bulk [%q0], %r1, 1;", "'1' is no constant that st.bulk takes here: it takes 0"},
		{"multimem.ld_reduce.add.f16 %h0, [%q0];", "multimem needs one of .v2 .v4 .v8"},
		{"multimem.ld_reduce.and.u32 %r0, [%q0];", "multimem takes no '.u32' here / it takes one of .b32 .b64"},
		{"multimem.ld_reduce.min.f32 %f0, [%q0];", "multimem takes no '.f32' here"},
		{"multimem.red.min.v2.f16x2 [%q0], {%r0, %r1};", "cannot stand together"},
		{"multimem.st.v4.f64 [%q0], {%q0, %q1, %q2, %q3};", "'.v4' cannot stand together with '.f64'"},
		{"tensormap.replace.tile.rank.b1024.b64 [%q0], %q1;", "tensormap takes no '.b64' here / it takes .b32"},
		{"tensormap.replace.tile.box_dim.b1024.b32 [%q0], %r0;", "tensormap takes 3 operands, but 2 are given"},
		{"tensormap.replace.tile.box_dim.b1024.b32 [%q0], %r0, %r1;", "'%r0' is a register; tensormap.replace.tile.box_dim.b1024.b32 takes a constant here"},
		{"tensormap.replace.tile.fill_mode.b1024.b32 [%q0], 2;", "'2' is no constant that tensormap.replace.tile.fill_mode.b1024.b32 takes here: it takes 0 or 1"},
		{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%q0], [%r0], 64;", "it takes 128"},
		{"clusterlaunchcontrol.try_cancel.async.b128 [%q0], [%q1];", "clusterlaunchcontrol needs .mbarrier::complete_tx::bytes"},
		{"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %q0;", "'%q0' is a .b64 register"},
		{"fence.proxy.tensormap::generic.acquire.gpu;", "fence takes 2 operands, but none is given"},
		{"fence.proxy.async::generic.acquire.sync_restrict::shared::cta.cluster;", "fence needs .sync_restrict::shared::cluster"},
		{"cvt.rn.satfinite.s2f6x2.f32 %h0, %f0, %f1, %h1;", "operand '%h1' stands only with .scaled::n2::ue8m0"},
		{"cvt.rn.s2f6x2.f32 %h0, %f0, %f1;", "cvt needs .satfinite"},
		{"mapa.u64 %q0, %q1, %f0;", "'%f0' is a .f32 register; mapa.u64 takes a register for .u32 here"},
		{"getctarank.u64 %q0, %q1;", "'%q0' is a .b64 register; getctarank.u64 takes a register for .u32 here"},
		{"atom.global.add.v2.f32 {%f0, %f1}, [%q0], {%f0, %f1, %f2, %f3};", "has 4 elements, and atom takes 2 here"},
		{"red.global.max.v2.f16x2 [%q0], {%r0, %r1};", "red needs .noftz"},
		{"setmaxnreg.inc.sync.aligned.u32 20;", "'20' is no constant that setmaxnreg.inc.sync.aligned.u32 takes here: it takes multiples of 8 from 24 to 256"},
		{"mbarrier.arrive.shared.b64 %q0, [%r0], 0;", "'0' is no constant that mbarrier.arrive.shared.b64 takes here"},
		{"mbarrier.test_wait.parity.shared.b64 %p0, [%r0], 2;", "it takes 0 or 1"},
		{"tcgen05.alloc.cta_group::1.sync.aligned.b32 [%r0], 48;", "it takes 32, 64, 128, 256 or 512"},
		{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + texel + ", {%r0, %r1}, {%r2, %r3}, " + texel + ", %r4, 4;", "it takes 0 to 3"},
	} {
		holdMessage(t, "sm_100a", test.line, test.want)
	}
}
