package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Label is a place in the code, which may be bound after it is used.
type Label int

// Assembler writes code from its first instruction to its last. Constants stand behind the code.
type Assembler struct {
	code   []byte
	labels []int // where each is, or -1
	uses   []use
	pool   [][16]byte // constants of 16 bytes
	places map[[16]byte]Label
	err    error
}

// use is an instruction that names a label that may not be bound yet.
type use struct {
	at   int
	op   Op
	args []Operand
}

// New returns an assembler without any code.
func New() *Assembler { return &Assembler{places: map[[16]byte]Label{}} }

// Len returns how many bytes of code there are.
func (a *Assembler) Len() int { return len(a.code) }

// NewLabel makes a label.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Bind says that a label is here.
func (a *Assembler) Bind(l Label) {
	if a.labels[l] >= 0 {
		a.fail(fmt.Errorf("label %d is bound twice", l))
	}
	a.labels[l] = len(a.code)
}

// Emit writes an instruction.
func (a *Assembler) Emit(o Op, args ...Operand) {
	for _, arg := range args {
		if arg.kind == place {
			a.uses = append(a.uses, use{len(a.code), o, args})
			a.put(0)
			return
		}
	}
	w, err := o.word(args, 0)
	if err != nil {
		a.fail(err)
	}
	a.put(w)
}

// Branch writes a jump, with a condition or without.
func (a *Assembler) Branch(o Op, to Label) { a.Emit(o, At(to)) }

// Const returns the place of 16 bytes behind the code, for LDRQLiteral.
func (a *Assembler) Const(bytes [16]byte) Operand {
	l, ok := a.places[bytes]
	if !ok {
		l = a.NewLabel()
		a.places[bytes] = l
		a.pool = append(a.pool, bytes)
	}
	return At(l)
}

// Constants returns how many bytes of constants there are.
func (a *Assembler) Constants() int { return 16 * len(a.pool) }

// Align fills up with NOP until the place is a multiple of bytes.
func (a *Assembler) Align(bytes int) {
	for len(a.code)%bytes != 0 {
		a.Emit(NOP)
	}
}

func (a *Assembler) put(w uint32) { a.code = binary.LittleEndian.AppendUint32(a.code, w) }

func (a *Assembler) fail(err error) {
	if a.err == nil {
		a.err = fmt.Errorf("arm64: at %#x: %w", len(a.code), err)
	}
}

// Finish returns the code with its constants. It may be called once. The error is the first one there was.
func (a *Assembler) Finish() ([]byte, error) {
	for len(a.pool) > 0 && len(a.code)%16 != 0 {
		a.put(0)
	}
	for _, bytes := range a.pool {
		a.labels[a.places[bytes]] = len(a.code)
		a.code = append(a.code, bytes[:]...)
	}
	for _, u := range a.uses {
		to := a.labels[u.args[len(u.args)-1].value]
		if to < 0 {
			return nil, errors.Join(a.err, fmt.Errorf("arm64: %v at %#x goes to a label that is nowhere", u.op, u.at))
		}
		w, err := u.op.word(u.args, int64(to-u.at))
		if err != nil && a.err == nil {
			a.err = fmt.Errorf("arm64: at %#x: %w", u.at, err)
		}
		binary.LittleEndian.PutUint32(a.code[u.at:], w)
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.code, nil
}

// Offset returns where a label is, once it is bound.
func (a *Assembler) Offset(l Label) int { return a.labels[l] }
