package machine

import (
	"encoding/binary"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/listing"
)

// Register is a virtual vector register; 0 is none.
type Register int32

// Kind says what an instruction does.
type Kind uint8

// The kinds of instructions.
const (
	Compute Kind = iota // Op
	Load                // a group's words of an array
	Store
	Save    // a value to a place
	Extract // a lane of a value to a general register, the first of Fixed
	General // Op on Fixed alone
)

// Instr is an instruction on virtual registers.
type Instr struct {
	Kind Kind
	Op   encode.Op
	// Def is the value that it defines; Tie, if it is not none, is the value that it changes into that one.
	Def, Tie Register
	Args     [2]Register // further values that it reads
	N        uint8       // how many of Args there are
	HasImm   bool
	Imm      int64
	// Array and At say where a Load or Store is: the general register that has the address, and the offset.
	Array, At int32
	// Fixed are general registers, and numbers of instructions on those alone. A piece that has some may change X0 to X3.
	Fixed []encode.Operand
	// Place is where a value goes. Kept says that it stays there to the end of the piece.
	Place Place
	Kept  bool
}

// Piece is a straight run of instructions.
type Piece struct {
	Code []Instr
	// Advance is how far the addresses of arrays move in it, in bytes. Words of a load or store are 16, 8 or 4 bytes.
	Advance, Width int32
	placed         []placed
	rounding       Rounding // what FPCR says behind the code so far
}

// Builder makes code of instructions on virtual registers.
type Builder struct {
	Options arm64.Options
	Asm     *encode.Assembler
	Frame   int // bytes of spilled values
	// FrameStart is where they begin in the frame, and FrameMost how many any piece had.
	FrameStart int32
	FrameMost  int
	Lines      []listing.Line

	piece      *Piece // that instructions are added to
	registers  []register
	constants  []constant
	constantOf map[[16]byte]Register
}

// register is what is known of a virtual register.
type register struct {
	constant int32 // which of the builder's constants it is, or -1
	machine  int8  // the machine register that it is in, or -1
	pinned   bool  // a constant that keeps its register in all pieces
	slot     int32 // where it is in the frame, or -1
	placed   bool  // it is in memory, at place
	place    Place
}

// constant is a value that is known.
type constant struct {
	bytes [16]byte
	value Register
	uses  int
}

// NewBuilder returns a builder without any code.
func NewBuilder(o arm64.Options) *Builder {
	return &Builder{Options: o, Asm: encode.New(), registers: make([]register, 1, 128), constantOf: map[[16]byte]Register{}}
}

// Begin begins a piece: what is added from now on is its code.
func (b *Builder) Begin(p *Piece) { b.piece = p }

// Fresh forgets all values, of pieces that have been assembled.
func (b *Builder) Fresh() {
	b.registers, b.constants = b.registers[:1], b.constants[:0]
	clear(b.constantOf)
}

func (b *Builder) newRegister() Register {
	b.registers = append(b.registers, register{constant: -1, machine: -1, slot: -1})
	return Register(len(b.registers) - 1)
}

// ConstBytes returns a vector of 16 known bytes.
func (b *Builder) ConstBytes(bytes [16]byte) Register {
	if r, ok := b.constantOf[bytes]; ok {
		return r
	}
	r := b.newRegister()
	b.registers[r].constant = int32(len(b.constants))
	b.constants = append(b.constants, constant{bytes: bytes, value: r})
	b.constantOf[bytes] = r
	return r
}

// Const64, Const32, Const16 and Const8 return vectors whose lanes are all the same.
func (b *Builder) Const64(x uint64) Register {
	var bytes [16]byte
	binary.LittleEndian.PutUint64(bytes[:], x)
	binary.LittleEndian.PutUint64(bytes[8:], x)
	return b.ConstBytes(bytes)
}

// Const32 returns a vector of the same words.
func (b *Builder) Const32(x uint32) Register { return b.Const64(uint64(x)<<32 | uint64(x)) }

// Const16 returns a vector of the same halves.
func (b *Builder) Const16(x uint16) Register { return b.Const32(uint32(x)<<16 | uint32(x)) }

// Const8 returns a vector of the same bytes.
func (b *Builder) Const8(x uint8) Register { return b.Const16(uint16(x)<<8 | uint16(x)) }

// IsConstant reports whether a value is known.
func (b *Builder) IsConstant(r Register) bool { return b.registers[r].constant >= 0 }

func (b *Builder) add(i Instr) Register {
	i.Def = b.newRegister()
	b.piece.Code = append(b.piece.Code, i)
	return i.Def
}

// New computes a value.
func (b *Builder) New(o encode.Op, args ...Register) Register {
	i := Instr{Op: o, N: uint8(len(args))}
	copy(i.Args[:], args)
	return b.add(i)
}

// NewImm computes a value by an instruction with a number in it.
func (b *Builder) NewImm(o encode.Op, imm int64, args ...Register) Register {
	i := Instr{Op: o, N: uint8(len(args)), HasImm: true, Imm: imm}
	copy(i.Args[:], args)
	return b.add(i)
}

// Change computes a value by an instruction that changes another one into it.
func (b *Builder) Change(o encode.Op, old Register, args ...Register) Register {
	i := Instr{Op: o, Tie: old, N: uint8(len(args))}
	copy(i.Args[:], args)
	return b.add(i)
}

// ChangeImm is [Builder.Change] with a number.
func (b *Builder) ChangeImm(o encode.Op, old Register, imm int64, args ...Register) Register {
	i := Instr{Op: o, Tie: old, N: uint8(len(args)), HasImm: true, Imm: imm}
	copy(i.Args[:], args)
	return b.add(i)
}

// Load reads words of an array, whose address is in a general register.
func (b *Builder) Load(array, at int32) Register {
	return b.add(Instr{Kind: Load, Array: array, At: at})
}

// Store writes words of an array.
func (b *Builder) Store(array, at int32, value Register) {
	b.piece.Code = append(b.piece.Code, Instr{Kind: Store, Args: [2]Register{value}, N: 1, Array: array, At: at})
}
