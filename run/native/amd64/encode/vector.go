package encode

import "encoding/binary"

// The functions of this file pass an instruction on in registers, not through memory. An
// instruction takes about 20 ns, most of it checks.

// vector writes an instruction that has a VEX or EVEX encoding. It returns the reason if
// the instruction cannot be encoded, or 0.
func (a *Assembler) vector(op Op, operands []Operand) int {
	op, reg, vvvv, rm, tail, why := place(op, operands)
	if why != 0 {
		return why
	}
	if reg.kind() != Operand(op>>regShift)&3 || vvvv.kind() != Operand(op>>vvvvShift)&3 {
		return wrongOperands
	}
	length := uint8((op&sizeMask - L128) >> sizeShift)
	if op&sizeMask < L128 || op&sizeMask == L128|L256 || op&lxyz>>(lengthShift+length&3)&1 == 0 {
		if length, why = op.vectorLength(); why != 0 {
			return why
		}
	}
	extended := op&evex != 0 && (op&vex == 0 || length == 2 || op&decorations != 0 || (reg|vvvv)&16 != 0)
	if rm.isMemory() {
		// Most addresses need no further look: those of rows without vsib and regOnly (they
		// share a bit), with no vector as index.
		if op&regOnly != 0 || rm.hasVectorIndex() {
			if why := checkMemory(op, reg, vvvv, rm); why != 0 {
				return why
			}
		}
		extended = extended || op&both == both && (rm.isBroadcast() || op.order() == oVM)
	} else {
		if rm.kind() != Operand(op>>rmShift)&3 {
			return wrongOperands
		}
		if op&memOnly != 0 {
			return memoryNeeded
		}
		extended = extended || op&evex != 0 && rm&16 != 0
	}
	if op&lock != 0 {
		return noLock
	}
	if extended {
		return a.evex(op, reg, vvvv, rm, tail, length, operands)
	}
	return a.vex(op, reg, vvvv, rm, tail, length)
}

// hasTail marks the byte that follows the operands.
const hasTail = 1 << 8

// place puts the operands into their fields, by the order of the row. The Op it returns has
// the opcode and the classes of the form that the operands choose, of a load or a store.
func place(op Op, operands []Operand) (form Op, reg, vvvv, rm Operand, tail uint32, why int) {
	n := len(operands)
	if op&ib != 0 {
		if n == 0 {
			return op, 0, 0, 0, 0, wrongCount
		}
		n--
		imm := operands[n]
		if imm>>8 != kindImm<<(kindShift-8) {
			if imm.kind() == kindImm {
				return op, 0, 0, 0, 0, badImmediate
			}
			return op, 0, 0, 0, 0, wrongOperands
		}
		tail = uint32(imm)&255 | hasTail
	}
	switch op.order() {
	case oRVM:
		if n != 3 {
			break
		}
		if move := op & digitMask; move != 0 && operands[0].isMemory() {
			return op + op.toStore(), operands[2], operands[1], operands[0], tail, 0
		}
		return op, operands[0], operands[1], operands[2], tail, 0
	case oRM:
		if n != 2 {
			break
		}
		reg, rm = operands[0], operands[1]
		if move := op & digitMask; move != 0 {
			class := reg.kind()
			switch {
			case move == regNext:
				if class == Operand(op>>rmShift)&3 {
					op = op&^(3<<regShift|3<<rmShift) + 1 | rG | mK
				}
			case class != Operand(op>>regShift)&3:
				op += op.toStore()
				reg, rm = rm, reg
			}
		}
		return op, reg, 0, rm, tail, 0
	case oMR:
		if n != 2 {
			break
		}
		return op, operands[1], 0, operands[0], tail, 0
	case oRMV:
		if n != 3 {
			break
		}
		return op, operands[0], operands[2], operands[1], tail, 0
	case oVM:
		if n != 2 {
			break
		}
		return op, Operand(op.digit()), operands[0], operands[1], tail, 0
	case oRVMS:
		if n != 4 {
			break
		}
		last := operands[3]
		switch {
		case last.kind() != classVector:
			return op, 0, 0, 0, 0, wrongOperands
		case last&16 != 0:
			return op, 0, 0, 0, 0, highRegister
		}
		return op, operands[0], operands[1], operands[2], uint32(last.number())<<4 | hasTail, 0
	case oNone:
		if n != 0 {
			break
		}
		return op, 0, 0, 0, 0, 0
	}
	return op, 0, 0, 0, 0, wrongCount
}

