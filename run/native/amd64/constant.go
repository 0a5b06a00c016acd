package amd64

import (
	"encoding/binary"
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// constant is a vector that is known: one element of 4 or 8 bytes in all places, or all its bytes.
type constant struct {
	size  uint8 // of the element; 64 of a vector that is not a repeated element
	bits  uint64
	bytes [64]byte
}

// const32 returns the vector that has the same 32 bits in all elements.
func (c *builder) const32(bits uint32) operand {
	return c.constant(constant{size: 4, bits: uint64(bits)})
}

// const64 returns the vector that has the same 64 bits in all elements.
func (c *builder) const64(bits uint64) operand {
	if uint32(bits) == uint32(bits>>32) {
		return c.const32(uint32(bits))
	}
	return c.constant(constant{size: 8, bits: bits})
}

// const16 and const8 return the vector that has the same bits in all halves or bytes.
func (c *builder) const16(bits uint16) operand { return c.const32(uint32(bits) * 0x10001) }
func (c *builder) const8(bits uint8) operand   { return c.const32(uint32(bits) * 0x1010101) }

// constBytes returns the vector whose byte i is f(i).
func (c *builder) constBytes(f func(i int) byte) operand {
	k := constant{size: 64}
	for i := range k.bytes[:c.t.bytes] {
		k.bytes[i] = f(i)
	}
	return c.constant(k)
}

// constDwords returns the vector whose element i of 32 bits is f(i).
func (c *builder) constDwords(f func(i int) uint32) operand {
	return c.constBytes(func(i int) byte { return byte(f(i/4) >> (i % 4 * 8)) })
}

func (c *builder) constant(k constant) operand {
	if v, ok := c.constantOf[k]; ok {
		return virtual(v)
	}
	v := c.newRegister(vector)
	c.constantOf[k] = v
	c.registers[v].constant = int32(len(c.constants))
	c.constants = append(c.constants, known{constant: k, v: v})
	return virtual(v)
}

// known is a constant with the virtual register that stands for it.
type known struct {
	constant
	v vreg
	// uses counts the instructions that read it, and needs those of them that cannot read it from
	// memory.
	uses, needs int32
	kept        bool // in a register for as long as the code runs
}

// constOf returns the 32 bits that all elements of an operand have, if they are known.
func (c *builder) constOf(x operand) (bits uint32, ok bool) {
	if x.v == 0 || !c.registers[x.v].isConstant() {
		return 0, false
	}
	k := &c.constants[c.registers[x.v].constant]
	return uint32(k.bits), k.size == 4
}

// const64Of returns the 64 bits that all elements of an operand have, if they are known.
func (c *builder) const64Of(x operand) (bits uint64, ok bool) {
	if x.v == 0 || !c.registers[x.v].isConstant() {
		return 0, false
	}
	switch k := &c.constants[c.registers[x.v].constant]; k.size {
	case 4:
		return k.bits | k.bits<<32, true
	case 8:
		return k.bits, true
	}
	return 0, false
}

// wordsOf returns the words of an operand that is a constant with different elements.
func (c *builder) wordsOf(x operand) (words [16]uint32, ok bool) {
	if x.v == 0 || !c.registers[x.v].isConstant() {
		return words, false
	}
	k := &c.constants[c.registers[x.v].constant]
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(k.bytes[4*i:])
	}
	return words, k.size == 64
}

// isKnown reports whether an operand is a constant.
func (c *builder) isKnown(x operand) bool { return x.v != 0 && c.registers[x.v].isConstant() }

// memory returns the constant as the memory operand of an instruction, if it can have one.
func (c *builder) constantMemory(k *constant, op encode.Op) (m encode.Operand, ok bool) {
	switch b := c.broadcastBytes(op); {
	case b == 4 && k.size == 4:
		return c.asm.Const32(uint32(k.bits)).Broadcast(), true
	case b == 8 && k.size == 8:
		return c.asm.Const64(k.bits).Broadcast(), true
	case b == 8 && k.size == 4:
		return c.asm.Const64(k.bits | k.bits<<32).Broadcast(), true
	case c.fullMemory(op):
		return c.fullConstant(k, op), true
	}
	return 0, false
}

