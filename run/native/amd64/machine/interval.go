package machine

import "slices"

// Live intervals. A value lives from the first instruction that defines it to the last that reads it, in the
// order of instructions. What a loop reads and has not defined lives to the loop's end; what a loop defines and
// is read behind it lives from the loop's beginning, since lanes leave in different turns. There are no
// holes: what waiting lanes have in a register stays there. Constants in registers live everywhere.

// Loop is the range of instructions of a loop.
type Loop struct{ First, Last int32 }

// Each calls f for every virtual register that an instruction reads.
func (i *Instr) Each(f func(v VReg)) {
	if i.Tie != 0 {
		f(i.Tie)
	}
	if i.Mask.Reg != 0 {
		f(i.Mask.Reg)
	}
	for k := range i.operands() {
		x := &i.Args[k]
		if x.Reg != 0 && (i.readsOperand(k) || x.isAddress()) {
			f(x.Reg)
		}
		if x.Index != 0 {
			f(x.Index)
		}
	}
}

// Intervals finds the live interval of every virtual register and counts its uses.
func (c *Builder) Intervals() {
	for v := range c.Registers {
		r := &c.Registers[v]
		r.uses, r.Start, r.End, r.Loaded, r.weight = 0, -1, -1, -1, 0
	}
	if c.AllLoops != nil {
		c.loops = c.AllLoops()
	}
	depth, next := float32(1), 0
	var open []Loop
	for n := range c.Code {
		for len(open) > 0 && open[len(open)-1].Last < int32(n) {
			open = open[:len(open)-1]
			depth /= loopWeight
		}
		for next < len(c.loops) && c.loops[next].First <= int32(n) {
			open = append(open, c.loops[next])
			depth *= loopWeight
			next++
		}
		i := &c.Code[n]
		if i.None() {
			continue
		}
		// An outer loop's last instruction is not before that of an inner one: the outermost that the value
		// was defined before says how long it lives.
		use := func(v VReg) {
			r := &c.Registers[v]
			end := int32(n)
			for _, l := range open {
				if r.Start >= 0 && r.Start < l.First {
					end = l.Last
					break
				}
			}
			r.End = max(r.End, end)
		}
		i.Each(func(v VReg) {
			c.Registers[v].uses++
			c.Registers[v].weight += depth
			use(v)
		})
		for _, v := range c.usesOf(i) {
			use(v)
		}
		if i.Defines {
			r := &c.Registers[i.Args[0].Reg]
			if r.Start < 0 {
				r.Start = int32(n)
			}
			r.weight += depth
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

// loopWeight is how often a loop is assumed to turn.
const loopWeight = 8

// keepBehind lets what a loop defines and is read behind it live from the loop's beginning.
func (c *Builder) keepBehind(r *register) {
	if r.Start < 0 || r.IsConstant() {
		return
	}
	// Loops are in the order of their first instructions: the first that fits is the outermost.
	last, _ := slices.BinarySearchFunc(c.loops, r.Start, func(l Loop, n int32) int { return int(l.First - n) })
	for _, l := range c.loops[:last] {
		if l.First < r.Start && r.Start <= l.Last && l.Last < r.End {
			r.Start = l.First
			return
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

// Pressure returns how many vector registers the code needs at once, without those of constants: anywhere, and where it is
// in as many loops as it ever is, for what is written or read there. nesting says of each instruction in how many loops it is.
func (c *Builder) Pressure() (most, inLoops int, nesting []uint8) {
	c.Intervals()
	nesting = c.nesting()
	deepest := slices.Max(nesting)
	inner := c.touched(func(n int) bool { return nesting[n] == deepest })
	change, changeInner := make([]int32, len(c.Code)+2), make([]int32, len(c.Code)+2)
	for v := range c.Registers {
		if r := &c.Registers[v]; r.Class == Vector && !r.IsConstant() && r.Start >= 0 {
			change[r.Start]++
			change[max(r.End, r.Start+1)]--
			if inner[v] {
				changeInner[r.Start]++
				changeInner[max(r.End, r.Start+1)]--
			}
		}
	}
	live, liveInner := 0, 0
	for n := range change {
		live += int(change[n])
		liveInner += int(changeInner[n])
		most = max(most, live)
		if n < len(nesting) && nesting[n] == deepest {
			inLoops = max(inLoops, liveInner)
		}
	}
	return most, inLoops, nesting
}

// touched returns the registers that some instructions write or read, by number.
func (c *Builder) touched(which func(n int) bool) []bool {
	touched := make([]bool, len(c.Registers))
	for n := range c.Code {
		if i := &c.Code[n]; which(n) {
			i.Each(func(v VReg) { touched[v] = true })
			if i.Defines {
				touched[i.Args[0].Reg] = true
			}
		}
	}
	return touched
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
