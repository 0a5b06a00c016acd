package vm

import (
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/engine"
)

// builder builds a function for a kernel: it turns instructions into operations on
// registers.
type builder struct {
	kernel         *Kernel
	decl           *check.Function
	registers      []registerInfo
	elements       []register // by register of the text: the second element of a vector
	constants      map[constant]register
	localAddresses map[constant]register
	specials       map[string]register
	local          map[*check.Variable]int // offsets in the local memory of a thread
	localSize      int
	carry          register // the condition code register; noRegister until used
	labels         *labels  // nil until used
	targets        int      // of branches by lists so far
	callees        []*function

	operations []operation
	current    *check.Inst
	at         int
	inst       form
	guard      register // of the operations that are added
	guardNot   bool
	failed     string // why the current instruction cannot be built
	lacking    bool   // because the machine lacks something, not for its operands
	missing    []MissingForm
	missed     map[MissingForm]int // where each is in missing: by its form and reason
}

type constant struct {
	class class
	value uint64
}

// buildKernel builds a kernel with all it calls.
func buildKernel(m *Module, decl *check.Function) (*Kernel, error) {
	k := &Kernel{module: m, name: decl.Name, decl: decl, functions: map[*check.Function]*function{}}
	if err := k.layOut(); err != nil {
		return nil, err
	}
	k.entry = k.function(decl)
	if k.tooLarge != nil {
		return nil, k.tooLarge
	}
	if len(k.missing) > 0 {
		return nil, &MissingError{Kernel: k.name, Forms: k.missing}
	}
	if m.engine.Level() == engine.Portable || os.Getenv("VOP_NEW") != "" {
		code, err := k.buildCode(nil)
		if err != nil {
			return nil, err
		}
		k.code = code
	}
	return k, nil
}

// buildFunction builds one function into fn. Instructions that the table does not
// have come back as missing.
func buildFunction(k *Kernel, decl *check.Function, fn *function) []MissingForm {
	b := &builder{kernel: k, decl: decl, constants: map[constant]register{}, localAddresses: map[constant]register{}, specials: map[string]register{}, missed: map[MissingForm]int{}, carry: noRegister}
	b.declareRegisters()
	if err := b.placeLocals(); err != nil {
		k.tooLarge = err
		return nil
	}
	for i := range decl.Body {
		b.instruction(i)
	}
	if len(b.missing) > 0 {
		return b.missing
	}
	blocks := makeBlocks(b.operations)
	for i := range blocks {
		blocks[i].operations = gatherLinks(blocks[i].operations)
	}
	*fn = function{decl: decl, registers: b.registers, elements: b.elements, blocks: blocks, callees: b.callees, local: b.localSize, places: b.local}
	placeRegisters(fn)
	return nil
}

// declareRegisters makes the registers of the text. The second and further elements of vectors come after
// all first ones.
func (b *builder) declareRegisters() {
	for _, r := range b.decl.Registers {
		b.registers = append(b.registers, registerInfo{class: classOf(r.Type)})
	}
	b.elements = make([]register, len(b.decl.Registers))
	for i, r := range b.decl.Registers {
		b.elements[i] = register(len(b.registers))
		for range r.Vec - 1 {
			b.registers = append(b.registers, registerInfo{class: b.registers[i].class})
		}
	}
}

// placeLocals gives the .local variables of the function and of the module their places, and
// the .param variables that calls pass values in.
func (b *builder) placeLocals() error {
	b.local = map[*check.Variable]int{}
	all := [][]*check.Variable{b.kernel.module.locals, b.decl.Variables}
	if !b.decl.Entry {
		all = append(all, b.decl.Params, b.decl.Returns)
	}
	var local layout
	for _, variables := range all {
		for _, v := range variables {
			if v.Space == check.Local || v.Space == check.Param {
				b.local[v] = local.place(v)
			}
		}
	}
	b.localSize = int(min(local.size, maxLocal))
	return limit(local.size, maxLocal, "function "+b.decl.Name, "local memory of a thread")
}

// element returns the register of an element of a vector register.
func (b *builder) element(reg, elem int) register {
	if elem <= 0 {
		return register(reg)
	}
	if r := &b.decl.Registers[reg]; elem >= r.Vec {
		b.fail("%s has no element %d", r.Name, elem)
		return register(reg)
	}
	return b.elements[reg] + register(elem-1)
}

// classOf returns the class of the columns that hold values of a type.
func classOf(t check.Type) class {
	switch {
	case t == check.Pred:
		return flag
	case t.Bits() == 64:
		return wide
	}
	return narrow
}

