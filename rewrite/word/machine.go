package word

// A Count tells what ptxas makes of a program, as [Caps.Machine] estimates it.
type Count struct {
	Instructions int // machine instructions, without those that only move
	Slots        int // issue slots: the time that they take, in instructions at the full rate (rates.go)
	Depth        int // the most instructions that wait for one another
}

// Machine estimates the machine instructions that ptxas makes of a program. What is
// known of ptxas 11.8 stands in this file:
//
//   - an addition takes in one product (IMAD), one shift by a constant (LEA) or one more sum (IADD3);
//   - 64-bit values are two words, of which only those that matter are computed;
//   - a comparison is a predicate, and one more instruction makes a mask of it;
//   - the carry of a sum is a predicate that comes with the sum;
//   - shifts by y & 31 need no AND (SHF wraps).
func (c Caps) Machine(p *Program) Count {
	var room [64]part // so that nothing is allocated for most programs
	m := machine{p: p, parts: room[:]}
	if len(p.Insts) > len(room) {
		m.parts = make([]part, len(p.Insts))
	}
	m.findHalves()
	m.findUses()
	var count Count
	for n := range p.Insts {
		cost := m.cost(Value(n))
		count.Instructions += cost
		count.Slots += cost * c.slots(p.Insts[n].Op)
		depth := 0
		for _, v := range p.Insts[n].Args() {
			depth = max(depth, int(m.parts[v].depth))
		}
		m.parts[n].depth = int16(depth + min(cost, 2)) // the two words of one value do not wait long for each other
	}
	count.Depth = int(m.parts[p.Result].depth)
	return count
}

// machine is a program as ptxas sees it.
type machine struct {
	p     *Program
	parts []part // by value
}

// part is what ptxas makes of a value.
type part struct {
	uses   int16 // how many arguments name it, and the result
	depth  int16
	joins  bool    // an addition that became part of its argument's instruction
	mask   bool    // a comparison that is used other than by a Select
	halves halfSet // that matter, of a wide value
}

// halfSet are the words of a wide value.
type halfSet uint8

const (
	lowHalf halfSet = 1 << iota
	highHalf
	bothHalves = lowHalf | highHalf
)

// count returns the number of halves.
func (h halfSet) count() int { return int(h&1 + h>>1) }

// findHalves goes backwards from the result.
func (m *machine) findHalves() {
	for n := m.p.Result; n >= 0; n-- {
		i := &m.p.Insts[n]
		needed := m.parts[n].halves
		for _, v := range i.Args() {
			m.parts[v].halves |= m.halvesRead(i, needed)
		}
	}
}

// halvesRead returns the halves of wide arguments that the given halves of a result need.
func (m *machine) halvesRead(i *Inst, needed halfSet) halfSet {
	switch i.Op {
	case Lo:
		return lowHalf
	case AddWide, SubWide:
		if needed == lowHalf {
			return lowHalf
		}
	case ShrWideU, ShrWideS:
		if i.Imm >= 32 || needed == highHalf {
			return highHalf
		}
	case ShlWide:
		if places := &m.p.Insts[i.Arg[1]]; needed == lowHalf || places.Op == WideConst && places.Imm >= 32 {
			return lowHalf
		}
	}
	return bothHalves
}

// findUses counts uses, and finds the comparisons that are more than predicates.
func (m *machine) findUses() {
	for n := range m.p.Insts {
		i := &m.p.Insts[n]
		for k, v := range i.Args() {
			m.parts[v].uses++
			if isCompare(m.p.Insts[v].Op) && (i.Op != Select || k > 0) {
				m.parts[v].mask = true
			}
		}
	}
	m.parts[m.p.Result].uses++
	m.parts[m.p.Result].mask = true
}

// cost returns the number of machine instructions of a value.
func (m *machine) cost(n Value) int {
	i := &m.p.Insts[n]
	if i.Op.Wide() {
		return m.wideCost(n)
	}
	switch i.Op {
	case Input, Const, Lo:
		return 0
	case CmpEq, CmpLtU, CmpLtS:
		if m.parts[n].mask {
			return 2
		}
		if _, ok := m.p.CarryOf(n); ok {
			return 0
		}
	case And:
		if k, ok := m.p.ConstOf(i.Arg[1]); ok && k == 31 && m.onlyPlaces(n) {
			return 0
		}
	case Add, Sub:
		if m.parts[n].joins = m.joinsArgument(i); m.parts[n].joins {
			return 0
		}
	}
	return 1
}

