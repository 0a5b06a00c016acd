package encode

// legacy writes an instruction without VEX or EVEX. It returns the reason if the
// instruction cannot be encoded, or 0.
func (a *Assembler) legacy(op Op, operands []Operand) int {
	if op&decorations != 0 {
		return vexDecorated
	}
	size := op & sizeMask
	if sizes := op & (15 << tupleShift); sizes != 0 {
		if size < S8 || size > S64 || sizes>>(tupleShift-1+size>>sizeShift)&1 == 0 {
			return wrongSize
		}
	} else if size != 0 {
		return wrongSize
	}
	in := general{op: op, opcode: op.opcode(), size: size, reg: Operand(op.digit())}
	if size == S8 {
		in.opcode--
	}
	if why := in.place(operands); why != 0 {
		return why
	}
	if why := in.check(); why != 0 {
		return why
	}
	if !a.need(op.vexNeeds()) {
		return missingFeature
	}
	a.writeLegacy(&in)
	return 0
}

// general is a legacy instruction taken apart.
type general struct {
	op      Op
	size    Op // S8 to S64, or 0
	opcode  uint8
	reg     Operand // a general register, or a digit
	rm      Operand
	imm     int32
	immLen  int
	inPlace bool // the register is in the opcode; there is no ModRM
	noRM    bool
}

// place puts the operands into the fields, by the order of the row.
func (in *general) place(operands []Operand) int {
	op := in.op
	n := len(operands)
	count := 2
	switch op.order() {
	case oNone, oNoneD:
		count = 0
	case oM, oO:
		count = 1
	case oRMI, oDouble:
		count = 3
	case oLabel:
		return wrongOperands
	}
	if n != count {
		return wrongCount
	}
	switch op.order() {
	case oNone:
		in.noRM = true
	case oNoneD:
		in.rm = RAX
	case oRM:
		in.reg, in.rm = operands[0], operands[1]
	case oMR:
		in.rm, in.reg = operands[0], operands[1]
	case oM:
		in.rm = operands[0]
	case oO:
		in.rm, in.inPlace = operands[0], true
	case oALU:
		return in.placeALU(operands[0], operands[1])
	case oTest:
		return in.placeTest(operands[0], operands[1])
	case oMov:
		return in.placeMov(operands[0], operands[1])
	case oShift:
		in.rm = operands[0]
		return in.placeCount(operands[1], 0x12)
	case oBit:
		in.rm = operands[0]
		if operands[1].kind() == kindImm {
			in.opcode = 0xba
			return in.placeCount(operands[1], 0)
		}
		return in.placeReg(operands[1])
	case oDouble:
		in.rm, in.reg = operands[0], operands[1]
		return in.placeCount(operands[2], 1)
	case oRMI:
		in.reg, in.rm = operands[0], operands[1]
		return in.placeImm(operands[2], 0x6b)
	default:
		return wrongOperands
	}
	return 0
}

// placeReg takes a general register into the field that may also hold a digit.
func (in *general) placeReg(o Operand) int {
	if o.kind() != kindGeneral {
		return wrongOperands
	}
	in.reg = o
	return 0
}

// placeALU takes r/m,r; r,m; and r/m,imm.
func (in *general) placeALU(dst, src Operand) int {
	in.rm = dst
	switch {
	case src.kind() == kindImm:
		in.opcode = 0x81
		if in.size == S8 {
			in.opcode = 0x80
		}
		return in.placeImm(src, 0x83)
	case src.isMemory():
		in.rm = src
		in.opcode += 2
		return in.placeReg(dst)
	}
	return in.placeReg(src)
}

func (in *general) placeTest(dst, src Operand) int {
	in.rm = dst
	switch {
	case src.kind() == kindImm:
		in.opcode = 0xf7
		if in.size == S8 {
			in.opcode = 0xf6
		}
		return in.placeImm(src, 0)
	case src.isMemory():
		in.rm = src
		return in.placeReg(dst)
	}
	return in.placeReg(src)
}

func (in *general) placeMov(dst, src Operand) int {
	in.rm = dst
	switch {
	case src.kind() == kindImm:
	case src.isMemory():
		in.rm = src
		in.opcode += 2
		return in.placeReg(dst)
	default:
		return in.placeReg(src)
	}
	switch {
	case dst.isMemory() || in.size == S64:
		in.opcode = 0xc7
		if in.size == S8 {
			in.opcode = 0xc6
		}
	case in.size == S8:
		in.opcode, in.inPlace = 0xb0, true
	default:
		in.opcode, in.inPlace = 0xb8, true
	}
	return in.placeImm(src, 0)
}

