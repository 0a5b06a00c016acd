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
		to := encode.V(int(c.Registers[k.v].Machine))
		if k.size == 4 && k.bits == 0 {
			if c.Target.Level == amd64.AVX512 {
				c.Emit(encode.VPXORD|encode.L128, to, to, to)
			} else {
				c.Emit(encode.VPXOR|encode.L128, to, to, to)
			}
			continue
		}
		op, from := c.constantLoad(&k.constant)
		c.Emit(op, to, from)
	}
}

// Assemble writes the instructions from one mark to another.
func (c *Builder) Assemble(from, to int) {
	for n := from; n < to; n++ {
		i := &c.Code[n]
		if i.None() {
			continue
		}
		c.At = int32(n)
		if i.Write != nil {
			i.Write()
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

// copy writes a move between machine registers.
func (c *Builder) copy(k Class, to, from encode.Operand) {
	switch {
	case k == Mask:
		c.Emit(encode.KMOVW, to, from)
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
