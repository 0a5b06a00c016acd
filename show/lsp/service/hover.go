package service

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/translate"
	"github.com/vop-ptx/vop/show/explain"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// Hover returns what there is to say about a place: what stands there, and the codes of the
// findings about it. It is nil if there is nothing.
func (d *Document) Hover(at protocol.Position) *protocol.Hover {
	offset := d.change.before(d.Text.Offset(at))
	var said []string
	var where *protocol.Range
	if p, pos, ok := d.Analysis.at(offset); ok {
		if what, span := d.describe(p, pos); what != "" {
			said = append(said, what)
			r := d.rangeIn(p, span)
			where = &r
		}
	}
	codes := map[diag.Code]bool{}
	for i := range d.findings {
		f := &d.findings[i]
		if f.start <= offset && offset <= f.end && !codes[f.Code] {
			codes[f.Code] = true
			said = append(said, explanation(f))
		}
	}
	if said == nil {
		return nil
	}
	return &protocol.Hover{Contents: markdown(strings.ToValidUTF8(strings.Join(said, "\n\n---\n\n"), "\ufffd")), Range: where}
}

// describe says what stands at a place of a piece.
func (d *Document) describe(p placed, pos source.Pos) (what string, at source.Span) {
	if u := p.names().at(pos); u != nil {
		return d.named(p, u), u.at
	}
	in := p.instructionAt(pos)
	if in == nil {
		return "", at
	}
	if at = mnemonic(in); pos < at.Start || at.End < pos {
		return "", at
	}
	if op := isa.ParseOp(in.Name.Text); op != isa.NoOp {
		return d.video(p, in, op), at
	}
	return ordinaryHover(in), at
}

// video describes a video instruction.
func (d *Document) video(p placed, in *syntax.Instruction, op isa.Op) string {
	var s strings.Builder
	f, ok := p.formOf(in)
	section := isa.SectionOf(op)
	if !ok {
		s.WriteString("```ptx\n")
		for _, row := range isa.RowsOf(op) {
			s.WriteString(row.Line + "\n")
		}
		s.WriteString("```\n")
	} else {
		fmt.Fprintf(&s, "```ptx\n%s\n```\n\n%s.\n\n```\n%s\n```\n", f.Row().Line, capital(explain.Meaning(f)), strings.Join(translate.Pseudocode(f), "\n"))
		if differ := differences(p, in, f); differ != "" {
			s.WriteString("\n" + differ)
		}
		s.WriteString("\n" + d.costLine(f, in.Operands) + "  \n")
	}
	fmt.Fprintf(&s, "\nPTX ISA %s, from PTX %v and sm_%d on", section.Number, section.PTX, section.SM)
	return s.String()
}

// countedOn is the machine that package cost knows the numbers of.
const countedOn = 80

// costLine says what a video instruction costs.
func (d *Document) costLine(f isa.Form, operands []syntax.Operand) string {
	machine := fmt.Sprintf("sm_%d", d.sm)
	if d.host {
		machine += " and later"
	}
	switch c := d.cost(f, operands); {
	case d.sm == 0:
		return "The file names no target that is known: what it costs there is not known either."
	case c.Kept:
		return "On " + machine + ": 1 machine instruction."
	default:
		counted := "as ptxas compiles it"
		if d.sm != countedOn {
			counted += fmt.Sprintf(" (counted for sm_%d)", countedOn)
		}
		return fmt.Sprintf("On %s: about %s %s, %d lowered.", machine, diag.Count(c.Before, "machine instruction"), counted, c.After)
	}
}

// differences says where the two readings of an instruction differ, in Markdown.
func differences(p placed, in *syntax.Instruction, f isa.Form) string {
	var s strings.Builder
	for _, w := range readings.NewFinder().Body(p.file, []check.Inst{{Tree: in, Video: &check.Video{Form: f}}}) {
		fmt.Fprintf(&s, "**The readings differ:** %s\n\n", w.Message)
		for _, note := range w.Notes {
			s.WriteString("- " + note + "\n")
		}
	}
	return s.String()
}

