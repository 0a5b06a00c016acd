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
	case c.cost == costAVX2:
		return p.weightAVX2(i)
	case c.cost == costNEON:
		return p.weightNEON(i)
	}
	return unit
}

// weightNEON knows that shifts by varying amounts are held to 32 and turned round first.
func (p *Program) weightNEON(i *Inst) int {
	zero := func(v Value) bool { k, ok := p.ConstOf(v); return ok && k == 0 }
	switch i.Op {
	case Perm:
		if zero(i.Arg[0]) || zero(i.Arg[1]) {
			return unit
		}
		return 2 * unit
	case Shl:
		if _, ok := p.ConstOf(i.Arg[1]); !ok {
			return 2 * unit
		}
	case ShrU, ShrS:
		if _, ok := p.ConstOf(i.Arg[1]); !ok {
			return 3 * unit
		}
	case DotU8, DotS8, SadU8, SadS8:
		return 2 * unit
	case DotU16, DotS16:
		if i.Imm&0xffff != 0x0101 {
			return 2 * unit
		}
	}
	return unit
}

// weightAVX2 knows that AVX2 also lacks two-source permutations and unsigned comparisons.
func (p *Program) weightAVX2(i *Inst) int {
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
