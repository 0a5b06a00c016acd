package model

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/internal/model/ops"
	"github.com/vop-ptx/vop/internal/model/texture"
	"github.com/vop-ptx/vop/isa"
)

// Reg is a register. A negative number is that of the sink, "_".
type Reg struct {
	Class ops.Class
	N     int
}

func (r Reg) String() string {
	if r.N < 0 {
		return "_"
	}
	return fmt.Sprintf("%%%s%d", r.Class.Letter(), r.N)
}

// Operand is a source: a register, a number, or a name that the text has and the model knows.
type Operand struct {
	Kind OperandKind
	Reg  Reg
	Imm  uint64 // the bits
	Name string // of a special register or a variable
}

// OperandKind says what an operand is.
type OperandKind uint8

// The kinds of operands.
const (
	RegOperand OperandKind = iota
	ImmOperand
	NameOperand
)

func reg(r Reg) Operand         { return Operand{Kind: RegOperand, Reg: r} }
func imm(v uint64) Operand      { return Operand{Kind: ImmOperand, Imm: v} }
func named(name string) Operand { return Operand{Kind: NameOperand, Name: name} }

// spell writes an operand of a class.
func (o Operand) spell(c ops.Class) string {
	switch {
	case o.Kind == RegOperand:
		return o.Reg.String()
	case o.Kind == NameOperand:
		return o.Name
	case c == ops.F32:
		return fmt.Sprintf("0f%08X", uint32(o.Imm))
	case c == ops.F64:
		return fmt.Sprintf("0d%016X", o.Imm)
	case o.Imm>>(c.Bits()-1) != 0 && -o.Imm&c.Mask() < 256: // a small negative number
		return fmt.Sprintf("-%d", -o.Imm&c.Mask())
	case o.Imm < 1024:
		return fmt.Sprint(o.Imm)
	}
	return fmt.Sprintf("%#x", o.Imm)
}

// Guard is the predicate that an instruction or a branch is under.
type Guard struct {
	On  bool
	Reg Reg
	Not bool
}

func (g Guard) String() string {
	switch {
	case !g.On:
		return ""
	case g.Not:
		return "@!" + g.Reg.String() + " "
	}
	return "@" + g.Reg.String() + " "
}

// Node is a statement: one of the types below.
type Node interface{ node() }

// Inst is an instruction that computes or accesses memory.
type Inst struct {
	Guard Guard
	Op    *ops.Op
	Dst   []Reg
	Src   []Operand
	Mem   *Access // or nil
	// Texture does what an instruction does with the texture or surface that its first source stands for; or nil. It reports
	// whether it can be done.
	Texture func(t *texture.Texture, d, s []uint64) bool
	// Fixed instructions compute addresses, or are under a guard that keeps threads apart: without them
	// threads may race.
	Fixed bool
}

// Group is statements that make sense only together.
type Group struct{ Body []Node }

// If is a branch with one or two arms.
type If struct {
	Cond       Guard
	Then, Else []Node
	Uniform    bool // bra.uni ends the first arm
}

// Loop repeats its body as its counter says: Count, less the bits that Mask has not, is how often, or one
// time less if the test is at the end.
type Loop struct {
	Counter, Test Reg
	Count         Operand
	Mask          uint64
	AtEnd         bool
	Body          []Node
}

// Leave goes to the end of the innermost loop, or to its next round.
type Leave struct {
	Cond     Guard
	Continue bool
}

// Return ends the thread, or leaves the function.
type Return struct {
	Guard Guard
	Exit  bool
}

// Switch jumps to one of its arms, whose number is a power of two. An arm goes on into the next one if it falls.
type Switch struct {
	Index Reg
	Of    Operand
	Arms  [][]Node
	Falls []bool
}

// Maze is a set of blocks that jump to each other, so often as the counter says, in no structured way.
type Maze struct {
	Counter, Test Reg
	Rounds        uint64
	Blocks        [][]Node
	Next          []Way
}

// Way says where a block of a maze goes on.
type Way struct {
	Cond Guard
	A, B int
}

// Barrier is a barrier that all threads pass that have not ended.
type Barrier struct{ Text string }

// Idle is an instruction that has no effect on what a kernel computes.
type Idle struct {
	Guard Guard
	Text  string
}

// Call calls a function. Only a direct one is under a guard.
type Call struct {
	Guard   Guard
	Func    *Func
	Args    []Operand
	Result  Reg
	Direct  bool // arguments are operands of the call
	Uniform bool
}

func (*Inst) node()    {}
func (*Group) node()   {}
func (*If) node()      {}
func (*Loop) node()    {}
func (*Leave) node()   {}
func (*Return) node()  {}
func (*Switch) node()  {}
func (*Maze) node()    {}
func (*Barrier) node() {}
func (*Call) node()    {}
func (*Idle) node()    {}

// Func is a function. Its parameters are the first registers of its body, and so is its result.
type Func struct {
	Name   string
	Params []Reg
	Result Reg
	Body   []Node
	counts [ops.Classes]int
	code   *code
}

