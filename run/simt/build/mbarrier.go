package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// mbarrierForms are barriers in shared memory (PTX ISA 9.7.13.15).
var mbarrierForms = []row{
	{"mbarrier.init{.(shared|shared::cta)}.b64", initBarrier},
	{"mbarrier.inval{.(shared|shared::cta)}.b64", nothing},
	{"mbarrier.(arrive|arrive_drop){.noComplete}{.(release|relaxed)}{.(cta|cluster)}{.(shared|shared::cta)}.b64", arriveAtBarrier},
	{"mbarrier.(arrive|arrive_drop).expect_tx{.(release|relaxed)}{.(cta|cluster)}{.(shared|shared::cta)}.b64", arriveExpecting},
	{"mbarrier.(expect_tx|complete_tx){.relaxed}{.(cta|cluster)}{.(shared|shared::cta)}.b64", countBytes},
	{"mbarrier.(test_wait|try_wait){.parity}{.(acquire|relaxed)}{.(cta|cluster)}{.(shared|shared::cta)}.b64", testBarrier},
	{"mbarrier.pending_count.b64", pendingCount},
	{"cp.async.mbarrier.arrive{.noinc}{.(shared|shared::cta)}.b64", arriveAfterCopies},
}

// spaceWord is the space of a form, as the form of an access to it has it.
func (f form) spaceWord() string {
	if f.spaceOf() == check.Shared {
		return ".shared"
	}
	return ""
}

// barrierAt returns the address of a barrier, and an access to it with the spelling of one.
func (b *builder) barrierAt(i int, spelling string) (address simt.ID, a *simt.Access) {
	of, address := b.accessOf(i)
	a = newAccess(formOf(spelling))
	a.Space, a.Offset = of.Space, of.Offset
	if formOf(spelling).name == "mbarrier" {
		a.Update = formOf(spelling).update(a.Space)
	}
	return address, a
}

// countOf returns operand i, a number of arrivals, or 1 if there is none.
func (b *builder) countOf(i int) simt.ID {
	if i >= len(b.current.Operands) {
		return b.Constant(simt.B64, 1)
	}
	return b.named("widen.64", b.source(b.operand(i), simt.B32, check.U32))
}

// initBarrier builds mbarrier.init.
func initBarrier(b *builder) {
	address, a := b.barrierAt(0, "st"+b.inst.spaceWord()+".u64")
	if !b.count(2) {
		return
	}
	count := b.countOf(1)
	word := b.named("or.b64", count, b.named("shl.b64", count, b.Constant(simt.B32, simt.BarrierCountBits)))
	b.effect(simt.Inst{Kind: simt.Store, Args: b.list(address, word), Aux: a})
}

// arriveAtBarrier builds mbarrier.arrive and arrive_drop.
func arriveAtBarrier(b *builder) {
	b.arrive(1, b.countOf(2), b.Constant(simt.B64, 0), b.operand(0), b.inst.modifiers[0])
}

// arriveExpecting builds mbarrier.arrive.expect_tx and arrive_drop.expect_tx, which arrive once.
func arriveExpecting(b *builder) {
	if b.count(3) {
		b.arrive(1, b.Constant(simt.B64, 1), b.countOf(2), b.operand(0), b.inst.modifiers[0])
	}
}

// countBytes builds mbarrier.expect_tx and complete_tx.
func countBytes(b *builder) {
	if !b.count(2) {
		return
	}
	address, a := b.barrierAt(0, "mbarrier."+b.inst.modifiers[0]+".relaxed"+b.inst.spaceWord()+".b64")
	b.effect(simt.Inst{Kind: simt.Atomic, Args: b.list(address, b.countOf(1), b.Constant(simt.B64, 0)), Aux: a})
}

// arrive arrives so many times at the barrier that operand i is the address of, which expects so many bytes more.
func (b *builder) arrive(i int, count, bytes simt.ID, state *check.Operand, name string) {
	order := ""
	if b.inst.has("relaxed") {
		order = ".relaxed"
	}
	address, a := b.barrierAt(i, "mbarrier."+name+order+b.inst.spaceWord()+".b64")
	d := b.result(simt.B64)
	b.effect(simt.Inst{Kind: simt.Atomic, Defs: b.list(d), Args: b.list(address, count, bytes), Aux: a})
	if state != nil {
		b.set(state, d)
	}
}

// arriveAfterCopies builds cp.async.mbarrier.arrive. Copies have been made by then, so that it arrives at once; without
// .noinc it counts as one more arrival before, and nothing has changed.
func arriveAfterCopies(b *builder) {
	if b.inst.has("noinc") {
		b.arrive(0, b.Constant(simt.B64, 1), b.Constant(simt.B64, 0), nil, "arrive")
	}
}

// testBarrier builds mbarrier.test_wait and try_wait: whether the phase of a state, or the last one of a parity, is over.
// try_wait does not wait.
func testBarrier(b *builder) {
	order := "acquire"
	if b.inst.has("relaxed") {
		order = "relaxed"
	}
	if len(b.current.Operands) < 3 {
		b.count(3)
		return
	}
	address, a := b.barrierAt(1, "ld."+order+".cta"+b.inst.spaceWord()+".u64")
	d := b.result(simt.B64)
	b.effect(simt.Inst{Kind: simt.Load, Defs: b.list(d), Args: b.list(address), Aux: a})
	shift := b.Constant(simt.B32, simt.BarrierPhaseShift)
	now := b.named("shr.u64", d, shift)
	var then simt.ID
	if b.inst.has("parity") {
		one := b.Constant(simt.B64, 1)
		now, then = b.named("and.b64", now, one), b.named("and.b64", b.named("widen.64", b.source(b.operand(2), simt.B32, check.U32)), one)
	} else {
		then = b.named("shr.u64", b.source(b.operand(2), simt.B64, check.B64), shift)
	}
	b.set(b.operand(0), b.named("setp.ne.u64", now, then))
}

// pendingCount builds mbarrier.pending_count: how many arrivals were pending in a state.
func pendingCount(b *builder) {
	if b.count(2) {
		state := b.named("narrow.32", b.source(b.operand(1), simt.B64, check.B64))
		b.set(b.operand(0), b.named("and.b32", state, b.Constant(simt.B32, 1<<simt.BarrierCountBits-1)))
	}
}