// toStore returns what a store's opcode is further than the load's.
func (op Op) toStore() Op {
	switch op & digitMask {
	case storeNext:
		return 1
	case storeBy2:
		return 2
	}
	return 16
}

// vectorLength returns the length chosen: 0 for 128 bits, 1 for 256, 2 for 512.
func (op Op) vectorLength() (length uint8, why int) {
	size, lengths := op&sizeMask, op&lxyz
	switch {
	case size == L128|L256:
		return 0, wrongLength
	case size >= L128 && lengths != 0:
		length = uint8((size - L128) >> sizeShift)
		if lengths>>(lengthShift+length)&1 == 0 {
			return 0, wrongLength
		}
	case op&wSize != 0:
		if size != S32 && size != S64 {
			return 0, wrongSize
		}
	case lengths == 0:
		if size != 0 {
			return 0, wrongSize
		}
	case size != 0 || lengths&(lengths-1) != 0:
		return 0, wrongLength
	case lengths == ly:
		length = 1
	case lengths == lz:
		length = 2
	}
	return length, 0
}

// checkMemory holds a memory operand against the row.
func checkMemory(op Op, reg, vvvv, rm Operand) int {
	switch op & modeMask {
	case regOnly:
		return registerNeeded
	case vsib:
		if !rm.hasVectorIndex() {
			return vectorIndex
		}
		return checkGather(op, reg, vvvv, rm)
	}
	if rm.hasVectorIndex() {
		return noVectorIndex
	}
	return 0
}

// checkGather holds the registers of gathers to be different, as the processor does.
func checkGather(op Op, reg, vvvv, rm Operand) int {
	index := Operand(rm.index() & 31)
	switch op.order() {
	case oRMV:
		if reg, mask := reg&31, vvvv&31; reg == index || reg == mask || mask == index {
			return gatherSame
		}
	case oRM:
		if reg&31 == index {
			return gatherSame
		}
	}
	return 0
}

// decorations are the bits of an Op that only EVEX has.
const decorations = 7<<maskShift | zeroing | 7<<roundedShift

// vex writes the VEX encoding, in two bytes where that suffices.
func (a *Assembler) vex(op Op, reg, vvvv, rm Operand, tail uint32, length uint8) int {
	x, base, high := rm.extensions()
	switch {
	case op&decorations != 0 || rm.isMemory() && rm.isBroadcast():
		return vexDecorated
	case (uint8(reg|vvvv)>>4&1)|high != 0:
		return highRegister
	case !a.need(op.vexNeeds()):
		return missingFeature
	}
	b, n := a.space(), 0
	w := op.w(vw1)
	last := uint8(^vvvv&15)<<3 | length<<2 | uint8(op>>prefixShift)&3
	if x|base|w == 0 && op&mapMask == m0F {
		b[0] = 0xc5
		b[1] = uint8(^reg>>3&1)<<7 | last
		b[2] = op.opcode()
		n = 3
	} else {
		b[0] = 0xc4
		b[1] = uint8(^reg>>3&1)<<7 | (x^1)<<6 | (base^1)<<5 | uint8(op>>mapShift)&3
		b[2] = w<<7 | last
		b[3] = op.opcode()
		n = 4
	}
	if op.order() != oNone {
		n = a.modRM(b, n, uint8(reg), rm, 0, int(tail>>8))
	}
	a.finish(b, n, tail)
	return 0
}

