package amd64

// Live intervals. The code is straight line, or one loop whose body begins with nothing but
// constants in registers: so a value lives from the instruction that defines it to the last that
// reads it, and constants live everywhere.

// each calls f for every virtual register that an instruction reads.
func (i *instr) each(f func(v vreg)) {
	if i.tie != 0 {
		f(i.tie)
	}
	if i.mask.v != 0 {
		f(i.mask.v)
	}
	for k := range i.operands() {
		if v := i.args[k].v; v != 0 && i.reads(k) {
			f(v)
		}
	}
}

// intervals finds the live interval of every virtual register and counts its uses.
func (c *compiler) intervals() {
	for v := range c.registers {
		r := &c.registers[v]
		r.uses, r.start, r.end, r.loaded = 0, -1, -1, -1
	}
	for n := range c.code {
		i := &c.code[n]
		if i.op == 0 {
			continue
		}
		i.each(func(v vreg) {
			r := &c.registers[v]
			r.uses++
			r.end = int32(n)
		})
		if i.defines {
			r := &c.registers[i.args[0].v]
			r.start = int32(n)
			r.end = max(r.end, int32(n))
			if i.isLoad(c.t) && i.mask.none() {
				r.loaded = int32(n)
			}
		}
	}
}

// pressure returns how many vector registers the code needs at once, without those of constants.
func (c *compiler) pressure() int {
	c.intervals()
	live, most := 0, 0
	for n := range c.code {
		i := &c.code[n]
		if i.op == 0 {
			continue
		}
		i.each(func(v vreg) {
			// A register that is read twice ends once.
			if r := &c.registers[v]; r.class == vector && !r.isConstant() && r.end == int32(n) && r.machine != counted {
				live--
				r.machine = counted
			}
		})
		if i.defines && c.registers[i.args[0].v].class == vector {
			live++
			most = max(most, live)
			if r := &c.registers[i.args[0].v]; r.end == int32(n) {
				live--
			}
		}
	}
	for v := range c.registers {
		c.registers[v].machine = -1
	}
	return most
}

// counted marks a register whose end pressure has seen.
const counted = -2

// foldLoads makes the loads of values that are used once memory operands of what uses them.
// Nothing stores between the two: the code of a group loads all before it stores.
func (c *compiler) foldLoads() {
	c.intervals()
	for n := range c.code {
		i := &c.code[n]
		k := i.op.RM()
		if i.op == 0 || !i.defines || k < 0 || k >= int(i.n) || !c.fullMemory(i.op) {
			continue
		}
		x := i.args[k]
		if x.v == 0 || x.v == i.tie {
			continue
		}
		if r := &c.registers[x.v]; r.uses == 1 && r.loaded >= 0 {
			load := &c.code[r.loaded]
			i.args[k] = load.args[1]
			*load = instr{}
		}
	}
}
