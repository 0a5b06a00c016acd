package check

import (
	"strconv"

	"github.com/vop-ptx/vop/read/check/constant"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// lookup returns what a name stands for here. The first use of a register of a
// family enters it beside the family.
func (c *checker) lookup(name string) symbol {
	for s := c.scope; s != nil; s = s.parent {
		if sym, ok := s.names[name]; ok {
			return sym
		}
		if s.families != nil {
			if sym := c.member(s, name); sym.kind != noSymbol {
				return sym
			}
		}
	}
	return symbol{}
}

// member returns the register of a family of the scope that a name stands for.
func (c *checker) member(s *scope, name string) symbol {
	f, plain, ok := s.familyOf(name)
	if !ok || c.function == nil {
		return symbol{}
	}
	if plain != name {
		sym, exists := s.names[plain]
		if !exists {
			sym = c.member(s, plain)
		}
		return sym
	}
	sym := symbol{kind: registerSymbol, index: c.newRegister(plain, f.typ, f.vec), pos: f.pos}
	if s != c.global {
		s.enter(plain, sym)
	}
	return sym
}

// operand resolves an operand of an instruction into o.
func (c *checker) operand(o *Operand, t *syntax.Operand) {
	o.Tree = t
	switch t.Kind {
	case syntax.Name:
		c.name(o, t)
	case syntax.Number:
		c.immediate(o, t)
	case syntax.Sink:
		o.Kind = OpSink
	case syntax.Vector:
		o.Kind = OpVector
		c.elements(o, t.Elems)
	case syntax.List:
		o.Kind = OpList
		c.elements(o, t.Elems)
	case syntax.Pair:
		o.Kind = OpPair
		c.elements(o, t.Elems)
	case syntax.Address:
		c.address(o, t)
	case syntax.Expr:
		c.expression(o, t)
	default:
		o.Kind = OpUnknown
	}
}

func (c *checker) elements(o *Operand, trees []syntax.Operand) {
	o.Elems = c.operands.Make(len(trees))
	for i := range trees {
		c.operand(&o.Elems[i], &trees[i])
	}
}

// name resolves a name, with its sign and its selector.
func (c *checker) name(o *Operand, t *syntax.Operand) {
	o.Elem = -1
	o.Neg = t.Neg
	sym := c.lookup(t.Text)
	switch sym.kind {
	case registerSymbol:
		o.Kind, o.Reg = OpReg, int(sym.index)
		if t.Selector.Text != "" {
			o.Elem = element(t.Selector.Text)
		}
	case variableSymbol:
		o.Kind, o.Var = OpVar, c.variables[sym.index]
	case functionSymbol:
		o.Kind, o.Func = OpFunc, c.functions[sym.index]
	case labelSymbol:
		o.Kind, o.Target = OpLabel, sym.index
		c.function.jumps = append(c.function.jumps, o)
	case constantSymbol:
		o.Kind = OpImm
	case noSymbol:
		c.predefined(o, t)
	case undeclaredSymbol:
		o.Kind, o.Name = OpUnknown, t.Text
		c.undeclaredAgain(t.Text, t.Pos, sym)
	default:
		o.Kind, o.Name = OpUnknown, t.Text
	}
}

// predefined resolves a name that is not declared: a special register, WARP_SZ,
// or a mistake.
func (c *checker) predefined(o *Operand, t *syntax.Operand) {
	switch {
	case isSpecial(t.Text):
		o.Kind, o.Name = OpSpecial, t.Text
		if sel := t.Selector; sel.Text != "" {
			o.Name = t.Text + sel.Text
			if end := sel.Span().End; sel.Pos == t.Pos+source.Pos(len(t.Text)) {
				o.Name = c.source.Text[t.Pos:end]
			}
		}
	case t.Text == "WARP_SZ":
		c.immediate(o, t)
	default:
		o.Kind, o.Name = OpUnknown, t.Text
		c.undeclared(t.Text, source.Span{Start: t.Pos, End: t.Pos + source.Pos(len(t.Text))})
	}
}

// element returns the number of the vector element that .x .y .z .w or .r .g .b .a
// selects, or -1.
func element(selector string) int8 {
	if len(selector) != 2 {
		return -1
	}
	switch selector[1] {
	case 'x', 'r':
		return 0
	case 'y', 'g':
		return 1
	case 'z', 'b':
		return 2
	case 'w', 'a':
		return 3
	}
	return -1
}

// immediate resolves a constant.
func (c *checker) immediate(o *Operand, t *syntax.Operand) {
	value, ok := constant.Of(t)
	if !ok {
		o.Kind = OpUnknown
		return
	}
	o.Kind, o.Imm, o.Float = OpImm, value.Bits, value.Float
}

// Immediate returns the 32-bit word that an operand written as a constant stands
// for; ok is false if it is not an integer constant. Bits beyond 32 are dropped,
// as ptxas does.
func Immediate(o *syntax.Operand) (word uint32, ok bool) {
	value, ok := constant.Of(o)
	return uint32(value.Bits), ok && value.Float == 0
}

// expression resolves a constant expression, or a name with a constant added.
func (c *checker) expression(o *Operand, t *syntax.Operand) {
	if value, ok := constant.Of(t); ok {
		o.Kind, o.Imm, o.Float = OpImm, value.Bits, value.Float
		return
	}
	base, offset, ok := split(t)
	if !ok || base == nil {
		o.Kind = OpUnknown
		c.elements(o, t.Elems) // the names in it are resolved all the same
		return
	}
	elems := c.operands.Make(1)
	c.operand(&elems[0], base)
	if elems[0].Kind == OpVar {
		c.minus(&elems[0], offset, t, "", "", t.Span())
		*o = elems[0]
		o.Tree, o.Offset = t, offset
		return
	}
	o.Kind, o.Offset, o.Elems = OpSum, offset, elems
}

// split takes a sum apart into one operand that is not constant, or nil, and the
// sum of those that are.
func split(t *syntax.Operand) (base *syntax.Operand, offset int64, ok bool) {
	if value, ok := constant.Of(t); ok && value.Float == 0 {
		return nil, int64(value.Bits), true
	}
	if t.Kind != syntax.Expr {
		return t, 0, true
	}
	if len(t.Elems) != 2 || t.Text != "+" && t.Text != "-" {
		return nil, 0, false
	}
	left, x, leftOK := split(&t.Elems[0])
	right, y, rightOK := split(&t.Elems[1])
	if !leftOK || !rightOK || right != nil && (left != nil || t.Text == "-") {
		return nil, 0, false
	}
	if t.Text == "-" {
		y = -y
	}
	if left == nil {
		left = right
	}
	return left, x + y, true
}

// address resolves [a], [a+4], [tex, {x, y}] and a[i].
func (c *checker) address(o *Operand, t *syntax.Operand) {
	switch {
	case t.Text != "":
		c.indexed(o, t)
		return
	case len(t.Elems) == 1:
		o.Kind = OpAddress
	case len(t.Elems) == 2 || len(t.Elems) == 3:
		o.Kind = OpTexture
		c.elements(o, t.Elems)
		return
	default:
		o.Kind = OpUnknown
		c.elements(o, t.Elems)
		return
	}
	o.Elems = c.operands.Make(1)
	base, offset, ok := split(&t.Elems[0])
	switch {
	case !ok:
		c.operand(&o.Elems[0], &t.Elems[0])
		o.Kind = OpUnknown
	case base == nil:
		o.Elems[0] = Operand{Kind: OpImm, Imm: uint64(offset), Tree: &t.Elems[0]}
	default:
		c.operand(&o.Elems[0], base)
		o.Offset = offset
		c.minus(&o.Elems[0], offset, &t.Elems[0], "[", "]", t.Span())
	}
}

// minus reports a constant that is subtracted from a register or a variable: one is added, and may be negative. Sum is what is computed, in the
// brackets that are around it, if any.
func (c *checker) minus(base *Operand, offset int64, sum *syntax.Operand, opening, closing string, all source.Span) {
	if base.Kind != OpReg && base.Kind != OpVar || sum.Kind != syntax.Expr || sum.Text != "-" || base.Tree != &sum.Elems[0] {
		return
	}
	right := opening + c.text(base) + "+" + strconv.FormatInt(offset, 10) + closing
	suggest(c.report(diag.AddressMinus, all, "to an address a constant is added, and none subtracted: write "+shorten(right)), []string{right})
}

// indexed resolves a[i], the address of element i of an array (PTX ISA 6.4.2).
func (c *checker) indexed(o *Operand, t *syntax.Operand) {
	name := syntax.Operand{Kind: syntax.Name, Text: t.Text, Pos: t.Pos, Start: t.Pos, End: t.Pos + source.Pos(len(t.Text))}
	o.Kind = OpAddress
	o.Elems = c.operands.Make(1)
	c.name(&o.Elems[0], &name)
	o.Elems[0].Tree = t
	index, ok := constant.Value{}, len(t.Elems) == 1
	if ok {
		index, ok = constant.Of(&t.Elems[0])
	}
	if v := o.Elems[0].Var; ok && v != nil && index.Float == 0 {
		o.Offset = int64(index.Bits) * int64(v.Type.Bytes()*v.Vec)
		return
	}
	o.Kind = OpUnknown
}
