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

// builder makes code of instructions on virtual registers.
type builder struct {
	o   Options
	t   *target
	asm *encode.Assembler

	code       []instr
	marks      []mark
	registers  []register
	constants  []known
	constantOf map[constant]vreg

	free     [numClasses]uint32 // the machine registers that are allocated, as sets of numbers
	allLoops func() []loop      // finds where the loops are in the code, by their first instructions; or nil
	loops    []loop
	at       int32 // the instruction that is assembled

	frame      int // bytes of spilled values
	frameBase  encode.Operand
	frameStart int32
	// packed says that masks and general registers are spilled to words of 8 bytes, of which small is where the next is.
	packed bool
	small  int32
	lines  []Line
}

func newBuilder(o Options) *builder {
	t := &targets[o.Level]
	return &builder{
		o: o, t: t, asm: encode.New(t.features), free: [numClasses]uint32{vector: 1<<t.vectors - 1, mask: 1<<reservedMask - 2},
		registers: make([]register, 1, 256), code: make([]instr, 0, 160), constantOf: map[constant]vreg{},
	}
}

// compiler is the state of one compilation of a function.
type compiler struct {
	*builder
	*simt.Function
	nodes   []node
	lastUse []int32 // by value: the node that reads it last
	// interleaved says that 64-bit elements are the even lanes of a group, then the odd ones.
	interleaved bool
}

func newCompiler(f *simt.Function, o Options) *compiler {
	return &compiler{builder: newBuilder(o), Function: f}
}

// hasMasks reports whether sets of lanes are mask registers; else they are vectors of elements that are all ones or zeros.
func (c *builder) hasMasks() bool { return c.t.level == AVX512 }

// fullMemory and broadcastBytes say what memory operand an instruction can have at the level.
func (c *builder) fullMemory(o encode.Op) bool { return o.FullMemory(c.t.level == AVX512) }

func (c *builder) broadcastBytes(o encode.Op) int {
	if c.t.level == AVX512 {
		return o.BroadcastBytes()
	}
	return 0
}

// mark notes a place between pieces of code: behind all that there is.
func (c *builder) mark() { c.marks = append(c.marks, mark{at: len(c.code)}) }

// finish places constants and allocates registers.
func (c *builder) finish() error {
	if !c.o.NoFold {
		c.foldLoads()
	}
	c.placeConstants()
	return c.allocate()
}

// result returns the code, once all is written.
func (c *builder) result() (*Code, error) {
	bytes, err := c.asm.Finish()
	if err != nil {
		return nil, err
	}
	return &Code{Bytes: bytes, Frame: c.frame, Uses: c.asm.Used(), Lines: c.lines}, nil
}
