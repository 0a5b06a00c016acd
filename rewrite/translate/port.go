package translate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Ported is a source whose asm statements have become calls of functions.
type Ported struct {
	Text       string
	Forms      []isa.Form        // that [Emit] writes the functions of, each once
	Statements []PortedStatement // those with video instructions, in the order of the source
}

// PortedStatement is what became of an asm statement with video instructions.
type PortedStatement struct {
	Start, End source.Position
	Forms      []isa.Form // of its video instructions
	Call       string     // what stands in its place, without the semicolon; "" where it stays
	Why        string     // why it stays
}

// Left counts the statements that stay.
func (p *Ported) Left() (n int) {
	for _, s := range p.Statements {
		if s.Why != "" {
			n++
		}
	}
	return n
}

// Calls counts the statements that were replaced.
func (p *Ported) Calls() int { return len(p.Statements) - p.Left() }

// Port replaces the asm statements with video instructions of a C, C++ or CUDA source by calls of the functions that
// [Emit] writes in a language of the C family. header is the file of these, which the source then includes.
// Statements that cannot be replaced stay, and a warning tells why.
func Port(src *source.File, header string) (*Ported, diag.List, error) {
	if !inline.IsHost(src.Name) {
		return nil, nil, fmt.Errorf("%s is no C, C++ or CUDA source by its name: there are no asm statements in it", src.Name)
	}
	statements, diagnostics := inline.Find(src)
	p := porter{src: src, prefix: freshPrefix("vop_", src.Text), result: &Ported{}, written: newPatterns()}
	readings := map[source.Span]int{} // of a statement, by its #if and macros
	for i := range statements {
		readings[statements[i].Span]++
	}
	seen := map[source.Span]int{} // which of the result's statements stands there
	for i := range statements {
		s := &statements[i]
		body, findings := check.AsmBody(s)
		diagnostics = append(diagnostics, findings...)
		if !hasVideo(body) || findings.HasErrors() {
			continue
		}
		call, why := "", ""
		if readings[s.Span] > 1 {
			why = "it is read in several ways, by its #if or its macro"
		} else {
			call, why = p.statement(s, body)
		}
		at, again := seen[s.Span]
		if !again {
			at = len(p.result.Statements)
			seen[s.Span] = at
			p.result.Statements = append(p.result.Statements, PortedStatement{
				Start: src.Position(s.Span.Start), End: src.Position(s.Span.End), Call: call, Why: why,
			})
		}
		p.result.Statements[at].addForms(body)
		if why != "" {
			in := firstVideo(body)
			diagnostics = append(diagnostics, diag.Diagnostic{
				Code: diag.AsmNotPorted, Severity: diag.SeverityOf(diag.AsmNotPorted), File: s.Text, Span: in.Tree.Name.Span(),
				Message: "this asm statement stays as it is: " + why,
			})
			continue
		}
		p.edits = append(p.edits, Edit{s.Span, call})
	}
	diagnostics.Sort()
	if diagnostics.HasErrors() {
		return nil, diagnostics, nil
	}
	p.result.Text = p.text(header)
	return p.result, diagnostics, nil
}

// addForms adds the forms of the video instructions of a body.
func (s *PortedStatement) addForms(body []check.Inst) {
	for in := range videoInstructions(body) {
		if !slices.Contains(s.Forms, in.Video.Form) {
			s.Forms = append(s.Forms, in.Video.Form)
		}
	}
}

func hasVideo(body []check.Inst) bool { return firstVideo(body) != nil }

func firstVideo(body []check.Inst) *check.Inst {
	for in := range videoInstructions(body) {
		return in
	}
	return nil
}

// porter replaces the statements of a source.
type porter struct {
	src     *source.File
	prefix  string // of the names of variables
	edits   []Edit
	result  *Ported
	written patterns
}

// patterns are what parts of asm statements look like. They are compiled where a file is ported, so that vop's page, which
// ports nothing, does without package regexp.
type patterns struct{ asm, simple, decimal *regexp.Regexp }