// evex writes the EVEX encoding.
func (a *Assembler) evex(op Op, reg, vvvv, rm Operand, tail uint32, length uint8, operands []Operand) int {
	if op&(7<<maskShift|zeroing) != 0 || op&maskingMask == kMust {
		if why := checkMask(op, operands); why != 0 {
			return why
		}
	}
	w := op.w(ew1)
	ll, bit := length, uint8(0)
	if rounded := op >> roundedShift & 7; rounded != 0 {
		if why := checkRounding(op, length, rm); why != 0 {
			return why
		}
		bit, ll = 1, uint8(rounded)&3
		if rounded == roundSAE {
			ll = 0
		}
	}
	// x extends a register in r/m or the index, high extends vvvv or a vector index.
	x, base, high := rm.extensions()
	var shift uint8
	if rm.isMemory() {
		tuple := op >> tupleShift & 15
		shift = tupleShifts[tuple][length&3]
		if tuple == tW>>tupleShift {
			shift += w
		}
		if rm.isBroadcast() {
			if tuple != tBcast>>tupleShift && tuple != tBcastHalf>>tupleShift {
				return noBroadcast
			}
			bit, shift = 1, 2+w
		}
		high |= uint8(vvvv >> 4 & 1)
	} else {
		x, high = high, uint8(vvvv>>4&1)
	}
	if !a.need(op.evexNeeds(length)) {
		return missingFeature
	}
	b := a.space()
	p1 := uint32(^reg>>3&1)<<7 | uint32(x^1)<<6 | uint32(base^1)<<5 | uint32(^reg>>4&1)<<4 | uint32(op>>mapShift)&3
	p2 := uint32(w)<<7 | uint32(^vvvv&15)<<3 | 4 | uint32(op>>prefixShift)&3
	p3 := uint32(op>>zeroingShift&1)<<7 | uint32(ll)<<5 | uint32(bit)<<4 | uint32(high^1)<<3 | uint32(op>>maskShift)&7
	binary.LittleEndian.PutUint32(b[:4], 0x62|p1<<8|p2<<16|p3<<24)
	b[4] = op.opcode()
	n := 6
	if rm.isMemory() {
		n = a.modRM(b, 5, uint8(reg), rm, shift, int(tail>>8))
	} else {
		b[5] = 0xc0 | uint8(reg&7)<<3 | uint8(rm&7)
	}
	a.finish(b, n, tail)
	return 0
}

// finish writes the last byte, if there is one, and makes the instruction part of the code.
func (a *Assembler) finish(b *[room]byte, n int, tail uint32) {
	b[n&15] = uint8(tail) // overwritten by the next instruction if it is none
	a.advance(n + int(tail>>8))
}

// w returns the bit W, by the row or by the size of general registers.
func (op Op) w(bit Op) uint8 {
	if op&bit != 0 || op&(wSize|sizeMask) == wSize|S64 {
		return 1
	}
	return 0
}

// extensions returns the fourth bits of index and base, and the fifth of a vector index;
// for a register the fourth bit as that of the base, and the fifth.
func (o Operand) extensions() (x, b, high uint8) {
	switch o.kind() {
	case kindMem:
		return o.index() >> 3 & 1, o.base() >> 3 & 1, o.index() >> 4 & 1
	case kindLabel:
		return 0, 0, 0
	}
	return 0, uint8(o>>3) & 1, uint8(o>>4) & 1
}

// checkMask holds write mask and zeroing against the row.
func checkMask(op Op, operands []Operand) int {
	masking := op & maskingMask
	switch {
	case op&(7<<maskShift) == 0 && masking == kMust:
		return maskNeeded
	case op&(7<<maskShift) == 0:
		return zeroingAlone
	case masking == 0:
		return noMasking
	case op&zeroing != 0 && operands[0].isMemory():
		return zeroingStore
	case op&zeroing != 0 && masking != kz:
		return noZeroing
	}
	return 0
}

// checkRounding holds the rounding chosen against the row.
func checkRounding(op Op, length uint8, rm Operand) int {
	offers := op & (3 << roundShift)
	mode := op>>roundedShift&7 >= roundNearest
	switch {
	case mode && offers != er || !mode && offers != sae:
		return noRounding
	case rm.isMemory():
		return roundingMemory
	case op&lxyz != 0 && length != 2:
		return roundingLength
	case op&(wSize|sizeMask|3<<prefixShift|3<<regShift) == wSize|S32|pF2|rV:
		return roundingInt32
	}
	return 0
}

// tupleShifts is the binary logarithm of the memory operand's size, by tuple and length:
// EVEX multiplies an 8-bit displacement by that size.
var tupleShifts = [16][4]uint8{
	tN1 >> tupleShift:        {0, 0, 0},
	tN2 >> tupleShift:        {1, 1, 1},
	tN4 >> tupleShift:        {2, 2, 2},
	tN8 >> tupleShift:        {3, 3, 3},
	tN16 >> tupleShift:       {4, 4, 4},
	tN32 >> tupleShift:       {5, 5, 5},
	tFull >> tupleShift:      {4, 5, 6},
	tHalf >> tupleShift:      {3, 4, 5},
	tQuarter >> tupleShift:   {2, 3, 4},
	tEighth >> tupleShift:    {1, 2, 3},
	tBcast >> tupleShift:     {4, 5, 6},
	tBcastHalf >> tupleShift: {3, 4, 5},
	tDup >> tupleShift:       {3, 5, 6},
	tW >> tupleShift:         {2, 2, 2},
}
