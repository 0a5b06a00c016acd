package check_test

import (
	"fmt"
	"strings"
	"testing"
)

// bulkBefore are the versions and targets before those that bulk copies came with.
var bulkBefore = map[string]string{"8.0": "7.8", "8.6": "8.5", "9.2": "9.1", "sm_90": "sm_89", "sm_100": "sm_90", "sm_100f": "sm_100"}

// TestBulkCopies: cp.async.bulk, cp.reduce.async.bulk and prefetches (PTX ISA 9.7.9.25.4), in the first version and on the first target that have
// them.
func TestBulkCopies(t *testing.T) {
	const to = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
	for _, g := range []gatedLine{
		{"8.0", "sm_90", to + " [%r0], [%q0], %r1, [%r2];"}, {"8.0", "sm_90", to + ".L2::cache_hint [%r0], [%q0], 128, [%r2], %q1;"},
		{"8.0", "sm_90", to + ".multicast::cluster [%r0], [%q0], %r1, [%r2], %h0;"}, {"8.0",
			"sm_90", to + ".multicast::cluster.L2::cache_hint [%r0], [%q0], %r1, [%r2], 3, %q1;"},
		{"8.6", "sm_90", "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%q0+16], %r1, [%r2];"},
		{"8.6", "sm_90", "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r0], [%q0], %r1, [%r2], %q1;"},
		{"9.2", "sm_90", "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint.ignore_oob [%r0], [%q0], %r1, %r3, 4, [%r2], %q1;"},
		{"8.0", "sm_90", "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r0], [%r1], %r2, [%r3];"},
		{"8.0", "sm_90", "cp.async.bulk.global.shared::cta.bulk_group [%q0], [%r1], %r2;"}, {"8.0", "sm_90",
			"cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%q0], [%r1], %r2, %q1;"},
		{"8.6", "sm_100", "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%q0], [%r1], %r2, %h0;"},
		{"8.6", "sm_100", "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [%q0], [%r1], %r2, %q1, 255;"},
		{"8.0", "sm_90", "cp.async.bulk.prefetch.L2.global [%q0], %r0;"}, {"8.0", "sm_90", "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%q0], %r0, %q1;"},
		{"8.0", "sm_90", "cp.async.bulk.commit_group;"}, {"8.0", "sm_90", "cp.async.bulk.wait_group 0;"}, {"8.0", "sm_90", "cp.async.bulk.wait_group.read 3;"},
		{"8.0", "sm_90", "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [%r0], [%r1], %r2, [%r3];"},
		{"8.0", "sm_90", "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32 [%r0], [%r1], %r2, [%r3];"},
		{"8.0", "sm_90", "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [%q0], [%r1], %r2;"},
		{"8.0", "sm_90", "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.xor.s32 [%q0], [%r1], %r2, %q1;"},
		{"8.0", "sm_90", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%q0], [%r1], %r2;"},
		{"8.0", "sm_90", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%q0], [%r1], %r2;"},
	} {
		holdGates(t, g, bulkBefore)
	}
}

