package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
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
		t.GrowPair(func(table uint8) bool { return emit.OneInstruction(table, 2) })
	}
	table := t.Table()
	if f.Target.Level == amd64.AVX2 && !emit.OneInstruction(table, len(t.Leaves)) {
		return Node{}, false
	}
	return fused(&logicSelector, uint64(table), t.Leaves...), true
}

// logicSelector emits a function of the node's arguments. Its truth table is the immediate.
var logicSelector = selector{part: func(s *Selection, a []machine.Operand) machine.Operand { return s.Logic(uint8(s.Node.imm), a...) }}
