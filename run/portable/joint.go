package portable

import (
	"math/bits"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt"
)

// bringing is lanes at an exchange: all of them bring something, and some take what it gives.
type bringing struct {
	act          *activation
	inst         *simt.Inst
	lanes, takes uint32
}

// exchangeWith exchanges values between lanes of the group at work, which has come to an exchange, and those that wait at others of the same name and
// mask. These go on behind them.
func (w *Warp) exchangeWith(name string, lanes, takes, members uint32) {
	all := []bringing{{w.act, w.block.insts[w.index], lanes, takes}}
	for n := range w.groups {
		if g := &w.groups[n]; g.waits == forMembers && g.members == members && g.exchangeName() == name {
			all = append(all, bringing{g.act, g.act.code.block(g.block).insts[g.index], g.mask, g.mask})
			g.waits, g.members = forNothing, 0
			g.index++
		}
	}
	mask, frame := w.mask, w.frame
	var joint jointly
	for _, b := range all {
		w.mask, w.frame = b.lanes, b.act.frame
		joint.bring(w, b)
	}
	w.mask, w.frame = joint.x.active, frame
	if w.cta.observer != nil && w.act.code.observed.Exchanges {
		op := all[0].inst.Aux.(*simt.ExchangeOp)
		w.cta.observer.Exchange(w, &Exchange{ExchangeOp: op, At: all[0].inst.At, Lanes: joint.x.active, Members: joint.x.members, from: joint.x, source: shuffleSource(op.Name)})
	}
	f := exchangeOf(all[0].inst.Aux.(*simt.ExchangeOp).Name)
	for rest := joint.x.active; rest != 0; rest &= rest - 1 {
		f(&joint.x, bits.TrailingZeros32(rest))
	}
	for _, b := range all {
		joint.give(b)
	}
	w.mask = mask
}

// jointly is what lanes bring that execute an exchange at different instructions.
type jointly struct {
	x       exchanged
	args    [3][simt.WarpSize]uint32
	wide    [simt.WarpSize]uint64
	members [simt.WarpSize]uint32
}

// bring fills in what some lanes bring, which are those at work.
func (j *jointly) bring(w *Warp, b bringing) {
	var own exchanged
	b.act.code.gather(b.inst)(w, &own)
	j.x.active |= b.lanes
	j.x.p |= own.p & b.lanes
	j.x.members = &j.members
	blend(&j.members, own.members, b.lanes)
	for n, from := range own.args {
		if from != nil {
			blend(&j.args[n], from, b.lanes)
			j.x.args[n] = &j.args[n]
		}
	}
	if own.wide != nil {
		blend(&j.wide, own.wide, b.lanes)
		j.x.wide = &j.wide
	}
}

// give gives lanes what has come out.
func (j *jointly) give(b bringing) {
	op, c := b.inst.Aux.(*simt.ExchangeOp), b.act.code
	frame := b.act.frame
	if op.D {
		blend((*[simt.WarpSize]uint32)(unsafe.Add(frame, c.home(b.inst.Defs[0]))), &j.x.d, b.takes)
	}
	if op.P {
		blendPredicate(predicateAt(frame, c.home(b.inst.Defs[len(b.inst.Defs)-1])), j.x.q, b.takes)
	}
}
