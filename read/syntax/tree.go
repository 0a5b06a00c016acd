package syntax

import "github.com/vop-ptx/vop/read/source"

// File is a PTX module, or the text of one inline asm statement.
type File struct {
	Source   *source.File
	Stmts    []Stmt
	Comments []Comment // in order of position
}

// Comment is one // or /* */ comment, its delimiters included.
type Comment struct {
	Pos  source.Pos
	Text string
}

// Stmt is a statement: *Directive, *Variable, *Function, *Block, *Label,
// *Instruction or *Bad. All appear at module scope and in function bodies,
// wherever the file has them; whether they may is for package check to say.
type Stmt interface {
	Span() source.Span
	stmt()
}

// Word is a name, a number or a modifier where it stands in the source.
// It occupies len(Text) bytes from Pos on.
type Word struct {
	Text string
	Pos  source.Pos
}

// Span returns the place of the word.
func (w Word) Span() source.Span {
	return source.Span{Start: w.Pos, End: w.Pos + source.Pos(len(w.Text))}
}

// span is the place of a node; nodes embed it.
type span source.Span

func (s span) Span() source.Span { return source.Span(s) }

// Directive is a statement that starts with a dot and is neither a variable nor
// a function: .version, .target, .address_size, .file, .loc, .pragma,
// .maxntid, .branchtargets, .alias, .section and whatever later versions add.
// Args are its words in order, commas not included: `.file 1 "a.cu"` has two.
type Directive struct {
	span
	Name Word // ".version"
	Args []Operand
	// Semicolon says whether the directive ended with one: .pragma does, .version does not.
	Semicolon bool
	// Body is the braced text of .section, verbatim with its braces, or "".
	// Of @@DWARF lines (PTX ISA 1.x) it is the rest of the line.
	Body string
	// Prototype is what follows .callprototype: Returns, Name and Params, and
	// directives such as .noreturn; Args is empty then. Nil in all other directives.
	Prototype *Function
}

// Variable is the declaration of one or more variables or registers:
//
//	.reg .b32 %r<5>, %x;
//	.visible .global .align 4 .u32 table[2][3] = {{1, 2, 3}, {4, 5, 6}};
type Variable struct {
	span
	Linkage []Word // .extern .visible .weak .common
	Space   Word   // ".reg", ".global", ".param" ...
	// Attributes are the words between the space and the first name, in order:
	// .align and its number, .v4, .attribute with its values as Elems, the type;
	// then, of kernel parameters, .ptr .global .align and a number. See Type.
	Attributes []Operand
	Names      []Declarator
	Semicolon  bool // false for parameters, which are separated by commas
}

// Type returns the declared type (".b32"), or a zero Word if there is none: the
// last of the attributes that is not .align, .ptr, a vector, an attribute list or
// the space that a .ptr points to. It need not be a type that PTX has.
func (v *Variable) Type() Word {
	for i := len(v.Attributes) - 1; i >= 0; i-- {
		a := &v.Attributes[i]
		if a.Kind != Modifier {
			continue
		}
		switch a.Text {
		case ".align", ".ptr", ".v2", ".v4", ".v8", ".attribute", ".const", ".global", ".local", ".shared", ".param":
			continue
		}
		return Word{a.Text, a.Pos}
	}
	return Word{}
}

// Declarator is one name in a declaration.
type Declarator struct {
	Name Word
	// Count is the number in %r<5>: five registers %r0 to %r4. HasCount tells <0> from none.
	Count    Operand
	HasCount bool
	Dims     []Operand // one per [n]; Kind None for []
	Init     *Operand  // what stands after =, or nil
}

// Function is an .entry or a .func, with a body or as a prototype.
type Function struct {
	span
	Linkage    []Word // .extern .visible .weak
	Kind       Word   // ".entry" or ".func"
	Attributes []Operand
	Returns    []*Variable // of .func; nil if there are no parentheses
	Name       Word
	Params     []*Variable
	HasParams  bool         // parentheses were written
	Directives []*Directive // .maxntid, .minnctapersm, .noreturn ...
	Body       *Block       // nil for a prototype
}

// Block is { statements }: a body or a nested scope.
type Block struct {
	span
	Stmts []Stmt
}

// Label is "name:".
type Label struct {
	span
	Name Word
}

// Instruction is one instruction, known or not.
type Instruction struct {
	span
	Guard     Guard
	Name      Word   // "vadd4"
	Modifiers []Word // ".s32", ".sat": each with its dot
	Operands  []Operand
}

// Guard is @p or @!p before an instruction; a zero Name if there is none.
type Guard struct {
	Not  bool
	Name Word
}

// Bad is text that could not be parsed, up to where parsing went on.
type Bad struct{ span }

func (*Directive) stmt()   {}
func (*Variable) stmt()    {}
func (*Function) stmt()    {}
func (*Block) stmt()       {}
func (*Label) stmt()       {}
func (*Instruction) stmt() {}
func (*Bad) stmt()         {}

// OperandKind tells what an [Operand] is.
type OperandKind uint8

// The kinds of operands.
const (
	None     OperandKind = iota
	Name                 // %r1, label, variable, function, %tid.x, %0 and %[x] in inline asm
	Number               // 42, 0x1f, -1 is Neg and 1; 0f3f800000, 1.5
	String               // "..." with its quotes
	Modifier             // .align, .b32: in directives and declarations only
	Sink                 // _
	Vector               // {a, b}; also initialisers
	Address              // [a], [a+4], [tex, {x, y}], a[i]: Elems are what the commas separate, a+4 an Expr
	List                 // (a, b): parameters of call
	Pair                 // p|q
	Expr                 // constant expression or address arithmetic: Text is the operator, see below
	Range                // L<5> in .branchtargets: Text is the name, Elems the number
	Numbers              // many numbers of an initial value, with what is between them: see Elements
)

// An Expr is one of
//
//	a + b      the operator of C as Text ("+", "<<", "=="), two Elems
//	-(a+b)     the operator as Text ("-", "+", "!", "~"), one of Elems; the - of -1 and -%r1 is Neg
//	a ? b : c  "?", three Elems
//	(.s64)a    the type ".s64" as Text, one of Elems
//	generic(x) "generic", one of Elems
//	0xff00(x)  the mask operator: the number as Text, one of Elems
//	key = x    "=", two Elems: in initialisers of .texref and .samplerref

// Operand is an operand of an instruction or an argument of a directive.
type Operand struct {
	Kind OperandKind
	// Comma says, of arguments of directives, that a comma follows.
	Comma bool
	// Parens is the number of pairs of parentheses around a constant expression.
	// Start and End include them; they change nothing else.
	Parens uint8
	// Neg is '-' or '!' if the operand is written with that sign, else 0.
	// The sign is not part of Text and stands at Start.
	Neg   byte
	Start source.Pos // of the operand, its sign included
	End   source.Pos
	Pos   source.Pos // of Text
	// Text is the name, number or string as written; the operator of an Expr;
	// for an Address of the form a[i], the name before the bracket.
	Text string
	// Selector is what follows a register: ".b0", ".h10", ".x". Special registers
	// with a dot (%tid.x) have it here too.
	Selector Word
	Elems    []Operand
}

// Span returns the place of the operand, sign and selector included.
func (o *Operand) Span() source.Span { return source.Span{Start: o.Start, End: o.End} }
