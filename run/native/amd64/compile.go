package amd64

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Options say how code is made. The zero value is the best code for AVX2.
type Options struct {
	Level   Level
	Without Fusion // patterns that are not made one node
	Listing bool   // Code.Lines are wanted

	// The following are for tests and for finding faults.
	NoHoist   bool // constants are read where they are used, not kept in registers
	NoFold    bool // loads stay instructions of their own
	Registers int  // so many vector registers are used; 0 is all
	Groups    int  // so many groups of lanes make a turn of an array's loop; 0 is a good number

	// Block is the shape of the blocks that a kernel is launched with, zeros if it is not known.
	Block [3]int

	// Careful makes code for kernels whose sums of words wrap around before they are extended: they are looked at where
	// memory is accessed.
	Careful bool

	// Turn is how many instructions a group of lanes of a kernel executes before others get their turn; 0 is a good number.
	Turn int

	// Streamed makes code whose stores go past the caches: for arrays much larger than they are.
	// The destination must be aligned to 64 bytes.
	Streamed bool
}

// Code is machine code that runs at any address that is a multiple of 64.
type Code struct {
	Bytes []byte
	// Frame is how many bytes of memory the code needs besides its operands, aligned to 64.
	Frame int
	// Uses are the features that a processor must have.
	Uses  encode.Feature
	Lines []Line // with Options.Listing
}

// compiler is the state of one compilation.
type compiler struct {
	*simt.Function
	o   Options
	t   *target
	asm *encode.Assembler

	nodes   []node
	lastUse []int32 // by value: the node that reads it last
	// interleaved says that 64-bit elements are the even lanes of a group, then the odd ones.
	interleaved bool

	code       []instr
	marks      []mark
	registers  []register
	constants  []known
	constantOf map[constant]vreg

	loops  []loop          // by their first instructions
	kernel *kernelCompiler // whose code it is, or nil
	at     int32           // the instruction that is assembled

	frame      int // bytes of spilled values
	frameBase  encode.Operand
	frameStart int32
	lines      []Line
}

func newCompiler(f *simt.Function, o Options) *compiler {
	return &compiler{
		Function: f, o: o, t: &targets[o.Level], asm: encode.New(targets[o.Level].features),
		registers: make([]register, 1, 256), code: make([]instr, 0, 160), constantOf: map[constant]vreg{},
	}
}

// fullMemory and broadcastBytes say what memory operand an instruction can have at the level.
func (c *compiler) fullMemory(o encode.Op) bool { return o.FullMemory(c.t.level == AVX512) }

func (c *compiler) broadcastBytes(o encode.Op) int {
	if c.t.level == AVX512 {
		return o.BroadcastBytes()
	}
	return 0
}

// mark notes a place between pieces of code: behind all that there is.
func (c *compiler) mark() { c.marks = append(c.marks, mark{at: len(c.code)}) }

// finish places constants and allocates registers.
func (c *compiler) finish() error {
	if !c.o.NoFold {
		c.foldLoads()
	}
	c.placeConstants()
	return c.allocate()
}

// result returns the code, once all is written.
func (c *compiler) result() (*Code, error) {
	bytes, err := c.asm.Finish()
	if err != nil {
		return nil, err
	}
	return &Code{Bytes: bytes, Frame: c.frame, Uses: c.asm.Used(), Lines: c.lines}, nil
}
