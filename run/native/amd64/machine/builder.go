package machine

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/listing"
)

// Builder makes code of instructions on virtual registers.
type Builder struct {
	Options amd64.Options
	Target  *amd64.Target
	Asm     *encode.Assembler

	Code      []Instr
	inserted  insertion
	changes   []change // memory for Pressure
	effects   []effect
	Marks     []mark
	Registers []register
	constants []known
	repeated  map[element]VReg  // the constants that are one element in all places
	unlikes   map[[64]byte]VReg // the others

	Free     [NumClasses]uint32 // the machine registers that are allocated, as sets of numbers
	AllLoops func() []Loop      // finds where the loops are in the code, by their first instructions; or nil
	loops    []Loop
	At       int32 // the instruction that is assembled

	Frame      int // bytes of spilled values
	FrameBase  encode.Operand
	FrameStart int32
	// Packed says that masks and general registers are spilled to words of 8 bytes, of which small is where the next is.
	Packed bool
	small  int32
	cold   [][2]int // seldom executed, not written yet
	Lines  []listing.Line
}

// NewBuilder returns a builder without any code.
func NewBuilder(o amd64.Options) *Builder {
	t := &amd64.Targets[o.Level]
	return &Builder{
		Options: o, Target: t, Asm: encode.New(t.Features), Free: [NumClasses]uint32{Vector: 1<<t.Vectors - 1, Mask: 1<<ReservedMask - 2},
		Registers: make([]register, 1), repeated: map[element]VReg{}, unlikes: map[[64]byte]VReg{}, effects: []effect{{}, {write: func() {}}},
	}
}

// The memory of builders.
var (
	codeMemory       Memory[Instr]
	registersMemory  Memory[register]
	changesMemory    Memory[change]
	insertedMemory   Memory[Instr]
	insertedAtMemory Memory[int32]
	movedMemory      Memory[int32]
)

// Reserve makes room for code, and for as many registers as it has instructions. Release is to be called when they are not needed any more.
func (c *Builder) Reserve(instructions int) {
	c.Code = append(codeMemory.TakeRoom(instructions), c.Code...)
	c.Registers = append(registersMemory.TakeRoom(instructions), c.Registers...)
	c.changes = changesMemory.TakeRoom(0)
	c.inserted = insertion{code: insertedMemory.TakeRoom(0), at: insertedAtMemory.TakeRoom(0), moved: movedMemory.TakeRoom(0)}
}

// Release takes the code and the registers away.
func (c *Builder) Release() {
	codeMemory.Leave(c.Code)
	registersMemory.Leave(c.Registers)
	changesMemory.Leave(c.changes)
	insertedMemory.Leave(c.inserted.code)
	insertedAtMemory.Leave(c.inserted.at)
	movedMemory.Leave(c.inserted.moved)
	c.Code, c.inserted, c.changes, c.Registers = nil, insertion{}, nil, nil
}

// HasMasks reports whether sets of lanes are mask registers; else they are vectors of elements that are all ones or zeros.
func (c *Builder) HasMasks() bool { return c.Target.Level == amd64.AVX512 }

// fullMemory and broadcastBytes say what memory operand an instruction can have at the level.
func (c *Builder) fullMemory(o encode.Op) bool { return o.FullMemory(c.Target.Level == amd64.AVX512) }

func (c *Builder) broadcastBytes(o encode.Op) int {
	if c.Target.Level == amd64.AVX512 {
		return o.BroadcastBytes()
	}
	return 0
}

// Mark notes a place between pieces of code: behind all that there is.
func (c *Builder) Mark() { c.Marks = append(c.Marks, mark{At: len(c.Code)}) }

// Finish places constants and allocates registers.
func (c *Builder) Finish() error {
	if !c.Options.NoFold {
		c.foldLoads()
	}
	c.PlaceConstants()
	return c.Allocate()
}

// Result returns the code, once all is written.
func (c *Builder) Result() (*amd64.Code, error) {
	bytes, err := c.Asm.Finish()
	if err != nil {
		return nil, err
	}
	return &amd64.Code{Bytes: bytes, Frame: c.Frame, Uses: c.Asm.Used(), Lines: c.Lines}, nil
}
