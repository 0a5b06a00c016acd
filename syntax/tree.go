package syntax

import "github.com/vop-ptx/vop/source"

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
	Body string
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
	// .align 4, .ptr, .global, .v4, .attribute(...), the type last.
	Attributes []Operand
	Names      []Declarator
	Semicolon  bool // false for parameters, which are separated by commas
}

// Type returns the declared type (".b32"), the last of the attributes that begins
// with a dot, or a zero Word.
func (v *Variable) Type() Word {
	for i := len(v.Attributes) - 1; i >= 0; i-- {
		if a := v.Attributes[i]; a.Kind == Modifier {
			return Word{a.Text, a.Pos}
		}
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
	Name                 // %r1, label, variable, function, %tid.x, %0 in inline asm
	Number               // 42, 0x1f, -1 is Neg and 1; 0f3f800000, 1.5
	String               // "..." with its quotes
	Modifier             // .align, .b32: in directives and declarations only
	Sink                 // _
	Vector               // {a, b}; also initialisers
	Address              // [a], [a+4], [tex, {x, y}], a[i]
	List                 // (a, b): parameters of call
	Pair                 // p|q
	Expr                 // constant expression: Text is the operator, one, two or three Elems
	Range                // a..b in .branchtargets and the like
)

// Operand is an operand of an instruction or an argument of a directive.
type Operand struct {
	Kind OperandKind
	// Neg is '-' or '!' if the operand is written with that sign, else 0.
	// The sign is not part of Text and stands at Start.
	Neg   byte
	Start source.Pos // of the operand, its sign included
	End   source.Pos
	// Text is the name, number or string as written; the operator of an Expr;
	// for an Address of the form a[i], the name before the bracket.
	Text string
	Pos  source.Pos // of Text
	// Selector is what follows a register: ".b0", ".h10", ".x". Special registers
	// with a dot (%tid.x) have it here too.
	Selector Word
	Elems    []Operand
}

// Span returns the place of the operand, sign and selector included.
func (o *Operand) Span() source.Span { return source.Span{Start: o.Start, End: o.End} }
