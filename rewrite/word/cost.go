package word

// unit is the weight of one machine instruction in the cost of a program.
const unit = 8

// Cost weighs a program for choosing among several ways to compute the same:
// about the number of machine instructions; for PTX the issue slots, then the machine instructions, then how
// many of them wait for one another. Among equals it is the number of operations.
func (c Caps) Cost(p *Program) int {
	if c.PTX {
		count := c.Machine(p)
		return ((count.Slots<<8+count.Instructions)<<8+count.Depth)<<8 + p.Cost()
	}
	total := 0
	for n := range p.Insts {
		total += c.weight(p, Value(n))
	}
	return total + p.Cost()
}

// weight returns the cost of one instruction on a CPU.
func (c Caps) weight(p *Program, n Value) int {
	i := &p.Insts[n]
	switch {
	case i.Op.Args() == 0:
		return 0
	case i.Op.Wide() || i.Op.TakesWide():
		return 2 * unit
	case !c.DotIsLong:
		return unit
	}
	// AVX2, which also lacks two-source permutations and unsigned comparisons.
	switch i.Op {
	case Perm:
		if k, ok := p.ConstOf(i.Arg[1]); ok && k == 0 {
			return unit
		}
		return 3 * unit
	case DotU8, DotS8:
		return 3 * unit
	case DotS16, CmpGtU8, CmpGtU16, CmpLtU:
		return 2 * unit
	}
	return unit
}
