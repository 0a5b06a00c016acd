package builder

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/form"
	"github.com/vop-ptx/vop/run/simt/build/ssa"
)

// Builder builds the instructions of a function's text, one after the other.
type Builder struct {
	ssa.Emitter
	Outside Outside
	// Variables are what the registers of the text are, see [Builder.DeclareRegisters]: first the registers, then the condition
	// code register, then those that headers of loops of several entries switch on.
	Variables                *ssa.Variables
	ConditionCode, Selectors int   // where these begin
	elements                 []int // by register of the text: the variable of its second element, if it is a vector
	labels                   *labels
	targets                  int // of branches by lists, and of calls through registers, so far

	// The current instruction: its form with the modifiers in the order of the table, and the predicate that it is under,
	// 0 if there is none.
	Inst    *check.Inst
	Meaning *Meaning
	Form    form.Form
	Guard   simt.ID
	Inverse bool // the guard is
	failure failure
}

// Outside is what the text refers to that stands outside of the function.
type Outside struct {
	Module *check.Module // that the function is in
	// Place returns where a variable of the module or kernel is in its space; Code returns what stands for
	// the address of a function. Variables of local memory are not asked for.
	Place func(*check.Variable) (address uint64, ok bool)
	Code  func(*check.Function) uint64
	// Callees returns the functions that a call through a register may mean.
	Callees func() []*check.Function
}

// failure is why the current instruction cannot be built.
type failure struct {
	reason Reason
	why    string
}

// Reason says what keeps an instruction from being built.
type Reason uint8

// The reasons.
const (
	none      Reason = iota
	Lacking          // there is no code for the form
	Unusable         // an operand is not what the instruction takes
	Undefined        // a function or a variable is declared, and defined nowhere
)

// New returns what builds the instructions of a function, of whose text nothing is known yet. In literal code every operation of the
// text is an instruction.
func New(decl *check.Function, to Outside, literal bool) *Builder {
	b := &Builder{Emitter: ssa.NewEmitter(simt.NewFunction(decl)), Outside: to}
	b.Literal = literal
	return b
}

// Begin makes an instruction of the body, whose form has a meaning, the current one.
func (b *Builder) Begin(at int, m *Meaning) {
	in := &b.Decl.Body[at]
	b.At, b.Inst, b.Meaning, b.Form = int32(at), in, m, m.Written
	b.Guard, b.Inverse, b.failure = 0, in.GuardNot, failure{}
	if in.Guard >= 0 {
		b.Guard = b.Variables.Read(in.Guard, b.Block)
		if b.Literal {
			b.noteRead(simt.Read{At: b.At, Register: b.Decl.Registers[in.Guard].Name, Value: b.Guard, Guard: true})
		}
	}
}

// Failed reports whether the current instruction cannot be built.
func (b *Builder) Failed() bool { return b.failure.reason != none }

// Failure returns what keeps the current instruction from being built, and more about it, if there is more to say than that
// there is no code for the form.
func (b *Builder) Failure() (r Reason, why string) { return b.failure.reason, b.failure.why }

// DeclareRegisters gives the registers of the text their variables. The second and further elements
// of vectors, and the upper halves of those of 128 bits, come after all first ones, then the condition code register.
func (b *Builder) DeclareRegisters() (types []simt.Type) {
	for _, r := range b.Decl.Registers {
		types = append(types, simt.TypeOf(r.Type))
	}
	b.elements = make([]int, len(b.Decl.Registers))
	for i, r := range b.Decl.Registers {
		b.elements[i] = len(types)
		for range PartsOf(&r) - 1 {
			types = append(types, types[i])
		}
	}
	b.ConditionCode = len(types)
	b.Selectors = b.ConditionCode + 1
	return append(types, simt.Pred)
}

// PartsOf is how many variables a register is: one for each element of a vector, or for each half of 128 bits.
func PartsOf(r *check.Register) int { return r.Vec * simt.Halves(r.Type) }

// Unset returns what a variable is that has not been written: 0. It is a value of its own for each
// register of literal code.
func (b *Builder) Unset(variable int, t simt.Type) simt.ID {
	if b.Literal && variable >= 0 && variable < b.Selectors {
		return b.Special(t, fmt.Sprintf("%s%d.%v", simt.UnsetName, variable, t))
	}
	return b.Constant(t, 0)
}

// readRegister returns what an element of a register is, for an operand of the current instruction.
func (b *Builder) readRegister(reg, elem int) simt.ID {
	v := b.Variables.Read(b.Variable(reg, elem), b.Block)
	if b.Literal {
		name := b.Decl.Registers[reg].Name
		if elem > 0 && b.Decl.Registers[reg].Vec > elem {
			name += "." + "xyzw"[elem:elem+1]
		}
		b.noteRead(simt.Read{At: b.At, Register: name, Value: v})
	}
	return v
}

// Carry returns the carry in the condition code register, for the current instruction.
func (b *Builder) Carry() simt.ID {
	v := b.Variables.Read(b.ConditionCode, b.Block)
	if b.Literal {
		b.noteRead(simt.Read{At: b.At, Register: "the condition code", Value: v})
	}
	return v
}

// SetCarry writes the carry to the condition code register, in the lanes for which the guard holds.
func (b *Builder) SetCarry(v simt.ID) { b.setVariable(b.ConditionCode, v) }

// noteRead notes that the current instruction reads a register.
func (b *Builder) noteRead(r simt.Read) {
	block := &b.Blocks[b.Block]
	block.Reads = append(block.Reads, r)
}

// Fail says that the current instruction cannot be built because of its operands, and why. Without a reason it is the
// form that there is no code for.
func (b *Builder) Fail(why string, args ...any) {
	if why == "" {
		b.failAs(Lacking, "")
		return
	}
	b.failAs(Unusable, why, args...)
}

// Lack says that the current instruction cannot be built for what the machine does not have.
func (b *Builder) Lack(why string, args ...any) { b.failAs(Lacking, why, args...) }

// Undefine says that the current instruction cannot be built because it names what is defined nowhere.
func (b *Builder) Undefine(why string, args ...any) { b.failAs(Undefined, why, args...) }

// failAs notes why the current instruction cannot be built, of several reasons the first.
func (b *Builder) failAs(r Reason, why string, args ...any) {
	if !b.Failed() {
		b.failure = failure{r, fmt.Sprintf(why, args...)}
	}
}

// Effect adds an instruction that is more than a computation, under the guard.
func (b *Builder) Effect(i simt.Inst) {
	i.Guard, i.GuardNot = b.Guard, b.Inverse
	b.Add(i)
}

// End is the end of the current block, which the current instruction makes.
func (b *Builder) End() *simt.End { return &b.Blocks[b.Block].End }

// Nothing builds instructions that have no effect here, or none but to end a block.
func Nothing(b *Builder) {}