// fullConstant returns where all bytes of a constant are.
func (c *builder) fullConstant(k *constant, op encode.Op) encode.Operand {
	bytes := k.bytes
	switch k.size {
	case 4:
		for i := 0; i < 64; i += 4 {
			binary.LittleEndian.PutUint32(bytes[i:], uint32(k.bits))
		}
	case 8:
		for i := 0; i < 64; i += 8 {
			binary.LittleEndian.PutUint64(bytes[i:], k.bits)
		}
	}
	return c.asm.Const(bytes[:c.t.bytes])
}

// canFold reports whether an instruction can read a constant from memory in the place of an
// operand.
func (c *builder) canFold(i *instr, k int) bool {
	if !i.defines || i.op.RM() != k || i.tie != 0 && i.args[k].v == i.tie {
		return false
	}
	return c.fullMemory(i.op) || c.broadcastBytes(i.op) > 0 && c.constants[c.registers[i.args[k].v].constant].size <= uint8(c.broadcastBytes(i.op))
}

// placeConstants decides which constants stay in registers: as many as fit beside the other values,
// those first that save most. The other ones become memory operands, or are loaded where they are
// used.
func (c *builder) placeConstants() {
	c.countConstants()
	order := make([]*known, 0, len(c.constants))
	for i := range c.constants {
		if c.constants[i].uses > 0 {
			order = append(order, &c.constants[i])
		}
	}
	if len(order) == 0 {
		return
	}
	slices.SortStableFunc(order, func(a, b *known) int { return int(b.uses + 2*b.needs - a.uses - 2*a.needs) })
	room := c.vectors() - c.pressure()
	if room < len(order) {
		room -= 2 // for those that are loaded where they are used
	}
	if c.o.NoHoist {
		room = 0
	}
	for i, k := range order {
		k.kept = i < room
	}
	if len(order) > room {
		c.rewriteConstants()
	}
}

func (c *builder) countConstants() {
	for n := range c.code {
		i := &c.code[n]
		if i.tie != 0 && c.registers[i.tie].isConstant() {
			c.constants[c.registers[i.tie].constant].uses++
			c.constants[c.registers[i.tie].constant].needs++
		}
		for k, x := range i.operands() {
			if x.index != 0 && c.registers[x.index].isConstant() {
				known := &c.constants[c.registers[x.index].constant]
				known.uses++
				known.needs++
			}
			if !c.isKnown(x) {
				continue
			}
			known := &c.constants[c.registers[x.v].constant]
			known.uses++
			if !c.canFold(i, k) {
				known.needs++
			}
		}
	}
}

// rewriteConstants replaces the constants that are not kept.
func (c *builder) rewriteConstants() {
	c.rewrite(func(i instr) {
		if v := i.tie; v != 0 && c.lost(v) {
			i.tie = c.loadConstant(v)
		}
		for k, x := range i.operands() {
			if x.index != 0 && c.lost(x.index) {
				i.args[k].index = c.loadConstant(x.index)
			}
			if x.v == 0 || !c.lost(x.v) {
				continue
			}
			if c.canFold(&i, k) {
				m, _ := c.constantMemory(&c.constants[c.registers[x.v].constant].constant, i.op)
				i.args[k] = fixed(m)
				continue
			}
			i.args[k] = virtual(c.loadConstant(x.v))
		}
		c.code = append(c.code, i)
	})
}

// lost reports whether a register is a constant that is not kept.
func (c *builder) lost(v vreg) bool {
	r := &c.registers[v]
	return r.isConstant() && !c.constants[r.constant].kept
}

// loadConstant adds an instruction that loads a constant, and returns what it loads it into.
func (c *builder) loadConstant(v vreg) vreg {
	k := &c.constants[c.registers[v].constant].constant
	to := c.newRegister(vector)
	c.registers[to].fresh = true
	op, from := c.constantLoad(k)
	c.code = append(c.code, instr{op: op, args: [4]operand{virtual(to), fixed(from)}, n: 2, defines: true})
	return to
}

// constantLoad returns the instruction that loads a constant, and where from.
func (c *builder) constantLoad(k *constant) (op encode.Op, from encode.Operand) {
	switch k.size {
	case 4:
		return encode.VPBROADCASTD | c.t.length, c.asm.Const32(uint32(k.bits))
	case 8:
		return encode.VPBROADCASTQ | c.t.length, c.asm.Const64(k.bits)
	}
	return c.t.move, c.fullConstant(k, c.t.move)
}