// placeImm takes an immediate of the instruction's size. If it fits a byte and there is an
// opcode for that, the byte is used.
func (in *general) placeImm(o Operand, opcode8 uint8) int {
	if o.kind() != kindImm {
		return wrongOperands
	}
	v := o.imm()
	bits, highest := 32, int64(1<<31-1)
	switch in.size {
	case S8:
		bits, highest = 8, 1<<8-1
	case S16:
		bits, highest = 16, 1<<16-1
	case S32:
		highest = 1<<32 - 1
	}
	if v < -1<<(bits-1) || v > highest {
		return badImmediate
	}
	in.immLen = bits / 8
	in.imm = int32(v << (64 - bits) >> (64 - bits))
	if opcode8 != 0 && in.size != S8 && in.imm == int32(int8(in.imm)) {
		in.opcode, in.immLen = opcode8, 1
	}
	return 0
}

// placeCount takes the count of a shift or the number of a bit: an immediate, or RCX, if
// there is an opcode for that, so much behind the other.
func (in *general) placeCount(o Operand, byCL uint8) int {
	if o == RCX && byCL != 0 {
		in.opcode += byCL
		return 0
	}
	if o.kind() != kindImm {
		return wrongOperands
	}
	limit := int64(32)
	if in.size == S64 {
		limit = 64
	}
	v := o.imm()
	if v < 0 || v >= limit {
		return shiftCount
	}
	if v == 1 && in.op.order() == oShift {
		in.opcode += 0x10 // by one: D0, D1
		return 0
	}
	in.imm, in.immLen = int32(v), 1
	return 0
}

// check holds the operands against the row.
func (in *general) check() int {
	op := in.op
	if in.noRM {
		return in.checkLock()
	}
	switch op.order() {
	case oRM, oMR, oRMI, oDouble:
		if in.reg.kind() != kindGeneral {
			return wrongOperands
		}
	}
	mode := op & (3 << modeShift)
	switch {
	case in.rm.isMemory():
		if in.inPlace {
			return registerNeeded
		}
		if in.rm.isBroadcast() {
			return noBroadcast
		}
		if in.rm.hasVectorIndex() {
			return noVectorIndex
		}
	case in.rm.kind() != kindGeneral:
		return wrongOperands
	case mode == memOnly:
		return memoryNeeded
	}
	return in.checkLock()
}

// checkLock allows the lock prefix where the processor does.
func (in *general) checkLock() int {
	if in.op&lock == 0 {
		return 0
	}
	if in.op&locks == 0 {
		return noLock
	}
	// r,m forms have memory as their source.
	if !in.rm.isMemory() || in.op.order() == oALU && in.opcode&0xfe == in.op.opcode()&0xfe+2 {
		return lockRegister
	}
	return 0
}

// needsREX reports whether a byte register is one that has no name without REX: SPL, BPL,
// SIL, DIL.
func needsREX(o Operand) bool { return o.kind() == kindGeneral && o&^3 == RSP }

// writeLegacy writes an instruction whose operands are checked.
func (a *Assembler) writeLegacy(in *general) {
	b, n := a.space(), 0
	op := in.op
	if in.size == S16 {
		b[n] = 0x66
		n++
	}
	if op&lock != 0 {
		b[n&15] = 0xf0
		n++
	}
	if p := op >> prefixShift & 3; p != 0 {
		b[n] = [4]uint8{0, 0x66, 0xf3, 0xf2}[p]
		n++
	}
	x, base, _ := in.rm.extensions()
	reg := in.reg.number()
	rex := reg>>3&1<<2 | x<<1 | base
	if in.size == S64 || op&vw1 != 0 {
		rex |= 8
	}
	if rex != 0 || in.size == S8 && (needsREX(in.reg) || needsREX(in.rm)) || op&rmByte != 0 && needsREX(in.rm) {
		b[n&15] = 0x40 | rex
		n++
	}
	switch op & mapMask {
	case m0F:
		b[n&15] = 0x0f
		n++
	case m38:
		b[n&15], b[(n+1)&15] = 0x0f, 0x38
		n += 2
	}
	switch {
	case in.noRM:
		b[n&15] = in.opcode
		n++
	case in.inPlace:
		b[n&15] = in.opcode | in.rm.number()&7
		n++
	default:
		b[n&15] = in.opcode
		n = a.modRM(b, n+1, reg, in.rm, 0, in.immLen)
	}
	for i := range in.immLen {
		b[n&15] = uint8(in.imm >> (8 * i))
		n++
	}
	a.advance(n)
}
