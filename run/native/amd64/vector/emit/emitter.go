package emit

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Emitter adds instructions to the code of a function: those of one node after the other, for one group of lanes.
type Emitter struct {
	machine *machine.Builder
	// args are the operands of the node, count of them, and dying tells which of them nobody reads afterwards. Registers from
	// temporary on were made for the node.
	args      [4]machine.Operand
	dying     [4]bool
	count     int
	temporary machine.VReg
}

// New returns an emitter for some code.
func New(b *machine.Builder) Emitter { return Emitter{machine: b} }

// Begin begins with a node of so many operands, which [Emitter.Operand] sets.
func (e *Emitter) Begin(count int) {
	e.count, e.temporary = count, machine.VReg(len(e.machine.Registers))
}

// Operand sets operand k of the node. dies says that nobody reads it afterwards.
func (e *Emitter) Operand(k int, x machine.Operand, dies bool) { e.args[k], e.dying[k] = x, dies }

// Operands returns the operands of the node.
func (e *Emitter) Operands() []machine.Operand { return e.args[:e.count] }

// The functions below add one instruction.

// Sized returns an instruction with the length of the level's vectors, if it needs one and has
// none.
func (e *Emitter) Sized(o encode.Op) encode.Op {
	if o.NeedsLength() && !o.HasLength() {
		return o | e.machine.Target.Length
	}
	return o
}

// Put adds an instruction that defines a new register.
func (e *Emitter) Put(k machine.Class, i machine.Instr, sources []machine.Operand) machine.Operand {
	i.Op = e.Sized(i.Op)
	i.Defines = true
	d := machine.Virtual(e.machine.NewRegister(k))
	i.Args[0] = d
	i.N = uint8(1 + copy(i.Args[1:], sources))
	e.machine.Code = append(e.machine.Code, i)
	return d
}

// New computes a new vector. It is never inlined, as nothing is that takes an instruction's parts: there are some thousand
// calls, and each would build a machine.Instr on its stack.
//
//go:noinline
func (e *Emitter) New(o encode.Op, sources ...machine.Operand) machine.Operand {
	return e.Put(machine.Vector, machine.Instr{Op: o}, sources)
}

// Test computes a new mask.
//
//go:noinline
func (e *Emitter) Test(o encode.Op, sources ...machine.Operand) machine.Operand {
	return e.Put(machine.Mask, machine.Instr{Op: o}, sources)
}

// TestUnder computes a new mask that is zero where another one is.
//
//go:noinline
func (e *Emitter) TestUnder(o encode.Op, under machine.Operand, sources ...machine.Operand) machine.Operand {
	return e.Put(machine.Mask, machine.Instr{Op: o, Mask: under}, sources)
}

// Change computes a new vector from an old one that the instruction overwrites.
//
//go:noinline
func (e *Emitter) Change(o encode.Op, old machine.Operand, sources ...machine.Operand) machine.Operand {
	return e.Put(machine.Vector, machine.Instr{Op: o, Tie: old.Reg}, sources)
}

// Zeroed computes a new vector that is zero where the mask is.
//
//go:noinline
func (e *Emitter) Zeroed(o encode.Op, k machine.Operand, sources ...machine.Operand) machine.Operand {
	return e.Put(machine.Vector, machine.Instr{Op: o, Mask: k, Zeroing: true}, sources)
}

// Merged computes a new vector that is old where the mask is zero.
//
//go:noinline
func (e *Emitter) Merged(o encode.Op, k, old machine.Operand, sources ...machine.Operand) machine.Operand {
	return e.Put(machine.Vector, machine.Instr{Op: o, Mask: k, Tie: old.Reg}, sources)
}

// Commuted is New for an instruction whose sources may change places: a constant comes last, where
// it may be memory, or else what is loaded.
//
//go:noinline
func (e *Emitter) Commuted(o encode.Op, x, y machine.Operand) machine.Operand {
	if e.machine.IsKnown(x) && !e.machine.IsKnown(y) || e.IsInput(x) && !e.machine.IsKnown(y) && !e.IsInput(y) {
		x, y = y, x
	}
	return e.New(o, x, y)
}

// Dies reports whether nobody reads an operand afterwards, so that it may be changed without a
// copy.
func (e *Emitter) Dies(x machine.Operand) bool {
	if x.Reg == 0 || e.machine.IsKnown(x) {
		return false
	}
	for k, a := range e.args[:e.count] {
		if a == x {
			return e.dying[k]
		}
	}
	return x.Reg >= e.temporary
}

// IsInput reports whether an operand was loaded for this group.
func (e *Emitter) IsInput(x machine.Operand) bool {
	return x.Reg != 0 && e.machine.Registers[x.Reg].Loaded == FromInput
}

// FromInput marks, while code is selected, a register that an operand of the function was loaded
// into.
const FromInput = -2

// Zero is the vector without a bit.
func (e *Emitter) Zero() machine.Operand { return e.machine.Const32(0) }

// Ones is the vector of all bits.
func (e *Emitter) Ones() machine.Operand { return e.machine.Const32(1<<32 - 1) }
