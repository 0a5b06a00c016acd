package encode

// Op is an instruction: a row of the table in its low 52 bits, and size, mask,
// zeroing, rounding and lock in the bits above.
//
//	 0.. 7  opcode
//	 8..10  the digit in the reg field of ModRM; for moves, how the store's opcode differs
//	11..12  opcode map: none, 0F, 0F38, 0F3A
//	13..14  prefix: none, 66, F3, F2
//	    15  W of the VEX or REX prefix
//	    16  W of the EVEX prefix
//	17..18  encodings: VEX, EVEX; neither is legacy
//	19..23  order: which operand goes into which field
//	24..25  class of the register in ModRM.reg
//	26..27  class of the register in VEX.vvvv; legacy: the r/m operand is a byte
//	28..29  class of the register in ModRM.rm
//	30..31  what ModRM.rm may be
//	32..35  bytes of the memory operand; legacy: the sizes there are
//	36..38  the vector lengths there are; none is a scalar; legacy: 36 allows the lock prefix
//	39..40  rounding
//	41..42  masking
//	43..45  CPU feature of the VEX or legacy encoding
//	46..49  CPU feature of the EVEX encoding
//	    50  W follows the size S32 or S64
//	    51  an immediate byte follows
//	52..54  size or length chosen; L512 has bit 63 too, so that L128|L256 is not it
//	55..57  write mask
//	    58  zeroing
//	59..61  rounding chosen
//	    62  lock prefix chosen
//	    63  the length chosen is L512
type Op uint64

const (
	digitShift   = 8
	mapShift     = 11
	prefixShift  = 13
	orderShift   = 19
	regShift     = 24
	vvvvShift    = 26
	rmShift      = 28
	modeShift    = 30
	tupleShift   = 32
	lengthShift  = 36
	roundShift   = 39
	maskingShift = 41
	featShift    = 43
	evexFtShift  = 46
	sizeShift    = 52
	maskShift    = 55
	zeroingShift = 58
	roundedShift = 59
)

// Fields of several bits, for rows that take all but one field from others.
const (
	mapMask   Op = 3 << mapShift
	orderMask Op = 31 << orderShift
	vMask     Op = 3 << vvvvShift
	tMask     Op = 15 << tupleShift

	digitMask   Op = 7 << digitShift
	modeMask    Op = 3 << modeShift
	maskingMask Op = 3 << maskingShift
)

// The opcode map.
const (
	m0F Op = (iota + 1) << mapShift
	m38
	m3A
)

// The prefix that is part of the opcode.
const (
	p66 Op = (iota + 1) << prefixShift
	pF3
	pF2
)

// W: vw1 of VEX (and REX.W of a legacy instruction), ew1 of EVEX, w1 of both, wSize from
// the size S32 or S64.
const (
	vw1   Op = 1 << 15
	ew1   Op = 1 << 16
	w1    Op = vw1 | ew1
	wSize Op = 1 << 50
)

// The encodings.
const (
	vex  Op = 1 << 17
	evex Op = 1 << 18
	both Op = vex | evex
)

// The order of operands. Letters are the fields: R is ModRM.reg, V is VEX.vvvv, M is
// ModRM.rm, S is the register in the last byte. D is a digit in ModRM.reg.
const (
	oRM     Op = iota << orderShift
	oMR        // the destination is r/m
	oRVM       //
	oRMV       //
	oMVR       //
	oVM        // and a digit
	oM         // and a digit
	oRVMS      //
	oNone      // no operand
	oNoneD     // no operand, a digit
	oALU       // legacy: r/m,r; r,m; r/m,imm
	oTest      // legacy: test
	oMov       // legacy: mov
	oShift     // legacy: by an immediate or by CL
	oBit       // legacy: bt and its like
	oRMI       // legacy: imul with an immediate
	oDouble    // legacy: shld and shrd
	oO         // legacy: register in the opcode
	oLabel     // legacy: jumps
)

// Classes of registers in the three fields.
const (
	classGeneral = 1
	classVector  = 2
	classMask    = 3

	rG Op = classGeneral << regShift
	rV Op = classVector << regShift
	rK Op = classMask << regShift
	vG Op = classGeneral << vvvvShift
	vV Op = classVector << vvvvShift
	vK Op = classMask << vvvvShift
	mG Op = classGeneral << rmShift
	mV Op = classVector << rmShift
	mK Op = classMask << rmShift

	rmByte Op = 1 << vvvvShift // legacy: the r/m operand is a byte whatever the size

	vv  = rV | mV
	vvv = rV | vV | mV
)

// What ModRM.rm may be: a register or memory (no bit), memory, a register, memory with a
// vector as index.
const (
	memOnly Op = (iota + 1) << modeShift
	regOnly
	vsib
)

