package word

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a program as [Program.String] writes it. Values may have any names but those of
// the operands, a, b and c.
func Parse(text string) (*Program, error) {
	r := reader{p: &Program{}, values: map[string]Value{}, shared: map[Inst]Value{}}
	for n, name := range []string{"a", "b", "c"} {
		r.operands = append(r.operands, Inst{Op: Input, Imm: uint64(n)})
		r.values[name] = Value(-1 - n) // emitted when it is first used
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if r.done {
			return nil, fmt.Errorf("word: %q stands after the result, which is last", line)
		}
		if err := r.line(line); err != nil {
			return nil, fmt.Errorf("word: %q: %w", line, err)
		}
	}
	if !r.done {
		return nil, fmt.Errorf("word: no line gives the result: expected \"d = VALUE\"")
	}
	return r.p, r.p.Check()
}

// reader reads the lines of a program.
type reader struct {
	p        *Program
	operands []Inst
	values   map[string]Value
	shared   map[Inst]Value // constants and operands
	done     bool
}

// line reads "v5 = perm.s v3, 0, ba98" or "d = v5".
func (r *reader) line(line string) error {
	name, rest, ok := strings.Cut(line, " = ")
	if !ok {
		return fmt.Errorf("expected \"NAME = OPERATION ARGUMENTS\"")
	}
	if name == "d" && !strings.Contains(rest, " ") {
		v, err := r.value(rest, Const)
		r.p.Result, r.done = v, true
		return err
	}
	if _, known := r.values[name]; known {
		return fmt.Errorf("%s has a value already", name)
	}
	mnemonic, arguments, _ := strings.Cut(rest, " ")
	op, ok := opNames[mnemonic]
	if !ok || op.Args() == 0 {
		return fmt.Errorf("there is no operation %q", mnemonic)
	}
	words := strings.Split(arguments, ", ")
	want := op.Args()
	if op.HasImm() {
		want++
	}
	if len(words) != want {
		return fmt.Errorf("%s takes %d arguments, here are %d", mnemonic, want, len(words))
	}
	i := Inst{Op: op}
	constant := Const
	if op.TakesWide() {
		constant = WideConst
	}
	for k := range op.Args() {
		v, err := r.value(words[k], constant)
		if err != nil {
			return err
		}
		i.Arg[k] = v
	}
	if op.HasImm() {
		imm, err := strconv.ParseUint(words[want-1], 16, 64)
		if err != nil {
			return fmt.Errorf("the immediate %q is no hexadecimal number", words[want-1])
		}
		i.Imm = imm
	}
	v, err := r.emit(i)
	r.values[name] = v
	return err
}

// opNames gives the operations by their names in dumps.
var opNames = func() map[string]Op {
	names := map[string]Op{}
	for _, op := range Ops() {
		names[op.String()] = op
	}
	return names
}()

// value returns the value of a name, or of a number in hexadecimal digits.
func (r *reader) value(name string, constant Op) (Value, error) {
	v, ok := r.values[name]
	switch {
	case ok && v >= 0:
		return v, nil
	case ok:
		return r.once(r.operands[-1-v])
	}
	k, err := strconv.ParseUint(name, 16, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is neither a value of a line before nor a hexadecimal number", name)
	}
	return r.once(Inst{Op: constant, Imm: k})
}

// once emits a constant or an operand, unless it has been.
func (r *reader) once(i Inst) (Value, error) {
	if v, ok := r.shared[i]; ok {
		return v, nil
	}
	v, err := r.emit(i)
	r.shared[i] = v
	return v, err
}

// maxInsts is the greatest number of instructions that values can number.
const maxInsts = 1<<15 - 1

func (r *reader) emit(i Inst) (Value, error) {
	if len(r.p.Insts) == maxInsts {
		return 0, fmt.Errorf("a program has at most %d instructions", maxInsts)
	}
	r.p.Insts = append(r.p.Insts, i)
	return Value(len(r.p.Insts) - 1), nil
}
