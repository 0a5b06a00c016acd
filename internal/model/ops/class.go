package ops

// Class is a class of registers.
type Class uint8

// The classes.
const (
	Pred Class = iota
	B16
	B32
	B64
	F32
	F64
	Classes // how many there are
)

// classLetters stand for the classes in the table of operations, and begin the names of registers.
const classLetters = "phrdfe"

// Letter begins the names of registers of a class.
func (c Class) Letter() string { return classLetters[c : c+1] }

// Bits is the width of a register.
func (c Class) Bits() int { return [...]int{1, 16, 32, 64, 32, 64}[c] }

// Bytes is the width of a register in memory.
func (c Class) Bytes() int { return max(c.Bits(), 8) / 8 }

// Mask has the bits of a register.
func (c Class) Mask() uint64 { return ^uint64(0) >> (64 - c.Bits()) }

func (c Class) String() string {
	return [...]string{".pred", ".b16", ".b32", ".b64", ".f32", ".f64"}[c]
}
