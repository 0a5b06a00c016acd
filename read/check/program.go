package check

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Module is a PTX module with every name resolved: what package vm loads.
type Module struct {
	Source      *source.File
	Tree        *syntax.File
	Version     isa.Version
	Target      string // the first word of .target: "sm_80"
	SM          int    // 80; 0 if there is no such target
	AddressSize int    // 32 or 64
	Variables   []*Variable
	Functions   []*Function    // .entry and .func, prototypes included, in order
	Files       map[int]string // .file directives
	Errors      bool           // there are some: the module is not to be run
	Parts       []*Module      // of a module that has been linked: what it consists of
}

// Type is a fundamental PTX type (PTX ISA 5.2).
type Type uint8

// The types. Untyped ones (.b) are what registers are mostly declared with.
const (
	NoType Type = iota
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	F32
	F64
	BF16
	BF16x2
	Pred
	TexRef
	SamplerRef
	SurfRef
)

// Space is a state space (PTX ISA 5.1).
type Space uint8

// The state spaces. Generic is that of addresses in instructions without one.
const (
	Generic Space = iota
	Reg
	Const
	Global
	Local
	Param
	Shared
	Tex
)

// Variable is a variable in a memory space: module scope, function scope or parameter.
type Variable struct {
	Name   string
	Space  Space
	Type   Type
	Vec    int   // elements of a vector type: 1, 2 or 4
	Align  int   // bytes; natural alignment where none is written
	Dims   []int // array dimensions; the first is -1 in x[]
	Size   int   // bytes; 0 for x[] without initialiser
	Extern bool
	// Linkage is that of a variable at module scope, and Module the one it is declared in.
	Linkage Linkage
	Module  *Module
	// Ptr, of a kernel parameter declared with .ptr, tells the space pointed to.
	Ptr   Space
	IsPtr bool
	// Formal says that the variable passes a parameter or result of a .func that is in a register, and Register
	// which one it is. Predicates are passed in a byte.
	Formal   bool
	Register int
	// Data is the initial contents, nil for zeros; what it leaves of Size is zeros.
	// Relocs are the addresses in it.
	Data   []byte
	Relocs []Reloc
	Decl   syntax.Word
}

// Reloc is a place in initial data that holds the address of a variable or function.
type Reloc struct {
	At      int // byte offset in Data
	Size    int // bytes: 4 or 8, unless there is a Mask
	Var     *Variable
	Func    *Function
	Addend  int64
	Generic bool // generic(x): the generic address, not the one in x's space
	// Mask, if not 0, selects the bits of the address that go into the place, shifted
	// down to its lowest bit: 0xff00(x). Size is then that of the type.
	Mask uint64
}

// Register is one virtual register of a function. Registers that shadow each
// other in nested scopes are different ones.
type Register struct {
	Name string // "%r3"
	Type Type
	Vec  int // 1, or 2 or 4 for .reg .v2 and .v4
}

// Function is an .entry or a .func.
type Function struct {
	Name    string
	Entry   bool
	Extern  bool // a prototype: no body here
	Linkage Linkage
	Module  *Module // that it is declared in
	// Params and Returns are in .param memory. Those that the text has in registers have memory that it does
	// not name, in which calls pass them.
	Params  []*Variable
	Returns []*Variable
	// Registers are those that are declared by name, and of rows such as %r<5> those
	// that are used.
	Registers []Register
	Variables []*Variable // .shared, .local and .param variables of the body and its nested scopes
	Body      []Inst
	Tree      *syntax.Function
}

// Inst is an instruction with its operands resolved.
type Inst struct {
	Tree     *syntax.Instruction
	Guard    int // register, or -1
	GuardNot bool
	Operands []Operand
	Video    *Video // of video instructions; nil for all others
	Loc      Loc
}

// Video is what a video instruction means. Its operands are d, a, b and, where
// TakesC or a fourth was written, c; selectors and negations are in the Form.
type Video struct {
	Form isa.Form
}

// Loc is a source position from .loc; zero if there is none.
type Loc struct{ File, Line, Col int }

// OperandKind tells what an [Operand] is.
type OperandKind uint8

// The kinds of resolved operands.
const (
	OpNone    OperandKind = iota
	OpReg                 // Reg
	OpImm                 // Imm: the bits, floats in their own width
	OpSpecial             // Name: "%tid.x"
	OpLabel               // Target
	OpVar                 // Var: its address, plus Offset
	OpFunc                // Func
	OpVector              // Elems
	OpAddress             // [Elems[0] + Offset]; Elems[0] is OpReg, OpVar or OpImm
	OpTexture             // [Elems...]: texture or surface, perhaps a sampler, and coordinates
	OpList                // Elems
	OpPair                // Elems: p|q
	OpSink                // _
	OpSum                 // Elems[0] + Offset as a value, not an address: %laneid + 31
	OpUnknown             // an expression that has no value now, or a name unresolved
)

// Operand is a resolved operand.
type Operand struct {
	Kind   OperandKind
	Neg    byte  // '-' or '!' on a register, as written
	Elem   int8  // 0..3 for .x .y .z .w of a vector register; -1 if none
	Float  byte  // of OpImm: 0 integer, 'f' bits of an f32 (0f...), 'd' bits of an f64 (0d..., 1.5)
	Target int32 // of OpLabel: index in Body, len(Body) for a label at its end
	Tree   *syntax.Operand
	Reg    int
	Imm    uint64
	Offset int64
	Name   string
	Var    *Variable
	Func   *Function
	Elems  []Operand
}
