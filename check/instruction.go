package check

import (
	"strings"

	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/syntax"
)

// instruction resolves an instruction and adds it to the function.
func (c *checker) instruction(t *syntax.Instruction) {
	f := c.function
	f.Body = append(f.Body, Inst{Tree: t, Guard: -1, Loc: c.loc})
	in := &f.Body[len(f.Body)-1]
	if t.Guard.Name.Text != "" {
		c.guard(in, t)
	}
	in.Operands = c.operands.take(len(t.Operands))
	for i := range in.Operands {
		c.operand(&in.Operands[i], &t.Operands[i])
	}
	switch op := isa.ParseOp(t.Name.Text); {
	case op != isa.NoOp:
		c.video(in, op)
	case likeVideo(t.Name.Text):
		if meant := c.notVideo(t); meant != isa.NoOp {
			c.video(in, meant)
			in.Video = nil
		}
	default:
		c.ordinary(in)
	}
}

// guard resolves the predicate before an instruction.
func (c *checker) guard(in *Inst, t *syntax.Instruction) {
	in.GuardNot = t.Guard.Not
	name := t.Guard.Name
	sym := c.lookup(name.Text)
	switch {
	case sym.kind == noSymbol:
		c.undeclared(name.Text, name.Span())
	case sym.kind == undeclaredSymbol:
	case sym.kind == registerSymbol && sym.index >= 0:
		in.Guard = int(sym.index)
		if r := c.function.Registers[sym.index]; r.Type != Pred && r.Type != NoType {
			c.report(diag.GuardType, name.Span(), "the guard "+quote(name.Text)+" is a "+r.Type.String()+" register", "a guard is a .pred register")
		}
	default:
		c.report(diag.GuardType, name.Span(), "the guard "+quote(name.Text)+" is not a register", "a guard is a .pred register")
	}
}

// noSelectors reports video selectors in an instruction that is none.
func (c *checker) noSelectors(t *syntax.Instruction) {
	for i := range t.Operands {
		o := &t.Operands[i]
		if sel := o.Selector; sel.Text != "" && o.Kind == syntax.Name && isSelector(sel.Text) {
			c.report(diag.SelectorNotAllowed, sel.Span(), quote(t.Name.Text)+" takes no selectors",
				"only the video instructions do (PTX ISA 9.7.18)")
		}
	}
}

// isSelector reports whether a suffix is a video selector or mask: .b0, .h10, .b7654.
func isSelector(text string) bool {
	if len(text) < 3 || text[1] != 'b' && text[1] != 'h' {
		return false
	}
	return strings.Trim(text[2:], "01234567") == ""
}
