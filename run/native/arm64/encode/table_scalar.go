package encode

// Instructions on general registers that scalars are computed by: of 64 bits, X, or of 32, W, which leave zeros above.
const (
	LDRW = firstScalar + iota
	STRW
	LDPX
	STPX
	STPW
	LDRWIndexed
	LDRXIndexed
	LDRQIndexed
	LDRBIndexed // extended by zeros
	LDRHIndexed
	LDRSBWIndexed // extended by the sign to 32 bits
	LDRSHWIndexed
	LDRSBXIndexed // to 64 bits
	LDRSHXIndexed
	LDRSWXIndexed
	STRBIndexed
	STRHIndexed
	STRWIndexed
	STRXIndexed
	STRQIndexed

	ADDW
	SUBW
	ANDX
	ANDW
	ORRX
	ORRW
	EORX
	EORW
	BICX
	BICW
	MULX
	MULW
	MADDX
	MADDW
	UMULLX // 64 bits of words
	SMULLX
	MOVW
	MVNX
	MVNW
	NEGX
	NEGW
	UBFMX
	UBFMW
	SBFMX
	SBFMW
	CMPX
	CMPW
	TSTX
	TSTW
	CSELX
	CSELW
	CSET
	ADDI12 // adds the number times 4096
	SUBSIW

	BR
	CBZW
	CBNZW
	BMI
	BPL

	DUPW  // a general register in all lanes
	DUPS  // the first lane in all
	FMOVW // the first lane to a general register

	firstFloat
)

// Conditions of [CSELX] and [CSET].
const (
	EQ = 0
	NE = 1
	HS = 2
	LO = 3
	HI = 8
	LS = 9
	GE = 10
	LT = 11
	GT = 12
	LE = 13
)

// indexed is an access at the sum of two registers.
func indexed(name string, bits uint32, letter byte, scale uint8) row {
	return row{name: name, bits: bits, form: formIndexed, letter: letter, scale: scale}
}

// pairOf is an instruction on doublewords and the one on words, which has bit 31 clear.
func pairOf(all map[Op]row, x, w Op, r row) {
	all[x] = r
	r.bits &^= 1 << 31
	r.letter = 'w'
	all[w] = r
}

var scalarRows = func() map[Op]row {
	all := map[Op]row{
		LDRW: access("ldr", 0xb9400000, formMemory, 'w', 2), STRW: access("str", 0xb9000000, formMemory, 'w', 2),
		LDPX: access("ldp", 0xa9400000, formPair, 'x', 3), STPX: access("stp", 0xa9000000, formPair, 'x', 3), STPW: access("stp", 0x29000000, formPair, 'w', 2),
		LDRWIndexed: indexed("ldr", 0xb8606800, 'w', 2), LDRXIndexed: indexed("ldr", 0xf8606800, 'x', 3), LDRQIndexed: indexed("ldr", 0x3ce06800, 'q', 4),
		LDRBIndexed: indexed("ldrb", 0x38606800, 'w', 0), LDRHIndexed: indexed("ldrh", 0x78606800, 'w', 1),
		LDRSBWIndexed: indexed("ldrsb", 0x38e06800, 'w', 0), LDRSHWIndexed: indexed("ldrsh", 0x78e06800, 'w', 1),
		LDRSBXIndexed: indexed("ldrsb", 0x38a06800, 'x', 0), LDRSHXIndexed: indexed("ldrsh", 0x78a06800, 'x', 1),
		LDRSWXIndexed: indexed("ldrsw", 0xb8a06800, 'x', 2),
		STRBIndexed:   indexed("strb", 0x38206800, 'w', 0), STRHIndexed: indexed("strh", 0x78206800, 'w', 1), STRWIndexed: indexed("str", 0xb8206800, 'w', 2),
		STRXIndexed: indexed("str", 0xf8206800, 'x', 3), STRQIndexed: indexed("str", 0x3ca06800, 'q', 4),

		ADDW: {name: "add", bits: 0x0b000000, form: formRegisters, letter: 'w'}, SUBW: {name: "sub", bits: 0x4b000000, form: formRegisters, letter: 'w'},
		UMULLX: {name: "umull", bits: 0x9ba07c00, form: formRegisters, extends: true}, SMULLX: {name: "smull", bits: 0x9b207c00, form: formRegisters, extends: true},
		MOVW:   {name: "mov", bits: 0x2a0003e0, form: formMove, letter: 'w'},
		CSET:   {name: "cset", bits: 0x9a9f07e0, form: formSet},
		ADDI12: {name: "add", bits: 0x91400000, form: formImmediate, upper: true}, SUBSIW: {name: "subs", bits: 0x71000000, form: formImmediate, letter: 'w'},
		BR:   {name: "br", bits: 0xd61f0000, form: formJump},
		CBZW: {name: "cbz", bits: 0x34000000, form: formCompare, letter: 'w'}, CBNZW: {name: "cbnz", bits: 0x35000000, form: formCompare, letter: 'w'},
		BMI: condition("mi", 4), BPL: condition("pl", 5),
		DUPW: {name: "dup", bits: 0x4e000c00, form: formToVector, sizes: lanesBHSD}, DUPS: {name: "dup", bits: 0x4e000400, form: formLane, sizes: lanesBHSD},
		FMOVW: {name: "fmov", bits: 0x1e260000, form: formFromVector},
	}
	registers := func(name string, bits uint32) row { return row{name: name, bits: bits, form: formRegisters} }
	pairOf(all, ANDX, ANDW, registers("and", 0x8a000000))
	pairOf(all, ORRX, ORRW, registers("orr", 0xaa000000))
	pairOf(all, EORX, EORW, registers("eor", 0xca000000))
	pairOf(all, BICX, BICW, registers("bic", 0x8a200000))
	pairOf(all, MULX, MULW, registers("mul", 0x9b007c00))
	pairOf(all, MADDX, MADDW, row{name: "madd", bits: 0x9b000000, form: formAccumulate})
	pairOf(all, MVNX, MVNW, row{name: "mvn", bits: 0xaa2003e0, form: formMove})
	pairOf(all, NEGX, NEGW, row{name: "neg", bits: 0xcb0003e0, form: formMove})
	pairOf(all, CMPX, CMPW, row{name: "cmp", bits: 0xeb00001f, form: formBoth})
	pairOf(all, TSTX, TSTW, row{name: "tst", bits: 0xea00001f, form: formBoth})
	pairOf(all, CSELX, CSELW, row{name: "csel", bits: 0x9a800000, form: formSelect})
	// Words have no bit 22 either.
	all[UBFMX], all[UBFMW] = row{name: "ubfm", bits: 0xd3400000, form: formBitfield}, row{name: "ubfm", bits: 0x53000000, form: formBitfield, letter: 'w'}
	all[SBFMX], all[SBFMW] = row{name: "sbfm", bits: 0x93400000, form: formBitfield}, row{name: "sbfm", bits: 0x13000000, form: formBitfield, letter: 'w'}
	return all
}()
