package translate

import (
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
)

// rewriter collects the changes to one file.
type rewriter struct {
	src     *source.File
	prefix  string // of the names of fresh registers in PTX files
	sm      int
	reading isa.Reading
	only    *source.Span
	caps    word.Caps
	edits   []edit // in order of position
	text    []byte // of all edits
	report  Report
}

// edit replaces a part of the file by text[from:to].
type edit struct {
	at       source.Span
	from, to int
}

func newRewriter(src *source.File, o LowerOptions, caps word.Caps) *rewriter {
	return &rewriter{
		src: src, prefix: freshPrefix("%vop", src.Text), sm: o.SM, reading: o.Reading, only: o.Only, caps: caps,
	}
}

// program returns the program for an instruction, or nil if the machine has it as
// one instruction.
func (r *rewriter) program(f isa.Form, operands []syntax.Operand) *word.Program {
	// Machines below sm_70 have the scalar instructions, but not as compiled for sm_86.
	if ptx.Native(f, r.sm) && (r.reading == isa.Manual || f.Op.SIMD()) {
		return nil
	}
	return lower.FormAs(r.reading, f, r.caps, FactsOf(operands))
}

// FactsOf tells what the operands d, a, b and c of an instruction show of their values:
// which are constants, and which the same register.
func FactsOf(operands []syntax.Operand) lower.Facts {
	s := check.SourcesOf(operands)
	facts := lower.Facts{SameAB: s.SameAB, SameAC: s.SameAC, SameBC: s.SameBC}
	for i, c := range s.Constants {
		facts.Known[i] = lower.Known{Is: c.Is, Value: c.Word}
	}
	return facts
}

// replace adds an edit whose text is what was appended to r.text since from.
func (r *rewriter) replace(at source.Span, from int) {
	r.edits = append(r.edits, edit{at, from, len(r.text)})
}

// wanted reports whether an instruction that begins at a place of the file is to be rewritten.
func (r *rewriter) wanted(at source.Pos) bool {
	return r.only == nil || r.only.Start <= at && at <= r.only.End
}

// result returns the file with the edits.
func (r *rewriter) result() *Lowered {
	var s strings.Builder
	edits := make([]Edit, 0, len(r.edits))
	s.Grow(len(r.src.Text) + len(r.text))
	done := source.Pos(0)
	for _, e := range r.edits {
		s.WriteString(r.src.Text[done:e.at.Start])
		s.Write(r.text[e.from:e.to])
		edits = append(edits, Edit{e.at, string(r.text[e.from:e.to])})
		done = e.at.End
	}
	s.WriteString(r.src.Text[done:])
	return &Lowered{s.String(), r.report, edits}
}

// freshPrefix returns a beginning of names that occurs nowhere in a text.
func freshPrefix(base, text string) string {
	for strings.Contains(text, base) {
		base += "_"
	}
	return base
}

// names returns the names of fresh registers, by [ptx.Kind].
func names(prefix string) [3]string {
	return [...]string{ptx.Word: prefix, ptx.Wide: prefix + "w", ptx.Pred: prefix + "p"}
}

// oneLine returns an instruction as it was written, without comments and with blanks
// for whatever stood between its parts, so that it fits any comment.
func oneLine(text string) string {
	for _, marks := range [][2]string{{"/*", "*/"}, {"//", "\n"}} {
		for {
			before, rest, found := strings.Cut(text, marks[0])
			if !found {
				break
			}
			_, after, _ := strings.Cut(rest, marks[1])
			text = before + " " + after
		}
	}
	return strings.Join(strings.Fields(text), " ")
}
