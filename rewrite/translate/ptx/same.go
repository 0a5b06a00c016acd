package ptx

import (
	"fmt"

	"github.com/vop-ptx/vop/rewrite/word"
)

// ReadsBack prints a program, reads it back, and reports if it has become another.
func ReadsBack(p *word.Program) error {
	operands := Operands{D: "%d", Sources: [3]string{"%a", "%b", "%c"}}
	text, _ := Append(nil, p, &operands, &Style{Names: [kinds]string{"%r", "%w", "%p"}, After: "\n"})
	q, err := Read(string(text), &operands)
	if err == nil && !Same(p, q) {
		err = fmt.Errorf("ptx: the printed program is read back as\n%v", q)
	}
	return err
}

// Same reports whether two programs compute the same by their structure: the same operations
// on the same values, but for what a spelling of several statements is made of.
func Same(p, q *word.Program) bool {
	s := structure{}
	return s.values(p)[p.Result] == s.values(q)[q.Result]
}

// structure numbers values: equal ones have equal numbers.
type structure map[word.Inst]word.Value

// values numbers the values of a program.
func (s structure) values(p *word.Program) []word.Value {
	numbers := make([]word.Value, len(p.Insts))
	for n := range p.Insts {
		i := p.Insts[n]
		for k, v := range i.Args() {
			i.Arg[k] = numbers[v]
		}
		numbers[n] = s.number(s.plain(i, p, n, numbers))
	}
	return numbers
}

func (s structure) number(i word.Inst) word.Value {
	if i.Op.Commutes() && i.Arg[0] > i.Arg[1] {
		i.Arg[0], i.Arg[1] = i.Arg[1], i.Arg[0]
	}
	v, ok := s[i]
	if !ok {
		v = word.Value(len(s))
		s[i] = v
	}
	return v
}

// plain writes an instruction as the others that its spelling has. Its arguments are numbers already.
func (s structure) plain(i word.Inst, p *word.Program, n int, numbers []word.Value) word.Inst {
	switch i.Op {
	case word.AndNot:
		return word.Inst{Op: word.And, Arg: [3]word.Value{i.Arg[0], s.number(word.Inst{Op: word.Not, Arg: [3]word.Value{i.Arg[1]}})}}
	case word.PermS:
		if i.Imm&0x8888 == 0 {
			i.Op = word.Perm
		}
	case word.DotU8S8, word.DotS8S8, word.DotU16S8, word.DotS16S8:
		// By a number they are written as what has weights.
		weighted := map[word.Op]word.Op{word.DotU8S8: word.DotU8, word.DotS8S8: word.DotS8, word.DotU16S8: word.DotU16, word.DotS16S8: word.DotS16}[i.Op]
		if weights, ok := p.ConstOf(p.Insts[n].Arg[1]); ok {
			return word.Inst{Op: weighted, Arg: [3]word.Value{i.Arg[0], i.Arg[2]}, Imm: uint64(weights) & weighted.MaxImm()}
		}
	case word.ShlWide:
		// Distances are words, and not above 64: PTX shifts as far as is told, or everything out.
		places := &p.Insts[p.Insts[n].Arg[1]]
		if places.Op == word.WideU || places.Op == word.WideConst && places.Imm < 1<<32 {
			break
		}
		limit := s.number(word.Inst{Op: word.WideConst, Imm: 64})
		least := s.number(word.Inst{Op: word.MinWideU, Arg: [3]word.Value{i.Arg[1], limit}})
		low := s.number(word.Inst{Op: word.Lo, Arg: [3]word.Value{least}})
		i.Arg[1] = s.number(word.Inst{Op: word.WideU, Arg: [3]word.Value{low}})
	case word.CmpLtU:
		// The carry of x + y is that of y + x.
		if sum, ok := p.CarryOf(word.Value(n)); ok {
			add := &p.Insts[sum]
			return word.Inst{Op: word.CmpLtU, Arg: [3]word.Value{i.Arg[0], min(numbers[add.Arg[0]], numbers[add.Arg[1]])}}
		}
	}
	return i
}
