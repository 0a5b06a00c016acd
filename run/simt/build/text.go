package build

import (
	"slices"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
)

// divide finds the basic blocks of the text: what lies between labels that something leads to and
// instructions that lead elsewhere.
func (b *function) divide() *flow {
	begins := b.beginnings()
	text := &flow{}
	at := map[int]int{} // block that begins with an instruction
	for n, begin := range begins {
		at[begin] = n
		text.blocks = append(text.blocks, flowBlock{from: begin, selector: -1, loop: -1})
	}
	for n, begin := range begins {
		end := len(b.Decl.Body)
		if n+1 < len(begins) {
			end = begins[n+1]
		}
		block := &text.blocks[n]
		block.to, block.endAt = end, -1
		block.end, block.succs = simt.Jump, []int{n + 1}
		if n+1 == len(begins) {
			block.end, block.succs = simt.Return, nil
		}
		if end > begin {
			b.endBlock(text, n, end-1, at)
		}
	}
	return text
}

// beginnings returns the instructions that blocks begin with, and the end of the body, where there is
// a return.
func (b *function) beginnings() []int {
	all := []int{0, len(b.Decl.Body)}
	for i := range b.Decl.Body {
		if kind, targets := b.transferAt(i); kind != simt.Jump || targets != nil {
			all = append(all, i+1)
			all = append(all, targets...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// transferAt returns how an instruction ends its block and the instructions it may lead to; Jump
// without targets if it does not.
func (b *function) transferAt(i int) (kind simt.EndKind, targets []int) {
	in := &b.Decl.Body[i]
	if in.Video != nil {
		return simt.Jump, nil
	}
	switch name := in.Tree.Name.Text; name {
	case "bra":
		if len(in.Operands) > 0 && in.Operands[0].Kind == check.OpLabel {
			return simt.Jump, []int{int(in.Operands[0].Target)}
		}
	case "brx":
		if len(in.Operands) > 1 {
			if targets, ok := b.LabelsOf(&in.Operands[1]); ok && len(targets) > 0 {
				return simt.Switch, targets
			}
		}
	case "ret":
		return simt.Return, nil
	case "exit":
		return simt.Exit, nil
	case "bar", "barrier":
		switch m := b.meaningOf(in.Tree); {
		case m.Build == nil:
		case m.Form.Has("warp"):
			return simt.WarpSync, nil
		default:
			return simt.Barrier, nil
		}
	case "call":
		if !callsHost(in) {
			return simt.Call, nil
		}
	}
	return simt.Jump, nil
}

// endBlock ends block n as its last instruction says.
func (b *function) endBlock(text *flow, n, last int, at map[int]int) {
	kind, targets := b.transferAt(last)
	if kind == simt.Jump && targets == nil {
		return
	}
	var succs []int
	for _, t := range targets {
		succs = append(succs, at[t])
	}
	next := n + 1
	switch kind {
	case simt.Barrier, simt.WarpSync, simt.Call:
		succs = []int{next}
	}
	guard, inverse := b.Decl.Body[last].Guard, b.Decl.Body[last].GuardNot
	if guard >= 0 {
		taken := 0
		if kind == simt.Jump {
			taken = succs[0]
		} else { // the transfer becomes a block of its own, which the guard leads to
			taken = len(text.blocks)
			text.blocks = append(text.blocks, flowBlock{from: last, to: last, end: kind, endAt: last, succs: succs, selector: -1, loop: -1})
		}
		kind, succs = simt.Branch, []int{taken, next}
		if inverse {
			succs[0], succs[1] = succs[1], succs[0]
		}
	}
	block := &text.blocks[n]
	block.to--
	block.end, block.endAt, block.succs = kind, last, succs
}

// layOutBlocks makes the blocks of the function, in the order given.
func (b *function) layOutBlocks(text *flow, order []int) {
	place := make([]simt.BlockID, len(text.blocks))
	for n, from := range order {
		place[from] = simt.BlockID(n)
	}
	b.Blocks = make([]simt.Block, len(order))
	for n, from := range order {
		b.Blocks[n].Loop = simt.NoBlock
		b.Blocks[n].From, b.Blocks[n].To = int32(text.blocks[from].from), int32(max(text.blocks[from].to, text.blocks[from].endAt+1))
		if header := text.blocks[from].loop; header >= 0 {
			b.Blocks[n].Loop = place[header]
		}
		for _, s := range text.blocks[from].succs {
			b.Blocks[n].End.To = append(b.Blocks[n].End.To, place[s])
			b.Blocks[place[s]].Preds = append(b.Blocks[place[s]].Preds, simt.BlockID(n))
		}
	}
}

// writers returns for each variable the blocks that may write it: those with an instruction whose first
// operand has its register. The condition code register and selectors may be written anywhere.
func (b *function) writers(text *flow, order []int, variables int) [][]simt.BlockID {
	writers := make([][]simt.BlockID, variables)
	add := func(v int, n simt.BlockID) {
		if last := len(writers[v]) - 1; last < 0 || writers[v][last] != n {
			writers[v] = append(writers[v], n)
		}
	}
	var mark func(o *check.Operand, n simt.BlockID)
	mark = func(o *check.Operand, n simt.BlockID) {
		switch o.Kind {
		case check.OpAddress, check.OpTexture: // of stores
			return
		case check.OpReg:
			add(o.Reg, n)
			for i := range builder.PartsOf(&b.Decl.Registers[o.Reg]) - 1 {
				add(b.Variable(o.Reg, i+1), n)
			}
		}
		for i := range o.Elems {
			mark(&o.Elems[i], n)
		}
	}
	b.formals(b.Decl.Params, func(v *check.Variable, element int) { add(b.Variable(v.Register, element), 0) })
	everywhere := make([]simt.BlockID, len(order))
	for n, from := range order {
		everywhere[n] = simt.BlockID(n)
		block := &text.blocks[from]
		for at := block.from; at < block.to; at++ {
			if operands := b.Decl.Body[at].Operands; len(operands) > 0 {
				mark(&operands[0], simt.BlockID(n))
			}
		}
		if block.endAt >= 0 {
			if operands := b.Decl.Body[block.endAt].Operands; len(operands) > 0 {
				mark(&operands[0], simt.BlockID(n))
			}
		}
	}
	for v := b.ConditionCode; v < variables; v++ {
		writers[v] = everywhere
	}
	return writers
}

// finishBlock builds the end of the current block.
func (b *function) finishBlock(block *flowBlock) {
	end := &b.Blocks[b.Block].End
	end.Kind, end.At = block.end, int32(block.endAt)
	if block.selector >= 0 {
		end.Cond = b.Variables.Read(b.Selectors+block.selector, b.Block)
		return
	}
	if block.end == simt.Return {
		at := block.endAt
		if at < 0 { // the end of the body
			at = len(b.Decl.Body) - 1
		}
		b.storeFormals(at)
	}
	if block.endAt < 0 {
		return
	}
	b.Begin(block.endAt, b.meaningOf(b.Decl.Body[block.endAt].Tree))
	m := b.Meaning
	switch {
	case end.Kind == simt.Branch:
		end.Cond = b.Guard
	case m.Build != nil:
		b.Form, b.Guard = m.Form, 0
		m.Build(b.Builder)
	}
	if m.Build == nil {
		b.Fail("")
	}
	b.done()
}