// named describes what a name stands for.
func (d *Document) named(p placed, u *use) string {
	in, s, ok := d.declaration(p, u)
	if !ok {
		if since, special := check.SpecialSince(u.name); special {
			return fmt.Sprintf("```ptx\n%s\n```\n\nspecial register, read-only, since PTX %v", u.name, since)
		}
		return ""
	}
	if s.kind == operandSymbol {
		return operandOfAsm(in, s)
	}
	line := d.rangeIn(in, s.at).Start.Line + 1
	text := d.uses(p, u)
	switch s.kind {
	case registerSymbol:
		return d.register(s, text, line)
	case labelSymbol, listSymbol:
		return fmt.Sprintf("```ptx\n%s:\n```\n\nlabel on line %d, %s", s.name, line, diag.Count(len(text)-1, "use"))
	}
	kind := map[symbolKind]string{rowSymbol: "registers", variableSymbol: "variable", parameterSymbol: "parameter", functionSymbol: "function"}[s.kind]
	if s.typ == ".entry" {
		kind = "kernel"
	}
	return fmt.Sprintf("```ptx\n%s\n```\n\n%s, declared on line %d", short(in.text(d.statementOf(in, s))), kind, line)
}

// statementOf returns the declaration that a symbol is in.
func (d *Document) statementOf(in placed, s *symbol) source.Span {
	if s.stmt != s.at {
		return s.stmt
	}
	for _, stmt := range in.tree().Stmts {
		if f, ok := stmt.(*syntax.Function); ok && f.Name.Pos == s.at.Start {
			at := f.Span()
			if f.Body != nil {
				at.End = f.Body.Span().Start
			}
			return at
		}
	}
	return s.stmt
}

// register describes a register: its type, where it is declared and written, its value if that is
// always the same.
func (d *Document) register(s *symbol, all []seen, line uint32) string {
	declared := s.name
	if s.row != nil {
		declared = fmt.Sprintf("%s<%d>", s.row.name, s.row.count)
	}
	var written []*use
	var lines []string
	read := 0
	for _, v := range all {
		switch v.role {
		case writes:
			written = append(written, v.use)
			lines = append(lines, fmt.Sprint(d.rangeIn(v.in, v.at).Start.Line+1))
		case reads:
			read++
		}
	}
	where := ""
	if n := len(lines); 0 < n && n <= maxLines {
		where = " (line " + strings.Join(lines, ", ") + ")"
	}
	text := fmt.Sprintf("```ptx\n.reg %s %s\n```\n\nregister %s, declared on line %d; written %s%s, read %s", s.typ, declared, s.name, line, times(len(written)), where, times(read))
	if len(written) == 1 {
		if value := constantOf(written[0]); value != "" {
			text += "\n\nits value is always " + value
		}
	}
	return text
}

// maxLines is how many lines a hover names.
const maxLines = 6

// constantOf returns what an instruction gives a register, if that is a constant: mov with one.
func constantOf(u *use) string {
	in := u.in
	if in == nil || in.Name.Text != "mov" || in.Guard.Name.Text != "" || len(in.Operands) != 2 || in.Operands[0].Kind != syntax.Name {
		return ""
	}
	o := &in.Operands[1]
	word, ok := check.Immediate(o)
	switch {
	case !ok:
		return ""
	case o.Kind == syntax.Number && syntax.ParseNumber(o.Text).Bits != uint64(word) && o.Neg == 0:
		return "`" + o.Text + "`"
	}
	if int32(word) < 0 {
		return fmt.Sprintf("%d (0x%08x, or %d unsigned)", int32(word), word, word)
	}
	return fmt.Sprintf("%d (0x%x)", word, word)
}

// operandOfAsm describes %0 of an asm statement.
func operandOfAsm(p placed, s *symbol) string {
	outputs := p.asm.Outputs
	kind := "output"
	i := s.number
	o := outputs
	if i >= len(outputs) {
		kind, o, i = "input", p.asm.Inputs, i-len(outputs)
	}
	return fmt.Sprintf("```c\n%s\n```\n\noperand %s of the asm statement, an %s with the constraint `%s`", short(p.original(o[i].Span)), s.name, kind, o[i].Constraint)
}

func times(n int) string {
	switch n {
	case 0:
		return "nowhere"
	case 1:
		return "once"
	}
	return fmt.Sprint(n) + " times"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// short cuts a text that is too long to be shown.
func short(s string) string {
	const most = 1000
	s = strings.TrimSpace(s)
	if len(s) > most {
		return s[:most] + " ..."
	}
	return s
}
