package encode

import "encoding/binary"

// Label is a place in the code or among the constants.
type Label int32

// fixup is a reference to a label, four bytes relative to end.
type fixup struct {
	at, end int32
	label   Label
	addend  int16
	short   bool // one byte
}

// Reasons why a label cannot be used.
const (
	labelUnknown = "a label of another assembler"
	labelTwice   = "a label is bound twice"
	labelUnbound = "a label is used and never bound"
	labelShort   = "a short jump does not reach its label"
	labelFar     = "the code is larger than 2 GiB"
)

func (a *Assembler) fail(op Op, reason string) {
	if a.err == nil {
		a.reject(0, op, nil)
		a.err.(*Error).Reason = reason
	}
}

// NewLabel returns a label that is not yet bound.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Bind makes a label stand for the next instruction.
func (a *Assembler) Bind(l Label) { a.bindAt(l, len(a.code)) }

func (a *Assembler) bindAt(l Label, offset int) {
	switch {
	case uint(l) >= uint(len(a.labels)):
		a.fail(0, labelUnknown)
	case a.labels[l] >= 0:
		a.fail(0, labelTwice)
	default:
		a.labels[l] = int32(offset)
	}
}

// Offset returns where a bound label stands in the code, or -1.
func (a *Assembler) Offset(l Label) int {
	if uint(l) >= uint(len(a.labels)) {
		return -1
	}
	return int(a.labels[l])
}

// Jump jumps to a label.
func (a *Assembler) Jump(l Label) { a.jump(JMP, l, false) }

// JumpIf jumps to a label if a condition holds.
func (a *Assembler) JumpIf(c Cond, l Label) { a.jump(JCC.If(c), l, false) }

// JumpShort jumps forward to a label that is at most 127 bytes away. That it is not is an
// error.
func (a *Assembler) JumpShort(l Label) { a.jump(JMP, l, true) }

// JumpShortIf is [Assembler.JumpShort] if a condition holds.
func (a *Assembler) JumpShortIf(c Cond, l Label) { a.jump(JCC.If(c), l, true) }

// Call calls a label.
func (a *Assembler) Call(l Label) { a.jump(CALL, l, false) }

// jump writes a jump: short if that is asked for or known to reach.
func (a *Assembler) jump(op Op, l Label, short bool) {
	if a.err != nil {
		return
	}
	if uint(l) >= uint(len(a.labels)) {
		a.fail(op, labelUnknown)
		return
	}
	b, n := a.space(), 0
	start := len(a.code)
	conditional := op&mapMask == m0F
	bound := a.labels[l] >= 0
	if bound && op != CALL {
		short = short || int(a.labels[l])-(start+2) >= -128
	}
	switch {
	case short && conditional:
		b[0] = op.opcode() - 0x10
		n = 1
	case short:
		b[0] = 0xeb
		n = 1
	case conditional:
		b[0], b[1] = 0x0f, op.opcode()
		n = 2
	default:
		b[0] = op.opcode()
		n = 1
	}
	f := fixup{at: int32(start + n), label: l, short: short}
	if short {
		b[n] = 0
		n++
	} else {
		n = put32(b, n, 0)
	}
	f.end = int32(start + n)
	a.fixups = append(a.fixups, f)
	a.advance(n)
}

// resolve fills in all references.
func (a *Assembler) resolve() {
	if len(a.code) > 1<<31-1 {
		a.fail(0, labelFar)
		return
	}
	for _, f := range a.fixups {
		if uint(f.label) >= uint(len(a.labels)) {
			a.fail(0, labelUnknown)
			return
		}
		target := a.labels[f.label]
		if target < 0 {
			a.fail(0, labelUnbound)
			return
		}
		d := target + int32(f.addend) - f.end
		if !f.short {
			binary.LittleEndian.PutUint32(a.code[f.at:], uint32(d))
			continue
		}
		if d != int32(int8(d)) {
			a.fail(JMP, labelShort)
			return
		}
		a.code[f.at] = uint8(d)
	}
	a.fixups = a.fixups[:0]
}
