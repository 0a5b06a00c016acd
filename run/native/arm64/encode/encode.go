package encode

import "fmt"

// word returns the instruction's 32 bits. Places in the code are distances in bytes from the instruction.
func (o Op) word(args []Operand, distance int64) (uint32, error) {
	if err := o.check(args); err != nil {
		return 0, err
	}
	r := o.row()
	e := encoder{o: o, r: r, args: args, w: r.bits}
	e.encode(distance)
	return e.w, e.err
}

// encoder puts operands into an instruction.
type encoder struct {
	o    Op
	r    *row
	args []Operand
	w    uint32
	err  error
}

// register puts operand k at a bit.
func (e *encoder) register(k, at int) { e.w |= uint32(e.args[k].value) << at }

// field puts a number of so many bits at a bit.
func (e *encoder) field(n int64, bits, at int) { e.w |= uint32(n) & (1<<bits - 1) << at }

// within holds a number against its range.
func (e *encoder) within(what string, n, lowest, highest int64) {
	if (n < lowest || n > highest) && e.err == nil {
		e.err = fmt.Errorf("%s: the %s is %d, want %d to %d", e.r.name, what, n, lowest, highest)
	}
}

// multiple divides a number by the power of two that it must be a multiple of.
func (e *encoder) multiple(n int64, scale uint8) int64 {
	if n&(1<<scale-1) != 0 && e.err == nil {
		e.err = fmt.Errorf("%s: %d is no multiple of %d", e.r.name, n, 1<<scale)
	}
	return n >> scale
}

func (e *encoder) encode(distance int64) {
	size := e.o.size()
	lane := int64(8) << max(size, 0)
	switch e.r.form {
	case formThree, formLong, formWide:
		e.size(size)
		e.registers(0, 5, 16)
	case formLogic, formDot, formTable:
		e.registers(0, 5, 16)
	case formTwo, formTwoZero, formPairs, formNarrow, formWiden:
		e.size(size)
		e.registers(0, 5)
	case formLeft, formLongLeft:
		n := e.args[2].value
		e.within("shift", n, 0, lane-1)
		e.field(lane+n, 7, 16)
		e.registers(0, 5)
	case formRight:
		n := e.args[2].value
		e.within("shift", n, 1, lane)
		e.field(2*lane-n, 7, 16)
		e.registers(0, 5)
	case formExtract:
		e.within("first byte", e.args[3].value, 0, 15)
		e.field(e.args[3].value, 4, 11)
		e.registers(0, 5, 16)
	case formByte:
		n := e.args[1].value
		e.within("byte", n, 0, 255)
		e.field(n>>5, 3, 16)
		e.field(n, 5, 5)
		e.registers(0)
	case formBroadcast:
		e.field(int64(size), 2, 10)
		e.registers(0, 5)
	case formMemory, formPost, formUnscaled, formPair, formPairPost:
		e.access()
	case formImmediate:
		n := e.args[2].value
		e.within("number", n, 0, 4095)
		e.field(n, 12, 10)
		e.registers(0, 5)
	case formRegisters:
		e.registers(0, 5, 16)
	case formMove:
		e.registers(0, 16)
	case formMoveWide:
		e.within("number", e.args[1].value, 0, 1<<16-1)
		e.within("shift", e.args[2].value, 0, 48)
		e.field(e.args[1].value, 16, 5)
		e.field(e.multiple(e.args[2].value, 4), 2, 21)
		e.registers(0)
	case formBranch, formCondition, formCompare, formTestBit, formAddress, formLiteral:
		e.jump(distance)
	default:
		e.scalar(size)
	}
}

// size puts in the size of lanes.
func (e *encoder) size(size int) {
	if e.r.float {
		least := 2
		if e.r.form == formNarrow || e.r.form == formWiden {
			least = 1
		}
		e.field(int64(size-least), 1, 22)
		return
	}
	e.field(int64(size), 2, 22)
}

// scalar puts in what instructions on general registers have.
func (e *encoder) scalar(size int) {
	condition := func(k int) {
		e.within("condition", e.args[k].value, 0, 13)
	}
	switch e.r.form {
	case formIndexed:
		e.registers(0, 5, 16)
	case formBitfield:
		most := int64(63)
		if e.r.letter == 'w' {
			most = 31
		}
		e.within("rotation", e.args[2].value, 0, most)
		e.within("last bit", e.args[3].value, 0, most)
		e.field(e.args[2].value, 6, 16)
		e.field(e.args[3].value, 6, 10)
		e.registers(0, 5)
	case formBoth:
		e.registers(5, 16)
	case formAccumulate:
		e.registers(0, 5, 16, 10)
	case formSelect:
		condition(3)
		e.field(e.args[3].value, 4, 12)
		e.registers(0, 5, 16)
	case formSet: // csinc with the opposite condition
		condition(1)
		e.field(e.args[1].value^1, 4, 12)
		e.registers(0)
	case formJump:
		e.registers(5)
	case formToVector, formLane:
		e.field(1<<size, 5, 16)
		e.registers(0, 5)
	case formFromVector, formLoadExclusive, formCount:
		e.registers(0, 5)
	case formTake, formPut:
		lane := e.args[2].value
		e.within("lane", lane, 0, 1<<(4-e.r.scale)-1)
		e.field(lane<<(e.r.scale+1)|1<<e.r.scale, 5, 16)
		e.registers(0, 5)
	case formSystem:
		e.registers(0)
	case formExclusive:
		e.registers(16, 0, 5)
	}
}

// registers puts the first operands at bits.
func (e *encoder) registers(at ...int) {
	for k, at := range at {
		e.register(k, at)
	}
}

// access puts in what loads and stores have.
func (e *encoder) access() {
	switch e.r.form {
	case formMemory:
		n := e.args[2].value
		e.within("offset", n, 0, 4095<<e.r.scale)
		e.field(e.multiple(n, e.r.scale), 12, 10)
		e.registers(0, 5)
	case formPost, formUnscaled:
		e.within("offset", e.args[2].value, -256, 255)
		e.field(e.args[2].value, 9, 12)
		e.registers(0, 5)
	default:
		n := e.args[3].value
		e.within("offset", n, -64<<e.r.scale, 63<<e.r.scale)
		e.field(e.multiple(n, e.r.scale), 7, 15)
		e.registers(0, 10, 5)
	}
}

// jump puts in places in the code.
func (e *encoder) jump(distance int64) {
	switch e.r.form {
	case formBranch:
		e.within("distance", distance, -1<<27, 1<<27-4)
		e.field(e.multiple(distance, 2), 26, 0)
	case formCondition, formCompare, formLiteral:
		e.within("distance", distance, -1<<20, 1<<20-4)
		e.field(e.multiple(distance, 2), 19, 5)
		if e.r.form != formCondition {
			e.registers(0)
		}
	case formTestBit:
		bit := e.args[1].value
		e.within("bit", bit, 0, 63)
		e.within("distance", distance, -1<<15, 1<<15-4)
		e.field(e.multiple(distance, 2), 14, 5)
		e.field(bit, 5, 19)
		e.field(bit>>5, 1, 31)
		e.registers(0)
	case formAddress:
		e.within("distance", distance, -1<<20, 1<<20-1)
		e.field(distance, 2, 29)
		e.field(distance>>2, 19, 5)
		e.registers(0)
	}
}