// The bytes of the memory operand, which EVEX multiplies its 8-bit displacement by. N1 to
// N32 are fixed. The others are shares of the vector's length; tBcast and tBcastHalf may be
// one element broadcast. tW is an element of four or eight bytes, by W.
const (
	tN1 Op = iota << tupleShift
	tN2
	tN4
	tN8
	tN16
	tN32
	tFull
	tHalf
	tQuarter
	tEighth
	tBcast
	tBcastHalf
	tDup
	tW
)

// The sizes that a legacy instruction has.
const (
	has8 Op = 1 << (tupleShift + iota)
	has16
	has32
	has64

	hasAll  = has8 | hasWide
	hasWide = has16 | has32 | has64
	hasGP   = has32 | has64
)

// The vector lengths that an instruction has.
const (
	lx Op = 1 << (lengthShift + iota)
	ly
	lz

	lxy  = lx | ly
	lyz  = ly | lz
	lxyz = lx | ly | lz
)

// storeNext and the others say, for moves, how the opcode of the store differs: by 1, 2 or
// 16. regNext is a move between a mask and a general register, whose second opcode is
// the next one, with the two classes exchanged.
const (
	storeNext Op = 1 << digitShift
	storeBy2  Op = 2 << digitShift
	storeBy16 Op = 3 << digitShift
	regNext   Op = 4 << digitShift
)

// Rounding: er takes a rounding mode, sae suppresses exceptions.
const (
	er Op = (iota + 1) << roundShift
	sae
)

// Masking: merge only, merge and zeroing, or a mask is required.
const (
	kMerge Op = (iota + 1) << maskingShift
	kz
	kMust
)

// ib says that an immediate byte follows, locks that the lock prefix is allowed.
const (
	ib    Op = 1 << 51
	locks Op = 1 << lengthShift
)

// Sizes of general registers and of the memory operand in their place. An instruction is
// given one size or length; two of them are another one.
const (
	S8 Op = (iota + 1) << sizeShift
	S16
	S32
	S64
	// L128 is the length of vectors in bits, as are L256 and L512.
	L128
	L256
	L512 Op = 7<<sizeShift | 1<<63

	sizeMask Op = L512
)

const (
	zeroing Op = 1 << zeroingShift
	lock    Op = 1 << 62

	// rowMask covers the bits that belong to the table.
	rowMask = 1<<sizeShift - 1
)

// Rounding chosen.
const (
	roundNone = iota
	roundSAE
	_
	_
	roundNearest
	roundDown
	roundUp
	roundZero
)

// misused marks an Op that was given a decoration it cannot have. No row has this order.
const misused = orderMask

// Mask makes k the write mask: K1 to K7. Lanes whose bit is clear keep their value.
func (op Op) Mask(k Operand) Op {
	if k.kind() != kindMask || k&7 == 0 || op>>maskShift&7 != 0 {
		return op | misused
	}
	return op | Op(k&7)<<maskShift
}

// Zeroing sets the lanes that are masked off to zero, instead of keeping them.
func (op Op) Zeroing() Op { return op | zeroing }

// SAE suppresses floating-point exceptions.
func (op Op) SAE() Op { return op.round(roundSAE) }

// RoundNearest rounds to nearest, ties to even, whatever MXCSR says.
func (op Op) RoundNearest() Op { return op.round(roundNearest) }

// RoundDown rounds toward negative infinity, whatever MXCSR says.
func (op Op) RoundDown() Op { return op.round(roundDown) }

// RoundUp rounds toward positive infinity, whatever MXCSR says.
func (op Op) RoundUp() Op { return op.round(roundUp) }

// RoundZero rounds toward zero, whatever MXCSR says.
func (op Op) RoundZero() Op { return op.round(roundZero) }

func (op Op) round(mode Op) Op {
	if op>>roundedShift&7 != roundNone {
		return op | misused
	}
	return op | mode<<roundedShift
}

// Lock makes the read and write of the memory operand atomic.
func (op Op) Lock() Op { return op | lock }

// If gives the condition of CMOV, SET and JCC.
func (op Op) If(c Cond) Op { return op | Op(c&15) }

// Row returns the row of the table without sizes and decorations.
func (op Op) Row() Op { return op.row() }

func (op Op) row() Op { return op & rowMask }

func (op Op) order() Op     { return op & orderMask }
func (op Op) digit() uint8  { return uint8(op>>digitShift) & 7 }
func (op Op) opcode() uint8 { return uint8(op) }

// Cond is a condition of the flags.
type Cond uint8

// The conditions, as the processor numbers them. B and A compare unsigned numbers, L
// and G signed ones.
const (
	CondO Cond = iota
	CondNO
	CondB
	CondAE
	CondE
	CondNE
	CondBE
	CondA
	CondS
	CondNS
	CondP
	CondNP
	CondL
	CondGE
	CondLE
	CondG
)

// Not returns the opposite condition.
func (c Cond) Not() Cond { return c ^ 1 }
