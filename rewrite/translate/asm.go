package translate

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
)

// oldestMachine and asmVersion are what asm statements are rewritten for where the
// options do not say.
const oldestMachine = 70

var asmVersion = isa.Version{Major: 7, Minor: 0}

// lowerSource is Lower for the asm statements of a C, C++ or CUDA source.
func lowerSource(src *source.File, o LowerOptions) (*Lowered, diag.List, error) {
	statements, diagnostics := inline.Find(src)
	o.SM = cmp.Or(o.SM, oldestMachine)
	for i := range diagnostics {
		if d := &diagnostics[i]; d.Code == diag.AsmNotRead {
			d.Notes = append(slices.Clone(d.Notes), "what is not read stays as it was")
		}
	}
	r := asmRewriter{rewriter: newRewriter(src, o, lower.PTX(o.SM, cmp.Or(o.Version, asmVersion))), done: map[source.Span]int{}}
	for i := range statements {
		body, findings := check.AsmBody(&statements[i])
		diagnostics = append(diagnostics, findings...)
		for in := range videoInstructions(body) {
			if _, at := statements[i].Text.Outermost(in.Tree.Span()); !r.wanted(at.Start) {
				continue
			}
			r.asmInstruction(&statements[i], in.Tree, in.Video.Form)
		}
	}
	r.settle()
	diagnostics = append(diagnostics, r.left...)
	diagnostics.Sort()
	if diagnostics.HasErrors() {
		return nil, diagnostics, nil
	}
	return r.result(), diagnostics, nil
}

// asmRewriter rewrites the asm statements of a source. One place of it may belong to several
// statements, which a macro makes, or to one that is read in several ways.
type asmRewriter struct {
	*rewriter
	done map[source.Span]int // by place: the number of the edit, or -1 if it stays
	from []instruction       // what the edits are of
	left diag.List           // notes about what stays
}

// instruction is one in an asm statement.
type instruction struct {
	asm *inline.Asm
	*syntax.Instruction
	report int // its number there
}

// asmInstruction rewrites one instruction in the text of an asm statement, inside
// the string literals of the source. Fresh registers get a scope around the new
// instructions, since a compiler may place the statement more than once.
func (r *asmRewriter) asmInstruction(statement *inline.Asm, in *syntax.Instruction, form isa.Form) {
	asm := statement.Text
	p := r.program(form, in.Operands)
	original := spelling(asm, in.Span())
	_, at := asm.Outermost(in.Span())
	known, again := r.done[at]
	switch {
	case p != nil && (!statement.Written(in.Span()) || !replaceable(r.src.Text[at.Start:at.End], original)):
		r.stays(instruction{statement, in, 0}, whyNot(statement, in.Span()))
		return
	case again && known < 0:
		return
	case !again:
		r.report.add(asm, in, rewriteOf(form, p, r.caps))
	}
	if p == nil {
		r.done[at] = -1
		return
	}
	operands := ptx.Operands{D: operandSpelling(asm, &in.Operands[0])}
	for k := range in.Operands[1:] {
		operands.Sources[k] = operandSpelling(asm, &in.Operands[1+k])
	}
	if guard := in.Guard; guard.Name.Text != "" {
		operands.Guard = strings.TrimSuffix(guardOf(in), guard.Name.Text+" ") + spelling(asm, guard.Name.Span()) + " "
	}
	style := ptx.Style{Names: names(freshPrefix("vop", asm.Text)), After: " "}
	from := len(r.text)
	r.text = append(r.text, "/* "+oneLine(original)+" */ "...)
	body, used := ptx.Append(nil, p, &operands, &style)
	if used == (ptx.Registers{}) {
		r.text = append(r.text, strings.TrimSuffix(string(body), style.After)...)
	} else {
		r.text = append(r.text, "{ "...)
		r.text = ptx.AppendDeclarations(r.text, used, &style)
		r.text = append(r.text, body...)
		r.text = append(r.text, '}')
	}
	if again {
		if e := r.edits[known]; !bytes.Equal(r.text[from:], r.text[e.from:e.to]) {
			r.drop(known)
		}
		r.text = r.text[:from]
		return
	}
	r.done[at] = len(r.edits)
	r.from = append(r.from, instruction{statement, in, len(r.report) - 1})
	r.replace(at, from)
}

