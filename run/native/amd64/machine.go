package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// vreg is a virtual register; 0 is none.
type vreg int32

// class is the kind of machine register that a virtual one becomes.
type class uint8

const (
	vector class = iota
	mask
	numClasses
)

// operand is a virtual register, or what the encoder takes as it is: an immediate, an address, a
// machine register.
type operand struct {
	v     vreg
	fixed encode.Operand
}

func virtual(v vreg) operand                  { return operand{v: v} }
func immediate(i int) operand                 { return operand{fixed: encode.Imm(int64(i))} }
func fixed(o encode.Operand) operand          { return operand{fixed: o} }
func (o operand) none() bool                  { return o == operand{} }
func (i *instr) operands() []operand          { return i.args[:i.n] }
func (i *instr) reads(k int) bool             { return k > 0 || !i.defines }
func (i *instr) isLoad(t *target) bool        { return i.op == t.move && i.defines && i.args[1].v == 0 }
func (r *register) isConstant() bool          { return r.constant >= 0 }
func (c *compiler) register(v vreg) *register { return &c.registers[v] }

// instr is a machine instruction on virtual registers.
type instr struct {
	op   encode.Op  // with its length, without a mask
	args [4]operand // as the encoder takes them
	n    uint8
	// defines says that the first operand is written and not read, but for tie.
	defines bool
	zeroing bool
	// tie is the value that the instruction changes into the one it defines, 0 if it just defines
	// one. The two share a machine register.
	tie  vreg
	mask operand // the write mask, if there is one
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
	// start and end are the first and the last instruction of the live interval.
	start, end int32
}

// newRegister makes a virtual register.
func (c *compiler) newRegister(k class) vreg {
	c.registers = append(c.registers, register{class: k, constant: -1, machine: -1, loaded: -1})
	return vreg(len(c.registers) - 1)
}
