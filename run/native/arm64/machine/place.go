package machine

import "github.com/vop-ptx/vop/run/native/arm64/encode"

// Place is memory at a general register plus an offset.
type Place struct {
	Base   encode.Operand
	Offset int32
	Size   Size
}

// Size says what is at a place.
type Size uint8

// What may be at a place: a vector, or a lane that all lanes get.
const (
	Whole  Size = iota // 16 bytes
	Word               // a word, for all four lanes
	Double             // a doubleword, for both
)

// Spare is the general register that is used where a place is far from its base.
var Spare = encode.X(16)

// From returns the value that is at a place while the piece runs. It is loaded where it is wanted.
func (b *Builder) From(p Place) Register {
	r := b.newRegister()
	b.registers[r].placed, b.registers[r].place = true, p
	return r
}

// Save writes a value to a place. kept says that nothing else is written there in this piece.
func (b *Builder) Save(p Place, value Register, kept bool) {
	b.append(Instr{Kind: Save, Args: [2]Register{value}, N: 1, Place: p, Kept: kept})
}

// AllocatePiece gives the values of a piece machine registers. Constants are read where they are wanted.
func (b *Builder) AllocatePiece(p *Piece) error {
	b.endPiece(p)
	b.pin(nil, 0)
	_, err := b.place(p)
	return err
}

// defines reports whether an instruction defines a value.
func (i *Instr) defines() bool { return i.Kind == Compute || i.Kind == Load }

// save places a Save.
func (s *scan) save(i *Instr, machine int8) {
	s.access(encode.STRQ, machine, i.Place)
	if v := &s.registers[i.Args[0]]; i.Kept && v.constant < 0 && v.slot < 0 && !v.placed {
		v.placed, v.place = true, i.Place
	}
}

// load brings what is at a place to a machine register.
func (s *scan) load(p Place, machine int8) {
	to := encode.V(int(machine))
	switch p.Size {
	case Whole:
		s.access(encode.LDRQ, machine, p)
	case Word:
		s.access(encode.LDRS, machine, p)
		s.put(placed{op: encode.DUPS | encode.S4, args: [4]encode.Operand{to, to}, n: 2})
	default:
		s.access(encode.LDRD, machine, p)
		s.put(placed{op: encode.DUPS | encode.D2, args: [4]encode.Operand{to, to}, n: 2})
	}
}

// access adds a load or store of a vector register.
func (s *scan) access(o encode.Op, machine int8, p Place) {
	base, offset := p.Base, int64(p.Offset)
	if !o.Reaches(offset) {
		s.put(placed{op: encode.ADDI12, args: [4]encode.Operand{Spare, base, encode.Imm(offset >> 12)}, n: 3})
		base, offset = Spare, offset&(1<<12-1)
	}
	s.put(placed{op: o, args: [4]encode.Operand{encode.V(int(machine)), base, encode.Imm(offset)}, n: 3})
}

// Access writes a load or store of a general register at a place.
func (b *Builder) Access(o encode.Op, x, base encode.Operand, offset int32) {
	at := int64(offset)
	if !o.Reaches(at) {
		b.Emit(encode.ADDI12, Spare, base, encode.Imm(at>>12))
		base, at = Spare, at&(1<<12-1)
	}
	b.Emit(o, x, base, encode.Imm(at))
}

// PlaceOf returns where a value is that [Builder.From] has made.
func (b *Builder) PlaceOf(r Register) (p Place, ok bool) {
	return b.registers[r].place, b.registers[r].placed
}
