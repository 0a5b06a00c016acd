package machine

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/listing"
)

// LoadConstants writes the loads of the constants that stay in registers.
func (c *Builder) LoadConstants() {
	for i := range c.constants {
		k := &c.constants[i]
		if !k.kept {
			continue
		}
		if k.size == 4 && k.bits == 0 {
			c.writeZero(k.v)
			continue
		}
		op, from := c.constantLoad(k)
		c.Emit(op, encode.V(int(c.Registers[k.v].Machine)), from)
	}
}

// writeZero writes what makes a register zero without reading memory.
func (c *Builder) writeZero(v VReg) {
	op, to := encode.Op(encode.VPXOR), encode.V(int(c.Registers[v].Machine))
	if c.Target.Level == amd64.AVX512 {
		op = encode.VPXORD
	}
	c.Emit(op|encode.L128, to, to, to)
}

// Assemble writes the instructions from one mark to another, but for those that are seldom executed, which AssembleCold
// writes.
func (c *Builder) Assemble(from, to int) {
	for n := from; n < to; n++ {
		i := &c.Code[n]
		if i.None() {
			continue
		}
		if i.Cold {
			begin := n + 1
			for !c.Code[n].EndsCold {
				n++
			}
			c.cold = append(c.cold, [2]int{begin, n})
			continue
		}
		c.At = int32(n)
		if i.Effect != 0 {
			c.effects[i.Effect].write()
			continue
		}
		if i.Move && i.Mask.None() && c.machine(i.Args[0]) == c.machine(i.Args[1]) {
			continue
		}
		op := i.Op
		if i.Tie != 0 {
			if d, t := c.machine(i.Args[0]), c.machine(Virtual(i.Tie)); d != t {
				c.copy(c.Registers[i.Tie].Class, d, t)
			}
		}
		if !i.Mask.None() {
			op = op.Mask(c.machine(i.Mask))
		}
		if i.Zeroing {
			op = op.Zeroing()
		}
		var args [4]encode.Operand
		for k, x := range i.operands() {
			args[k] = c.machine(x)
		}
		c.Emit(op, args[:i.N]...)
	}
}

// AssembleCold writes the instructions that are seldom executed and have not been written yet.
func (c *Builder) AssembleCold() {
	for len(c.cold) > 0 {
		next := c.cold[0]
		c.cold = c.cold[1:]
		c.Assemble(next[0], next[1])
	}
}

// InCold adds what f adds as instructions that are seldom executed.
func (c *Builder) InCold(f func()) {
	c.Code = append(c.Code, Instr{Effect: NoEffect, Cold: true})
	f()
	c.Code = append(c.Code, Instr{Effect: NoEffect, EndsCold: true})
}

// copy writes a move between machine registers.
func (c *Builder) copy(k Class, to, from encode.Operand) {
	switch {
	case k == Mask:
		c.Emit(encode.KMOVQ, to, from)
	case k == General:
		c.Emit(encode.MOV|encode.S64, to, from)
	case c.Target.Level == amd64.AVX512:
		c.Emit(encode.VMOVDQA64|encode.L512, to, from)
	default:
		c.Emit(encode.VMOVDQA|c.Target.Length, to, from)
	}
}

// machine returns what the encoder takes for an operand.
func (c *Builder) machine(x Operand) encode.Operand {
	if x.isAddress() {
		base := x.base()
		if x.Reg != 0 {
			base = c.machine(Virtual(x.Reg))
		}
		if x.Index == 0 {
			return encode.At(base, x.Disp())
		}
		return encode.AtIndex(base, c.machine(Virtual(x.Index)), x.Scale(), x.Disp())
	}
	if x.Reg == 0 {
		return x.Fixed
	}
	switch r := &c.Registers[x.Reg]; r.Class {
	case Mask:
		return encode.K(int(r.Machine))
	case General:
		return encode.R(int(r.Machine))
	default:
		return encode.V(int(r.Machine))
	}
}

// Emit writes one instruction, and notes it if somebody wants to read it.
func (c *Builder) Emit(op encode.Op, operands ...encode.Operand) {
	if c.Options.Listing {
		at := c.Asm.Len()
		c.Asm.Emit(op, operands...)
		c.Lines = append(c.Lines, listing.Line{At: at, End: c.Asm.Len(), Text: instructionText(op, operands)})
		return
	}
	c.Asm.Emit(op, operands...)
}