// Access is what a load, a store or an atomic operation says of memory.
type Access struct {
	Name   string // "ld.volatile.global.v2.u32"
	Space  Space
	Size   int // of an element
	Signed bool
	Base   Operand
	Wide   bool // the base is 64 bits
	Offset int64
	Writes bool
	// Atomic computes the new value of an atomic operation from the old one and the operands.
	Atomic func(old uint64, s []uint64) uint64
}

// Space is a state space.
type Space uint8

// The spaces.
const (
	Generic Space = iota
	Global
	Shared
	Local
	Const
	Param
)

func (s Space) String() string {
	return [...]string{"", ".global", ".shared", ".local", ".const", ".param"}[s]
}

// Kernel is a random kernel with its launch.
type Kernel struct {
	Seed    uint64
	Target  string // "sm_90"
	Reading isa.Reading
	Grid    [3]int
	Block   [3]int
	Body    []Node
	Funcs   []*Func
	// Args are what it is launched with, in order.
	Args []Argument
	// Tables are the variables that have values, in .global and .const memory.
	Tables []Table
	// Textures are what arguments of their names, and variables, stand for.
	Textures []*Texture
	// Traps says that accesses to surfaces may be outside of them and stop their thread then, with checks as well.
	Traps  bool
	Shared int // bytes of the variable sh
	Local  int // bytes of the variable loc
	counts [ops.Classes]int
	code   *code
}

// Argument is what a parameter is given: a buffer with a content, the texture of its name, or a value.
type Argument struct {
	Name    string
	Type    string // ".u32"; "" of a struct
	Buffer  bool
	Texture bool
	Data    []byte
}

func (p *Argument) size() int {
	if p.Buffer || p.Texture {
		return 8
	}
	return len(p.Data)
}

func (p *Argument) align() int {
	if p.Type == "" {
		return 16
	}
	return p.size()
}

// Table is a variable with values.
type Table struct {
	Name  string
	Const bool
	Data  []byte
}

// Texture is an image that a kernel reads, or changes as a surface.
type Texture struct {
	Name string
	texture.Texture
	Bound   bool // to the variable as well
	Surface bool // the variable is a .surfref
}

// Variable is the name of the variable that it is bound to.
func (t *Texture) Variable() string { return t.Name + "_ref" }

func count(size [3]int) int { return size[0] * size[1] * size[2] }

// Threads is the number of threads of a block.
func (k *Kernel) Threads() int { return count(k.Block) }

// Blocks is the number of blocks.
func (k *Kernel) Blocks() int { return count(k.Grid) }

// children returns the lists of statements in a statement.
func children(n Node) (lists []*[]Node) {
	switch n := n.(type) {
	case *If:
		return []*[]Node{&n.Then, &n.Else}
	case *Loop:
		return []*[]Node{&n.Body}
	case *Switch:
		for i := range n.Arms {
			lists = append(lists, &n.Arms[i])
		}
	case *Maze:
		for i := range n.Blocks {
			lists = append(lists, &n.Blocks[i])
		}
	}
	return lists
}

// lists returns all lists of statements of the kernel.
func (k *Kernel) lists() (all []*[]Node) {
	var collect func(list *[]Node)
	collect = func(list *[]Node) {
		all = append(all, list)
		for _, n := range *list {
			for _, inner := range children(n) {
				collect(inner)
			}
		}
	}
	collect(&k.Body)
	for _, f := range k.Funcs {
		collect(&f.Body)
	}
	return all
}

// String writes an instruction as its line has it, without the semicolon.
func (in *Inst) String() string {
	var s strings.Builder
	s.WriteString(in.Guard.String())
	if in.Mem != nil {
		in.spellAccess(&s)
		return s.String()
	}
	d, src := 0, 0
	for _, r := range in.Op.Text {
		if r != '$' {
			s.WriteRune(r)
			continue
		}
		if d < len(in.Op.Dst) {
			s.WriteString(in.Dst[d].String())
			d++
			continue
		}
		s.WriteString(in.Src[src].spell(in.Op.Src[src]))
		src++
	}
	return s.String()
}

func (in *Inst) spellAccess(s *strings.Builder) {
	m := in.Mem
	address := "[" + m.Base.spell(ops.B64)
	if m.Offset != 0 {
		address += fmt.Sprintf("+%d", m.Offset)
	}
	address += "]"
	var values []string
	for _, d := range in.Dst {
		values = append(values, d.String())
	}
	for i, o := range in.Src {
		values = append(values, o.spell(in.Op.Src[i]))
	}
	vector := func(values []string) string {
		if len(values) > 1 {
			return "{" + strings.Join(values, ", ") + "}"
		}
		return values[0]
	}
	s.WriteString(m.Name + " ")
	switch {
	case m.Atomic != nil:
		for _, d := range in.Dst {
			s.WriteString(d.String() + ", ")
		}
		s.WriteString(address)
		for _, v := range values[len(in.Dst):] {
			s.WriteString(", " + v)
		}
	case m.Writes:
		s.WriteString(address + ", " + vector(values))
	default:
		s.WriteString(vector(values) + ", " + address)
	}
}