func newPatterns() patterns {
	return patterns{
		asm:     regexp.MustCompile(`^(asm|__asm__|__asm)\b`),
		simple:  regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\[[A-Za-z0-9_]+\])*$`),
		decimal: regexp.MustCompile(`^(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)$`),
	}
}

// text returns the source with the calls, and the header included before everything else but a byte order mark.
func (p *porter) text(header string) string {
	if len(p.edits) == 0 {
		return p.src.Text
	}
	var s strings.Builder
	include, newline := `#include "`+header+`"`, "\n"
	mark := source.Pos(len(p.src.Text) - len(strings.TrimPrefix(p.src.Text, "\ufeff")))
	s.WriteString(p.src.Text[:mark])
	first, _, _ := strings.Cut(p.src.Text[mark:], "\n")
	if strings.HasSuffix(first, "\r") {
		newline = "\r\n"
	}
	if strings.TrimSpace(first) != include { // which it is if some statements have been ported before
		s.WriteString(include + newline)
	}
	done := mark
	for _, e := range p.edits {
		s.WriteString(p.src.Text[done:e.At.Start])
		s.WriteString(e.Text)
		done = e.At.End
	}
	s.WriteString(p.src.Text[done:])
	return s.String()
}

// statement returns the text that an asm statement becomes, without its semicolon, or why it stays.
func (p *porter) statement(s *inline.Asm, body []check.Inst) (text, why string) {
	switch {
	case !p.written.asm.MatchString(p.src.Text[s.Span.Start:s.Span.End]):
		return "", "a macro makes it"
	case s.Holes > 0 || s.MoreOperands:
		return "", "macros of other files are a part of it"
	}
	operands := append(slices.Clone(s.Outputs), s.Inputs...)
	for i, o := range operands {
		if constraint := strings.Trim(o.Constraint, "=+&"); constraint != "r" && (constraint != "n" && constraint != "i" || i < len(s.Outputs)) {
			return "", fmt.Sprintf("operand %d has the constraint \"%s\", and only \"r\" and \"n\" are known here", i, o.Constraint)
		}
	}
	b := portedBody{porter: p, asm: s, operands: operands, variables: map[string]string{}}
	if text, ok := b.single(body); ok {
		return text, ""
	}
	return b.several(body)
}

// portedBody is the instructions of a statement.
type portedBody struct {
	*porter
	asm       *inline.Asm
	operands  []inline.Operand
	variables map[string]string // of registers, by their names in PTX
	order     []string          // of the variables that the text declares
}

// number returns which operand a name as %0 or %[x] is, or -1.
func (b *portedBody) number(name string) int {
	for i, o := range b.operands {
		if name == fmt.Sprintf("%%%d", i) || o.Name != "" && name == "%["+o.Name+"]" {
			return i
		}
	}
	return -1
}

// expression is the C expression of an operand. It is in parentheses unless it is a name.
func (b *portedBody) expression(i int) string {
	text := strings.TrimSpace(b.src.Text[b.operands[i].Expr.Start:b.operands[i].Expr.End])
	if b.written.simple.MatchString(text) {
		return text
	}
	return "(" + text + ")"
}

// single writes one video instruction on operands as an assignment.
func (b *portedBody) single(body []check.Inst) (text string, ok bool) {
	if len(body) != 1 || body[0].Guard >= 0 || len(b.asm.Outputs) != 1 {
		return "", false
	}
	in := &body[0]
	used := map[int]int{}
	for k := range in.Tree.Operands {
		o := &in.Tree.Operands[k]
		i := b.number(o.Text)
		switch {
		case k == 0 && i != 0:
			return "", false
		case k > 0 && o.Kind == syntax.Name && i < 0:
			return "", false
		case k > 0 && i >= 0:
			used[i]++
		}
	}
	for i, n := range used {
		if n > 1 && !b.written.simple.MatchString(b.expression(i)) {
			return "", false // it would be evaluated twice
		}
	}
	if b.operands[0].Constraint[0] != '+' && used[0] > 0 {
		return "", false // it reads what nobody has set; checks say so
	}
	call, why := b.call(in, func(o *syntax.Operand) (string, string) { return strip(b.expression(b.number(o.Text))), "" })
	return b.expression(0) + " = " + call, why == ""
}

// strip takes the parentheses off that an argument of a call does not need.
func strip(expression string) string {
	inner, ok := strings.CutPrefix(expression, "(")
	if !ok || strings.ContainsAny(expression, ",") {
		return expression
	}
	return strings.TrimSuffix(inner, ")")
}

