package vector

import (
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/logic"
	"github.com/vop-ptx/vop/run/simt/op"
)

// The predicates of the processor's comparisons of integers.
const (
	CompareEqual = iota
	CompareLess
	compareLessOrEqual
	_
	compareUnequal
	CompareNotLess
	CompareGreater
)

// comparison is a comparison of bytes, halves or words to a mask.
type comparison struct {
	o         encode.Op // with a predicate as its immediate
	predicate uint8
	size      uint8 // bytes of an element
}

// vectorComparisons are the operations whose results are vectors of elements that are all ones or
// zero.
var vectorComparisons = sync.OnceValue(func() []comparison { return opsOf(vectorComparisonNames) })

var vectorComparisonNames = map[string]comparison{
	"word.eq.8": {encode.VPCMPUB, CompareEqual, 1}, "word.eq.16": {encode.VPCMPUW, CompareEqual, 2},
	"word.gt.u8": {encode.VPCMPUB, CompareGreater, 1}, "word.gt.u16": {encode.VPCMPUW, CompareGreater, 2},
	"word.gt.s8": {encode.VPCMPB, CompareGreater, 1}, "word.gt.s16": {encode.VPCMPW, CompareGreater, 2},
	"word.eq": {encode.VPCMPUD, CompareEqual, 4}, "word.lt.u": {encode.VPCMPUD, CompareLess, 4}, "word.lt.s": {encode.VPCMPD, CompareLess, 4},
}

// exchanged is the predicate of a comparison whose operands change places.
func exchanged(predicate uint8) uint8 {
	switch predicate {
	case CompareLess:
		return CompareGreater
	case CompareGreater:
		return CompareLess
	case compareLessOrEqual:
		return CompareNotLess
	case CompareNotLess:
		return compareLessOrEqual
	}
	return predicate
}

// compare emits a comparison to a mask. A constant or what is loaded comes last.
func (s *Selection) compare(k comparison, x, y machine.Operand) machine.Operand {
	if s.IsKnown(x) || s.IsInput(x) && !s.IsInput(y) && !s.IsKnown(y) {
		x, y, k.predicate = y, x, exchanged(k.predicate)
	}
	if !s.under.None() {
		return s.TestUnder(k.o, s.under, x, y, machine.Immediate(int(k.predicate)))
	}
	return s.Test(k.o, x, y, machine.Immediate(int(k.predicate)))
}

func isAnd(o op.Op) bool {
	_, ok := logic.And(o)
	return ok
}

// maskedMove matches a comparison to a vector, and the conjunction with it or with its complement.
func (f *Fuser) maskedMove(i *simt.Inst) (Node, bool) {
	for k := range i.Args {
		if k > 1 {
			break
		}
		compared := f.only(i.Args[k])
		if compared == nil {
			continue
		}
		c := vectorComparisons()[compared.Op]
		if c.size == 0 {
			continue
		}
		switch complemented, _ := logic.And(i.Op); {
		case complemented && k == 0:
			continue
		case complemented:
			c.predicate ^= 4
		}
		return fused(maskedSelector(c), 0, compared.Args[0], compared.Args[1], i.Args[1-k]), true
	}
	return Node{}, false
}

// maskedSelector emits a comparison of the first two arguments and a move of the third under its
// mask.
func maskedSelector(c comparison) *selector {
	return &selector{part: func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Zeroed(emit.MaskedMoves[c.size], s.compare(c, a[0], a[1]), a[2])
	}}
}

// blend matches a logic tree that chooses between two values by a comparison to a vector.
func (f *Fuser) blend(i *simt.Inst) (Node, bool) {
	t, ok := logic.New(f, i)
	if !ok {
		return Node{}, false
	}
	t.Grow()
	if len(t.Leaves) != 3 {
		return Node{}, false
	}
	table := t.Table()
	for m, leaf := range t.Leaves {
		compared := f.Inst(leaf)
		if compared == nil || t.Count(leaf) != f.Uses[leaf] {
			continue
		}
		c := vectorComparisons()[compared.Op]
		if c.size == 0 {
			continue
		}
		x, y := (m+1)%3, (m+2)%3
		set := logic.Leaves[m]
		switch table {
		case set&logic.Leaves[x] | logic.Leaves[y]&^set:
		case set&logic.Leaves[y] | logic.Leaves[x]&^set:
			x, y = y, x
		default:
			continue
		}
		return fused(blendSelector(c), 0, compared.Args[0], compared.Args[1], t.Leaves[x], t.Leaves[y]), true
	}
	return Node{}, false
}

// blendSelector emits a comparison of the first two arguments; the third is the result where it
// holds, the fourth elsewhere.
func blendSelector(c comparison) *selector {
	return &selector{part: func(s *Selection, a []machine.Operand) machine.Operand {
		k := s.compare(c, a[0], a[1])
		return s.BlendUnder(c.size, k, a[2], a[3])
	}}
}

// maskedAnd matches a comparison to a predicate and the conjunction of that with another one: the
// comparison is done under the other one's mask.
func (f *Fuser) maskedAnd(i *simt.Inst) (Node, bool) {
	for k := range 2 {
		compared := f.only(i.Args[k])
		if compared == nil {
			continue
		}
		inner := selectorOf(f.Target.Level, compared.Op)
		if inner == nil || !masks()[compared.Op] {
			continue
		}
		part := inner.part
		n := fused(&selector{part: func(s *Selection, a []machine.Operand) machine.Operand {
			s.under = a[2]
			defer func() { s.under = machine.Operand{} }()
			return part(s, a[:2])
		}}, 0, compared.Args[0], compared.Args[1], i.Args[1-k])
		n.wide = compared.Op.Shape() == "p:ll"
		return n, true
	}
	return Node{}, false
}

func isAndOfPredicates(o op.Op) bool { return o == op.Must("and.pred") }

// masks are the comparisons whose selectors heed [selection.under].
var masks = sync.OnceValue(func() []bool {
	all := make([]bool, op.All())
	for name := range integerComparisons {
		all[op.Must(name)] = true
	}
	for name := range floatComparisons {
		all[op.Must(name)] = true
	}
	return all
})
