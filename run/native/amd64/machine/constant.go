package machine

import (
	"encoding/binary"
	"slices"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// element is what a vector has in all places.
type element struct {
	size int // 4 or 8 bytes; 64 if the vector is no repeated element
	bits uint64
}

// constant is a vector that is known.
type constant struct {
	element
	bytes [64]byte // of a vector that is no repeated element
}

// Const32 returns the vector that has the same 32 bits in all elements. It is not inlined, as it is called at hundreds of places.
//
//go:noinline
func (c *Builder) Const32(bits uint32) Operand { return c.repeat(element{4, uint64(bits)}) }

// Const64 returns the vector that has the same 64 bits in all elements.
//
//go:noinline
func (c *Builder) Const64(bits uint64) Operand {
	if uint32(bits) == uint32(bits>>32) {
		return c.Const32(uint32(bits))
	}
	return c.repeat(element{8, bits})
}

// repeat returns the vector that has an element in all places.
func (c *Builder) repeat(e element) Operand {
	v, ok := c.repeated[e]
	if !ok {
		v = c.newConstant(&constant{element: e})
		c.repeated[e] = v
	}
	return Virtual(v)
}

// Const16 returns the vector that has the same bits in all halves.
func (c *Builder) Const16(bits uint16) Operand { return c.Const32(uint32(bits) * 0x10001) }

// Const8 returns the vector that has the same bits in all bytes.
func (c *Builder) Const8(bits uint8) Operand { return c.Const32(uint32(bits) * 0x1010101) }

// ConstBytes returns the vector whose byte i is f(i).
func (c *Builder) ConstBytes(f func(i int) byte) Operand {
	k := constant{element: element{size: 64}}
	for i := range k.bytes[:c.Target.Bytes] {
		k.bytes[i] = f(i)
	}
	return c.unlike(&k)
}

// ConstDwords returns the vector whose element i of 32 bits is f(i).
func (c *Builder) ConstDwords(f func(i int) uint32) Operand {
	k := constant{element: element{size: 64}}
	for i := range c.Target.Bytes / 4 {
		binary.LittleEndian.PutUint32(k.bytes[4*i:], f(i))
	}
	return c.unlike(&k)
}

// ConstQwords returns the vector whose element i of 64 bits is f(i).
func (c *Builder) ConstQwords(f func(i int) uint64) Operand {
	k := constant{element: element{size: 64}}
	for i := range c.Target.Bytes / 8 {
		binary.LittleEndian.PutUint64(k.bytes[8*i:], f(i))
	}
	return c.unlike(&k)
}

// unlike returns a vector whose elements differ, or may.
func (c *Builder) unlike(k *constant) Operand {
	v, ok := c.unlikes[k.bytes]
	if !ok {
		v = c.newConstant(k)
		c.unlikes[k.bytes] = v
	}
	return Virtual(v)
}

// newConstant makes the register that stands for a constant.
func (c *Builder) newConstant(k *constant) VReg {
	v := c.NewRegister(Vector)
	c.Registers[v].constant = int32(len(c.constants))
	c.constants = append(c.constants, known{constant: *k, v: v})
	return v
}

// known is a constant with the virtual register that stands for it.
type known struct {
	constant
	v VReg
	// uses counts the instructions that read it, and needs those of them that cannot read it from
	// memory.
	uses, needs int32
	inLoops     bool // something does where loops are nested deepest
	kept        bool // in a register for as long as the code runs
	// at is where it is in memory: its words, its pairs of words, all of it; 0 if nothing has asked for it there.
	at [3]encode.Operand
}

// Const32Of returns the 32 bits that all elements of an operand have, if they are known.
func (c *Builder) Const32Of(x Operand) (bits uint32, ok bool) {
	if x.Reg == 0 || !c.Registers[x.Reg].IsConstant() {
		return 0, false
	}
	k := &c.constants[c.Registers[x.Reg].constant]
	return uint32(k.bits), k.size == 4
}

// Const64Of returns the 64 bits that all elements of an operand have, if they are known.
func (c *Builder) Const64Of(x Operand) (bits uint64, ok bool) {
	if x.Reg == 0 || !c.Registers[x.Reg].IsConstant() {
		return 0, false
	}
	switch k := &c.constants[c.Registers[x.Reg].constant]; k.size {
	case 4:
		return k.bits | k.bits<<32, true
	case 8:
		return k.bits, true
	}
	return 0, false
}

// WordsOf returns the words of an operand that is a constant with different elements.
func (c *Builder) WordsOf(x Operand) (words [16]uint32, ok bool) {
	if x.Reg == 0 || !c.Registers[x.Reg].IsConstant() {
		return words, false
	}
	k := &c.constants[c.Registers[x.Reg].constant]
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(k.bytes[4*i:])
	}
	return words, k.size == 64
}

// IsKnown reports whether an operand is a constant.
func (c *Builder) IsKnown(x Operand) bool { return x.Reg != 0 && c.Registers[x.Reg].IsConstant() }

// constantMemory returns a constant as the memory operand of an instruction that can have one: of 4 or 8 bytes in all places, or
// all bytes.
func (c *Builder) constantMemory(k *known, op encode.Op) encode.Operand {
	if b := c.broadcastBytes(op); b == 4 && k.size == 4 || b == 8 && k.size <= 8 {
		return c.inMemory(k, b).Broadcast()
	}
	return c.inMemory(k, c.Target.Bytes)
}

// inMemory returns where the first bytes of a constant are: 4, 8 or all.
func (c *Builder) inMemory(k *known, bytes int) encode.Operand {
	at := &k.at[2]
	switch bytes {
	case 4:
		at = &k.at[0]
	case 8:
		at = &k.at[1]
	}
	if *at == 0 {
		*at = c.putInMemory(&k.constant, bytes)
	}
	return *at
}

