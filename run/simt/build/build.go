package build

import (
	"fmt"
	"math"
	"slices"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
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

// builder builds a function of its text.
type builder struct {
	emitter
	options   *Options
	decl      *check.Function
	vars      *variables
	elements  []int // by register of the text: the variable of its second element, if it is a vector
	registers int   // variables that are registers
	carry     int   // the variable that is the condition code register
	selectors int   // the first of the variables that loops of several entries switch on
	labels    *labels
	targets   int // of branches by lists so far

	current *check.Inst
	inst    form
	guard   simt.ID
	inverse bool        // of the guard
	failed  string      // why the current instruction cannot be built
	reason  MissingKind // of that, if there is more to say than that the form is missing
	missing Missing

	meaning  *meaning            // of the current instruction
	meanings map[string]*meaning // of the forms of all instructions so far, by their texts
}

// Function builds a function of its text. Instructions that cannot be built are in missing; the function is then
// not to be used.
func Function(decl *check.Function, options *Options) (f *simt.Function, missing Missing) {
	b := &builder{options: options, decl: decl, meanings: map[string]*meaning{}}
	b.Function = simt.NewFunction(decl)
	b.Values = slices.Grow(b.Values, 2*len(decl.Body))
	b.literal = options.Literal
	b.at = -1
	b.layOutLocals()
	types := b.declareRegisters()
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
	b.idom, b.scopes = b.Dominators(), make([]*scope, len(b.Blocks))
	b.vars = newVariables(b.Function, types, b.writers(text, order, len(types)), b.idom, b.unset)
	b.fill(text, order)
	if b.vars.made > maxPhis {
		b.refuse("the function's registers live across more than %d ends of branches and loops", maxPhis)
		return b.Function, b.missing
	}
	b.vars.finish()
	if !b.literal {
		b.Straighten()
		b.RemoveDead()
		b.CloseLoops()
	}
	return b.Function, b.missing
}

// refuse says that the function as a whole cannot be built, and why.
func (b *builder) refuse(why string, args ...any) {
	b.at, b.current, b.failed, b.reason = 0, &b.decl.Body[0], "", UnusableOperand
	b.lack(why, args...)
	b.done()
}

// declareRegisters gives the registers of the text their variables. The second and further elements
// of vectors come after all first ones, then the condition code register.
func (b *builder) declareRegisters() (types []simt.Type) {
	for _, r := range b.decl.Registers {
		types = append(types, simt.TypeOf(r.Type))
	}
	b.elements = make([]int, len(b.decl.Registers))
	for i, r := range b.decl.Registers {
		b.elements[i] = len(types)
		for range r.Vec - 1 {
			types = append(types, types[i])
		}
	}
	b.registers = len(types)
	b.carry = len(types)
	b.selectors = b.carry + 1
	return append(types, simt.Pred)
}

// unset returns what a variable is that has not been written: 0. It is a value of its own for each
// register of literal code.
func (b *builder) unset(variable int, t simt.Type) simt.ID {
	if b.literal && variable >= 0 && variable < b.selectors {
		return b.Special(t, fmt.Sprintf("%s%d.%v", simt.UnsetName, variable, t))
	}
	return b.Constant(t, 0)
}

// readRegister returns what an element of a register is, for an operand of the current instruction.
func (b *builder) readRegister(reg, elem int) simt.ID {
	v := b.vars.read(b.variable(reg, elem), b.block)
	if b.literal {
		name := b.decl.Registers[reg].Name
		if elem > 0 && b.decl.Registers[reg].Vec > elem {
			name += "." + "xyzw"[elem:elem+1]
		}
		b.noteRead(simt.Read{At: b.at, Register: name, Value: v})
	}
	return v
}

// noteRead notes that the current instruction reads a register.
func (b *builder) noteRead(r simt.Read) {
	block := &b.Blocks[b.block]
	block.Reads = append(block.Reads, r)
}

// layOutLocals gives the .local variables of the function and of the module their places, and
// the .param variables that calls pass values in.
func (b *builder) layOutLocals() {
	all := [][]*check.Variable{b.options.Locals, b.decl.Variables}
	if !b.decl.Entry {
		all = append(all, b.decl.Params, b.decl.Returns)
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
func (b *builder) fill(text *flow, order []int) {
	for n, from := range order {
		block := &text.blocks[from]
		b.enter(simt.BlockID(n), block.to-block.from)
		if b.loopEntered(simt.BlockID(n)) {
			b.vars.sealed[n] = false
		} else {
			b.vars.seal(simt.BlockID(n))
		}
		if n == 0 {
			b.loadFormals()
		}
		for _, s := range block.sets {
			b.at = -1
			b.vars.write(b.selectors+s.selector, b.block, b.Constant(simt.B32, uint64(s.value)))
		}
		for at := block.from; at < block.to; at++ {
			b.instruction(at)
		}
		b.finishBlock(block)
		b.leave()
		for _, to := range b.Blocks[n].End.To {
			if to <= simt.BlockID(n) { // the end of a loop
				b.vars.seal(to)
			}
		}
	}
}

// loopEntered reports whether a block is entered from one that stands behind it.
func (b *builder) loopEntered(n simt.BlockID) bool {
	for _, p := range b.Blocks[n].Preds {
		if p >= n {
			return true
		}
	}
	return false
}

// instruction builds one instruction of the body.
func (b *builder) instruction(at int) {
	b.begin(at)
	before := len(b.Blocks[b.block].Insts)
	if b.literal && b.guard != 0 { // which observers see, whatever the instruction becomes
		b.effect(simt.Inst{Kind: simt.Idle})
	}
	if b.current.Video != nil {
		b.video()
	} else if m := b.meaning; m.build != nil {
		b.inst = m.canonical
		m.build(b)
	} else if isMnemonic(b.inst.name) {
		b.fail("")
	} else {
		b.missing.note(b, UnknownInstruction, "PTX has no instruction "+b.inst.name)
	}
	if b.literal && len(b.Blocks[b.block].Insts) == before {
		b.effect(simt.Inst{Kind: simt.Idle})
	}
	b.done()
}

// begin makes an instruction of the body the current one.
func (b *builder) begin(at int) {
	b.at, b.current, b.failed, b.reason = int32(at), &b.decl.Body[at], "", UnusableOperand
	b.meaning = b.meaningOf(b.current.Tree)
	b.inst = b.meaning.written
	b.guard, b.inverse = 0, b.current.GuardNot
	if b.current.Guard >= 0 {
		b.guard = b.vars.read(b.current.Guard, b.block)
		if b.literal {
			b.noteRead(simt.Read{At: b.at, Register: b.decl.Registers[b.current.Guard].Name, Value: b.guard, Guard: true})
		}
	}
}

// done notes whether the current instruction could be built.
func (b *builder) done() {
	if b.failed == "" {
		return
	}
	why := b.failed[len(missingForm):]
	if why == "" {
		b.reason = NotImplemented
	}
	b.missing.note(b, b.reason, why)
}

// missingForm marks a failure that says no more than that the form is missing.
const missingForm = "\x00"

// fail says that the current instruction cannot be built, and why, if there is more to say.
func (b *builder) fail(why string, args ...any) {
	if b.failed == "" {
		b.failed = missingForm + fmt.Sprintf(why, args...)
	}
}

// lack says that the current instruction cannot be built for what the machine does not have.
func (b *builder) lack(why string, args ...any) { b.failAs(NotImplemented, why, args...) }

// failAs is fail for a reason that is not the operands.
func (b *builder) failAs(reason MissingKind, why string, args ...any) {
	if b.failed == "" {
		b.reason = reason
	}
	b.fail(why, args...)
}

// effect adds an instruction that is more than a computation, under the guard.
func (b *builder) effect(i simt.Inst) {
	i.Guard, i.GuardNot = b.guard, b.inverse
	b.add(i)
}
