package vop

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/sem"
	"github.com/vop-ptx/vop/show/explain"
)

// Instruction is one video instruction, under a reading: [ISA], unless [Instruction.As] says otherwise. Several
// goroutines may use it at the same time.
type Instruction struct {
	form    isa.Form
	values  [3]immediate // of a, b and c
	reading Reading
	other   atomic.Pointer[Instruction] // the same under the other reading, made when it is first asked for
	ready   atomic.Pointer[arrays]      // what Apply runs, made when it is first called
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
		return nil, outward(front.Unusable(findings))
	}
	form, findings := check.Instruction(tree, src)
	if findings.HasErrors() {
		return nil, outward(front.Unusable(findings))
	}
	in := &Instruction{form: form}
	for i := range in.values {
		if i+1 < len(tree.Operands) {
			in.values[i].word, in.values[i].set = check.Immediate(&tree.Operands[i+1])
		}
	}
	return in, nil
}

// As returns the instruction under a reading.
func (in *Instruction) As(r Reading) *Instruction {
	if r.known() == in.reading.known() {
		return in
	}
	if other := in.other.Load(); other != nil {
		return other
	}
	other := &Instruction{form: in.form, values: in.values, reading: r}
	other.other.Store(in)
	if !in.other.CompareAndSwap(nil, other) {
		return in.other.Load()
	}
	return other
}

// Reading returns the reading that the instruction is under.
func (in *Instruction) Reading() Reading { return in.reading }

// Form returns what the instruction means, without its registers, for the packages that take a form.
func (in *Instruction) Form() isa.Form { return in.form }

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

// Eval returns the word that the instruction writes to d. An operand that the instruction gives as a number has that value
// whatever is passed.
func (in *Instruction) Eval(a, b, c uint32) uint32 {
	return sem.EvalAs(in.reading.known(), in.form, in.values[0].or(a), in.values[1].or(b), in.values[2].or(c))
}

// Trace returns the stages of an evaluation, to be printed.
func (in *Instruction) Trace(a, b, c uint32) *Trace {
	t := sem.TraceOf(in.reading.known(), in.form, in.values[0].or(a), in.values[1].or(b), in.values[2].or(c))
	return &Trace{D: t.D, stages: t}
}

// Trace is an evaluation, stage by stage as the manual names them: what is selected, extended, computed, clamped and merged.
type Trace struct {
	D      uint32 // what the instruction writes
	stages sem.Trace
}

// String draws the stages in 80 columns, the lanes side by side.
func (t *Trace) String() string { return explain.String(t.stages) }

// SVG returns the drawing as an SVG picture.
func (t *Trace) SVG() string {
	var picture strings.Builder
	_ = explain.SVG(&picture, t.stages, explain.SVGOptions{}) // a strings.Builder takes everything
	return picture.String()
}
