package ptx

import (
	"math"
	"strconv"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Operands are the operands of the instruction that a program stands for, as
// the file writes them: registers, or immediates for the sources of scalar
// instructions.
type Operands struct {
	Guard   string // "@%p1 " or "@!%p1 ", or ""
	D       string
	Sources [3]string // a, b, c
}

// Append appends the statements that compute the program, and counts the fresh
// registers in them. The destination is written once, last, and only that
// statement has the guard: d may be one of the sources, and the assembler is free
// to move the other statements.
func Append(dst []byte, p *word.Program, operands *Operands, style *Style) ([]byte, Registers) {
	w := printer{dst: dst, program: p, operands: operands, style: style}
	w.values = w.room[:0]
	if len(p.Insts) > len(w.room) {
		w.values = make([]value, 0, len(p.Insts))
	}
	w.values = w.values[:len(p.Insts)]
	w.findUses()
	last := word.Value(len(p.Insts) - 1)
	for n := range last + 1 {
		w.instruction(n, n == last && n == p.Result)
	}
	if w.values[p.Result].place != destination {
		w.statements(copying, value{place: destination}, []word.Value{p.Result}, 0)
	}
	return w.dst, w.used
}

// place tells where a value is.
type place uint8

const (
	destination place = iota + 1
	source
	literal
	register
)

// value is what the printer knows of a value of the program.
type value struct {
	place  place
	kind   Kind  // of a register
	number int16 // of the register; 0 to 2 of a source

	used     bool // an operation uses it, other than as a predicate
	selected bool // a Select depends on it
	pred     int16

	carries bool  // it is a sum whose carry is selected on
	carry   int16 // the register of that carry
}

// printer prints one program.
type printer struct {
	dst      []byte
	program  *word.Program
	operands *Operands
	style    *Style
	used     Registers

	values []value // by word.Value
	room   [64]value
	spares [kinds]int16 // the registers of the template's $t and $w
	carry  int16        // that of $c
}

// findUses finds out which comparisons are masks and which are selected on.
func (w *printer) findUses() {
	for k := range w.program.Insts {
		i := &w.program.Insts[k]
		for at, v := range i.Arg[:i.Op.Args()] {
			switch {
			case i.Op == word.Select && at == 0:
				w.values[v].selected = true
			case i.Op == word.ShlWide && at == 1 && w.isNarrow(v):
				w.values[w.narrow(v)].used = true
			default:
				w.values[v].used = true
			}
		}
	}
	w.values[w.program.Result].used = true
	for n := range w.values {
		if sum, ok := w.program.CarryOf(word.Value(n)); ok && w.values[n].selected {
			w.values[sum].carries = true
		}
	}
}

// isNarrow reports whether a wide value fits a word as the program shows it: then
// shl takes it as it is, since PTX counts places in words.
func (w *printer) isNarrow(v word.Value) bool {
	switch i := &w.program.Insts[v]; i.Op {
	case word.WideU:
		return true
	case word.WideConst:
		return i.Imm <= math.MaxUint32
	}
	return false
}

// narrow returns the word that a narrow value extends; of a constant, itself.
func (w *printer) narrow(v word.Value) word.Value {
	if i := &w.program.Insts[v]; i.Op == word.WideU {
		return i.Arg[0]
	}
	return v
}

// instruction prints instruction n; final says that it gives the destination.
func (w *printer) instruction(n word.Value, final bool) {
	i := &w.program.Insts[n]
	args := i.Arg[:i.Op.Args()]
	v := &w.values[n]
	switch i.Op {
	case word.Input:
		v.place, v.number = source, int16(i.Imm)
		return
	case word.Const, word.WideConst:
		v.place = literal
		return
	}
	if v.selected {
		v.pred = w.fresh(Pred)
		to := value{place: register, kind: Pred, number: v.pred}
		if sum, ok := w.program.CarryOf(n); ok {
			w.carry = w.values[sum].carry
			w.statements(carrying, to, nil, 0)
		} else {
			w.statements(comparisons[i.Op], to, args, 0)
		}
	}
	if !v.used {
		return
	}
	t := operations[i.Op]
	if i.Op == word.ShlWide && w.isNarrow(args[1]) {
		t = narrowShift
	}
	if v.carries {
		t, v.carry = summing, w.fresh(Word)
		w.carry = v.carry
	}
	for kind, n := range t.spares {
		if n > 0 {
			w.spares[kind] = w.fresh(Kind(kind))
		}
	}
	switch {
	case final:
		v.place = destination
	case i.Op.Wide():
		v.place, v.kind, v.number = register, Wide, w.fresh(Wide)
	default:
		v.place, v.kind, v.number = register, Word, w.fresh(Word)
	}
	w.statements(t, *v, args, i.Imm)
}

// fresh takes the next register of a kind.
func (w *printer) fresh(kind Kind) int16 {
	w.used[kind]++
	return int16(w.used[kind] - 1)
}

// statements prints the statements of one operation.
func (w *printer) statements(t *template, to value, args []word.Value, imm uint64) {
	if t.registers {
		w.intoRegisters(args)
	}
	for k, pieces := range t.statements {
		w.dst = append(w.dst, w.style.Before...)
		if to.place == destination && k == len(t.statements)-1 {
			w.dst = append(w.dst, w.operands.Guard...)
		}
		for _, p := range pieces {
			w.dst = append(w.dst, p.text...)
			switch p.slot {
			case 'd':
				w.value(to)
			case 'i':
				w.dst = appendHex(w.dst, imm)
			case 't':
				w.register(Word, w.spares[Word])
			case 'w':
				w.register(Wide, w.spares[Wide])
			case 'c':
				w.register(Word, w.carry)
			case 'p':
				w.register(Pred, w.values[args[0]].pred)
			case 'n':
				w.argument(w.narrow(args[1]), t.constants)
			case 'x', 'y', 'z':
				w.argument(args[p.slot-'x'], t.constants)
			}
		}
		w.dst = append(w.dst, ';')
		w.dst = append(w.dst, w.style.After...)
	}
}

// intoRegisters moves the literals among the arguments to registers, once.
func (w *printer) intoRegisters(args []word.Value) {
	for k, v := range args {
		if at := &w.values[v]; at.place == literal {
			to := value{place: register, kind: Word, number: w.fresh(Word)}
			w.statements(copying, to, args[k:k+1], 0)
			*at = to
		}
	}
}

// argument prints a value that an operation uses.
func (w *printer) argument(v word.Value, as notation) {
	if w.values[v].place != literal {
		w.value(w.values[v])
		return
	}
	constant := &w.program.Insts[v]
	number := int64(constant.Imm)
	if constant.Op == word.Const && as == signed {
		number = int64(int32(number))
	}
	if isReadable(number, as) {
		w.dst = strconv.AppendInt(w.dst, number, 10)
	} else {
		w.dst = appendHex(w.dst, constant.Imm)
	}
}

// isReadable reports whether a constant is better read in decimal than in hexadecimal.
func isReadable(n int64, as notation) bool {
	const large = 1 << 16
	switch as {
	case unsigned:
		return 0 <= n && n < large
	case signed:
		return -large < n && n < large
	}
	return 0 <= n && n < 10
}

// value prints a value that is not a literal.
func (w *printer) value(v value) {
	switch v.place {
	case destination:
		w.dst = append(w.dst, w.operands.D...)
	case source:
		w.dst = append(w.dst, w.operands.Sources[v.number]...)
	case register:
		w.register(v.kind, v.number)
	}
}

func (w *printer) register(kind Kind, number int16) {
	w.dst = append(w.dst, w.style.Names[kind]...)
	w.dst = strconv.AppendInt(w.dst, int64(number), 10)
}

func appendHex(dst []byte, x uint64) []byte {
	return strconv.AppendUint(append(dst, "0x"...), x, 16)
}
