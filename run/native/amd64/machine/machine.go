package machine

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// VReg is a virtual register; 0 is none.
type VReg int32

// Class is the kind of machine register that a virtual one becomes.
type Class uint8

// The classes.
const (
	Vector Class = iota
	Mask
	General

	// NumClasses is how many there are.
	NumClasses
)

// Operand is a virtual register, an address of virtual registers, or what the encoder takes as it is: an
// immediate, an address, a machine register. It is two words, so that Go passes operands in registers: with a field for
// each part of an address, the code that makes instructions is a quarter longer.
type Operand struct {
	Fixed encode.Operand // what the encoder takes, if Reg is none; or the rest of an address of registers
	Reg   VReg           // or the base of an address
	Index VReg           // of an address, or none
}

// The rest of an address is the displacement in bits 0 to 31, the number of a fixed base, plus 1, in 32 to 39, the scale in
// 40 to 47, and a mark, which no operand of the encoder has.
const (
	addressBase  = 32
	addressScale = 40
	addressMark  = 1 << 63

	noBase = 0xfe // the number of what is no general register, for which the encoder has an error
)

// Virtual returns a virtual register as an operand.
func Virtual(v VReg) Operand { return Operand{Reg: v} }

// Immediate returns a number as an operand.
func Immediate(i int) Operand { return Operand{Fixed: encode.Imm(int64(i))} }

// Fixed returns what the encoder takes as it is: a machine register, an address, a constant.
func Fixed(o encode.Operand) Operand { return Operand{Fixed: o} }

// MemoryAt returns the address base + disp. The base may be a fixed general register.
func MemoryAt(base Operand, disp int32) Operand { return Indexed(base, Operand{}, 1, disp) }

// Indexed returns the address base + index*scale + disp. The base may be a fixed general register.
func Indexed(base, index Operand, scale uint8, disp int32) Operand {
	rest := addressMark | encode.Operand(scale)<<addressScale | encode.Operand(uint32(disp))
	if base.Reg == 0 {
		rest |= (min(base.Fixed-encode.RAX, noBase) + 1) << addressBase
	}
	return Operand{Fixed: rest, Reg: base.Reg, Index: index.Reg}
}

// None reports whether there is no operand.
func (o Operand) None() bool { return o == Operand{} }

// Scale is what the index of an address is multiplied by.
func (o Operand) Scale() int { return int(o.Fixed >> addressScale & 0xff) }

// Disp is the displacement of an address.
func (o Operand) Disp() int32 { return int32(uint32(o.Fixed)) }

// base is the fixed base of an address that has no register.
func (o Operand) base() encode.Operand { return encode.R(int(o.Fixed>>addressBase&0xff) - 1) }

func (o Operand) isAddress() bool { return o.Fixed&addressMark != 0 }

func (i *Instr) operands() []Operand { return i.Args[:i.N] }

// None reports whether there is no instruction: it has been taken away.
func (i *Instr) None() bool { return i.Op == 0 && i.Effect == 0 }

// IsConstant reports whether the register stands for a constant.
func (r *register) IsConstant() bool { return r.constant >= 0 }

func (c *Builder) register(v VReg) *register { return &c.Registers[v] }

// readsOperand reports whether the instruction reads its operand k.
func (i *Instr) readsOperand(k int) bool { return k > 0 || !i.Defines }

// isLoad reports whether an instruction moves what a fixed address holds to a register.
func (i *Instr) isLoad(t *amd64.Target) bool {
	return i.Op == t.Move && i.Defines && i.Args[1].Reg == 0 && !i.Args[1].isAddress()
}

// Instr is a machine instruction on virtual registers, or an effect. It has no pointers: code is copied several times, and the
// garbage collector need not look at it.
type Instr struct {
	Op   encode.Op  // with its length, without a mask
	Args [4]Operand // as the encoder takes them
	Mask Operand    // the write mask, if there is one
	// Tie is the value that the instruction changes into the one it defines, 0 if it just defines
	// one. The two share a machine register.
	Tie    VReg
	Effect Effect // what is written in the place of an instruction
	N      uint8  // how many operands there are
	// Defines says that the first operand is written and not read, but for Tie.
	Defines bool
	Zeroing bool
	Move    bool // a copy that is none if both are the same register
	Merges  bool // what it reads of its last operand is for the lanes that keep it: what is written next to the same register
	// Cold begins instructions that are seldom executed, up to the next one with EndsCold: they are written behind the others.
	// What they execute goes on by a jump. Both have an effect that is not written.
	Cold, EndsCold bool
}

// Effect is what is not an instruction on registers: labels, jumps, ways out. 0 is none.
type Effect int32

// NoEffect writes nothing.
const NoEffect Effect = 1

// effect is what an Effect writes, and the registers that are needed for it, wherever they are.
type effect struct {
	write func()
	uses  []VReg
}

// Effect returns the effect that write has. uses are the registers that are needed there, wherever they are, besides operands.
func (c *Builder) Effect(write func(), uses []VReg) Effect {
	c.effects = append(c.effects, effect{write, uses})
	return Effect(len(c.effects) - 1)
}

// usesOf returns the registers that an instruction needs besides its operands.
func (c *Builder) usesOf(i *Instr) []VReg { return c.effects[i.Effect].uses }

// register is what is known of a virtual register.
type register struct {
	Class    Class
	Machine  int8 // the machine register, or -1
	fresh    bool // made by spilling: it lives so shortly that it is not spilled again
	spilled  bool
	early    bool  // its interval begins before any instruction defines it
	late     bool  // its interval may end behind all instructions that read it
	depth    uint8 // how many loops are around instructions that write or read it, at most
	constant int32 // which of the compiler's constants it is, or -1
	Slot     int32 // of the frame, if it is spilled
	Loaded   int32 // the index of the load that defines it, or -1
	uses     int32
	weight   float32 // what it costs to have it in memory
	// Start and End are the first and the last instruction of the live interval.
	Start, End int32
	in         loopID // the innermost loop that defines it
}

// NewRegister makes a virtual register.
func (c *Builder) NewRegister(k Class) VReg {
	c.Registers = append(c.Registers, register{Class: k, constant: -1, Machine: -1, Loaded: -1, Start: -1, End: -1})
	return VReg(len(c.Registers) - 1)
}

// Reads reports whether an instruction reads a register.
func (i *Instr) Reads(v VReg) bool {
	return slices.Contains(i.reads(&readRegisters{}), v)
}