// instruction builds the operations of one instruction of the body.
func (b *builder) instruction(at int) {
	b.at, b.current, b.failed, b.lacking = at, &b.decl.Body[at], "", false
	b.inst = newForm(b.current.Tree)
	b.guard, b.guardNot = register(b.current.Guard), b.current.GuardNot
	if b.current.Video != nil {
		b.video()
	} else if build, canonical := lookUp(b.inst); build != nil {
		b.inst = canonical
		build(b)
	} else if isMnemonic(b.inst.name) {
		b.fail("")
	} else {
		b.note(UnknownInstruction, "PTX has no instruction "+b.inst.name)
	}
	switch why := strings.TrimPrefix(b.failed, missingForm); {
	case b.failed == "":
	case why == "" || b.lacking:
		b.note(NotImplemented, why)
	default:
		b.note(UnusableOperand, why)
	}
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
func (b *builder) lack(why string, args ...any) {
	b.lacking = b.lacking || b.failed == ""
	b.fail(why, args...)
}

// note enters the current instruction into the list of missing forms.
func (b *builder) note(kind MissingKind, why string) {
	spelling := newForm(b.current.Tree).String()
	m := MissingForm{Form: spelling, Kind: kind, Why: why}
	if i, ok := b.missed[m]; ok {
		b.missing[i].Count++
		return
	}
	b.missed[m] = len(b.missing)
	m.Count = 1
	m.File, m.Line, m.Col = b.kernel.module.place(b.current.Tree.Span())
	b.missing = append(b.missing, m)
}

// emit adds an operation of the current instruction, under its guard.
func (b *builder) emit(defs, uses []register, bind func(f *frame, private bool) step) {
	b.operations = append(b.operations, operation{
		at: b.at, defs: defs, uses: uses, bind: bind, guard: b.guard, guardNot: b.guardNot,
	})
}

// unguarded adds operations that only prepare a value for the current instruction:
// they do not need its guard.
func (b *builder) unguarded(add func()) {
	guard := b.guard
	b.guard = noRegister
	add()
	b.guard = guard
}

// transfer ends the block. Unless it minds the guard itself, the guard
// becomes a branch around it.
func (b *builder) transfer(t transfer) {
	if b.guard != noRegister {
		b.operations = append(b.operations, operation{at: b.at, guard: noRegister,
			control: branchTo(b.at+1, b.guard, !b.guardNot)})
	}
	b.operations = append(b.operations, operation{at: b.at, guard: noRegister, control: &t})
}

// branchTo is a conditional branch to an instruction of the body.
func branchTo(target int, p register, not bool) *transfer {
	return &transfer{targets: []int{target}, falls: true, uses: []register{p}, bind: func(f *frame, blk *block) control {
		p := f.predicate(p)
		return &branch{p: p, not: not, taken: blk.targets[0], next: blk.next, meet: blk.meet, set: make(engine.Mask, len(p.bits))}
	}}
}

// newRegister makes a register for an intermediate value.
func (b *builder) newRegister(c class) register {
	b.registers = append(b.registers, registerInfo{class: c})
	return register(len(b.registers) - 1)
}

// constant returns the register that holds a constant.
func (b *builder) constant(c class, value uint64) register {
	if c == narrow {
		value &= math.MaxUint32
	}
	key := constant{c, value}
	if r, ok := b.constants[key]; ok {
		return r
	}
	r := b.newRegister(c)
	b.registers[r].fixed = true
	b.registers[r].value = value
	b.constants[key] = r
	return r
}

// localAddress returns the register that holds the address of a place in the function's local memory,
// which depends on where it was called from.
func (b *builder) localAddress(c class, offset uint64) register {
	key := constant{c, offset}
	if r, ok := b.localAddresses[key]; ok {
		return r
	}
	r := b.newRegister(c)
	b.registers[r].fixed, b.registers[r].local = true, true
	b.registers[r].value = offset
	b.localAddresses[key] = r
	return r
}

// operand returns operand i of the current instruction.
func (b *builder) operand(i int) *check.Operand {
	if i >= len(b.current.Operands) {
		b.fail("it has %s", diag.Count(len(b.current.Operands), "operand"))
		return &check.Operand{Kind: check.OpSink, Elem: -1}
	}
	return &b.current.Operands[i]
}

// destination returns the register that an operand writes. Its class is the one
// wanted; a wider or narrower register is a mistake in the text.
func (b *builder) destination(o *check.Operand, c class) register {
	if o.Kind == check.OpSink {
		return b.newRegister(c)
	}
	r := b.anyDestination(o)
	if r != noRegister && b.registers[r].class == c {
		return r
	}
	if r != noRegister {
		b.fail("%s has another width than the instruction", b.name(o))
	}
	return b.newRegister(c)
}

// anyDestination returns the register that an operand writes, whatever its class, or
// noRegister.
func (b *builder) anyDestination(o *check.Operand) register {
	if o.Kind != check.OpReg {
		b.fail("its destination is not a register")
		return noRegister
	}
	return b.element(o.Reg, int(o.Elem))
}

// name returns an operand as it is written.
func (b *builder) name(o *check.Operand) string {
	if o.Tree == nil {
		return "an operand"
	}
	return b.kernel.module.decl.Source.Text[o.Tree.Start:o.Tree.End]
}

// source returns a register of the class wanted with an operand's value. t is the
// type that the instruction reads it as.
func (b *builder) source(o *check.Operand, c class, t check.Type) register {
	switch o.Kind {
	case check.OpReg:
		r := b.element(o.Reg, int(o.Elem))
		if o.Neg == '!' && b.registers[r].class == flag {
			return b.invert(r)
		}
		if o.Neg != 0 {
			b.lack("the sign of %s", b.name(o))
		}
		return b.fit(o, r, c)
	case check.OpImm:
		return b.constant(c, immediate(o, t))
	case check.OpSpecial:
		return b.fit(o, b.special(o.Name), c)
	case check.OpSum:
		x := b.source(&o.Elems[0], c, t)
		return b.sum(x, o.Offset)
	case check.OpVar:
		return b.addressOf(o, c)
	case check.OpFunc:
		return b.constant(c, b.kernel.module.addressOf(o.Func))
	}
	b.fail("the operand %s", b.name(o))
	return b.constant(c, 0)
}

// immediate returns a constant's bits as a value of a type.
func immediate(o *check.Operand, t check.Type) uint64 {
	if o.Float == 'd' && t == check.F32 {
		return uint64(math.Float32bits(float32(math.Float64frombits(o.Imm))))
	}
	if o.Float == 'f' && t == check.F64 {
		return math.Float64bits(float64(math.Float32frombits(uint32(o.Imm))))
	}
	return o.Imm
}

// fit returns a register's value in the class wanted. Words are extended with zeros and
// wide values lose their upper half, as for memory instructions, conversions and special
// registers; others do not mix widths.
func (b *builder) fit(o *check.Operand, r register, c class) register {
	has := b.registers[r].class
	switch {
	case has == c:
		return r
	case has == narrow && c == wide:
		d := b.newRegister(wide)
		b.unguarded(func() { b.emitPlain("widen.64", d, r) })
		return d
	case has == wide && c == narrow:
		d := b.newRegister(narrow)
		b.unguarded(func() { b.emitPlain("narrow.32", d, r) })
		return d
	}
	b.fail("%s is not of the kind that the instruction reads", b.name(o))
	return b.constant(c, 0)
}

// sum returns a register plus a constant.
func (b *builder) sum(x register, offset int64) register {
	c := b.registers[x].class
	d := b.newRegister(c)
	name := "add.u32"
	if c == wide {
		name = "add.u64"
	}
	b.unguarded(func() { b.emitPlain(name, d, x, b.constant(c, uint64(offset))) })
	return d
}

// invert returns the negation of a predicate.
func (b *builder) invert(p register) register {
	d := b.newRegister(flag)
	b.unguarded(func() { b.emitLogic1("not", d, p) })
	return d
}

// addressOf returns the address of a variable, in its own space.
func (b *builder) addressOf(o *check.Operand, c class) register {
	if at, ok := b.local[o.Var]; ok {
		return b.localAddress(c, uint64(int64(at)+o.Offset))
	}
	address, ok := b.variableAddress(o.Var)
	if !ok {
		return b.constant(c, 0)
	}
	return b.constant(c, uint64(int64(address)+o.Offset))
}

// variableAddress returns where a variable is in its space.
func (b *builder) variableAddress(v *check.Variable) (address uint64, ok bool) {
	switch v.Space {
	case check.Global, check.Const:
		buffer, ok := b.kernel.module.variables[v]
		if !ok {
			b.fail("%s has no memory", v.Name)
			return 0, false
		}
		return buffer.address, true
	case check.Shared:
		if at, ok := b.kernel.shared[v]; ok {
			return uint64(at), true
		}
		return uint64(roundUp(b.kernel.staticShared, dynamicAlign)), true
	case check.Param:
		if at, ok := b.kernel.params[v]; ok {
			return uint64(at), true
		}
	}
	b.lack("the variable %s in %v memory", v.Name, v.Space)
	return 0, false
}
