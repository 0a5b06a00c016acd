package kernel

import (
	"maps"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Atomic operations: lane after lane, as steps execute them. Other cores may work on the same memory, also by steps: each lane
// loads and stores by a pair of instructions of which the second tells whether somebody else has stored in between, or, with
// FEAT_LSE, by one instruction. All of them are ordered before and behind all other accesses.

// The registers of an atomic operation, besides those of all accesses. X0 is where the lane accesses memory.
var (
	oldReg    = encode.X(2)
	newReg    = encode.X(3)
	statusReg = encode.X(4)
	operand   = encode.X(9)  // b
	otherHome = encode.X(12) // where the home of c is
	resultsAt = encode.X(13) // and that of the result
	laneReg   = encode.X(14)
	indexReg  = encode.X(15) // where the lane's part of a home is
)

// atomicOp is an operation: it leaves in newReg what becomes of oldReg and b. Values are words or doublewords.
type atomicOp struct {
	compute func(a *atomic)
	direct  encode.Op // the instruction of FEAT_LSE on words, or none; the one on doublewords stands before it
	invert  bool      // it has ^b
}

// atomic is the state of writing the operation of a lane.
type atomic struct {
	*memoryAccess
	b, c encode.Operand
	done encode.Label
	wide bool
}

// emit writes an instruction on words or doublewords.
func (a *atomic) emit(x, w encode.Op, args ...encode.Operand) {
	if a.wide {
		a.Emit(x, args...)
	} else {
		a.Emit(w, args...)
	}
}

// exclusives are the instructions that load an element, and store it if nobody else has meanwhile.
func (a *atomic) exclusives() (load, store encode.Op) {
	switch a.Size {
	case 2:
		return encode.LDAXRH, encode.STLXRH
	case 4:
		return encode.LDAXRW, encode.STLXRW
	}
	return encode.LDAXRX, encode.STLXRX
}

// atomics are the operations by name.
var atomics = func() map[string]atomicOp {
	all := map[string]atomicOp{
		"inc.u32": {compute: func(a *atomic) { // 0 from b on
			a.number(statusReg, 0)
			a.Emit(encode.ADDI, newReg, oldReg, encode.Imm(1))
			a.Emit(encode.CMPW, oldReg, a.b)
			a.Emit(encode.CSELW, newReg, newReg, statusReg, encode.Imm(encode.LO))
		}},
		"dec.u32": {compute: func(a *atomic) { // b where it is 0, or above b
			a.Emit(encode.SUBI, newReg, oldReg, encode.Imm(1))
			a.Emit(encode.CMPW, oldReg, a.b)
			a.Emit(encode.CSELW, newReg, newReg, a.b, encode.Imm(encode.LS))
			a.Emit(encode.TSTW, oldReg, oldReg)
			a.Emit(encode.CSELW, newReg, newReg, a.b, encode.Imm(encode.NE))
		}},
		"add.f32":     {compute: (*atomic).addSingle},
		"add.ftz.f32": {compute: (*atomic).addFlushed},
		"add.f64":     {compute: (*atomic).addDouble},
	}
	two := func(x, w encode.Op) func(a *atomic) {
		return func(a *atomic) { a.emit(x, w, newReg, oldReg, a.b) }
	}
	chosen := func(condition int64) func(a *atomic) {
		return func(a *atomic) {
			a.emit(encode.CMPX, encode.CMPW, oldReg, a.b)
			a.emit(encode.CSELX, encode.CSELW, newReg, oldReg, a.b, encode.Imm(condition))
		}
	}
	maps.Copy(all, halfAtomics)
	for _, t := range []string{".u32", ".s32", ".u64", ".s64"} {
		all["add"+t] = atomicOp{compute: two(encode.ADDX, encode.ADDW), direct: encode.LDADDW}
		all["and"+t] = atomicOp{compute: two(encode.ANDX, encode.ANDW), direct: encode.LDCLRW, invert: true}
		all["or"+t] = atomicOp{compute: two(encode.ORRX, encode.ORRW), direct: encode.LDSETW}
		all["xor"+t] = atomicOp{compute: two(encode.EORX, encode.EORW), direct: encode.LDEORW}
		all["exch"+t] = atomicOp{compute: func(a *atomic) { a.Emit(encode.MOVX, newReg, a.b) }, direct: encode.SWPW}
		all["cas"+t] = atomicOp{compute: func(a *atomic) {
			a.emit(encode.CMPX, encode.CMPW, oldReg, a.b)
			a.Branch(encode.BNE, a.done)
			a.Emit(encode.MOVX, newReg, a.c)
		}, direct: encode.CASW}
		least, most, lower, upper := encode.LDUMINW, encode.LDUMAXW, int64(encode.LS), int64(encode.HS)
		if t[1] == 's' {
			least, most, lower, upper = encode.LDSMINW, encode.LDSMAXW, encode.LE, encode.GE
		}
		all["min"+t] = atomicOp{compute: chosen(lower), direct: encode.Op(least)}
		all["max"+t] = atomicOp{compute: chosen(upper), direct: encode.Op(most)}
	}
	return all
}()

// nativeAtomic reports whether there is machine code for an atomic operation, which is none on vectors.
func nativeAtomic(i *simt.Inst) bool {
	a := i.Aux.(*simt.Access)
	_, ok := atomics[a.Update]
	return ok && a.Elements == 1
}

// updateLanes writes the operation for the lanes in X1, one after the other.
func (m *memoryAccess) updateLanes() {
	operation := atomics[m.Update]
	a := &atomic{memoryAccess: m, wide: m.Size == 8}
	loop, again := m.Asm.NewLabel(), m.Asm.NewLabel()
	a.done = m.Asm.NewLabel()
	known := func(id simt.ID) bool { return m.scalar[id] || m.Values[id].Kind == simt.Const }
	bring := func(id simt.ID, home, to encode.Operand) (encode.Operand, func()) { // what it is in, and what loads it
		if known(id) {
			return m.general(id), func() {}
		}
		m.addNumber(home, homesReg, uint64(m.homes.Offset[id]), x0)
		return to, func() { a.emit(encode.LDRXIndexed, encode.LDRWIndexed, to, home, indexReg) }
	}
	var loadB, loadC func()
	a.b, loadB = bring(m.inst.Args[1], valuesReg, operand)
	loadC = func() {}
	if m.inst.Args[2] != m.inst.Args[1] {
		a.c, loadC = bring(m.inst.Args[2], otherHome, encode.X(17))
	} else {
		a.c = a.b
	}
	result := len(m.inst.Defs) > 0 && m.inst.Defs[0] != 0
	if result {
		m.addNumber(resultsAt, homesReg, uint64(m.homes.Offset[m.inst.Defs[0]]), x0)
	}

	m.Bind(loop)
	m.Emit(encode.RBITW, laneReg, lanesReg)
	m.Emit(encode.CLZW, laneReg, laneReg)
	m.Emit(encode.SUBI, x0, lanesReg, encode.Imm(1))
	m.Emit(encode.ANDW, lanesReg, lanesReg, x0)
	m.Emit(encode.UBFMX, indexReg, laneReg, encode.Imm(62), encode.Imm(61)) // times 4
	m.Emit(encode.LDRWIndexed, x0, offsetsReg, indexReg)
	m.Emit(encode.ADDX, x0, x0, baseReg)
	if a.wide {
		m.Emit(encode.ADDX, indexReg, indexReg, indexReg)
	}
	loadB()
	loadC()
	if operation.direct != 0 && m.Options.Atomics {
		a.directly(&operation)
	} else {
		m.Bind(again)
		load, store := a.exclusives()
		a.Emit(load, oldReg, x0)
		operation.compute(a)
		a.Emit(store, statusReg, newReg, x0)
		m.Emit(encode.CBNZW, statusReg, encode.At(again))
	}
	m.Bind(a.done)
	if result {
		a.emit(encode.STRXIndexed, encode.STRWIndexed, oldReg, resultsAt, indexReg)
	}
	m.Emit(encode.CBNZW, lanesReg, encode.At(loop))
}

// directly is the operation in one instruction.
func (a *atomic) directly(operation *atomicOp) {
	from, x := a.b, operation.direct-1
	switch {
	case operation.direct == encode.CASW:
		a.Emit(encode.MOVX, oldReg, a.b)
		a.emit(x, operation.direct, oldReg, a.c, x0)
		return
	case operation.invert:
		a.Emit(encode.MVNX, newReg, a.b)
		from = newReg
	}
	a.emit(x, operation.direct, from, oldReg, x0)
}

// add adds what is in newReg and operand as floats, and makes a NaN the one that PTX has.
func (a *atomic) add(b encode.Operand, size encode.Op, nan uint64) {
	sum, other := encode.V(0), encode.V(1)
	a.Emit(encode.DUPW|size, sum, newReg)
	a.Emit(encode.DUPW|size, other, b)
	a.Emit(encode.FADD|size, sum, sum, other)
	a.Emit(encode.FCMEQ|size, other, sum, sum)
	a.emit(encode.UMOVX, encode.UMOVW, newReg, sum, encode.Imm(0))
	a.Emit(encode.UMOVW, statusReg, other, encode.Imm(0))
	a.Emit(encode.TSTW, statusReg, statusReg)
	a.number(statusReg, nan)
	a.Emit(encode.CSELX, newReg, newReg, statusReg, encode.Imm(encode.NE))
}

func (a *atomic) addSingle() {
	a.Emit(encode.MOVX, newReg, oldReg)
	a.add(a.b, encode.S4, 0x7fffffff)
}

func (a *atomic) addDouble() {
	a.Emit(encode.MOVX, newReg, oldReg)
	a.add(a.b, encode.D2, 0xfff8000000000000)
}

// addFlushed takes subnormal numbers for zeros.
func (a *atomic) addFlushed() {
	a.Emit(encode.MOVX, newReg, oldReg)
	a.Emit(encode.MOVX, laneReg, a.b)
	a.flush(newReg)
	a.flush(laneReg)
	a.add(laneReg, encode.S4, 0x7fffffff)
	a.flush(newReg)
}

// flush makes a subnormal f32 a zero of its sign.
func (a *atomic) flush(x encode.Operand) {
	normal := a.Asm.NewLabel()
	a.number(statusReg, 0x7f800000)
	a.Emit(encode.TSTW, x, statusReg)
	a.Branch(encode.BNE, normal)
	a.number(statusReg, 1<<31)
	a.Emit(encode.ANDW, x, x, statusReg)
	a.Bind(normal)
}
