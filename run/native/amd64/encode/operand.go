package encode

// Operand is an operand of an instruction: a register, an immediate, a memory operand or
// a place in the code. The zero Operand is none.
//
//	registers   number in bits 0..4
//	immediates  signed, in bits 0..47
//	memory      displacement in bits 0..31, base in 32..39, index in 40..47, log2 of the
//	            scale in 48..49, broadcast in 50. A base or index is its class and number,
//	            0 is none.
//	labels      label in bits 0..31, addend in 32..47, broadcast in 50
type Operand uint64

// Kinds of operands. The kinds of registers are the classes of the table.
const (
	kindNone = iota
	kindGeneral
	kindVector
	kindMask
	kindMem
	kindLabel
	kindImm
	kindBad
)

const (
	kindShift      = 60
	baseShift      = 32
	indexShift     = 40
	scaleShift     = 48
	broadcastBit   = 50
	shortBit       = 51
	classInAddress = 5 // a base or index is class<<5 | number
)

// General registers.
const (
	RAX Operand = kindGeneral<<kindShift + iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// Mask registers. K0 holds a mask like the others, but cannot be a write mask.
const (
	K0 Operand = kindMask<<kindShift + iota
	K1
	K2
	K3
	K4
	K5
	K6
	K7
)

func bad(reason int) Operand { return kindBad<<kindShift | Operand(reason) }

// R returns the general register of a number, 0 to 15: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 ...
func R(number int) Operand {
	if uint(number) > 15 {
		return bad(badRegister)
	}
	return RAX + Operand(number)
}

// V returns the vector register of a number, 0 to 31. Those above 15 need AVX-512.
func V(number int) Operand {
	if uint(number) > 31 {
		return bad(badRegister)
	}
	return kindVector<<kindShift + Operand(number)
}

// K returns the mask register of a number, 0 to 7.
func K(number int) Operand {
	if uint(number) > 7 {
		return bad(badRegister)
	}
	return K0 + Operand(number)
}

// Imm returns an immediate. The instruction's size bounds it: a byte for vector
// instructions (0 to 255); for general ones what fits the size, signed or unsigned, but
// for S64 only what 32 bits extended by their sign can express.
func Imm(v int64) Operand {
	if v < -1<<47 || v >= 1<<47 {
		return bad(badImmediate)
	}
	return kindImm<<kindShift | Operand(v)&(1<<48-1)
}

// At returns the memory operand [base + disp].
func At(base Operand, disp int32) Operand {
	if base.kind() != kindGeneral {
		return bad(badBase)
	}
	return kindMem<<kindShift | base.inAddress()<<baseShift | Operand(uint32(disp))
}

// AtIndex returns the memory operand [base + index*scale + disp]. The index is a general
// register other than RSP, or for gathers and scatters a vector. The scale is 1, 2, 4 or 8.
func AtIndex(base, index Operand, scale int, disp int32) Operand {
	if base.kind() != kindGeneral {
		return bad(badBase)
	}
	return AtIndexOnly(index, scale, disp) | base.inAddress()<<baseShift
}

// AtIndexOnly returns the memory operand [index*scale + disp].
func AtIndexOnly(index Operand, scale int, disp int32) Operand {
	if index.kind() != kindGeneral && index.kind() != kindVector || index == RSP {
		return bad(badIndex)
	}
	var log Operand
	switch scale {
	case 1:
	case 2:
		log = 1
	case 4:
		log = 2
	case 8:
		log = 3
	default:
		return bad(badScale)
	}
	return kindMem<<kindShift | index.inAddress()<<indexShift | log<<scaleShift | Operand(uint32(disp))
}

// AtAbs returns the memory operand at an absolute address in the lowest or highest 2 GiB.
func AtAbs(address int32) Operand {
	return kindMem<<kindShift | Operand(uint32(address))
}

// AtLabel returns the memory operand that lies addend bytes behind a label.
func AtLabel(l Label, addend int16) Operand {
	return kindLabel<<kindShift | Operand(uint16(addend))<<baseShift | Operand(uint32(l))
}

// Broadcast makes every lane read the one element at the address.
func (o Operand) Broadcast() Operand {
	switch o.kind() {
	case kindMem, kindLabel:
		return o | 1<<broadcastBit
	case kindBad:
		return o
	}
	return bad(badBroadcast)
}

func (o Operand) kind() Operand      { return o >> kindShift }
func (o Operand) number() uint8      { return uint8(o & 31) }
func (o Operand) inAddress() Operand { return o.kind()<<classInAddress | o&31 }
func (o Operand) imm() int64         { return int64(o<<16) >> 16 }
func (o Operand) disp() int32        { return int32(uint32(o)) }
func (o Operand) base() uint8        { return uint8(o >> baseShift) }
func (o Operand) index() uint8       { return uint8(o >> indexShift) }
func (o Operand) scale() uint8       { return uint8(o>>scaleShift) & 3 }
func (o Operand) addend() int16      { return int16(o >> baseShift) }
func (o Operand) label() Label       { return Label(uint32(o)) }
func (o Operand) isBroadcast() bool  { return o>>broadcastBit&1 != 0 }
func (o Operand) isMemory() bool     { return o.kind() == kindMem || o.kind() == kindLabel }

// hasVectorIndex reports whether a memory operand has a vector as index.
func (o Operand) hasVectorIndex() bool {
	return o.kind() == kindMem && o.index()>>classInAddress == classVector
}