// onlyPlaces reports whether a value is used only to say how far something is shifted.
func (m *machine) onlyPlaces(v Value) bool {
	places := 0
	for n := range m.p.Insts {
		switch i := &m.p.Insts[n]; i.Op {
		case Shl, ShrU, ShrS:
			if i.Arg[1] == v && i.Arg[0] != v {
				places++
			}
		}
	}
	return places == int(m.parts[v].uses)
}

// joinsArgument reports whether an addition becomes one instruction with one of its terms:
// a product (IMAD), a shift by a constant (LEA), or another sum of two (IADD3).
func (m *machine) joinsArgument(i *Inst) bool {
	for k, v := range i.Args() {
		if m.parts[v].uses > 1 {
			continue
		}
		switch term := &m.p.Insts[v]; term.Op {
		case Add, Sub:
			if !m.parts[v].joins {
				return true
			}
		case Mul:
			if i.Op == Add || k == 0 {
				return true
			}
		case Shl, ShrU, ShrS:
			if _, ok := m.p.ConstOf(term.Arg[1]); ok && i.Op == Add {
				return true
			}
		}
	}
	return false
}

// wideCost is cost of a wide value.
func (m *machine) wideCost(n Value) int {
	i := &m.p.Insts[n]
	halves := m.parts[n].halves
	switch i.Op {
	case WideConst, WideU:
		return 0
	case WideS:
		return int(halves >> 1) // the sign
	case MulWideU, MulWideS:
		return 1
	case AddWide:
		if m.isWideProduct(i.Arg[1]) && m.p.Insts[i.Arg[0]].Op != WideU {
			m.parts[n].joins = true
			return 0
		}
		fallthrough
	case SubWide:
		if m.isWideProduct(i.Arg[0]) && m.p.Insts[i.Arg[1]].Op != WideU {
			m.parts[n].joins = true
			return 0
		}
		if i.Op == AddWide && (m.pairs(i.Arg[0], i.Arg[1]) || m.pairs(i.Arg[1], i.Arg[0])) {
			return 0
		}
		if m.lowIsZero(i.Arg[1]) {
			return int(halves >> 1)
		}
		if m.parts[n].joins = m.joinsWideSum(i); m.parts[n].joins {
			return 0
		}
	case ShrWideU, ShrWideS:
		switch {
		case i.Op == ShrWideU && i.Imm == 32:
			return 0
		case i.Op == ShrWideS && i.Imm == 32:
			return int(halves >> 1)
		case i.Op == ShrWideU && i.Imm > 32:
			return int(halves & lowHalf)
		}
	case ShlWide:
		if places := &m.p.Insts[i.Arg[1]]; places.Op == WideConst {
			if places.Imm == 32 {
				return 0
			}
			if places.Imm > 32 {
				return int(halves >> 1)
			}
		}
	case MinWideU, MinWideS, MaxWideS:
		return 2 + halves.count()
	}
	return halves.count()
}

// joinsWideSum reports whether a sum of wide values takes in another sum: both its words
// add three.
func (m *machine) joinsWideSum(i *Inst) bool {
	for _, v := range i.Args() {
		if op := m.p.Insts[v].Op; (op == AddWide || op == SubWide) && m.parts[v].uses == 1 && !m.parts[v].joins && !m.lowIsZero(m.p.Insts[v].Arg[1]) {
			return true
		}
	}
	return false
}

// lowIsZero reports whether the low word of a wide value is 0.
func (m *machine) lowIsZero(v Value) bool {
	i := &m.p.Insts[v]
	if i.Op == ShlWide {
		places := &m.p.Insts[i.Arg[1]]
		return places.Op == WideConst && places.Imm == 32
	}
	return i.Op == WideConst && uint32(i.Imm) == 0
}

// pairs reports whether one wide value is a low word alone and the other a high one: their sum
// is computed by nothing. No measured program has such a sum, but those with lowIsZero show that ptxas knows the zeros.
func (m *machine) pairs(low, high Value) bool {
	i := &m.p.Insts[low]
	return (i.Op == WideU || i.Op == WideConst && i.Imm>>32 == 0) && m.lowIsZero(high)
}

// isWideProduct reports whether a value is a product that nothing else uses.
func (m *machine) isWideProduct(v Value) bool {
	op := m.p.Insts[v].Op
	return (op == MulWideU || op == MulWideS) && m.parts[v].uses == 1 && !m.isExtension(v)
}

// isExtension reports whether a value is a word times 1.
func (m *machine) isExtension(v Value) bool {
	i := &m.p.Insts[v]
	k, ok := m.p.ConstOf(i.Arg[1])
	return i.Op == MulWideU && ok && k == 1
}
