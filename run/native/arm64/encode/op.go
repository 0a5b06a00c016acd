package encode

// Op is an instruction. Those that work on vectors of several arrangements need one of them: ADD|S4.
type Op uint16

// The arrangements of a vector of 128 bits. Instructions whose operands have different ones are named by the
// arrangement of the source.
const (
	B16 Op = (1 + iota) << sizeShift // 16 bytes
	H8                               // 8 halves
	S4                               // 4 words
	D2                               // 2 doublewords

	sizeShift = 12
	opMask    = 1<<sizeShift - 1
)

// Sized returns the instruction with the arrangement of lanes of so many bits: 8, 16, 32 or 64.
func (o Op) Sized(bits int) Op {
	switch bits {
	case 8:
		return o | B16
	case 16:
		return o | H8
	case 32:
		return o | S4
	}
	return o | D2
}

// row returns what the tables have of an instruction.
func (o Op) row() *row { return &rows[o&opMask] }

// size returns 0 for bytes to 3 for doublewords; -1 without an arrangement.
func (o Op) size() int { return int(o>>sizeShift) - 1 }

// Changes reports whether the instruction reads its first operand and overwrites it.
func (o Op) Changes() bool { return o.row().changes }

// String returns the mnemonic.
func (o Op) String() string {
	if o == 0 || int(o&opMask) >= len(rows) || o.row().name == "" {
		return "(no instruction)"
	}
	return o.row().name
}

// Arrangements returns the arrangements that the instruction has; none if there is nothing to choose.
func (o Op) Arrangements() (all []Op) {
	for size := range 4 {
		if o.row().sizes>>size&1 != 0 {
			all = append(all, Op(size+1)<<sizeShift)
		}
	}
	return all
}

// Ops returns all instructions, without arrangements.
func Ops() (all []Op) {
	for o := Op(1); int(o) < len(rows); o++ {
		all = append(all, o)
	}
	return all
}

// form says which operands an instruction has, and where they go.
type form uint8

const (
	formNone          form = iota
	formThree              // vd.T, vn.T, vm.T
	formLogic              // vd.16b, vn.16b, vm.16b
	formTwo                // vd.T, vn.T
	formTwoZero            // vd.T, vn.T, #0
	formPairs              // vd.2T, vn.T: pairs of lanes become one
	formLong               // vd.2T, vn.T, vm.T: the lower or the upper halves of the sources
	formWide               // vd.2T, vn.2T, vm.T
	formNarrow             // vd.T, vn.2T: into the lower or the upper half
	formDot                // vd.4s, vn.16b, vm.16b
	formLeft               // vd.T, vn.T, #n, n from 0 to the bits of a lane less 1
	formRight              // vd.T, vn.T, #n, n from 1 to the bits of a lane
	formLongLeft           // vd.2T, vn.T, #n
	formExtract            // vd.16b, vn.16b, vm.16b, #n
	formTable              // vd.16b, {vn.16b}, vm.16b
	formByte               // vd.16b, #n
	formBroadcast          // {vt.T}, [xn]
	formMemory             // t, [xn, #n]: n is a multiple of the size
	formPost               // t, [xn], #n
	formUnscaled           // t, [xn, #n]: n from -256 to 255
	formPair               // t1, t2, [xn, #n]
	formPairPost           // t1, t2, [xn], #n
	formLiteral            // qt, label
	formImmediate          // xd, xn, #n
	formRegisters          // xd, xn, xm
	formMove               // xd, xm
	formMoveWide           // xd, #n, lsl #s
	formBranch             // label
	formCondition          // label, with a condition
	formCompare            // xt, label
	formTestBit            // xt, #bit, label
	formAddress            // xd, label
	formIndexed            // t, [xn, xm]
	formBitfield           // xd, xn, #rotation, #last
	formBoth               // xn, xm: compared
	formAccumulate         // xd, xn, xm, xa
	formSelect             // xd, xn, xm, condition
	formSet                // xd, condition
	formJump               // xn
	formToVector           // vd.T, xn
	formLane               // vd.T, vn.t[0]
	formFromVector         // wd, sn
	formWiden              // vd.2T, vn.T
	formTake               // xd, vn.t[n]
	formPut                // vd.t[n], xn
	formSystem             // a system register, xn
	formLoadExclusive      // xd, [xn]
	formExclusive          // ws, xt, [xn]
	formCount              // xd, xn: at bit 5
)

// row is an instruction of the tables.
type row struct {
	name    string
	bits    uint32
	form    form
	sizes   uint8 // bit n: lanes of 8<<n bits
	changes bool  // the first operand is read too
	upper   bool  // the upper halves: the name has a 2 behind it; of a number: times 4096
	float   bool  // of floats: bit 22 tells lanes of 32 and 64 bits apart, or of the narrower ones those of 16 and 32
	both    bool  // of atomic instructions: the first register is of the size of the second
	extends bool  // words become doublewords: the sources are words
	// of loads and stores: the letter of the register and the number of bytes, as a power of two; of others that work on
	// general registers: w if on words
	letter byte
	scale  uint8
}

const (
	lanesB    = 1 << iota
	lanesH    // bytes, halves ...
	lanesS    //
	lanesD    //
	lanesBH   = lanesB | lanesH
	lanesHS   = lanesH | lanesS
	lanesBHS  = lanesB | lanesH | lanesS
	lanesBHSD = lanesBHS | lanesD
)

var rows = func() (all [numOps]row) {
	for o, r := range vectorRows {
		all[o] = r
	}
	for _, rows := range []map[Op]row{generalRows, scalarRows, floatRows, convertRows, halfRows, divideRows, atomicRows} {
		for o, r := range rows {
			all[o] = r
		}
	}
	return all
}()

// Reaches reports whether an offset, a multiple of the size, is in the range of a load or store at a register plus an
// offset.
func (o Op) Reaches(offset int64) bool { return offset >= 0 && offset <= 4095<<o.row().scale }
