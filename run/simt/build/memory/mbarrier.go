package memory

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// mbarrierForms are barriers in shared memory (PTX ISA 9.7.13.15).
var mbarrierForms = builder.Table{
	{"mbarrier.init{.(shared|shared::cta)}.b64", initBarrier},
	{"mbarrier.inval{.(shared|shared::cta)}.b64", builder.Nothing},
	{"mbarrier.(arrive|arrive_drop){.noComplete}{.(release|relaxed)}{.(cta|cluster)}{.(shared|shared::cta|shared::cluster)}.b64", arriveAtBarrier},
	{"mbarrier.(arrive|arrive_drop).expect_tx{.(release|relaxed)}{.(cta|cluster)}{.(shared|shared::cta|shared::cluster)}.b64", arriveExpecting},
	{"mbarrier.(expect_tx|complete_tx){.relaxed}{.(cta|cluster)}{.(shared|shared::cta|shared::cluster)}.b64", countBytes},
	{"mbarrier.(test_wait|try_wait){.parity}{.(acquire|relaxed)}{.(cta|cluster)}{.(shared|shared::cta)}.b64", testBarrier},
	{"mbarrier.pending_count.b64", pendingCount},
	{"cp.async.mbarrier.arrive{.noinc}{.(shared|shared::cta)}.b64", arriveAfterCopies},
}

// barrierAt returns the address of a barrier, and an access to it with the spelling of one.
func barrierAt(b *builder.Builder, i int, spelling string) (address simt.ID, a *simt.Access) {
	of, address := b.Access(i)
	a = form.NewAccess(form.Parse(spelling))
	a.Space, a.Offset = of.Space, of.Offset
	if form.Parse(spelling).Name == "mbarrier" {
		a.Update = form.Parse(spelling).Update(a.Space)
	}
	return address, a
}

// countOf returns operand i, a number of arrivals, or 1 if there is none.
func countOf(b *builder.Builder, i int) simt.ID {
	if i >= len(b.Inst.Operands) {
		return b.Constant(simt.B64, 1)
	}
	return b.Named("widen.64", b.Source(b.Operand(i), simt.B32, check.U32))
}

// initBarrier builds mbarrier.init.
func initBarrier(b *builder.Builder) {
	address, a := barrierAt(b, 0, "st"+b.Form.SpaceWord()+".u64")
	if !b.Count(2) {
		return
	}
	count := countOf(b, 1)
	word := b.Named("or.b64", count, b.Named("shl.b64", count, b.Constant(simt.B32, simt.BarrierCountBits)))
	b.Effect(simt.Inst{Kind: simt.Store, Args: b.List(address, word), Aux: a})
}

// arriveAtBarrier builds mbarrier.arrive and arrive_drop.
func arriveAtBarrier(b *builder.Builder) {
	arrive(b, 1, countOf(b, 2), b.Constant(simt.B64, 0), b.Operand(0), b.Form.Modifiers[0])
}

// arriveExpecting builds mbarrier.arrive.expect_tx and arrive_drop.expect_tx, which arrive once.
func arriveExpecting(b *builder.Builder) {
	if b.Count(3) {
		arrive(b, 1, b.Constant(simt.B64, 1), countOf(b, 2), b.Operand(0), b.Form.Modifiers[0])
	}
}

// countBytes builds mbarrier.expect_tx and complete_tx.
func countBytes(b *builder.Builder) {
	if !b.Count(2) {
		return
	}
	address, a := barrierAt(b, 0, "mbarrier."+b.Form.Modifiers[0]+".relaxed"+b.Form.SpaceWord()+".b64")
	b.Effect(simt.Inst{Kind: simt.Atomic, Args: b.List(address, countOf(b, 1), b.Constant(simt.B64, 0)), Aux: a})
}

// tellOfBytes tells the barrier that operand i is the address of, in a space, that so many bytes have come, where the guard holds.
func tellOfBytes(b *builder.Builder, i int, space check.Space, bytes, guard simt.ID) {
	word := ""
	if space == check.Shared {
		word = ".shared"
	}
	address, a := barrierAt(b, i, "mbarrier.complete_tx"+word+".b64")
	a.Space = space
	b.Add(simt.Inst{Kind: simt.Atomic, Args: b.List(address, bytes, b.Constant(simt.B64, 0)), Aux: a, Guard: guard})
}

// arrive arrives so many times at the barrier that operand i is the address of, which expects so many bytes more.
func arrive(b *builder.Builder, i int, count, bytes simt.ID, state *check.Operand, name string) {
	order := ""
	if b.Form.Has("relaxed") {
		order = ".relaxed"
	}
	address, a := barrierAt(b, i, "mbarrier."+name+order+b.Form.SpaceWord()+".b64")
	d := b.Result(simt.B64)
	b.Effect(simt.Inst{Kind: simt.Atomic, Defs: b.List(d), Args: b.List(address, count, bytes), Aux: a})
	if state != nil {
		b.Set(state, d)
	}
}

// arriveAfterCopies builds cp.async.mbarrier.arrive. Copies have been made by then, so that it arrives at once; without
// .noinc it counts as one more arrival before, and nothing has changed.
func arriveAfterCopies(b *builder.Builder) {
	if b.Form.Has("noinc") {
		arrive(b, 0, b.Constant(simt.B64, 1), b.Constant(simt.B64, 0), nil, "arrive")
	}
}

// testBarrier builds mbarrier.test_wait and try_wait: whether the phase of a state, or the last one of a parity, is over.
// try_wait does not wait.
func testBarrier(b *builder.Builder) {
	order := "acquire"
	if b.Form.Has("relaxed") {
		order = "relaxed"
	}
	if len(b.Inst.Operands) < 3 {
		b.Count(3)
		return
	}
	address, a := barrierAt(b, 1, "ld."+order+".cta"+b.Form.SpaceWord()+".u64")
	d := b.Result(simt.B64)
	b.Effect(simt.Inst{Kind: simt.Load, Defs: b.List(d), Args: b.List(address), Aux: a})
	shift := b.Constant(simt.B32, simt.BarrierPhaseShift)
	now := b.Named("shr.u64", d, shift)
	var then simt.ID
	if b.Form.Has("parity") {
		one := b.Constant(simt.B64, 1)
		now, then = b.Named("and.b64", now, one), b.Named("and.b64", b.Named("widen.64", b.Source(b.Operand(2), simt.B32, check.U32)), one)
	} else {
		then = b.Named("shr.u64", b.Source(b.Operand(2), simt.B64, check.B64), shift)
	}
	b.Set(b.Operand(0), b.Named("setp.ne.u64", now, then))
}

// pendingCount builds mbarrier.pending_count: how many arrivals were pending in a state.
func pendingCount(b *builder.Builder) {
	if b.Count(2) {
		state := b.Named("narrow.32", b.Source(b.Operand(1), simt.B64, check.B64))
		b.Set(b.Operand(0), b.Named("and.b32", state, b.Constant(simt.B32, 1<<simt.BarrierCountBits-1)))
	}
}
