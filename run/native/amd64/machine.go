package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// vreg is a virtual register; 0 is none.
type vreg int32

// class is the kind of machine register that a virtual one becomes.
type class uint8

const (
	vector class = iota
	mask
	general
	numClasses
)

// operand is a virtual register, an address of virtual registers, or what the encoder takes as it is: an
// immediate, an address, a machine register.
type operand struct {
	v     vreg           // or the base of an address
	fixed encode.Operand // or, if v is none, the base of an address
	index vreg           // of an address, or none
	// indexFixed is the index of an address that is a certain machine register.
	indexFixed encode.Operand
	scale      uint8 // of an address; 0 of other operands
	disp       int32
}

func virtual(v vreg) operand         { return operand{v: v} }
func immediate(i int) operand        { return operand{fixed: encode.Imm(int64(i))} }
func fixed(o encode.Operand) operand { return operand{fixed: o} }

// memoryAt returns the address base + disp, and indexed the address base + index*scale + disp. The base
// may be a fixed general register.
func memoryAt(base operand, disp int32) operand {
	return operand{v: base.v, fixed: base.fixed, scale: 1, disp: disp}
}

func indexed(base, index operand, scale uint8, disp int32) operand {
	return operand{v: base.v, fixed: base.fixed, index: index.v, scale: scale, disp: disp}
}

func (o operand) none() bool                 { return o == operand{} }
func (o operand) isAddress() bool            { return o.scale != 0 }
func (i *instr) operands() []operand         { return i.args[:i.n] }
func (i *instr) none() bool                  { return i.op == 0 && i.write == nil }
func (r *register) isConstant() bool         { return r.constant >= 0 }
func (c *builder) register(v vreg) *register { return &c.registers[v] }

// reads reports whether the instruction reads its operand k.
func (i *instr) reads(k int) bool { return k > 0 || !i.defines }

// isLoad reports whether an instruction moves what a fixed address holds to a register.
func (i *instr) isLoad(t *target) bool {
	return i.op == t.move && i.defines && i.args[1].v == 0 && !i.args[1].isAddress()
}

// instr is a machine instruction on virtual registers, or what write writes.
type instr struct {
	op   encode.Op  // with its length, without a mask
	args [4]operand // as the encoder takes them
	n    uint8
	// defines says that the first operand is written and not read, but for tie.
	defines bool
	zeroing bool
	move    bool // a copy that is none if both are the same register
	// tie is the value that the instruction changes into the one it defines, 0 if it just defines
	// one. The two share a machine register.
	tie  vreg
	mask operand // the write mask, if there is one
	// write writes what is not an instruction on registers: labels, jumps, ways out.
	write func()
	// uses are registers that are needed here, wherever they are, besides the operands.
	uses []vreg
}

// register is what is known of a virtual register.
type register struct {
	class    class
	constant int32 // which of the compiler's constants it is, or -1
	machine  int8  // the machine register, or -1
	fresh    bool  // made by spilling: it lives so shortly that it is not spilled again
	spilled  bool
	slot     int32 // of the frame, if it is spilled
	loaded   int32 // the index of the load that defines it, or -1
	uses     int32
	weight   float32 // what it costs to have it in memory
	// start and end are the first and the last instruction of the live interval.
	start, end int32
}

// newRegister makes a virtual register.
func (c *builder) newRegister(k class) vreg {
	c.registers = append(c.registers, register{class: k, constant: -1, machine: -1, loaded: -1})
	return vreg(len(c.registers) - 1)
}
