package ptx

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	texts "github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Read reads statements back that [Append] has written: the program that they compute, operation
// by operation. It takes nothing from how they were written, but the table of spellings.
func Read(text string, operands *Operands) (*word.Program, error) {
	tree, list := syntax.ParseAsm(texts.New("program", text))
	if len(list) > 0 {
		return nil, fmt.Errorf("ptx: %s", list[0].Message)
	}
	r := reader{src: tree.Source, p: &word.Program{}, names: map[string]word.Value{}, carries: map[string]word.Value{}, shared: map[word.Inst]word.Value{}}
	for n, name := range operands.Sources {
		r.names[name] = r.emit(word.Inst{Op: word.Input, Imm: uint64(n)})
	}
	for n, s := range tree.Stmts {
		in, ok := s.(*syntax.Instruction)
		if !ok {
			return nil, fmt.Errorf("ptx: statement %d is no instruction", n)
		}
		if err := r.instruction(in); err != nil {
			return nil, fmt.Errorf("ptx: %s: %w", tree.Source.Text[in.Span().Start:in.Span().End], err)
		}
		guarded := in.Guard.Name.Text != ""
		if last := n == len(tree.Stmts)-1; guarded && !last || last && guarded != (operands.Guard != "") {
			return nil, fmt.Errorf("ptx: statement %d has the wrong guard", n)
		}
	}
	result, ok := r.names[operands.D]
	if !ok {
		return nil, fmt.Errorf("ptx: nothing writes %s", operands.D)
	}
	r.p.Result = result
	return r.p, r.p.Check()
}

// reader reads statements in order.
type reader struct {
	src     *texts.File
	p       *word.Program
	names   map[string]word.Value
	sum     word.Value            // of the last add.cc
	carries map[string]word.Value // the comparisons that registers with a carry stand for
	shared  map[word.Inst]word.Value
}

// meanings gives for the name of an instruction, modifiers included, the operations that are spelled so
// in one statement; slots are their operands in order.
var meanings = func() map[string][]meaning {
	all := map[string][]meaning{}
	for _, spellings := range []map[word.Op]spelling{table, predicates} {
		for op, s := range spellings {
			if strings.Contains(s.text, ";") {
				continue
			}
			name, slots, _ := strings.Cut(s.text, " ")
			m := meaning{op: op}
			for slot := range strings.SplitSeq(slots, ", ") {
				m.slots = append(m.slots, slot[1])
			}
			all[name] = append(all[name], m)
		}
	}
	for _, list := range all { // dp4a by a number is what has weights
		slices.SortStableFunc(list, func(x, y meaning) int {
			return cmp.Compare(len(x.slots)-x.op.Args(), len(y.slots)-y.op.Args()) * -1
		})
	}
	return all
}()

type meaning struct {
	op    word.Op
	slots []byte
}

func (r *reader) instruction(in *syntax.Instruction) error {
	name := in.Name.Text
	for _, m := range in.Modifiers {
		name += m.Text
	}
	if len(in.Operands) == 0 {
		return fmt.Errorf("no destination")
	}
	d, sources := in.Operands[0].Text, in.Operands[1:]
	v, err := r.value(name, d, sources)
	if err != nil {
		return err
	}
	r.names[d] = v
	return nil
}

// value computes what an instruction writes.
func (r *reader) value(name, d string, sources []syntax.Operand) (word.Value, error) {
	word32 := func(n int) word.Value { return r.operand(&sources[n], false) }
	switch {
	case name == "mov.b32" && len(sources) == 1:
		return word32(0), nil
	case name == "add.cc.u32" && len(sources) == 2:
		x := word32(0)
		r.sum = r.emit(word.Inst{Op: word.Add, Arg: [3]word.Value{x, word32(1)}})
		r.carries[""] = r.emit(word.Inst{Op: word.CmpLtU, Arg: [3]word.Value{r.sum, x}})
		return r.sum, nil
	case name == "addc.u32" && len(sources) == 2 && sources[0].Text == "0" && sources[1].Text == "0":
		r.carries[d] = r.carries[""]
		return r.carries[""], nil // as a mask; what reads it is setp.ne
	case name == "setp.ne.u32" && len(sources) == 2 && sources[1].Text == "0":
		if v, ok := r.carries[sources[0].Text]; ok {
			return v, nil
		}
	case name == "shl.b64" && len(sources) == 2:
		x, n := r.operand(&sources[0], true), word32(1)
		if k, ok := r.p.ConstOf(n); ok {
			return r.emit(word.Inst{Op: word.ShlWide, Arg: [3]word.Value{x, r.emit(word.Inst{Op: word.WideConst, Imm: uint64(k)})}}), nil
		}
		return r.emit(word.Inst{Op: word.ShlWide, Arg: [3]word.Value{x, r.emit(word.Inst{Op: word.WideU, Arg: [3]word.Value{n}})}}), nil
	}
	for _, m := range meanings[name] {
		if i, ok := r.means(m, sources); ok {
			return r.emit(i), nil
		}
	}
	return 0, fmt.Errorf("no operation is written so")
}

// means reads the operands of an operation.
func (r *reader) means(m meaning, sources []syntax.Operand) (i word.Inst, ok bool) {
	if len(sources) != len(m.slots)-1 {
		return i, false
	}
	i.Op = m.op
	written := [3]bool{}
	for n, slot := range m.slots[1:] {
		switch slot {
		case 'i':
			k, err := number(&sources[n])
			if err != nil {
				return i, false
			}
			i.Imm = k & m.op.MaxImm()
		case 'p', 'x', 'y', 'z':
			at := max(0, int(slot)-'x')
			if slot == 'p' {
				at = 0
			}
			v := r.operand(&sources[n], m.op.TakesWide())
			if written[at] && i.Arg[at] != v {
				return i, false // an operand that is written twice is one
			}
			i.Arg[at], written[at] = v, true
		}
	}
	signs := i.Imm&0x8888 != 0 // of prmt
	return i, m.op != word.Perm && m.op != word.PermS || signs == (m.op == word.PermS)
}

// operand returns the value of a register or a number.
func (r *reader) operand(o *syntax.Operand, wide bool) word.Value {
	if v, ok := r.names[o.Text]; ok && o.Kind == syntax.Name {
		return v
	}
	k, err := number(o)
	if err != nil {
		return -1 // Check says so
	}
	if wide {
		return r.emit(word.Inst{Op: word.WideConst, Imm: k})
	}
	return r.emit(word.Inst{Op: word.Const, Imm: k & 0xffffffff})
}

// number returns the value of a literal.
func number(o *syntax.Operand) (uint64, error) {
	text := o.Text
	if o.Neg != 0 {
		text = string(o.Neg) + text
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return uint64(n), nil
	}
	return strconv.ParseUint(strings.TrimRight(text, "U"), 0, 64)
}

func (r *reader) emit(i word.Inst) word.Value {
	if v, ok := r.shared[i]; ok {
		return v
	}
	r.p.Insts = append(r.p.Insts, i)
	v := word.Value(len(r.p.Insts) - 1)
	r.shared[i] = v
	return v
}
