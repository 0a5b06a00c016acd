package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/logic"
)

// Any bitwise function of three values is one instruction, vpternlogd: bit x<<2|y<<1|z of its
// immediate is the result where the bits of the operands are x, y and z. So a tree of logic
// operations with at most three leaves becomes one node.

// logic matches a tree of logic operations.
func (f *Fuser) logic(i *simt.Inst) (Node, bool) {
	t, ok := logic.New(f, i)
	if !ok {
		return Node{}, false
	}
	if f.Target.Level == amd64.AVX512 {
		t.Grow()
	} else { // there is no other logic of several operations than x &^ y
		t.GrowPair(func(table uint8) bool { return simpleTable(table, 2) })
	}
	table := t.Table()
	if f.Target.Level == amd64.AVX2 && !simpleTable(table, len(t.Leaves)) {
		return Node{}, false
	}
	return fused(&logicSelector, uint64(table), t.Leaves...), true
}

// The truth tables of the operands.
const (
	TableX = logic.X
	TableY = logic.Y
	TableZ = logic.Z
)

// simpleTable reports whether a function of two values is one instruction without vpternlogd.
func simpleTable(table uint8, leaves int) bool {
	_, _, ok := plainLogic(table)
	return leaves == 2 && ok
}

// plainLogic returns the instruction for a function of x and y, and whether it takes them
// exchanged.
func plainLogic(table uint8) (o [2]encode.Op, exchanged, ok bool) {
	switch table {
	case TableX & TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPAND, amd64.AVX512: encode.VPANDD}, false, true
	case TableX | TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPOR, amd64.AVX512: encode.VPORD}, false, true
	case TableX ^ TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPXOR, amd64.AVX512: encode.VPXORD}, false, true
	case ^TableX & 0xff & TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPANDN, amd64.AVX512: encode.VPANDND}, false, true
	case TableX &^ TableY:
		return [2]encode.Op{amd64.AVX2: encode.VPANDN, amd64.AVX512: encode.VPANDND}, true, true
	}
	return o, false, false
}

// logicSelector emits a function of the node's arguments. Its truth table is the immediate.
var logicSelector = selector{part: func(s *Selection, a []machine.Operand) machine.Operand { return s.Logic(uint8(s.Node.imm), a...) }}

// Logic computes a bitwise function of up to three vectors by its truth table.
func (s *Selection) Logic(table uint8, a ...machine.Operand) machine.Operand {
	switch {
	case table == 0:
		return s.Zero()
	case table == 0xff:
		return s.Ones()
	case table == TableX:
		return a[0]
	case len(a) > 1 && table == TableY:
		return a[1]
	case len(a) > 2 && table == TableZ:
		return a[2]
	}
	if len(a) == 2 {
		if o, exchanged, ok := plainLogic(table); ok {
			switch {
			case exchanged:
				return s.andNot(a[0], a[1])
			case o[s.Target.Level] == encode.VPANDND || o[s.Target.Level] == encode.VPANDN:
				return s.andNot(a[1], a[0])
			}
			return s.commuted(o[s.Target.Level], a[0], a[1])
		}
	}
	if s.Target.Level == amd64.AVX2 {
		return s.logicByParts(table, a)
	}
	return s.ternary(table, a)
}

// andNot is x &^ y.
func (s *Selection) andNot(x, y machine.Operand) machine.Operand {
	if bits, ok := s.Const32Of(y); ok {
		return s.And(x, s.Const32(^bits))
	}
	o := [2]encode.Op{amd64.AVX2: encode.VPANDN, amd64.AVX512: encode.VPANDND}
	if s.IsKnown(y) && s.Target.Level == amd64.AVX512 {
		return s.logic3(TableX&^TableY&0xff, x, y, y)
	}
	return s.New(o[s.Target.Level], y, x)
}

// ternary emits vpternlogd: the operand that it overwrites should be one that nobody reads again,
// the last one what may be memory.
func (s *Selection) ternary(table uint8, a []machine.Operand) machine.Operand {
	x := [3]machine.Operand{a[0], a[0], a[0]}
	copy(x[:], a)
	rank := func(o machine.Operand) int { // what should come first
		switch {
		case s.IsKnown(o):
			return 3
		case s.isInput(o):
			return 2
		case s.dies(o):
			return 0
		}
		return 1
	}
	swap := func(i, j int) {
		x[i], x[j] = x[j], x[i]
		t := logic.Leaves
		t[i], t[j] = t[j], t[i]
		table = logic.Compose(table, t[0], t[1], t[2])
	}
	if len(a) < 3 {
		// The missing ones count as the first: rows in which they differ never occur.
		t := logic.Leaves
		for n := len(a); n < 3; n++ {
			t[n] = t[0]
		}
		table = logic.Compose(table, t[0], t[1], t[2])
	}
	if rank(x[0]) > rank(x[1]) {
		swap(0, 1)
	}
	if rank(x[1]) > rank(x[2]) {
		swap(1, 2)
	}
	if rank(x[0]) > rank(x[1]) {
		swap(0, 1)
	}
	return s.Change(encode.VPTERNLOGD, x[0], x[1], x[2], machine.Immediate(int(table)))
}

// logic3 computes a bitwise function of three vectors.
func (s *Selection) logic3(table uint8, x, y, z machine.Operand) machine.Operand {
	return s.Logic(table, x, y, z)
}

// logicByParts computes a bitwise function of three vectors as a sum of products: x chooses between
// two functions of y and z.
func (s *Selection) logicByParts(table uint8, a []machine.Operand) machine.Operand {
	x := [3]machine.Operand{a[0], a[0], a[0]}
	copy(x[:], a)
	sum := machine.Operand{}
	for row := range 8 {
		if missing := 7 >> len(a); table>>row&1 == 0 || row&missing != 0 {
			continue
		}
		term := machine.Operand{}
		for n := range len(a) {
			factor := x[n]
			if row>>(2-n)&1 == 0 {
				factor = s.Xor(factor, s.Ones())
			}
			if term.None() {
				term = factor
			} else {
				term = s.And(term, factor)
			}
		}
		if sum.None() {
			sum = term
		} else {
			sum = s.Or(sum, term)
		}
	}
	return sum
}

// And is the conjunction of all bits.
//
//go:noinline
func (s *Selection) And(x, y machine.Operand) machine.Operand {
	return s.commuted([2]encode.Op{amd64.AVX2: encode.VPAND, amd64.AVX512: encode.VPANDD}[s.Target.Level], x, y)
}

// Or is the disjunction of all bits.
//
//go:noinline
func (s *Selection) Or(x, y machine.Operand) machine.Operand {
	return s.commuted([2]encode.Op{amd64.AVX2: encode.VPOR, amd64.AVX512: encode.VPORD}[s.Target.Level], x, y)
}

// Xor is the exclusive disjunction of all bits.
//
//go:noinline
func (s *Selection) Xor(x, y machine.Operand) machine.Operand {
	return s.commuted([2]encode.Op{amd64.AVX2: encode.VPXOR, amd64.AVX512: encode.VPXORD}[s.Target.Level], x, y)
}

// Not is the complement.
func (s *Selection) Not(x machine.Operand) machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		return s.Const32(^bits)
	}
	if s.Target.Level == amd64.AVX512 {
		return s.ternary(^uint8(TableX), []machine.Operand{x})
	}
	return s.Xor(x, s.Ones())
}
