package amd64

import "slices"

// Live intervals. A value lives from the first instruction that defines it to the last that reads it, in the
// order of instructions. What a loop reads and has not defined lives to the loop's end; what a loop defines and
// is read behind it lives from the loop's beginning, since lanes leave in different turns. There are no
// holes: what waiting lanes have in a register stays there. Constants in registers live everywhere.

// loop is the range of instructions of a loop.
type loop struct{ first, last int32 }

// each calls f for every virtual register that an instruction reads.
func (i *instr) each(f func(v vreg)) {
	if i.tie != 0 {
		f(i.tie)
	}
	if i.mask.v != 0 {
		f(i.mask.v)
	}
	for k := range i.operands() {
		x := &i.args[k]
		if x.v != 0 && (i.reads(k) || x.isAddress()) {
			f(x.v)
		}
		if x.index != 0 {
			f(x.index)
		}
	}
}

// intervals finds the live interval of every virtual register and counts its uses.
func (c *builder) intervals() {
	for v := range c.registers {
		r := &c.registers[v]
		r.uses, r.start, r.end, r.loaded, r.weight = 0, -1, -1, -1, 0
	}
	if c.allLoops != nil {
		c.loops = c.allLoops()
	}
	depth, next := float32(1), 0
	var open []loop
	for n := range c.code {
		for len(open) > 0 && open[len(open)-1].last < int32(n) {
			open = open[:len(open)-1]
			depth /= loopWeight
		}
		for next < len(c.loops) && c.loops[next].first <= int32(n) {
			open = append(open, c.loops[next])
			depth *= loopWeight
			next++
		}
		i := &c.code[n]
		if i.none() {
			continue
		}
		// An outer loop's last instruction is not before that of an inner one: the outermost that the value
		// was defined before says how long it lives.
		use := func(v vreg) {
			r := &c.registers[v]
			end := int32(n)
			for _, l := range open {
				if r.start >= 0 && r.start < l.first {
					end = l.last
					break
				}
			}
			r.end = max(r.end, end)
		}
		i.each(func(v vreg) {
			c.registers[v].uses++
			c.registers[v].weight += depth
			use(v)
		})
		for _, v := range i.uses {
			use(v)
		}
		if i.defines {
			r := &c.registers[i.args[0].v]
			if r.start < 0 {
				r.start = int32(n)
			}
			r.weight += depth
			r.end = max(r.end, int32(n))
			if i.isLoad(c.t) && i.mask.none() {
				r.loaded = int32(n)
			}
		}
	}
	if len(c.loops) > 0 {
		for v := range c.registers {
			c.keepBehind(&c.registers[v])
		}
	}
}

// loopWeight is how often a loop is assumed to turn.
const loopWeight = 8

// keepBehind lets what a loop defines and is read behind it live from the loop's beginning.
func (c *builder) keepBehind(r *register) {
	if r.start < 0 || r.isConstant() {
		return
	}
	// Loops are in the order of their first instructions: the first that fits is the outermost.
	last, _ := slices.BinarySearchFunc(c.loops, r.start, func(l loop, n int32) int { return int(l.first - n) })
	for _, l := range c.loops[:last] {
		if l.first < r.start && r.start <= l.last && l.last < r.end {
			r.start = l.first
			return
		}
	}
}

// pressure returns how many vector registers the code needs at once, without those of constants.
func (c *builder) pressure() int {
	c.intervals()
	change := make([]int32, len(c.code)+2)
	for v := range c.registers {
		if r := &c.registers[v]; r.class == vector && !r.isConstant() && r.start >= 0 {
			change[r.start]++
			change[max(r.end, r.start+1)]--
		}
	}
	live, most := int32(0), int32(0)
	for _, d := range change {
		live += d
		most = max(most, live)
	}
	return int(most)
}

// foldLoads makes the loads of values that are used once memory operands of what uses them.
// Nothing stores between the two: the code of a group loads all before it stores.
func (c *builder) foldLoads() {
	c.intervals()
	for n := range c.code {
		i := &c.code[n]
		k := i.op.RM()
		if i.none() || !i.defines || k < 0 || k >= int(i.n) || !c.fullMemory(i.op) {
			continue
		}
		x := i.args[k]
		if x.v == 0 || x.v == i.tie || x.isAddress() {
			continue
		}
		if r := &c.registers[x.v]; r.uses == 1 && r.loaded >= 0 {
			load := &c.code[r.loaded]
			i.args[k] = load.args[1]
			*load = instr{}
		}
	}
}
