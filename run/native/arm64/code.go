package arm64

import "github.com/vop-ptx/vop/run/native/listing"

// Lanes and Bytes are the size of a group, and of a vector.
const (
	Lanes = 4
	Bytes = 16
)

// Options say how code is made. The zero value is the best code for every processor with NEON.
type Options struct {
	DotProduct bool // the processor has FEAT_DotProd: sdot and udot
	Halves     bool // the processor has FEAT_FP16: instructions on f16
	Atomics    bool // the processor has FEAT_LSE: atomic operations in one instruction
	Listing    bool // Code.Lines are wanted

	// The following are for tests and for finding faults.
	NoFuse    bool // no pattern of several operations becomes one instruction
	NoHoist   bool // constants are read where they are used, not kept in registers
	NoPairs   bool // loads and stores of two vectors stay two instructions
	Registers int  // so many vector registers are used, at least 5; 0 is all
	Groups    int  // so many groups of lanes make a turn of an array's loop; 0 is a good number
	NoRegular bool // accesses of a kernel look at each lane, even if lanes stand side by side

	// Block is the shape of the blocks that a kernel is launched with, zeros if it is not known. Careful says that all sums
	// of words may wrap around before they are extended to 64 bits.
	Block   [3]int
	Careful bool
}

// Digits is how many columns the bytes of an instruction take in a listing.
const Digits = 8

// Code is machine code that runs at any address that is a multiple of 64.
type Code struct {
	Bytes []byte
	// Frame is how many bytes of memory the code needs besides its operands, aligned to 16.
	Frame int
	// Turn and Words are the instructions of the main loop, and the words that one turn of it computes.
	Turn, Words int
	Lines       []listing.Line // with Options.Listing
}

// String lists the code: offsets, bytes, instructions. Constants stand
// behind the code.
func (c *Code) String() string { return listing.String(c.Bytes, c.Lines, Digits) }
