package word

// unit is the weight of one machine instruction in the cost of a program.
const unit = 8

// Cost weighs a program for choosing among several ways to compute the same:
// about the number of machine instructions, and among equals the number of operations.
func (c Caps) Cost(p *Program) int {
	total := 0
	if c.PTX {
		total = c.ptxCost(p)
	} else {
		for n := range p.Insts {
			total += c.weight(p, Value(n))
		}
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

// ptxCost counts the machine instructions that ptxas makes of a program.
func (c Caps) ptxCost(p *Program) int {
	uses := p.Uses()
	total := 0
	masks := map[Value]bool{}    // comparisons that are used other than by Select
	weights := map[uint64]bool{} // of Dot
	joins := make([]bool, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		for k, v := range i.Args() {
			if isCompare(p.Insts[v].Op) && (i.Op != Select || k > 0) && !masks[v] {
				masks[v] = true
				total += unit // a predicate becomes a mask
			}
		}
		switch i.Op {
		case Input, Const, WideConst, Lo:
			continue
		case DotU8, DotS8, DotU16, DotS16:
			if c.DotWeightsCost && !weights[i.Imm] {
				weights[i.Imm] = true
				total += unit
			}
		case MinWideU, MinWideS, MaxWideS:
			total += 4 * unit
			continue
		case AddWide, SubWide, ShlWide, ShrWideU, ShrWideS:
			total += unit
		case Add, Sub:
			if joins[n] = joinsArgument(p, i, uses, joins); joins[n] {
				continue
			}
		}
		total += unit
	}
	return total
}

// joinsArgument reports whether an addition becomes one instruction with one of its terms:
// a product (IMAD), a shift by a constant (LEA), or another sum of two (IADD3).
func joinsArgument(p *Program, i *Inst, uses []int, joins []bool) bool {
	for _, v := range i.Args() {
		if uses[v] > 1 {
			continue
		}
		switch term := &p.Insts[v]; term.Op {
		case Add, Sub:
			if !joins[v] {
				return true
			}
		case Mul:
			if i.Op == Add {
				return true
			}
		case Shl, ShrU, ShrS:
			if _, ok := p.ConstOf(term.Arg[1]); ok && i.Op == Add {
				return true
			}
		}
	}
	return false
}
