package build

import (
	"fmt"
	"math"
	"slices"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/ssa"
)

// Options say how a function is built.
type Options struct {
	Module *check.Module // that the function is in
	// Reading is what video instructions compute, and Caps are the operations that they are made of.
	Reading isa.Reading
	Caps    word.Caps
	// Literal makes every operation of the text an instruction, in its order, so that whoever
	// watches them sees them all.
	Literal bool
	// Place returns where a variable of the module or kernel is in its space; Code returns what
	// stands for the address of a function. Variables of local memory are not asked for.
	Place func(*check.Variable) (address uint64, ok bool)
	Code  func(*check.Function) uint64
	// Locals are the variables of the module that every function has in its own local memory.
	Locals []*check.Variable
	// Callees returns the functions that a call through a register may mean.
	Callees func() []*check.Function
}

// function builds a function of its text.
type function struct {
	*builder.Builder
	options  *Options
	missing  Missing
	meanings map[string]*builder.Meaning // of the forms of all instructions so far, by their texts
}

// Function builds a function of its text. Instructions that cannot be built are in missing; the function is then
// not to be used.
func Function(decl *check.Function, options *Options) (f *simt.Function, missing Missing) {
	to := builder.Outside{Module: options.Module, Place: options.Place, Code: options.Code, Callees: options.Callees}
	b := &function{Builder: builder.New(decl, to, options.Literal), options: options, meanings: map[string]*builder.Meaning{}}
	b.Values = slices.Grow(b.Values, 2*len(decl.Body))
	b.layOutLocals()
	types := b.DeclareRegisters()
	text := b.divide()
	order := text.arrange()
	if text.tooDeep {
		b.refuse("the function's loops are nested more than %d deep", maxNesting)
		return b.Function, b.missing
	}
	b.layOutBlocks(text, order)
	for range text.selectors {
		types = append(types, simt.B32)
	}
	idom := b.Dominators()
	b.FindAcross(idom)
	b.Variables = ssa.NewVariables(b.Function, types, b.writers(text, order, len(types)), idom, b.Unset)
	b.fill(text, order)
	if b.Variables.TooMany() {
		b.refuse("the function's registers live across more than %d ends of branches and loops", ssa.MaxPhis)
		return b.Function, b.missing
	}
	b.Variables.Finish()
	if !b.Literal {
		b.Straighten()
		b.RemoveDead()
		b.CloseLoops()
	}
	return b.Function, b.missing
}

// refuse says that the function as a whole cannot be built, and why.
func (b *function) refuse(why string, args ...any) {
	b.missing.note(b.meaningOf(b.Decl.Body[0].Tree), 0, NotImplemented, fmt.Sprintf(why, args...))
}

// layOutLocals gives the .local variables of the function and of the module their places, and
// the .param variables that calls pass values in.
func (b *function) layOutLocals() {
	all := [][]*check.Variable{b.options.Locals, b.Decl.Variables}
	if !b.Decl.Entry {
		all = append(all, b.Decl.Params, b.Decl.Returns)
	}
	size := uint64(0)
	for _, variables := range all {
		for _, v := range variables {
			if v.Space != check.Local && v.Space != check.Param {
				continue
			}
			align := uint64(max(v.Align, 1))
			at := (size + align - 1) &^ (align - 1)
			b.Offsets[v] = int(at)
			if size = at + uint64(v.Size); size > simt.MaxLocal {
				b.Local = int(min(size, math.MaxInt32))
				return
			}
		}
	}
	b.Local = int(size)
}

// fill builds the instructions of all blocks, in their order.
func (b *function) fill(text *flow, order []int) {
	for n, from := range order {
		block := &text.blocks[from]
		b.Enter(simt.BlockID(n), block.to-block.from)
		if !b.loopEntered(simt.BlockID(n)) {
			b.Variables.Seal(simt.BlockID(n))
		}
		if n == 0 {
			b.loadFormals()
		}
		for _, s := range block.sets {
			b.At = -1
			b.Variables.Write(b.Selectors+s.selector, b.Block, b.Constant(simt.B32, uint64(s.value)))
		}
		for at := block.from; at < block.to; at++ {
			b.instruction(at)
		}
		b.finishBlock(block)
		b.Leave()
		for _, to := range b.Blocks[n].End.To {
			if to <= simt.BlockID(n) { // the end of a loop
				b.Variables.Seal(to)
			}
		}
	}
}

// loopEntered reports whether a block is entered from one that stands behind it.
func (b *function) loopEntered(n simt.BlockID) bool {
	for _, p := range b.Blocks[n].Preds {
		if p >= n {
			return true
		}
	}
	return false
}

// instruction builds one instruction of the body.
func (b *function) instruction(at int) {
	b.Begin(at, b.meaningOf(b.Decl.Body[at].Tree))
	before := len(b.Blocks[b.Block].Insts)
	if b.Literal && b.Guard != 0 { // which observers see, whatever the instruction becomes
		b.Effect(simt.Inst{Kind: simt.Idle})
	}
	if b.Inst.Video != nil {
		b.video()
	} else if m := b.Meaning; m.Build != nil {
		b.Form = m.Form
		m.Build(b.Builder)
	} else if isMnemonic(b.Form.Name) {
		b.Fail("")
	} else {
		b.missing.note(m, b.At, UnknownInstruction, "PTX has no instruction "+b.Form.Name)
	}
	if b.Literal && len(b.Blocks[b.Block].Insts) == before {
		b.Effect(simt.Inst{Kind: simt.Idle})
	}
	b.done()
}

// done notes whether the current instruction could be built.
func (b *function) done() {
	if b.Failed() {
		reason, why := b.Failure()
		b.missing.note(b.Meaning, b.At, kindOf(reason), why)
	}
}
