package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// controlForms are branches (PTX ISA 9.7.12) and barriers (9.7.13). Those that end a block are
// found by [function.transferAt]; what is left to build is their operands.
var controlForms = builder.Table{
	{"bra{.uni}", branch},
	{"brx.idx{.uni}", indexedBranch},
	{"ret{.uni}", builder.Nothing},
	{"exit", builder.Nothing},
	{"trap", func(b *builder.Builder) { b.Effect(simt.Inst{Kind: simt.Trap}) }},
	{"brkpt", builder.Nothing},
	{"nanosleep.u32", builder.Nothing},
	{"bar{.cta}{.sync}", synchronise},
	{"bar{.cta}.arrive", synchronise},
	{"barrier{.cta}{.sync}{.aligned}", synchronise},
	{"barrier{.cta}.arrive{.aligned}", synchronise},
	{"bar{.cta}.red.popc.u32", reduceBarrier},
	{"bar{.cta}.red.(and|or).pred", reduceBarrier},
	{"barrier{.cta}.red.popc{.aligned}.u32", reduceBarrier},
	{"barrier{.cta}.red.(and|or){.aligned}.pred", reduceBarrier},
	{"bar.warp.sync", synchroniseWarp},
	{"barrier.cluster.arrive{.(release|relaxed)}{.aligned}", synchroniseCluster},
	{"barrier.cluster.wait{.acquire}{.aligned}", synchroniseCluster},
	{"membar.(cta|gl|sys)", fence},
	{"membar.proxy.(alias|async)", fence},
	{"membar.proxy.async.<fenced>", fence},
	{"fence{.(sc|acq_rel|acquire|release)}.(cta|cluster|gpu|sys)", fence},
	{"fence.acquire.sync_restrict::shared::cluster.cluster", fence},
	{"fence.release.sync_restrict::shared::cta.cluster", fence},
	{"fence.mbarrier_init.release.cluster", fence},
	{"fence.proxy.(alias|async)", fence},
	{"fence.proxy.async.<fenced>", fence},
	{"fence.proxy.tensormap::generic.(acquire|release).(cta|cluster|gpu|sys)", fence},
	{"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", fence},
	{"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", fence},
	{"pmevent{.mask}", builder.Nothing},
	{"setmaxnreg.(inc|dec).sync.aligned.u32", builder.Nothing},
	{"griddepcontrol.(launch_dependents|wait)", builder.Nothing}, // no grid runs beside this one
}

// fence builds membar and fence (PTX ISA 9.7.13.4), all as the strongest: what others do less often need not be faster. There is one
// proxy here, in which a thread sees its own accesses in their order. Fences of proxies are fences nevertheless: those with .acquire or
// .release order threads.
func fence(b *builder.Builder) {
	b.Publishes = true
	b.Effect(simt.Inst{Kind: simt.Fence})
}

// branch builds bra, of which nothing is left but a target that is none.
func branch(b *builder.Builder) {
	if b.Operand(0).Kind != check.OpLabel {
		b.Fail("its target is not a label")
	}
}

// indexedBranch builds brx.idx (PTX ISA 9.7.12.4): lanes go to the labels of a list by a number.
func indexedBranch(b *builder.Builder) {
	if _, ok := b.LabelsOf(b.Operand(1)); !ok || b.End().Kind != simt.Switch {
		b.Fail("its list of labels")
		return
	}
	if b.AddTargets(len(b.End().To)) {
		b.End().Cond = b.Source(b.Operand(0), simt.B32, check.U32)
	}
}

// synchronise builds bar and barrier, .sync and .arrive.
func synchronise(b *builder.Builder) {
	op := &simt.BarrierOp{Counted: len(b.Inst.Operands) > 1, Waits: !b.Form.Has("arrive")}
	args := []simt.ID{b.Source(b.Operand(0), simt.B32, check.U32), b.Constant(simt.B32, 0)}
	if op.Counted {
		args[1] = b.Source(b.Operand(1), simt.B32, check.U32)
	}
	b.End().Args, b.End().Aux = b.List(args...), op
}

// reduceBarrier builds bar.red: a barrier at which the predicates of the threads are counted.
func reduceBarrier(b *builder.Builder) {
	last := len(b.Inst.Operands) - 1
	op := &simt.BarrierOp{Waits: true, Counted: last > 2}
	for _, reduction := range []string{"popc", "and", "or"} {
		if b.Form.Has(reduction) {
			op.Reduce = reduction
		}
	}
	args := []simt.ID{b.Source(b.Operand(1), simt.B32, check.U32), b.Constant(simt.B32, 0), b.Predicate(last)}
	if op.Counted {
		args[1] = b.Source(b.Operand(2), simt.B32, check.U32)
	}
	if b.Inst.Guard >= 0 {
		b.Lack("it is under a predicate")
		return
	}
	t := simt.B32
	if b.Form.LastType() == check.Pred {
		t = simt.Pred
	}
	d := b.Result(t)
	b.End().Args, b.End().Aux, b.End().Defs = b.List(args...), op, b.List(d)
	b.Set(b.Operand(0), d)
}

// synchroniseCluster builds barrier.cluster (PTX ISA 9.7.13.3).
func synchroniseCluster(b *builder.Builder) {
	b.End().Aux = &simt.BarrierOp{Cluster: true, Waits: b.Form.Has("wait")}
}

// synchroniseWarp builds bar.warp.sync.
func synchroniseWarp(b *builder.Builder) {
	b.End().Cond = b.Source(b.Operand(0), simt.B32, check.B32)
}
