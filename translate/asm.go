package translate

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
	"github.com/vop-ptx/vop/syntax/inline"
	"github.com/vop-ptx/vop/translate/ptx"
)

// oldestMachine and asmVersion are what asm statements are rewritten for where the
// options do not say.
const oldestMachine = 70

var asmVersion = isa.Version{Major: 7, Minor: 0}

// lowerSource is Lower for the asm statements of a C, C++ or CUDA source.
func lowerSource(src *source.File, o LowerOptions) (*Lowered, diag.List, error) {
	statements, diagnostics := inline.Find(src)
	o.SM = cmp.Or(o.SM, oldestMachine)
	r := newRewriter(src, o, lower.PTX(o.SM, cmp.Or(o.Version, asmVersion)))
	for i := range statements {
		body, findings := check.AsmBody(&statements[i])
		diagnostics = append(diagnostics, findings...)
		for in := range videoInstructions(body) {
			r.asmInstruction(statements[i].Text, in.Tree, in.Video.Form)
		}
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics, nil
	}
	return r.result(), diagnostics, nil
}

// asmInstruction rewrites one instruction in the text of an asm statement, inside
// the string literals of the source. Fresh registers get a scope around the new
// instructions, since a compiler may place the statement more than once.
func (r *rewriter) asmInstruction(asm *source.File, in *syntax.Instruction, form isa.Form) {
	p := r.program(form, in.Operands)
	original := spelling(asm, in.Span())
	_, at := asm.Outermost(in.Span())
	if !replaceable(r.src.Text[at.Start:at.End], original) {
		p = nil
	}
	r.report.add(asm, in, form, p)
	if p == nil {
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
	r.replace(at, from)
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

// between is what stands between the parts of a literal that the compiler joins.
var between = regexp.MustCompile(`"(\s|\\\r?\n)*"`)

// replaceable reports whether a part of the source can be replaced as a whole: it is
// an instruction's spelling and, at most, ends of ordinary literals and blanks in
// between. Comments, macros and raw literals there are left alone.
func replaceable(text, spelling string) bool {
	blanks := strings.NewReplacer(" ", "", `\n`, "", `\t`, "", `\r`, "", "\n", "", "\t", "", "\r", "")
	return blanks.Replace(between.ReplaceAllString(text, "")) == blanks.Replace(spelling)
}
