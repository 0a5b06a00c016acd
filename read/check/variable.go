package check

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check/constant"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// maxSize is the size of the largest variable: no address space is larger, nor is a size that
// has no place in an int.
const maxSize = min(1<<40, math.MaxInt)

// declaration is what all names of a declaration have in common.
type declaration struct {
	space Space
	typ   Type
	vec   int
	align int
	isPtr bool
	ptr   Space

	linkage Linkage
	extern  bool
}

// declareVariable checks a declaration of variables or registers in the current
// scope and enters its names.
func (c *checker) declareVariable(v *syntax.Variable) {
	d := c.declaration(v)
	for i := range v.Names {
		name := &v.Names[i]
		if d.space == Reg {
			c.declareRegisters(d, name)
			continue
		}
		for _, one := range c.members(name) {
			variable := c.variable(d, &one)
			if c.function != nil {
				c.function.Variables = append(c.function.Variables, variable)
			} else {
				c.module.Variables = append(c.module.Variables, variable)
			}
		}
	}
}

// maxMembers is how many variables a module may declare by numbers: each takes memory.
const maxMembers = 1 << 16

// members returns the names that a declaration stands for: %P0 and %P1 for %P<2> (PTX ISA 5.4.6), or the one that is written.
func (c *checker) members(name *syntax.Declarator) []syntax.Declarator {
	if !name.HasCount {
		return []syntax.Declarator{*name}
	}
	if len(name.Dims) > 0 || name.Init != nil {
		c.report(diag.BadSize, name.Name.Span(), quote(name.Name.Text)+" is several variables", "several variables that are declared by a number are neither arrays nor have initial values")
		return nil
	}
	count, ok := constant.Of(&name.Count)
	if !ok || count.Float != 0 || count.Bits > uint64(maxMembers-c.numbered) {
		c.report(diag.BadSize, name.Count.Span(), "the number of variables is not a number from 0 to "+decimal(maxMembers-c.numbered))
		return nil
	}
	c.numbered += int(count.Bits)
	all := make([]syntax.Declarator, count.Bits)
	for i := range all {
		all[i] = *name
		all[i].HasCount = false
		all[i].Name.Text += decimal(i)
	}
	return all
}

// declaration reads the words before the names.
func (c *checker) declaration(v *syntax.Variable) declaration {
	d := declaration{vec: 1}
	d.space, _ = ParseSpace(v.Space.Text)
	d.linkage = linkageOf(v.Linkage)
	for _, l := range v.Linkage {
		d.extern = d.extern || l.Text == ".extern"
	}
	typ := v.Type()
	d.typ = ParseType(typ.Text)
	switch {
	case typ.Text == "":
		c.report(diag.TypeExpected, v.Space.Span(), quote(v.Space.Text)+" without a type", "a declaration is written .space .type name")
	case d.typ == NoType:
		suggest(c.report(diag.TypeExpected, typ.Span(), quote(typ.Text)+" is not a type"), isa.Nearest(typ.Text, typeNames()))
	}
	for i := range v.Attributes {
		a := &v.Attributes[i]
		if a.Kind != syntax.Modifier {
			continue
		}
		switch a.Text {
		case ".v2", ".v3", ".v4", ".v8":
			d.vec = c.vector(d.typ, a)
		case ".ptr":
			d.isPtr = true
		case ".align":
			if !d.isPtr {
				d.align = c.alignment(v.Attributes[i:])
			}
		default:
			if space, ok := ParseSpace(a.Text); ok && d.isPtr {
				d.ptr = space
			}
		}
	}
	return d
}

// maxVector is how many bits a vector may have, but for those of eight elements, which came later (PTX ISA 5.4.2).
const maxVector = 128

// vector reads .v2, .v4 or .v8 before a type.
func (c *checker) vector(t Type, a *syntax.Operand) int {
	elements, most := int(a.Text[2]-'0'), maxVector
	if elements == 8 {
		most *= 2
	}
	switch {
	case elements == 3:
		c.report(diag.VectorType, a.Span(), "there are no vectors of 3 elements", "a .v4 whose last element nobody uses does that")
		return 4
	case t == Pred:
		c.report(diag.VectorType, a.Span(), "there are no vectors of predicates")
	case elements*t.Bits() > most:
		c.report(diag.VectorType, a.Span(), "a "+a.Text+" of "+t.String()+" has "+decimal(elements*t.Bits())+" bits, and vectors have at most "+decimal(most))
	}
	return elements
}

// alignment reads .align and its number.
func (c *checker) alignment(words []syntax.Operand) int {
	if len(words) > 1 {
		if value, ok := constant.Of(&words[1]); ok && value.Float == 0 && value.Bits <= maxSize && bits.OnesCount64(value.Bits) == 1 {
			return int(value.Bits)
		}
		c.report(diag.BadAlignment, words[1].Span(), "the alignment is not a power of two")
	}
	return 0
}

