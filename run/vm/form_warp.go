package vm

import (
	"math/bits"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// warpForms are the instructions by which the threads of a warp exchange values (PTX ISA 9.7.9.5,
// 9.7.13). The threads that take part are those of the warp that are at work and, where
// there is one, in the member mask. What a thread that does not take part would have
// contributed is read as 0.
var warpForms = []row{
	{"shfl{.sync}.(up|down|bfly|idx).(b32|u32|s32|f32)", shuffle},
	{"vote{.sync}.(all|any|uni).pred", votePredicate},
	{"vote{.sync}.ballot.b32", voteBallot},
	{"match.any.sync.(b32|b64|u32|u64)", matchAny},
	{"match.all.sync.(b32|b64|u32|u64)", matchAll},
	{"redux.sync.(add|min|max).(u32|s32)", reduceWarp},
	{"redux.sync.(and|or|xor).b32", reduceWarp},
	{"activemask.b32", activeMask},
	{"elect.sync", elect},
}

// warpStep computes a word or a predicate, or both, for each warp from words of its threads.
type warpStep struct {
	d *column[uint32]
	p *predicate
	// f computes the results of the threads that take part, in the low lanes of the
	// columns; those of the others do not matter.
	f func(w *warp)
	// The sources; nil ones are not read.
	a, b, c *column[uint32]
	wide    *column[uint64]
	pred    *predicate
	members *column[uint32]
}

// warp is what a warp's threads bring to an exchange, and what they get.
type warp struct {
	active  uint32 // threads that take part
	members []uint32
	a, b, c []uint32
	wide    []uint64
	pred    uint32
	d       []uint32
	p       uint32
}

func (s *warpStep) run(m *machine) bool {
	var d []uint32
	var p engine.Mask
	w := &m.exchange
	a, b, c, members := all(s.a), all(s.b), all(s.c), all(s.members)
	wide := all(s.wide)
	if s.d != nil {
		d = scratch[uint32](m)
	}
	if s.p != nil {
		p = m.scratchMask
		clear(p)
	}
	for first := m.low; first < m.high; first += 32 {
		active := warpOf(m.active, first/32)
		if active == 0 {
			continue
		}
		w.active = active
		w.a, w.b, w.c = part(a, first), part(b, first), part(c, first)
		w.wide, w.members, w.d = part(wide, first), part(members, first), part(d, first)
		if s.pred != nil {
			w.pred = warpOf(s.pred.bits, first/32)
		}
		w.p = 0
		s.f(w)
		if s.p != nil {
			p[first/64] |= uint64(w.p) << (first % 64)
		}
	}
	if s.d != nil {
		engine.Blend(s.d.update()[m.low:m.high], d[m.low:m.high], m.active[m.low/64:])
	}
	if s.p != nil {
		s.p.merge(m, p[m.low/64:])
	}
	return true
}

// all returns the values of a column, or nil if there is none.
func all[W engine.Word](c *column[W]) []W {
	if c == nil {
		return nil
	}
	return c.all()
}

// part returns the values of a warp.
func part[W engine.Word](values []W, first int) []W {
	if values == nil {
		return nil
	}
	return values[first : first+32]
}

// participants are the active threads in the member mask of a lane, if there is one.
func (w *warp) participants(lane int) uint32 {
	if w.members == nil {
		return w.active
	}
	return w.active & w.members[lane]
}

// each calls f for every active lane.
func (w *warp) each(f func(lane int)) {
	for set := w.active; set != 0; set &= set - 1 {
		f(bits.TrailingZeros32(set))
	}
}

// exchange emits a warp step. Operands that the instruction does not have are noRegister.
type exchange struct {
	d, p, a, b, c, pred, members register
	f                            func(w *warp)
}

func newExchange(f func(w *warp)) exchange {
	return exchange{noRegister, noRegister, noRegister, noRegister, noRegister, noRegister, noRegister, f}
}

func (b *builder) emitExchange(e exchange) {
	var defs, uses []register
	for _, r := range []register{e.d, e.p} {
		if r != noRegister {
			defs = append(defs, r)
		}
	}
	for _, r := range []register{e.a, e.b, e.c, e.pred, e.members} {
		if r != noRegister {
			uses = append(uses, r)
		}
	}
	b.emit(defs, uses, func(fr *frame, private bool) step {
		s := &warpStep{f: e.f}
		words := func(r register) *column[uint32] {
			if r == noRegister {
				return nil
			}
			c, _ := fr.columns[r].(*column[uint32])
			return c
		}
		flags := func(r register) *predicate {
			if r == noRegister {
				return nil
			}
			return fr.predicate(r)
		}
		s.d, s.p, s.pred, s.members = words(e.d), flags(e.p), flags(e.pred), words(e.members)
		s.a, s.b, s.c = words(e.a), words(e.b), words(e.c)
		if e.a != noRegister && s.a == nil {
			s.wide = columnOf[uint64](fr, e.a)
		}
		return s
	})
}

// resultAndPredicate returns the destinations of d or d|p.
func (b *builder) resultAndPredicate() (d, p register) {
	o := b.operand(0)
	if o.Kind != check.OpPair {
		return b.destination(o, narrow), noRegister
	}
	return b.destination(&o.Elems[0], narrow), b.destination(&o.Elems[1], flag)
}

// membersAt returns the member mask of the .sync forms.
func (b *builder) membersAt(i int) register {
	if !b.inst.has("sync") {
		return noRegister
	}
	return b.source(b.operand(i), narrow, check.B32)
}

// shuffle builds shfl (9.7.9.6).
func shuffle(b *builder) {
	source := map[string]func(lane, amount, low, high, segment int) (from int, ok bool){
		"up":   func(lane, amount, _, high, _ int) (int, bool) { return lane - amount, lane-amount >= high },
		"down": func(lane, amount, _, high, _ int) (int, bool) { return lane + amount, lane+amount <= high },
		"bfly": func(lane, amount, _, high, _ int) (int, bool) { return lane ^ amount, lane^amount <= high },
		"idx": func(_, amount, low, high, segment int) (int, bool) {
			from := low | amount&^segment
			return from, from <= high
		},
	}
	var from func(lane, amount, low, high, segment int) (int, bool)
	for mode, f := range source {
		if b.inst.has(mode) {
			from = f
		}
	}
	e := newExchange(func(w *warp) {
		w.each(func(lane int) {
			amount, clamp, segment := int(w.b[lane]&31), int(w.c[lane]&31), int(w.c[lane]>>8&31)
			low := lane & segment
			high := low | clamp&^segment
			j, ok := from(lane, amount, low, high, segment)
			if !ok {
				j = lane
			}
			w.d[lane] = 0
			if w.participants(lane)>>j&1 != 0 {
				w.d[lane] = w.a[j]
			}
			w.p |= uint32(bit(ok)) << lane
		})
	})
	e.d, e.p = b.resultAndPredicate()
	e.a, e.b, e.c = b.source(b.operand(1), narrow, check.B32), b.source(b.operand(2), narrow, check.B32), b.source(b.operand(3), narrow, check.B32)
	e.members = b.membersAt(4)
	b.emitExchange(e)
}

// votePredicate builds vote.all, .any and .uni.
func votePredicate(b *builder) {
	all, uniform := b.inst.has("all"), b.inst.has("uni")
	e := newExchange(func(w *warp) {
		w.each(func(lane int) {
			threads := w.participants(lane)
			yes := w.pred & threads
			holds := yes != 0
			if all {
				holds = yes == threads
			}
			if uniform {
				holds = yes == 0 || yes == threads
			}
			w.p |= uint32(bit(holds)) << lane
		})
	})
	e.p = b.destination(b.operand(0), flag)
	e.pred, e.members = b.source(b.operand(1), flag, check.Pred), b.membersAt(2)
	b.emitExchange(e)
}

// voteBallot builds vote.ballot.
func voteBallot(b *builder) {
	e := newExchange(func(w *warp) {
		w.each(func(lane int) { w.d[lane] = w.pred & w.participants(lane) })
	})
	e.d = b.destination(b.operand(0), narrow)
	e.pred, e.members = b.source(b.operand(1), flag, check.Pred), b.membersAt(2)
	b.emitExchange(e)
}

// value returns what a lane brings to match.
func (w *warp) value(lane int) uint64 {
	if w.wide != nil {
		return w.wide[lane]
	}
	return uint64(w.a[lane])
}

// same returns the lanes of a set that have the same value as the given one.
func (w *warp) same(lane int, set uint32) (lanes uint32) {
	for rest := set; rest != 0; rest &= rest - 1 {
		if other := bits.TrailingZeros32(rest); w.value(other) == w.value(lane) {
			lanes |= 1 << other
		}
	}
	return lanes
}

// matchAny builds match.any: the threads that have the same value.
func matchAny(b *builder) {
	e := newExchange(func(w *warp) {
		w.each(func(lane int) { w.d[lane] = w.same(lane, w.participants(lane)) })
	})
	e.d = b.destination(b.operand(0), narrow)
	t := b.inst.lastType()
	e.a, e.members = b.source(b.operand(1), classOf(t), t), b.membersAt(2)
	b.emitExchange(e)
}

// matchAll builds match.all: the member mask if all have the same value, else 0.
func matchAll(b *builder) {
	e := newExchange(func(w *warp) {
		w.each(func(lane int) {
			threads := w.participants(lane)
			w.d[lane] = 0
			if w.same(lane, threads) == threads {
				w.d[lane] = w.members[lane]
				w.p |= 1 << lane
			}
		})
	})
	e.d, e.p = b.resultAndPredicate()
	t := b.inst.lastType()
	e.a, e.members = b.source(b.operand(1), classOf(t), t), b.membersAt(2)
	b.emitExchange(e)
}

// reductions are the operations of redux and bar.red on words.
var reductions = map[string]func(a, b uint32) uint32{
	"add.u32": func(a, b uint32) uint32 { return a + b },
	"add.s32": func(a, b uint32) uint32 { return a + b },
	"min.u32": func(a, b uint32) uint32 { return min(a, b) },
	"max.u32": func(a, b uint32) uint32 { return max(a, b) },
	"min.s32": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	"max.s32": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	"and.b32": func(a, b uint32) uint32 { return a & b },
	"or.b32":  func(a, b uint32) uint32 { return a | b },
	"xor.b32": func(a, b uint32) uint32 { return a ^ b },
}

// reduceWarp builds redux.
func reduceWarp(b *builder) {
	f := reductions[b.inst.modifiers[1]+"."+b.inst.modifiers[2]]
	e := newExchange(func(w *warp) {
		w.each(func(lane int) {
			threads := w.participants(lane)
			if threads == 0 {
				return
			}
			result := w.a[bits.TrailingZeros32(threads)]
			for rest := threads & (threads - 1); rest != 0; rest &= rest - 1 {
				result = f(result, w.a[bits.TrailingZeros32(rest)])
			}
			w.d[lane] = result
		})
	})
	e.d = b.destination(b.operand(0), narrow)
	e.a, e.members = b.source(b.operand(1), narrow, check.B32), b.membersAt(2)
	b.emitExchange(e)
}

// activeMask builds activemask.
func activeMask(b *builder) {
	e := newExchange(func(w *warp) {
		w.each(func(lane int) { w.d[lane] = w.active })
	})
	e.d = b.destination(b.operand(0), narrow)
	b.emitExchange(e)
}

// elect builds elect.sync: the lowest thread is the leader.
func elect(b *builder) {
	e := newExchange(func(w *warp) {
		w.each(func(lane int) {
			leader := bits.TrailingZeros32(w.participants(lane))
			w.d[lane] = uint32(leader)
			w.p |= uint32(bit(leader == lane)) << lane
		})
	})
	e.d, e.p = b.resultAndPredicate()
	e.members = b.membersAt(1)
	b.emitExchange(e)
}
