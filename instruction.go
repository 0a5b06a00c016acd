package vop

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/sem"
	"github.com/vop-ptx/vop/show/explain"
)

// Reading says whose word is taken for what an instruction computes.
type Reading = sem.Reading

// The readings: ISA is the manual under the rulings of docs/rulings.md; SM86 is
// the code that ptxas 11.8 emits for sm_86.
const (
	ISA  = sem.ISA
	SM86 = sem.SM86
)

// Form is what an instruction means, without its registers.
type Form = isa.Form

// Instruction is one video instruction.
type Instruction struct {
	form   Form
	values [3]immediate                     // of a, b and c
	arrays [SM86 + 1]atomic.Pointer[arrays] // by reading: what ApplyAs runs, made when it is first called
}

// immediate is an operand that is written as a number.
type immediate struct {
	set  bool
	word uint32
}

func (i immediate) or(x uint32) uint32 {
	if i.set {
		return i.word
	}
	return x
}

// parsers keeps the memory of parsing, of which a parsed Instruction holds nothing.
var parsers = sync.Pool{New: func() any { return new(syntax.Parser) }}

// Parse reads one video instruction, with or without its semicolon. Registers
// may have any names: d comes first, then a, b and, where there is one, c. The
// error is an [*InputError] that says where and what is wrong.
func Parse(text string) (*Instruction, error) {
	if len(text) > math.MaxInt32 {
		return nil, errors.New("the instruction is larger than 2 GiB")
	}
	parser := parsers.Get().(*syntax.Parser)
	defer parsers.Put(parser)
	src := source.New("instruction", text)
	tree, findings := parser.Instruction(src, source.Span{End: source.Pos(len(text))})
	if findings.HasErrors() {
		return nil, inputError(findings)
	}
	form, findings := check.Instruction(tree, src)
	if findings.HasErrors() {
		return nil, inputError(findings)
	}
	in := &Instruction{form: form}
	for i := range in.values {
		if i+1 < len(tree.Operands) {
			in.values[i].word, in.values[i].set = check.Immediate(&tree.Operands[i+1])
		}
	}
	return in, nil
}

// Form returns what the instruction means.
func (in *Instruction) Form() Form { return in.form }

// Immediate returns the number that the instruction gives as a source operand, if it
// does: operand 0 is a, 1 is b, 2 is c.
func (in *Instruction) Immediate(operand int) (word uint32, ok bool) {
	if value := in.values[operand]; value.set {
		return value.word, true
	}
	return 0, false
}

// String returns the instruction in its canonical spelling, with the operands d, a, b and c.
func (in *Instruction) String() string {
	names := [3]string{"a", "b", "c"}
	for i, value := range in.values {
		if value.set {
			names[i] = fmt.Sprintf("%#x", value.word)
		}
	}
	return in.form.Spell("d", names[0], names[1], names[2])
}

// Eval returns the word that the instruction writes to d, as the ISA text says.
// An operand that the instruction gives as a number has that value whatever is passed.
func (in *Instruction) Eval(a, b, c uint32) uint32 { return in.EvalAs(ISA, a, b, c) }

// EvalAs is Eval under a reading.
func (in *Instruction) EvalAs(r Reading, a, b, c uint32) uint32 {
	return sem.EvalAs(r, in.form, in.values[0].or(a), in.values[1].or(b), in.values[2].or(c))
}

// Trace returns the stages of an evaluation.
func (in *Instruction) Trace(a, b, c uint32) Trace { return in.TraceAs(ISA, a, b, c) }

// TraceAs is Trace under a reading.
func (in *Instruction) TraceAs(r Reading, a, b, c uint32) Trace {
	return Trace{sem.TraceOf(r, in.form, in.values[0].or(a), in.values[1].or(b), in.values[2].or(c))}
}

// Trace is an evaluation, stage by stage as the manual names them. Its fields are
// the values; its String draws them, the lanes side by side.
type Trace struct{ sem.Trace }

func (t Trace) String() string { return explain.String(t.Trace) }
