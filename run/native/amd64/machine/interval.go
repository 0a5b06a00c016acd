package machine

import "slices"

// Live intervals. A value lives from the first instruction that defines it to the last that reads it, in the
// order of instructions. What a loop reads and has not defined lives to the loop's end; what a loop defines and
// is read behind it lives from the loop's beginning, since lanes leave in different turns. There are no
// holes: what waiting lanes have in a register stays there. Constants in registers live everywhere.

// Loop is the range of instructions of a loop.
type Loop struct {
	First, Last int32
	outer       loopID
}

// loopID is the number of a loop, plus 1; 0 is none.
type loopID int32

// readRegisters is memory for the registers that an instruction reads: its tie, its mask, and two of each operand, and one that
// is none.
type readRegisters [11]VReg

// reads returns the virtual registers that an instruction reads, each as often as it does.
func (i *Instr) reads(all *readRegisters) []VReg {
	n := 0
	add := func(v VReg) {
		all[n] = v
		if v != 0 {
			n++
		}
	}
	add(i.Tie)
	add(i.Mask.Reg)
	for k := range i.operands() {
		switch x := &i.Args[k]; {
		case x.isAddress():
			add(x.Reg)
			add(x.Index)
		case i.readsOperand(k):
			add(x.Reg)
		}
	}
	return all[:n]
}

// Intervals finds the live interval of every virtual register and counts its uses. Passes that insert instructions move the
// intervals with the code.
func (c *Builder) Intervals() {
	for v := range c.Registers {
		r := &c.Registers[v]
		r.uses, r.Start, r.End, r.Loaded, r.weight, r.early, r.late, r.in, r.depth = 0, -1, -1, -1, 0, false, false, 0, 0
	}
	c.findLoops()
	weight, depth, next := float32(1), uint8(0), 0
	in := loopID(0) // the innermost loop of the instruction
	var read readRegisters
	for n := range c.Code {
		for in != 0 && c.loops[in-1].Last < int32(n) {
			in = c.loops[in-1].outer
			weight /= loopWeight
			depth--
		}
		for next < len(c.loops) && c.loops[next].First <= int32(n) {
			next++
			in = loopID(next)
			weight *= loopWeight
			depth++
		}
		i := &c.Code[n]
		if i.None() {
			continue
		}
		for _, v := range i.reads(&read) {
			r := &c.Registers[v]
			r.uses++
			r.weight += weight
			r.depth = max(r.depth, depth)
			c.use(r, int32(n), in)
		}
		for _, v := range c.usesOf(i) {
			c.use(&c.Registers[v], int32(n), in)
		}
		if i.Defines {
			r := &c.Registers[i.Args[0].Reg]
			if r.Start < 0 {
				r.Start, r.in = int32(n), in
			}
			r.weight += weight
			r.depth = max(r.depth, depth)
			r.End = max(r.End, int32(n))
			if i.isLoad(c.Target) && i.Mask.None() {
				r.Loaded = int32(n)
			}
		}
	}
	if len(c.loops) > 0 {
		for v := range c.Registers {
			c.keepBehind(&c.Registers[v])
		}
	}
}

// use lets a value live to instruction n, which reads it in a loop: the outermost loop that the value was defined before says
// how long it lives.
func (c *Builder) use(r *register, n int32, in loopID) {
	for ; in != 0 && r.Start >= 0 && r.Start < c.loops[in-1].First; in = c.loops[in-1].outer {
		n, r.late = c.loops[in-1].Last, true
	}
	r.End = max(r.End, n)
}

// findLoops finds where the loops are in the code, and which is in which.
func (c *Builder) findLoops() {
	if c.AllLoops == nil {
		return
	}
	c.loops = c.AllLoops()
	in := loopID(0)
	for n := range c.loops {
		l := &c.loops[n]
		for in != 0 && c.loops[in-1].Last < l.First {
			in = c.loops[in-1].outer
		}
		l.outer = in
		in = loopID(n + 1)
	}
}

// loopAt returns the innermost loop around an instruction.
func (c *Builder) loopAt(n int32) loopID {
	behind, _ := slices.BinarySearchFunc(c.loops, n+1, func(l Loop, n int32) int { return int(l.First - n) })
	in := loopID(behind) // the last loop that begins before n or there
	for in != 0 && c.loops[in-1].Last < n {
		in = c.loops[in-1].outer
	}
	return in
}

// loopWeight is how often a loop is assumed to turn.
const loopWeight = 8

// keepBehind lets what a loop defines and is read behind it live from the loop's beginning: from that of the outermost one.
func (c *Builder) keepBehind(r *register) {
	if r.Start < 0 || r.IsConstant() {
		return
	}
	start := r.Start
	for in := r.in; in != 0 && c.loops[in-1].Last < r.End; in = c.loops[in-1].outer {
		if l := &c.loops[in-1]; l.First < start {
			r.Start, r.early = l.First, true
		}
	}
}

// nesting returns for each instruction how many loops it is in.
func (c *Builder) nesting() []uint8 {
	nesting := make([]uint8, len(c.Code)+1)
	for _, l := range c.loops {
		nesting[l.First]++
		nesting[l.Last+1]-- // wraps around, and back again in the sum
	}
	for n := 1; n < len(nesting); n++ {
		nesting[n] += nesting[n-1]
	}
	return nesting
}

// change is by how many the registers that are needed become more at an instruction: all, and those that are written or read where
// loops are nested deepest.
type change struct{ all, inner int32 }

// Pressure returns how many vector registers the code needs at once, without those of constants: anywhere, and where it is
// in as many loops as it ever is, for what is written or read there. nesting says of each instruction in how many loops it is.
func (c *Builder) Pressure() (most, inLoops int, nesting []uint8) {
	c.Intervals()
	nesting = c.nesting()
	deepest := slices.Max(nesting)
	c.changes = slices.Grow(c.changes[:0], len(c.Code)+2)[:len(c.Code)+2]
	clear(c.changes)
	for v := range c.Registers {
		r := &c.Registers[v]
		if r.Class != Vector || r.IsConstant() || r.Start < 0 {
			continue
		}
		begin, end := &c.changes[r.Start], &c.changes[max(r.End, r.Start+1)]
		begin.all++
		end.all--
		if r.depth == deepest {
			begin.inner++
			end.inner--
		}
	}
	now := change{}
	for n, by := range c.changes {
		now.all += by.all
		now.inner += by.inner
		most = max(most, int(now.all))
		if n < len(nesting) && nesting[n] == deepest {
			inLoops = max(inLoops, int(now.inner))
		}
	}
	return most, inLoops, nesting
}

// foldLoads makes the loads of values that are used once memory operands of what uses them.
// Nothing stores between the two: the code of a group loads all before it stores.
func (c *Builder) foldLoads() {
	c.Intervals()
	for n := range c.Code {
		i := &c.Code[n]
		k := i.Op.RM()
		if i.None() || !i.Defines || k < 0 || k >= int(i.N) || !c.fullMemory(i.Op) {
			continue
		}
		x := i.Args[k]
		if x.Reg == 0 || x.Reg == i.Tie || x.isAddress() {
			continue
		}
		if r := &c.Registers[x.Reg]; r.uses == 1 && r.Loaded >= 0 {
			load := &c.Code[r.Loaded]
			i.Args[k] = load.Args[1]
			*load = Instr{}
		}
	}
}