// whyNot says why a part of an asm statement's text cannot be rewritten where it stands.
func whyNot(asm *inline.Asm, at source.Span) string {
	via, _ := asm.Text.Expansion(at)
	switch name := asm.Macro(at); {
	case name != "" && !asm.Written(at):
		return "it stands in the macro '" + name + "', outside the asm statement"
	case via != nil:
		return "macros put it together from several places"
	}
	return "its parts stand in several places"
}

// stays says that an instruction is not rewritten.
func (r *asmRewriter) stays(in instruction, why string) {
	r.left = append(r.left, diag.Diagnostic{
		Code: diag.AsmNotLowered, Severity: diag.SeverityOf(diag.AsmNotLowered), File: in.asm.Text, Span: in.Name.Span(),
		Message: "this " + in.Name.Text + " stays as it is: " + why,
		Notes:   []string{"preprocess the source, as with nvcc -E or clang++ -E, and lower the result as a .ii file"},
	})
}

// drop takes an edit back: what it replaces is read in another way elsewhere.
func (r *asmRewriter) drop(edit int) {
	r.stays(r.from[edit], "its text is used elsewhere too, and is read in another way there")
	r.done[r.edits[edit].at] = -1
	r.edits[edit].to = -1
	r.report[r.from[edit].report].After = -1
}

// settle puts the edits in order and takes back those that overlap.
func (r *asmRewriter) settle() {
	order := make([]int, len(r.edits))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(r.edits[a].at.Start, r.edits[b].at.Start) })
	last := -1
	for _, i := range order {
		switch {
		case r.edits[i].to < 0:
		case last >= 0 && r.edits[i].at.Start < r.edits[last].at.End:
			r.drop(i)
			if r.edits[last].to >= 0 {
				r.drop(last)
			}
			if r.edits[i].at.End > r.edits[last].at.End {
				last = i
			}
		default:
			last = i
		}
	}
	var edits []edit
	for _, i := range order {
		if r.edits[i].to >= 0 {
			edits = append(edits, r.edits[i])
		}
	}
	r.edits = edits
	r.report = slices.DeleteFunc(r.report, func(w Rewrite) bool { return w.After < 0 }) // what was dropped
}

// operandSpelling returns the name of an operand as the source spells it.
func operandSpelling(asm *source.File, o *syntax.Operand) string {
	return spelling(asm, source.Span{Start: o.Pos, End: o.Pos + source.Pos(len(o.Text))})
}

// spelling returns a part of the text of an asm statement as the string literals
// spell it, %% for % where that is the case, with a blank for each blank character.
func spelling(asm *source.File, at source.Span) string {
	var s strings.Builder
	last := source.Pos(-1)
	for p := at.Start; p < at.End; p++ {
		if strings.IndexByte(" \t\r\n", asm.Text[p]) >= 0 {
			s.WriteByte(' ')
			continue
		}
		outer, from := asm.Outermost(source.Span{Start: p, End: p + 1})
		if from.Start != last { // else an escape that stands for several bytes
			s.WriteString(outer.Text[from.Start:from.End])
		}
		last = from.Start
	}
	return s.String()
}

// replaceable reports whether a part of the source can be replaced as a whole: it is
// an instruction's spelling and, at most, ends of ordinary literals and blanks in
// between. Comments, macros and raw literals there are left alone.
func replaceable(text, spelling string) bool {
	blanks := strings.NewReplacer(" ", "", `\n`, "", `\t`, "", `\r`, "", "\n", "", "\t", "", "\r", "")
	return blanks.Replace(joined(text)) == blanks.Replace(spelling)
}

// joined joins the parts of a literal, as the compiler does: it leaves out ends of literals with nothing but blanks
// between them.
func joined(text string) string {
	var s strings.Builder
	for {
		before, after, found := strings.Cut(text, `"`)
		s.WriteString(before)
		if !found {
			return s.String()
		}
		if next := blankEnd(after); strings.HasPrefix(after[next:], `"`) {
			text = after[next+1:]
			continue
		}
		s.WriteByte('"')
		text = after
	}
}

// blankEnd returns where the blanks end that a text begins with, among them ends of lines behind a backslash.
func blankEnd(text string) int {
	for i := 0; ; {
		switch rest := text[i:]; {
		case rest == "":
			return i
		case strings.IndexByte(" \t\n\f\r", rest[0]) >= 0:
			i++
		case strings.HasPrefix(rest, "\\\n"):
			i += 2
		case strings.HasPrefix(rest, "\\\r\n"):
			i += 3
		default:
			return i
		}
	}
}
