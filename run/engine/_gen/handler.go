package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// step says how to do an operation: for vector i, given registers or memory
// for x and y, and the register for the result. At most one of x and y is
// memory, and that is y. The result's register may be x or y.
type step struct {
	modes []machine.Mode
	setup func(h *handler) // once, before the vectors
	emit  emitter
}

type emitter func(h *handler, i int, y operand.Op, x, to reg.VecPhysical)

// handler is a step with a mode, while its code is written.
type handler struct {
	*target
	step
	op          machine.Op
	mode        machine.Mode
	temporaries int // handed out so far
}

// newTemporary returns a register for an intermediate value. They are handed out in
// turn, so that one vector need not wait for the one before it.
func (h *handler) newTemporary() reg.VecPhysical {
	h.temporaries++
	return h.temporary(h.temporaries)
}

// copy copies a vector, from or to memory or between registers.
func (h *handler) copy(from, to operand.Op) {
	_, fromRegister := from.(reg.VecPhysical)
	_, toRegister := to.(reg.VecPhysical)
	if fromRegister && toRegister {
		h.move(from, to)
		return
	}
	h.load(from, to)
}

// inRegister returns a register with what is in x.
func (h *handler) inRegister(x operand.Op) reg.VecPhysical {
	if r, ok := x.(reg.VecPhysical); ok {
		return r
	}
	r := h.newTemporary()
	h.load(x, r)
	return r
}

// slot returns vector i of the slot that is at a register's place.
func (h *handler) slot(at reg.Register, i int) operand.Mem {
	return operand.Mem{Base: slots, Index: at, Scale: 1, Disp: i * h.width}
}

// constantAt returns constant n of those at a register's place.
func (h *handler) constantAt(at reg.Register, n int) operand.Mem {
	return operand.Mem{Base: constants, Index: at, Scale: 1, Disp: n * h.width}
}

// loadExtras loads the first n constants at the step's Extra.
func loadExtras(n int) func(h *handler) {
	return func(h *handler) {
		build.MOVL(operand.Mem{Base: thisStep, Disp: 12}, extraAt.As32())
		for k := range n {
			h.load(h.constantAt(extraAt, k), h.extra(k))
		}
	}
}

// extraSlot makes the step's Extra a slot.
func extraSlot(h *handler) {
	build.MOVL(operand.Mem{Base: thisStep, Disp: 12}, extraAt.As32())
}

// operands returns y and x of vector i.
func (h *handler) operands(i int) (y operand.Op, x reg.VecPhysical) {
	y = h.at(h.mode.Y, i)
	switch from := h.at(h.mode.X, i).(type) {
	case reg.VecPhysical:
		return y, from
	default:
		into := h.accumulator(i)
		if h.mode.Y == machine.Acc {
			into = h.newTemporary()
		}
		h.load(from, into)
		return y, into
	}
}

// at returns vector i of what is in a place.
func (h *handler) at(p machine.Place, i int) operand.Op {
	switch p {
	case machine.Acc:
		return h.accumulator(i)
	case machine.A, machine.B, machine.C:
		return operand.Mem{Base: sources[p-machine.A], Index: position, Scale: 1, Disp: i * h.width}
	case machine.Constant:
		return h.constant()
	case machine.Slot:
		return h.slot(operandAt, i)
	case machine.Second:
		return h.regs[machine.Registers+i]
	case machine.Third:
		return h.regs[2*machine.Registers+i]
	}
	panic("gen: no such place")
}

// reads reports whether the mode names a place.
func reads(m machine.Mode, p machine.Place) bool { return m.X == p || m.Y == p }

// write writes the handler and returns the name of its function.
func (h *handler) write() string {
	name := fmt.Sprintf("step%s%v%v<>", h.name, h.op, h.mode) // <>: local to the file
	build.Function(name)
	build.Attributes(attr.NOSPLIT | attr.NOFRAME)
	if reads(h.mode, machine.Constant) || reads(h.mode, machine.Slot) {
		build.MOVL(operand.Mem{Base: thisStep, Disp: 8}, operandAt.As32())
	}
	if reads(h.mode, machine.Constant) {
		h.load(h.constantAt(operandAt, 0), h.constant())
	}
	if h.setup != nil {
		h.setup(h)
	}
	whole := h.mode == wholeProgram
	if whole {
		beginLoop()
	}
	for i := range machine.Registers {
		y, x := h.operands(i)
		h.emit(h, i, y, x, h.accumulator(i))
		if h.mode.Finishes {
			h.store(i)
		}
	}
	switch {
	case whole:
		h.repeat()
	case h.mode.Finishes:
		h.finish(false)
	default:
		build.ADDQ(operand.Imm(machine.StepSize), thisStep)
		next()
	}
	return name
}

// wholeProgram is the mode of the only step of a program.
var wholeProgram = machine.Mode{X: machine.A, Y: machine.B, Finishes: true}

// writePair writes the handler of two operations that are a whole program, and returns
// the name of its function.
func (t *target) writePair(p machine.Pair) string {
	first := &handler{target: t, step: t.steps[p.First], op: p.First, mode: wholeProgram}
	second := &handler{target: t, step: t.steps[p.Second], op: p.Second, mode: machine.Mode{X: machine.Acc, Y: p.With}}
	name := fmt.Sprintf("pair%s%v%v%v<>", t.name, p.First, p.Second, p.With)
	build.Function(name)
	build.Attributes(attr.NOSPLIT | attr.NOFRAME)
	if p.With == machine.Constant {
		build.MOVL(operand.Mem{Base: thisStep, Disp: 8}, operandAt.As32())
		second.load(second.constantAt(operandAt, 0), second.constant())
	}
	for _, h := range []*handler{first, second} {
		if h.setup != nil {
			h.setup(h)
		}
	}
	beginLoop()
	for i := range machine.Registers {
		for _, h := range []*handler{first, second} {
			y, x := h.operands(i)
			h.emit(h, i, y, x, t.accumulator(i))
		}
		t.store(i)
	}
	t.repeat()
	return name
}

// beginLoop begins the loop that repeat ends, at a cache line.
func beginLoop() {
	build.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.U8(64)}})
	build.Label("block")
}

// repeat does all blocks of a whole program, and returns from the function that started it.
func (t *target) repeat() {
	t.advance()
	build.JB(operand.LabelRef("block"))
	build.VZEROUPPER()
	build.RET()
}

// next goes on to the handler of the step that is now thisStep.
func next() {
	at := operand.Mem{Base: thisStep}
	build.Instruction(&ir.Instruction{
		Opcode:     "JMP",
		Operands:   []operand.Op{at},
		Inputs:     []operand.Op{at},
		IsTerminal: true, // as far as avo can see
	})
}