// call writes a video instruction as a call. value returns the text of a register.
func (b *portedBody) call(in *check.Inst, value func(o *syntax.Operand) (text, why string)) (text, why string) {
	form := in.Video.Form
	constants := check.SourcesOf(in.Tree.Operands).Constants
	parameters := 2
	if form.TakesC() {
		parameters = 3
	}
	var args []string
	for k := range parameters {
		if constants[k].Is {
			args = append(args, fmt.Sprintf("%du", constants[k].Word))
			continue
		}
		text, why := value(&in.Tree.Operands[1+k])
		if why != "" {
			return "", why
		}
		args = append(args, text)
	}
	if !slices.Contains(b.result.Forms, form) {
		b.result.Forms = append(b.result.Forms, form)
	}
	return FunctionName(form) + "(" + strings.Join(args, ", ") + ")", ""
}

// several writes instructions as a block with a variable for each register.
func (b *portedBody) several(body []check.Inst) (text, why string) {
	forms := len(b.result.Forms)
	var s strings.Builder
	var lines []string
	for i := range body {
		line, why := b.instruction(&body[i])
		if why != "" {
			b.result.Forms = b.result.Forms[:forms]
			return "", why
		}
		lines = append(lines, line)
	}
	s.WriteString("do { ")
	for _, name := range b.order {
		i := b.number(name)
		switch {
		case i < 0, i < len(b.asm.Outputs) && b.operands[i].Constraint[0] == '=':
			fmt.Fprintf(&s, "unsigned %s; ", b.variables[name])
		default:
			fmt.Fprintf(&s, "unsigned %s = %s; ", b.variables[name], strip(b.expression(i)))
		}
	}
	for _, line := range lines {
		s.WriteString(line + "; ")
	}
	for _, name := range b.order {
		if i := b.number(name); i >= 0 && i < len(b.asm.Outputs) {
			fmt.Fprintf(&s, "%s = %s; ", b.expression(i), b.variables[name])
		}
	}
	s.WriteString("} while (0)")
	return s.String(), ""
}

// plainInstructions are the instructions besides that C has operators for.
var plainInstructions = map[string]string{
	"mov.u32": "$x", "mov.s32": "$x", "mov.b32": "$x", "not.b32": "~$x",
	"add.u32": "$x + $y", "add.s32": "$x + $y", "sub.u32": "$x - $y", "sub.s32": "$x - $y",
	"and.b32": "$x & $y", "or.b32": "$x | $y", "xor.b32": "$x ^ $y",
}

// instruction writes one as an assignment.
func (b *portedBody) instruction(in *check.Inst) (text, why string) {
	name := in.Tree.Name.Text
	for _, m := range in.Tree.Modifiers {
		name += m.Text
	}
	if in.Guard >= 0 {
		return "", "'" + name + "' has a guard"
	}
	var call string
	if in.Video != nil {
		if call, why = b.call(in, b.value); why != "" {
			return "", why
		}
	} else {
		template := plainInstructions[name]
		if template == "" {
			return "", "it has the instruction '" + name + "'"
		}
		for k, slot := range []string{"$x", "$y"} {
			if !strings.Contains(template, slot) || 1+k >= len(in.Tree.Operands) {
				continue
			}
			x, why := b.value(&in.Tree.Operands[1+k])
			if why != "" {
				return "", why
			}
			template = strings.Replace(template, slot, x, 1)
		}
		call = template
	}
	d, why := b.value(&in.Tree.Operands[0])
	return d + " = " + call, why
}

// value returns the text of an operand: its variable, or a number.
func (b *portedBody) value(o *syntax.Operand) (text, why string) {
	switch {
	case o.Kind == syntax.Number && o.Neg == 0 && b.written.decimal.MatchString(o.Text):
		return o.Text + "u", ""
	case o.Kind != syntax.Name || o.Selector.Text != "" && !strings.HasPrefix(o.Selector.Text, ".b") && !strings.HasPrefix(o.Selector.Text, ".h"):
		return "", "the operand '" + b.asm.Text.Text[o.Start:o.End] + "' has no variable to stand for it"
	}
	if variable := b.variables[o.Text]; variable != "" {
		return variable, ""
	}
	variable := fmt.Sprintf("%s%d", b.prefix, len(b.variables))
	b.variables[o.Text] = variable
	b.order = append(b.order, o.Text)
	return variable, ""
}
