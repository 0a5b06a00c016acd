package check

import (
	"strings"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/syntax"
)

// instruction resolves an instruction and adds it to the function.
func (c *checker) instruction(t *syntax.Instruction) {
	f := c.function
	f.Body = append(f.Body, Inst{Tree: t, Guard: -1, Loc: c.loc})
	in := &f.Body[len(f.Body)-1]
	if t.Guard.Name.Text != "" {
		c.guard(in, t)
	}
	in.Operands = c.operands.Make(len(t.Operands))
	for i := range in.Operands {
		c.operand(&in.Operands[i], &t.Operands[i])
	}
	switch op := isa.ParseOp(t.Name.Text); {
	case op != isa.NoOp:
		c.video(in, op)
	case likeVideo(t.Name.Text) && !inst.Known(t.Name.Text):
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

// suffixes reports what is written after the names of operands in an instruction that is no
// video instruction: only vector registers have something there, their elements.
func (c *checker) suffixes(in *Inst, operands []Operand) {
	for i := range operands {
		o := &operands[i]
		c.suffixes(in, o.Elems)
		if o.Tree == nil || o.Tree.Selector.Text == "" {
			continue
		}
		switch sel := o.Tree.Selector; {
		case o.Kind == OpSpecial:
			c.specialElement(o)
		case o.Kind == OpAddress || o.Kind == OpUnknown && o.Tree.Kind == syntax.Name:
		case isSelector(sel.Text):
			c.report(diag.SelectorNotAllowed, sel.Span(), quote(in.Tree.Name.Text)+" takes no selectors",
				"only the video instructions do (PTX ISA 9.7.18)")
		case o.Kind == OpReg && o.Reg >= 0:
			c.vectorElement(o)
		default:
			c.report(diag.UnknownSelector, sel.Span(), quote(shorten(sel.Text))+" selects nothing of "+quote(shorten(o.Tree.Text)), "only vector registers have elements")
		}
	}
}

// vectorElement reports an element that a register has not.
func (c *checker) vectorElement(o *Operand) {
	sel, elements := o.Tree.Selector, c.function.Registers[o.Reg].Vec
	switch {
	case elements > 1 && o.Elem >= 0 && int(o.Elem) < elements:
	case elements <= 1:
		c.report(diag.UnknownSelector, sel.Span(), quote(shorten(sel.Text))+" selects nothing of "+quote(o.Tree.Text)+", which is no vector register",
			"a vector register is declared .reg .v2 or .reg .v4")
	default:
		c.report(diag.UnknownSelector, sel.Span(), quote(shorten(sel.Text))+" is not an element of "+quote(o.Tree.Text),
			"its elements are "+strings.Join([]string{".x", ".y", ".z", ".w"}[:min(elements, 4)], " "))
	}
}

// isSelector reports whether a suffix is a video selector or mask: .b0, .h10, .b7654.
func isSelector(text string) bool {
	if len(text) < 3 || text[1] != 'b' && text[1] != 'h' {
		return false
	}
	return strings.Trim(text[2:], "01234567") == ""
}
