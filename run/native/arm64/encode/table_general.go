package encode

// Loads, stores, and instructions on general registers of 64 bits. Loads and stores of vectors have the register's letter in
// their names: Q is 16 bytes, D is 8, S is 4. Post adds the offset to the address afterwards.
const (
	LDRQ = firstGeneral + iota
	STRQ
	LDRD
	STRD
	LDRS
	STRS
	LDRX
	STRX
	LDRQPost
	STRQPost
	LDRDPost
	STRDPost
	LDRSPost
	STRSPost
	LDURQ
	STURQ
	LDPQ
	STPQ
	LDPQPost
	STPQPost
	LDRQLiteral
	LD1R

	ADDI
	SUBI
	ADDSI
	SUBSI
	ADDX
	SUBX
	SUBSX
	MOVX
	MOVZ
	MOVK
	ADR

	B
	BEQ
	BNE
	BHS
	BLO
	BHI
	BLS
	BGE
	BLT
	BGT
	BLE
	CBZ
	CBNZ
	TBZ
	TBNZ
	RET
	NOP
	DMBISH // what is accessed before it is seen before what is accessed behind it

	firstScalar
)

// access is a load or a store of 1<<scale bytes.
func access(name string, bits uint32, f form, letter byte, scale uint8) row {
	return row{name: name, bits: bits, form: f, letter: letter, scale: scale}
}

func condition(name string, number uint32) row {
	return row{name: "b." + name, bits: 0x54000000 | number, form: formCondition}
}

var generalRows = map[Op]row{
	LDRQ: access("ldr", 0x3dc00000, formMemory, 'q', 4), STRQ: access("str", 0x3d800000, formMemory, 'q', 4),
	LDRD: access("ldr", 0xfd400000, formMemory, 'd', 3), STRD: access("str", 0xfd000000, formMemory, 'd', 3),
	LDRS: access("ldr", 0xbd400000, formMemory, 's', 2), STRS: access("str", 0xbd000000, formMemory, 's', 2),
	LDRX: access("ldr", 0xf9400000, formMemory, 'x', 3), STRX: access("str", 0xf9000000, formMemory, 'x', 3),
	LDRQPost: access("ldr", 0x3cc00400, formPost, 'q', 4), STRQPost: access("str", 0x3c800400, formPost, 'q', 4),
	LDRDPost: access("ldr", 0xfc400400, formPost, 'd', 3), STRDPost: access("str", 0xfc000400, formPost, 'd', 3),
	LDRSPost: access("ldr", 0xbc400400, formPost, 's', 2), STRSPost: access("str", 0xbc000400, formPost, 's', 2),
	LDURQ: access("ldur", 0x3cc00000, formUnscaled, 'q', 4), STURQ: access("stur", 0x3c800000, formUnscaled, 'q', 4),
	LDPQ: access("ldp", 0xad400000, formPair, 'q', 4), STPQ: access("stp", 0xad000000, formPair, 'q', 4),
	LDPQPost: access("ldp", 0xacc00000, formPairPost, 'q', 4), STPQPost: access("stp", 0xac800000, formPairPost, 'q', 4),
	LDRQLiteral: access("ldr", 0x9c000000, formLiteral, 'q', 4),
	LD1R:        {name: "ld1r", bits: 0x4d40c000, form: formBroadcast, sizes: lanesBHSD},

	ADDI: {name: "add", bits: 0x91000000, form: formImmediate}, SUBI: {name: "sub", bits: 0xd1000000, form: formImmediate},
	ADDSI: {name: "adds", bits: 0xb1000000, form: formImmediate}, SUBSI: {name: "subs", bits: 0xf1000000, form: formImmediate},
	ADDX: {name: "add", bits: 0x8b000000, form: formRegisters}, SUBX: {name: "sub", bits: 0xcb000000, form: formRegisters},
	SUBSX: {name: "subs", bits: 0xeb000000, form: formRegisters},
	MOVX:  {name: "mov", bits: 0xaa0003e0, form: formMove},
	MOVZ:  {name: "movz", bits: 0xd2800000, form: formMoveWide}, MOVK: {name: "movk", bits: 0xf2800000, form: formMoveWide, changes: true},
	ADR: {name: "adr", bits: 0x10000000, form: formAddress},

	B:   {name: "b", bits: 0x14000000, form: formBranch},
	BEQ: condition("eq", 0), BNE: condition("ne", 1), BHS: condition("hs", 2), BLO: condition("lo", 3), BHI: condition("hi", 8),
	BLS: condition("ls", 9), BGE: condition("ge", 10), BLT: condition("lt", 11), BGT: condition("gt", 12), BLE: condition("le", 13),
	CBZ: {name: "cbz", bits: 0xb4000000, form: formCompare}, CBNZ: {name: "cbnz", bits: 0xb5000000, form: formCompare},
	TBZ: {name: "tbz", bits: 0x36000000, form: formTestBit}, TBNZ: {name: "tbnz", bits: 0x37000000, form: formTestBit},
	RET: {name: "ret", bits: 0xd65f03c0}, NOP: {name: "nop", bits: 0xd503201f},
	DMBISH: {name: "dmb ish", bits: 0xd5033bbf},
}