func (c *Builder) putInMemory(k *constant, bytes int) encode.Operand {
	wide := k.bits
	if k.size == 4 {
		wide |= wide << 32
	}
	switch {
	case bytes == 4:
		return c.Asm.Const32(uint32(k.bits))
	case bytes == 8:
		return c.Asm.Const64(wide)
	case k.size == 64:
		return c.Asm.Const(k.bytes[:bytes])
	}
	var all [64]byte
	for i := 0; i < bytes; i += 8 {
		binary.LittleEndian.PutUint64(all[i:], wide)
	}
	return c.Asm.Const(all[:bytes])
}

// canFold reports whether an instruction can read a constant from memory in the place of an
// operand.
func (c *Builder) canFold(i *Instr, k int) bool {
	if !i.Defines || i.Op.RM() != k || i.Tie != 0 && i.Args[k].Reg == i.Tie {
		return false
	}
	return c.fullMemory(i.Op) || c.broadcastBytes(i.Op) > 0 && c.constants[c.Registers[i.Args[k].Reg].constant].size <= c.broadcastBytes(i.Op)
}

// PlaceConstants decides which constants stay in registers: as many as fit beside the other values,
// those first that save most. The other ones become memory operands, or are loaded where they are
// used.
func (c *Builder) PlaceConstants() {
	most, inLoops, nesting := c.Pressure()
	c.countConstants(nesting)
	order := make([]*known, 0, len(c.constants))
	for i := range c.constants {
		if c.constants[i].uses > 0 {
			order = append(order, &c.constants[i])
		}
	}
	if len(order) == 0 {
		return
	}
	sorting.Stable(order, func(a, b *known) int { return int(b.uses + 2*b.needs - a.uses - 2*a.needs) })
	room := c.room(most, len(order))
	hot := min(c.room(inLoops, len(order)), c.Vectors()-leastVectors)
	if c.Options.NoHoist {
		room, hot = 0, 0
	}
	kept := 0
	for _, k := range order {
		// What is kept beside more values than there are registers for costs where they are, and saves where loops turn.
		if k.kept = kept < room || kept < hot && k.inLoops; k.kept {
			kept++
		}
	}
	if kept < len(order) {
		c.rewriteConstants()
	}
}

// leastVectors is how many vector registers constants leave to values where these are spilled.
const leastVectors = 14

// room returns how many of some constants find registers beside other values.
func (c *Builder) room(pressure, constants int) int {
	room := c.Vectors() - pressure
	if room < constants {
		room -= 2 // for those that are loaded where they are used
	}
	return room
}

// countConstants counts what reads each constant, in loops as often as these are assumed to turn.
func (c *Builder) countConstants(nesting []uint8) {
	deepest, cold := slices.Max(nesting), false
	for n := range c.Code {
		i := &c.Code[n]
		weight := int32(1)
		cold = i.Cold || cold && !i.EndsCold
		for depth := min(nesting[n], 5); depth > 0 && !cold; depth-- {
			weight *= loopWeight
		}
		read := func(v VReg, folds bool) {
			known := &c.constants[c.Registers[v].constant]
			known.uses += weight
			if !folds {
				known.needs += weight
			}
			known.inLoops = known.inLoops || nesting[n] == deepest && !cold
		}
		if i.Tie != 0 && c.Registers[i.Tie].IsConstant() {
			read(i.Tie, false)
		}
		for k, x := range i.operands() {
			if x.Index != 0 && c.Registers[x.Index].IsConstant() {
				read(x.Index, false)
			}
			if c.IsKnown(x) {
				read(x.Reg, c.canFold(i, k))
			}
		}
	}
}

// rewriteConstants replaces the constants that are not kept.
func (c *Builder) rewriteConstants() {
	c.rewrite(func(i *Instr) {
		if v := i.Tie; v != 0 && c.lost(v) {
			i.Tie = c.loadConstant(v)
		}
		for k, x := range i.operands() {
			if x.Index != 0 && c.lost(x.Index) {
				i.Args[k].Index = c.loadConstant(x.Index)
			}
			if x.Reg == 0 || !c.lost(x.Reg) {
				continue
			}
			if c.canFold(i, k) {
				i.Args[k] = Fixed(c.constantMemory(&c.constants[c.Registers[x.Reg].constant], i.Op))
				continue
			}
			i.Args[k] = Virtual(c.loadConstant(x.Reg))
		}
	})
}

// lost reports whether a register is a constant that is not kept.
func (c *Builder) lost(v VReg) bool {
	r := &c.Registers[v]
	return r.IsConstant() && !c.constants[r.constant].kept
}

// loadConstant adds an instruction that loads a constant, and returns what it loads it into.
func (c *Builder) loadConstant(v VReg) VReg {
	k := &c.constants[c.Registers[v].constant]
	to := c.NewRegister(Vector)
	c.Registers[to].fresh = true
	if k.size == 4 && k.bits == 0 {
		c.before(Instr{Effect: c.Effect(func() { c.writeZero(to) }, nil), Args: [4]Operand{Virtual(to)}, N: 1, Defines: true})
		return to
	}
	op, from := c.constantLoad(k)
	c.before(Instr{Op: op, Args: [4]Operand{Virtual(to), Fixed(from)}, N: 2, Defines: true})
	return to
}

// constantLoad returns the instruction that loads a constant, and where from.
func (c *Builder) constantLoad(k *known) (op encode.Op, from encode.Operand) {
	switch k.size {
	case 4:
		return encode.VPBROADCASTD | c.Target.Length, c.inMemory(k, 4)
	case 8:
		return encode.VPBROADCASTQ | c.Target.Length, c.inMemory(k, 8)
	}
	return c.Target.Move, c.inMemory(k, c.Target.Bytes)
}