// declareRegisters enters a register, or %r<5>, into the current scope.
func (c *checker) declareRegisters(d declaration, name *syntax.Declarator) {
	if c.function == nil {
		c.report(diag.MisplacedStatement, name.Name.Span(), "register "+quote(name.Name.Text)+" is declared outside a function",
			"ptxas allows this only without the ABI, which it no longer supports")
	}
	if !name.HasCount {
		c.declare(name.Name, symbol{kind: registerSymbol, index: c.newRegister(name.Name.Text, d.typ, d.vec)})
		return
	}
	count, ok := constant.Of(&name.Count)
	if !ok || count.Float != 0 || count.Bits > 1<<31 {
		c.report(diag.BadSize, name.Count.Span(), "the number of registers is not a number from 0 to 2^31")
		return
	}
	f := family{count: count.Bits, typ: d.typ, vec: d.vec, pos: name.Name.Pos}
	if c.scope.families == nil {
		c.scope.families = make(map[string]family)
	}
	if previous, exists := c.scope.families[name.Name.Text]; exists {
		c.redeclared(name.Name, previous.pos)
		return
	}
	c.scope.families[name.Name.Text] = f
}

// newRegister adds a register to the function and returns its number.
func (c *checker) newRegister(name string, typ Type, vec int) int32 {
	if c.function == nil {
		return -1
	}
	c.function.Registers = append(c.function.Registers, Register{Name: name, Type: typ, Vec: vec})
	return int32(len(c.function.Registers) - 1)
}

// variable makes a variable of a declaration, with its size and initial data, and
// enters its name into the current scope.
func (c *checker) variable(d declaration, name *syntax.Declarator) *Variable {
	v := &Variable{
		Name: name.Name.Text, Space: d.space, Type: d.typ, Vec: d.vec, Align: d.align,
		Extern: d.extern, Linkage: d.linkage, Module: c.module, IsPtr: d.isPtr, Ptr: d.ptr, Decl: name.Name,
	}
	if v.Align == 0 {
		v.Align = max(1, v.Type.Bytes()*v.Vec)
	}
	size := uint64(v.Type.Bytes() * v.Vec)
	for i := range name.Dims {
		dim, ok := constant.Value{}, name.Dims[i].Kind == syntax.None
		if ok && i == 0 {
			v.Dims = append(v.Dims, -1)
			continue
		}
		if !ok {
			dim, ok = constant.Of(&name.Dims[i])
		}
		if !ok || dim.Float != 0 || dim.Bits > maxSize/max(1, size) {
			c.report(diag.BadSize, name.Dims[i].Span(), "the size of "+quote(v.Name)+" is not a number of reasonable size")
			dim.Bits = 0
		}
		v.Dims = append(v.Dims, int(dim.Bits))
		size *= dim.Bits
	}
	open := len(v.Dims) > 0 && v.Dims[0] == -1
	if name.Init != nil {
		c.initialise(v, int(size), name.Init)
	}
	switch {
	case !open && c.oversize(v, size), open && c.oversize(v, uint64(len(v.Data))):
		v.Data, v.Relocs = nil, nil
	case !open:
		v.Size = int(size)
	case name.Init != nil:
		v.Size = (len(v.Data) + int(size) - 1) / max(1, int(size)) * int(size)
		if size > 0 {
			v.Dims[0] = v.Size / int(size)
		}
	case !d.extern && d.space != Param && c.function == nil:
		c.report(diag.BadSize, name.Name.Span(), quote(v.Name)+" has no size",
			"only an .extern variable may be declared with [] and no initial values")
	}
	if v.Name != "_" {
		c.variables = append(c.variables, v)
		c.declare(name.Name, symbol{kind: variableSymbol, index: int32(len(c.variables) - 1)})
	}
	return v
}

// declare enters a name into the current scope, once.
func (c *checker) declare(name syntax.Word, sym symbol) {
	if c.reserved(name.Text) {
		c.report(diag.ReservedName, name.Span(), quote(name.Text)+" is a special register and cannot be declared",
			"the declaration would hide it; choose another name")
	}
	previous, exists := c.scope.names[name.Text]
	if c.scope == c.global {
		c.declaredLate(name)
	}
	switch {
	case !exists:
	case previous.kind == undeclaredSymbol && c.scope == c.global: // that is said
	case previous.kind == undeclaredSymbol:
		late := &c.findings[previous.index]
		late.Notes = append(late.Notes, "it is declared only on line "+c.line(name.Pos)+"; a name is declared before it is used")
	default:
		c.redeclared(name, previous.pos)
		return
	}
	sym.pos = name.Pos
	c.scope.enter(name.Text, sym)
}

func (c *checker) redeclared(name syntax.Word, previous source.Pos) {
	c.report(diag.RedeclaredName, name.Span(), quote(name.Text)+" is declared twice in this scope",
		"the first declaration is on line "+c.line(previous))
}