// TestTensorCopies: cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and prefetches (PTX ISA 9.7.9.27.1), with as many coordinates as the tensor
// has dimensions, or five of four rows.
func TestTensorCopies(t *testing.T) {
	const complete = ".mbarrier::complete_tx::bytes"
	var all []gatedLine
	add := func(version, target, line string) { all = append(all, gatedLine{version, target, line}) }
	for n := 1; n <= 5; n++ {
		box := fmt.Sprintf("[%%q0, <R%d>]", n)
		for _, mode := range []string{"", ".tile"} {
			add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global%s%s [%%r0], %s, [%%r1];", n, mode, complete, box))
			add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global%s%s.multicast::cluster.L2::cache_hint [%%r0], %s, [%%r1], %%h0, %%q1;", n, mode, complete, box))
			add("8.6", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cta.global%s%s [%%r0], %s, [%%r1];", n, complete, mode, box))
			add("8.6", "sm_100f", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global%s%s.multicast::cluster.cta_group::2 [%%r0], %s, [%%r1], %%h0;", n, mode, complete, box))
			add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.global.shared::cta%s.bulk_group %s, [%%r0];", n, mode, box))
			add("8.0", "sm_90", fmt.Sprintf("cp.reduce.async.bulk.tensor.%dd.global.shared::cta.add%s.bulk_group %s, [%%r0];", n, mode, box))
			add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.prefetch.tensor.%dd.L2.global%s.L2::cache_hint %s, %%q1;", n, mode, box))
		}
		if n < 3 {
			continue
		}
		offsets := "{" + strings.TrimSuffix(strings.Repeat("%h0, ", n-2), ", ") + "}"
		add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global.im2col%s [%%r0], %s, [%%r1], %s;", n, complete, box, offsets))
		add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.im2col.shared::cluster.global%s.L2::cache_hint [%%r0], %s, [%%r1], %s, %%q1;", n, complete, box, offsets))
		add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global.im2col%s.multicast::cluster [%%r0], %s, [%%r1], %s, %%h1;", n, complete, box, offsets))
		add("8.6", "sm_100", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cta.global.im2col::w%s [%%r0], %s, [%%r1], {%%h0, 3};", n, complete, box))
		add("8.6", "sm_100f", fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global.im2col::w::128%s [%%r0], %s, [%%r1], {%%h0, %%h1};", n, complete, box))
		add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.tensor.%dd.global.shared::cta.im2col_no_offs.bulk_group %s, [%%r0];", n, box))
		add("8.0", "sm_90", fmt.Sprintf("cp.reduce.async.bulk.tensor.%dd.global.shared::cta.xor.im2col_no_offs.bulk_group.L2::cache_hint %s, [%%r0], %%q1;", n, box))
		add("8.0", "sm_90", fmt.Sprintf("cp.async.bulk.prefetch.tensor.%dd.L2.global.im2col %s, %s;", n, box, offsets))
	}
	add("8.6", "sm_100", "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r0], [%q0, <R5>], [%r1];")
	add("8.6", "sm_100f", "cp.async.bulk.tensor.2d.tile::gather4.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%q0, <R5>], [%r1];")
	add("8.6", "sm_100f", "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%q0, <R5>], [%r1];")
	add("8.6", "sm_100f", "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%q0, <R5>];")
	for _, g := range all {
		holdGates(t, g, bulkBefore)
	}
}

// TestWrongBulkCopies: what bulk copies do not take, and what is said would be right.
func TestWrongBulkCopies(t *testing.T) {
	const cluster = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
	for _, test := range []struct{ line, want string }{
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%q0], [%r2];", "cp takes at least 4 operands, but 3 are given"},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%q0], %q1, [%r2];",
			"'%q1' is a .b64 register; cp.async.bulk.shared::cluster.global.mbarrier::complete_t... takes a register for .u32 here"},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%q0], 16, [%r2], %q1;", "operand '%q1' stands only with .L2::cache_hint"},
		{"cp.async.bulk.shared::cluster.global [%r0], [%q0], 16, [%r2];", "cp needs .mbarrier::complete_tx::bytes"},
		{"cp.async.bulk.shared::cluster.global.bulk_group [%r0], [%q0], 16;", "cp needs .mbarrier::complete_tx::bytes"},
		{"cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%q0], [%r0], 16, [%r2];", "cp takes no '.global' here / it takes .shared::cta"},
		{"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes [%r0], [%q0], 16, [%r2];", "cp takes no modifier '.shared'"},
		{"cp.async.bulk.wait_group %r0;", "'%r0' is a register; cp.async.bulk.wait_group takes a constant here"},
		{"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%q0], [%r1], %r2;", "cp needs .noftz"},
		{"cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.s32 [%q0], [%r1], %r2;", "cp takes no '.s32' here / it takes .u32"},
		{cluster + " [%r0], [%q0, <R3>], [%r1];", "'{%r0, %r1, %r2}' has 3 elements, and cp takes 2 here"},
		{cluster + " [%r0], [%q0, {%r0, %q1}], [%r1];", "'%q1' is a .b64 register; cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::... takes a register for .s32 here"},
		{cluster + " [%r0], [%q0], [%r1];", "'[%q0]' is an address; cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::... takes an address with 2 coordinates here, as in [map, {x, y}]"},
		{cluster + " [%r0], [%h0, <R2>], [%r1];", "'%h0' is a .b16 register; an address has 32 or 64 bits"},
		{cluster + " [%r0, {%r0}], [%q0, <R2>], [%r1];", "'[%r0, {%r0}]' is an address with coordinates; cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::... takes an address here, in brackets"},
		{cluster + " [%r0], [%q0, <R2>], [%r1], %q1;", "operand '%q1' stands only with .L2::cache_hint"},
		{cluster + ".multicast::cluster [%r0], [%q0, <R2>], [%r1];", "cp takes at least 4 operands, but 3 are given"},
		{"cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], [%q0, <R2>], [%r1], {%h0};",
			"'.im2col' cannot stand together with '.2d'"},
		{"cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], [%q0, <R4>], [%r1], {%h0};",
			"'{%h0}' has 1 element, and cp takes 2 here"},
		{"cp.async.bulk.tensor.6d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%q0, <R5>], [%r1];", "there is no modifier '.6d'"},
		{"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%r0], [%q0, <R2>];", "takes an address with 2 coordinates here"},
	} {
		holdMessage(t, "sm_100a", fragments(test.line), test.want)
	}
}
