package encode

import "slices"

// Assembler writes instructions into a buffer. Its zero value cannot be used; see [New].
type Assembler struct {
	code   []byte
	allow  Feature
	used   Feature
	err    error
	labels []int32 // offset of each label, or -1
	fixups []fixup
	pool   pool
}

// room is what the longest instruction needs, rounded up.
const room = 16

// New returns an assembler that rejects instructions which need features other than these.
func New(allowed Feature) *Assembler {
	return &Assembler{allow: allowed}
}

// Reset forgets all code, labels and constants, and keeps the memory they took.
func (a *Assembler) Reset() {
	a.code, a.labels, a.fixups = a.code[:0], a.labels[:0], a.fixups[:0]
	a.used, a.err = 0, nil
	a.pool.reset()
}

// Reserve makes room for so many more instructions. About one of four refers to a label.
func (a *Assembler) Reserve(instructions int) {
	a.code = slices.Grow(a.code, 10*instructions)
	a.fixups = slices.Grow(a.fixups, instructions/4)
}

// Len returns the bytes written so far.
func (a *Assembler) Len() int { return len(a.code) }

// Used returns the features that the instructions written so far need.
func (a *Assembler) Used() Feature { return a.used }

// Err returns the first error, or nil.
func (a *Assembler) Err() error { return a.err }

// Emit writes an instruction. Operands are in Intel's order: the destination first, an
// immediate last.
func (a *Assembler) Emit(op Op, operands ...Operand) {
	if a.err != nil {
		return
	}
	var why int
	switch {
	case op&orderMask == misused:
		why = misusedOp
	case op&both != 0:
		why = a.vector(op, operands)
	default:
		why = a.legacy(op, operands)
	}
	if why != 0 {
		a.reject(why, op, operands)
	}
}

// need notes the features of an instruction, and reports whether they are allowed.
func (a *Assembler) need(f Feature) bool {
	a.used |= f
	return f&^a.allow == 0
}

// Finish writes the constants and tables behind the code, fills in all references, and
// returns the whole, which runs at any address that is a multiple of 64. The slice is valid until
// the next [Assembler.Reset], which must come before anything else is written.
func (a *Assembler) Finish() ([]byte, error) {
	if a.err == nil {
		a.writePool()
		a.resolve()
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.code, nil
}
