package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// controlForms are branches (PTX ISA 9.7.12) and barriers (9.7.13). Those that end a block are
// found by [builder.transferAt]; what is left to build is their operands.
var controlForms = []row{
	{"bra{.uni}", branch},
	{"brx.idx{.uni}", indexedBranch},
	{"ret{.uni}", nothing},
	{"exit", nothing},
	{"trap", func(b *builder) { b.effect(simt.Inst{Kind: simt.Trap}) }},
	{"brkpt", nothing},
	{"nanosleep.u32", nothing},
	{"bar{.cta}{.sync}", synchronise},
	{"bar{.cta}.arrive", synchronise},
	{"barrier{.cta}{.sync}{.aligned}", synchronise},
	{"barrier{.cta}.arrive{.aligned}", synchronise},
	{"bar{.cta}.red.popc.u32", reduceBarrier},
	{"bar{.cta}.red.(and|or).pred", reduceBarrier},
	{"barrier{.cta}.red.popc{.aligned}.u32", reduceBarrier},
	{"barrier{.cta}.red.(and|or){.aligned}.pred", reduceBarrier},
	{"bar.warp.sync", synchroniseWarp},
	{"membar.(cta|gl|sys)", fence},
	{"fence{.(sc|acq_rel)}.(cta|cluster|gpu|sys)", fence},
}

// nothing builds instructions that have no effect here, or none but to end a block.
func nothing(b *builder) {}

// fence builds membar and fence (PTX ISA 9.7.13.4): a host orders the stores of a thread by itself, but for those past the caches.
func fence(b *builder) { b.Publishes = true }

// branch builds bra, of which nothing is left but a target that is none.
func branch(b *builder) {
	if b.operand(0).Kind != check.OpLabel {
		b.fail("its target is not a label")
	}
}

// indexedBranch builds brx.idx (PTX ISA 9.7.12.4): lanes go to the labels of a list by a number.
func indexedBranch(b *builder) {
	if _, ok := b.labelsOf(b.operand(1)); !ok || b.end().Kind != simt.Switch {
		b.fail("its list of labels")
		return
	}
	if b.targets += len(b.end().To); b.targets > maxTargets {
		b.fail("the function has more than %d targets of indirect calls and branches", maxTargets)
		return
	}
	b.end().Cond = b.source(b.operand(0), simt.B32, check.U32)
}

// synchronise builds bar and barrier, .sync and .arrive.
func synchronise(b *builder) {
	op := &simt.BarrierOp{Counted: len(b.current.Operands) > 1, Waits: !b.inst.has("arrive")}
	args := []simt.ID{b.source(b.operand(0), simt.B32, check.U32), b.Constant(simt.B32, 0)}
	if op.Counted {
		args[1] = b.source(b.operand(1), simt.B32, check.U32)
	}
	b.end().Args, b.end().Aux = b.list(args...), op
}

// reduceBarrier builds bar.red: a barrier at which the predicates of the threads are counted.
func reduceBarrier(b *builder) {
	last := len(b.current.Operands) - 1
	op := &simt.BarrierOp{Waits: true, Counted: last > 2}
	for _, reduction := range []string{"popc", "and", "or"} {
		if b.inst.has(reduction) {
			op.Reduce = reduction
		}
	}
	args := []simt.ID{b.source(b.operand(1), simt.B32, check.U32), b.Constant(simt.B32, 0), b.predicate(last)}
	if op.Counted {
		args[1] = b.source(b.operand(2), simt.B32, check.U32)
	}
	if b.current.Guard >= 0 {
		b.lack("it is under a predicate")
		return
	}
	t := simt.B32
	if b.inst.lastType() == check.Pred {
		t = simt.Pred
	}
	d := b.result(t)
	b.end().Args, b.end().Aux, b.end().Defs = b.list(args...), op, b.list(d)
	b.set(b.operand(0), d)
}

// synchroniseWarp builds bar.warp.sync.
func synchroniseWarp(b *builder) {
	b.end().Cond = b.source(b.operand(0), simt.B32, check.B32)
}
