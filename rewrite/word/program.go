package word

import (
	"fmt"
	"slices"
	"strings"
)

// Value names the result of an instruction of a [Program]: it is the number of
// the instruction.
type Value int16

// Inst is one instruction of a word program.
type Inst struct {
	Op  Op
	Arg [3]Value // the first Op.Args() are used, the others are 0
	Imm uint64   // if Op.HasImm(), else 0
}

// Program computes a video instruction with operations on words. It is straight
// line and single assignment: instruction i computes value i from values with
// smaller numbers. Programs that package lower makes contain no instruction whose value
// is not needed, so an operand that does not matter has no Input.
//
// A Program is not changed after it is made and may be shared.
type Program struct {
	Insts  []Inst
	Result Value // a word: the new value of d
}

// Equal reports whether two programs have the same instructions, in the same order.
func (p *Program) Equal(q *Program) bool {
	return p.Result == q.Result && slices.Equal(p.Insts, q.Insts)
}

// ConstOf returns the constant that v is, if it is one.
func (p *Program) ConstOf(v Value) (x uint32, ok bool) {
	i := &p.Insts[v]
	return uint32(i.Imm), i.Op == Const
}

// Reads reports whether the program depends on operand n: 0 is a, 1 is b, 2 is c.
func (p *Program) Reads(n int) bool {
	for i := range p.Insts {
		if p.Insts[i].Op == Input && p.Insts[i].Imm == uint64(n) {
			return true
		}
	}
	return false
}

// Cost returns the number of operations: all instructions but inputs and constants.
func (p *Program) Cost() int {
	n := 0
	for i := range p.Insts {
		if op := p.Insts[i].Op; op != Input && op != Const && op != WideConst {
			n++
		}
	}
	return n
}

// Uses returns for each value how many arguments (and the result) name it.
func (p *Program) Uses() []int {
	uses := make([]int, len(p.Insts))
	for i := range p.Insts {
		for _, v := range p.Insts[i].Args() {
			uses[v]++
		}
	}
	uses[p.Result]++
	return uses
}

// Args returns the arguments in use.
func (i *Inst) Args() []Value { return i.Arg[:i.Op.Args()] }

// CarryOf returns the sum whose carry comparison n is, if it is one: x + y < x, unsigned.
func (p *Program) CarryOf(n Value) (sum Value, ok bool) {
	i := &p.Insts[n]
	if i.Op != CmpLtU {
		return 0, false
	}
	add := &p.Insts[i.Arg[0]]
	return i.Arg[0], add.Op == Add && (add.Arg[0] == i.Arg[1] || add.Arg[1] == i.Arg[1])
}

// Check reports what is wrong with a program, or nil: values used before they are
// computed, words where wide values belong, immediates out of range, a Select
// on something that is not a comparison.
func (p *Program) Check() error {
	for n := range p.Insts {
		if err := p.checkInst(Value(n)); err != nil {
			return fmt.Errorf("word: v%d: %w", n, err)
		}
	}
	if p.Result < 0 || int(p.Result) >= len(p.Insts) {
		return fmt.Errorf("word: the result is v%d of %d values", p.Result, len(p.Insts))
	}
	if p.Insts[p.Result].Op.Wide() {
		return fmt.Errorf("word: the result v%d is wide, want a word", p.Result)
	}
	return nil
}

func (p *Program) checkInst(n Value) error {
	i := &p.Insts[n]
	if i.Op == NoOp || int(i.Op) >= numOps {
		return fmt.Errorf("no operation has number %d", i.Op)
	}
	for _, v := range i.Args() {
		if v < 0 || v >= n {
			return fmt.Errorf("%v uses v%d, which is not computed before it", i.Op, v)
		}
		if p.Insts[v].Op.Wide() != i.Op.TakesWide() {
			return fmt.Errorf("%v uses v%d, which is of the wrong width", i.Op, v)
		}
	}
	if limit := i.Op.MaxImm(); i.Imm > limit {
		return fmt.Errorf("%v has the immediate %#x, want at most %#x", i.Op, i.Imm, limit)
	}
	switch {
	case i.Op == Perm && i.Imm&0x8888 != 0:
		return fmt.Errorf("perm has the selector %04x, which replicates signs: want perm.s", i.Imm)
	case i.Op == Select && !isCompare(p.Insts[i.Arg[0]].Op):
		return fmt.Errorf("select depends on v%d, want a comparison", i.Arg[0])
	}
	return nil
}

// isCompare reports whether an operation gives a mask that Select accepts.
func isCompare(op Op) bool { return op == CmpEq || op == CmpLtU || op == CmpLtS }

// MaxImm returns the largest immediate of an operation.
func (op Op) MaxImm() uint64 {
	switch op {
	case WideConst:
		return 1<<64 - 1
	case Const, DotU8, DotS8:
		return 1<<32 - 1
	case Perm, PermS, DotU16, DotS16:
		return 1<<16 - 1
	case Logic3:
		return 1<<8 - 1
	case ShrWideU, ShrWideS:
		return 63
	case Input:
		return 2
	}
	return 0
}

// String dumps the program, one instruction a line, inputs and constants
// written where they are used:
//
//	v3 = and a, 7f7f7f7f
//	v4 = perm a, b, 5410
//	d = add v3, v4
func (p *Program) String() string {
	var s strings.Builder
	for n := range p.Insts {
		i := &p.Insts[n]
		if i.Op.Args() == 0 {
			continue
		}
		fmt.Fprintf(&s, "v%d = %v ", n, i.Op)
		for k, v := range i.Args() {
			if k > 0 {
				s.WriteString(", ")
			}
			s.WriteString(p.name(v))
		}
		if i.Op.HasImm() {
			fmt.Fprintf(&s, ", %x", i.Imm)
		}
		s.WriteByte('\n')
	}
	fmt.Fprintf(&s, "d = %s\n", p.name(p.Result))
	return s.String()
}

// name returns how dumps name a value.
func (p *Program) name(v Value) string {
	switch i := &p.Insts[v]; i.Op {
	case Input:
		return "abc"[i.Imm : i.Imm+1]
	case Const, WideConst:
		if 0xa <= i.Imm && i.Imm <= 0xc {
			return fmt.Sprintf("0%x", i.Imm) // a, b and c are the operands
		}
		return fmt.Sprintf("%x", i.Imm)
	}
	return fmt.Sprintf("v%d", v)
}
