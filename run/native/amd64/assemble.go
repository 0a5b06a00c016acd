package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// loadConstants writes the loads of the constants that stay in registers.
func (c *builder) loadConstants() {
	for i := range c.constants {
		k := &c.constants[i]
		if !k.kept {
			continue
		}
		to := encode.V(int(c.registers[k.v].machine))
		if k.size == 4 && k.bits == 0 {
			if c.t.level == AVX512 {
				c.emit(encode.VPXORD|encode.L128, to, to, to)
			} else {
				c.emit(encode.VPXOR|encode.L128, to, to, to)
			}
			continue
		}
		op, from := c.constantLoad(&k.constant)
		c.emit(op, to, from)
	}
}

// assemble writes the instructions from one mark to another.
func (c *builder) assemble(from, to int) {
	for n := from; n < to; n++ {
		i := &c.code[n]
		if i.none() {
			continue
		}
		c.at = int32(n)
		if i.write != nil {
			i.write()
			continue
		}
		if i.move && i.mask.none() && c.machine(i.args[0]) == c.machine(i.args[1]) {
			continue
		}
		op := i.op
		if i.tie != 0 {
			if d, t := c.machine(i.args[0]), c.machine(virtual(i.tie)); d != t {
				c.copy(c.registers[i.tie].class, d, t)
			}
		}
		if !i.mask.none() {
			op = op.Mask(c.machine(i.mask))
		}
		if i.zeroing {
			op = op.Zeroing()
		}
		var args [4]encode.Operand
		for k, x := range i.operands() {
			args[k] = c.machine(x)
		}
		c.emit(op, args[:i.n]...)
	}
}

// copy writes a move between machine registers.
func (c *builder) copy(k class, to, from encode.Operand) {
	switch {
	case k == mask:
		c.emit(encode.KMOVW, to, from)
	case k == general:
		c.emit(encode.MOV|encode.S64, to, from)
	case c.t.level == AVX512:
		c.emit(encode.VMOVDQA64|encode.L512, to, from)
	default:
		c.emit(encode.VMOVDQA|c.t.length, to, from)
	}
}

// machine returns what the encoder takes for an operand.
func (c *builder) machine(x operand) encode.Operand {
	if x.isAddress() {
		base := x.fixed
		if x.v != 0 {
			base = c.machine(virtual(x.v))
		}
		if x.indexFixed != 0 {
			return encode.AtIndex(base, x.indexFixed, int(x.scale), x.disp)
		}
		if x.index == 0 {
			return encode.At(base, x.disp)
		}
		return encode.AtIndex(base, c.machine(virtual(x.index)), int(x.scale), x.disp)
	}
	if x.v == 0 {
		return x.fixed
	}
	switch r := &c.registers[x.v]; r.class {
	case mask:
		return encode.K(int(r.machine))
	case general:
		return encode.R(int(r.machine))
	default:
		return encode.V(int(r.machine))
	}
}

// emit writes one instruction, and notes it if somebody wants to read it.
func (c *builder) emit(op encode.Op, operands ...encode.Operand) {
	if c.o.Listing {
		at := c.asm.Len()
		c.asm.Emit(op, operands...)
		c.lines = append(c.lines, Line{At: at, End: c.asm.Len(), Text: instructionText(op, operands)})
		return
	}
	c.asm.Emit(op, operands...)
}
