package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// target is a vector instruction set: its registers, the instructions whose
// names differ between the sets, and the steps it has.
type target struct {
	name  string // "AVX2", as in the names of functions
	width int    // of a vector register, in bytes
	regs  []reg.VecPhysical

	load    func(from, to operand.Op) // from or to memory, aligned or not
	far     func(from, to operand.Op) // to aligned memory, past the caches
	move    func(from, to operand.Op) // between registers
	partial partial
	odd     oddHalves
	steps   map[machine.Op]step
	cleanup func() // before returning to Go
}

// oddHalves is where the second accumulator lives. A wide value is 64 bits for
// each word of the block: those of the words at even places are in the
// accumulator, as 64-bit lanes, those of the words at odd places in the second one.
type oddHalves interface {
	// get returns a register with vector i of the second accumulator.
	get(h *handler, i int) reg.VecPhysical
	// room returns a register to compute vector i in, and put puts it in its place.
	room(h *handler, i int) reg.VecPhysical
	put(h *handler, i int, from reg.VecPhysical)
}

// The vector registers from the lowest: the accumulator, [machine.Registers] of
// them. From the highest: the constant operand, two for what a step reads
// besides, and the temporaries.
const (
	numExtras      = 2
	numTemporaries = 5
)

func (t *target) accumulator(i int) reg.VecPhysical { return t.regs[i] }
func (t *target) constant() reg.VecPhysical         { return t.regs[len(t.regs)-1] }
func (t *target) extra(n int) reg.VecPhysical       { return t.regs[len(t.regs)-2-n] }
func (t *target) temporary(n int) reg.VecPhysical {
	return t.regs[len(t.regs)-2-numExtras-n%numTemporaries]
}

// column returns the number of bytes of a slot.
func (t *target) column() int { return machine.Registers * t.width }

// The general registers while a program runs. R14 and R15 are Go's own.
var (
	thisStep    = reg.R12
	firstStep   = reg.R11
	slots       = reg.R13
	constants   = reg.RDX
	sources     = [3]reg.GPPhysical{reg.R8, reg.R9, reg.R10}
	destination = reg.RDI
	position    = reg.RBX // in bytes from the start of the arrays
	end         = reg.RCX // the position after the last block
	operandAt   = reg.RSI // the Operand of the step
	extraAt     = reg.RAX // the Extra of the step
)

var (
	ymm = []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
		reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}
	zmm = []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}
)
