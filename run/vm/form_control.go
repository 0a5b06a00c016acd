package vm

import (
	"fmt"
	"math/bits"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/engine"
)

// controlForms are branches (PTX ISA 9.7.12) and barriers (9.7.13).
var controlForms = []row{
	{"bra{.uni}", jumpOrBranch},
	{"brx.idx{.uni}", indexedBranch},
	{"ret{.uni}", leaveFunction},
	{"exit", leaveFunction},
	{"trap", trap},
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
	{"membar.(cta|gl|sys)", nothing},
	{"fence{.(sc|acq_rel)}.(cta|cluster|gpu|sys)", nothing},
}

// jumpOrBranch builds bra.
func jumpOrBranch(b *builder) {
	o := b.operand(0)
	if o.Kind != check.OpLabel {
		b.fail("its target is not a label")
		return
	}
	t := &transfer{targets: []int{o.Target}, bind: func(f *frame, blk *block) control { return jump{blk.targets[0]} }}
	if b.guard != noRegister {
		t = branchTo(o.Target, b.guard, b.guardNot)
	}
	b.operations = append(b.operations, operation{at: b.at, guard: noRegister, control: t})
}

// leaveFunction builds ret and exit.
func leaveFunction(b *builder) {
	exits := b.inst.name == "exit"
	t := &transfer{leaves: true, bind: func(*frame, *block) control { return &leave{exits: exits} }}
	if p, not := b.guard, b.guardNot; p != noRegister {
		t = &transfer{leaves: true, falls: true, uses: []register{p}, bind: func(f *frame, blk *block) control {
			p := f.predicate(p)
			return &leave{exits: exits, p: p, not: not, next: blk.next, set: make(engine.Mask, len(p.bits))}
		}}
	}
	b.operations = append(b.operations, operation{at: b.at, guard: noRegister, control: t})
}

// trapStep stops the launch.
type trapStep struct{}

func (trapStep) run(m *machine) bool {
	m.fault = &Fault{Kind: Trap, thread: m.first}
	return false
}

func trap(b *builder) {
	b.emit(nil, nil, func(f *frame, private bool) step { return trapStep{} })
}

// synchronise builds bar and barrier, .sync and .arrive.
func synchronise(b *builder) {
	id := b.source(b.operand(0), narrow, check.U32)
	threads, counted := b.constant(narrow, 0), len(b.current.Operands) > 1
	if counted {
		threads = b.source(b.operand(1), narrow, check.U32)
	}
	waits, at := !b.inst.has("arrive"), b.at
	b.transfer(transfer{falls: true, uses: []register{id, threads}, bind: func(f *frame, blk *block) control {
		return &synchronisation{id: columnOf[uint32](f, id), threads: columnOf[uint32](f, threads), counted: counted, waits: waits, at: at, next: blk.next}
	}})
}

// reduceBarrier builds bar.red: a barrier, at which the predicates of the threads are
// counted, and an operation after it that takes the result.
func reduceBarrier(b *builder) {
	last := len(b.current.Operands) - 1
	id := b.source(b.operand(1), narrow, check.U32)
	threads := b.constant(narrow, 0)
	if last > 2 {
		threads = b.source(b.operand(2), narrow, check.U32)
	}
	vote := b.source(b.operand(last), flag, check.Pred)
	at := b.at
	result := narrow
	if b.inst.lastType() == check.Pred {
		result = flag
	}
	d := b.destination(b.operand(0), result)
	if b.guard != noRegister {
		b.lack("it is under a predicate")
		return
	}
	b.transfer(transfer{falls: true, uses: []register{id, threads, vote}, bind: func(f *frame, blk *block) control {
		return &synchronisation{id: columnOf[uint32](f, id), threads: columnOf[uint32](f, threads), vote: f.predicate(vote), waits: true, at: at, next: blk.next}
	}})
	all := b.inst.has("and")
	b.emit([]register{d}, nil, func(f *frame, private bool) step {
		return &takeReduction{d: f.columns[d], all: all}
	})
}

// takeReduction writes what bar.red has found out to all threads of the path.
type takeReduction struct {
	d   any
	all bool
}

func (s *takeReduction) run(m *machine) bool {
	switch d := s.d.(type) {
	case *column[uint32]:
		values := scratch[uint32](m)[m.low:m.high]
		engine.Fill(values, uint32(m.path.votes.holds))
		engine.Blend(d.update()[m.low:m.high], values, m.active[m.low/64:])
	case *predicate:
		holds := m.path.votes.holds > 0
		if s.all {
			holds = m.path.votes.holds == m.path.votes.count
		}
		for i := range m.scratchMask {
			m.scratchMask[i] = -bit(holds)
		}
		d.merge(m, m.scratchMask[m.low/64:])
	}
	return true
}

// warpSize is the number of threads in a warp.
const warpSize = 32

// synchronisation is a barrier instruction.
type synchronisation struct {
	id, threads *column[uint32]
	counted     bool       // threads is how many meet there, all of the CTA otherwise
	vote        *predicate // of bar.red
	waits       bool
	at          int
	next        int
}

func (c *synchronisation) run(m *machine, p *path) bool {
	p.block = c.next
	id, threads := c.id.all()[m.first], c.threads.all()[m.first]
	if int(id) >= len(m.barriers) {
		m.fault = &Fault{Kind: Trap, thread: m.first, Detail: "there is no such barrier: they are 0 to 15"}
		m.fault.locate(m, p.frame, c.at)
		return false
	}
	if threads%warpSize != 0 || c.counted && threads == 0 {
		m.fault = &Fault{Kind: Trap, thread: m.first, Detail: fmt.Sprintf("%s cannot meet at a barrier: their number is a multiple of %d", diag.Count(int(threads), "thread"), warpSize)}
		m.fault.locate(m, p.frame, c.at)
		return false
	}
	b := &m.barriers[id]
	if c.waits && threads == 0 && m.full && isEmpty(b.arrived) && c.vote == nil {
		return true
	}
	if c.vote != nil {
		for i, active := range p.mask {
			b.votes.count += bits.OnesCount64(active)
			b.votes.holds += bits.OnesCount64(active & c.vote.bits[i])
		}
	}
	include(b.arrived, p.mask)
	b.count = int(threads)
	if c.waits {
		p.waitsAt = c.at
		b.waiting = append(b.waiting, p)
	}
	b.check(m)
	return !c.waits
}
