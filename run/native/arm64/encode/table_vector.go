package encode

// The instructions on vectors. The comments name those whose names do not tell what they do.
const (
	_ Op = iota

	ADD
	SUB
	MUL
	MLA // d + n*m
	MLS // d - n*m
	ADDP
	SQADD
	UQADD
	SQSUB
	UQSUB
	SHADD // (n + m) >> 1
	UHADD
	SRHADD // (n + m + 1) >> 1
	URHADD
	SMAX
	UMAX
	SMIN
	UMIN
	SABD // |n - m|
	UABD
	SABA // d + |n - m|
	UABA
	CMEQ
	CMGT
	CMGE
	CMHI // unsigned
	CMHS
	CMTST
	SSHL // by the lowest byte of each lane of m, to the right if that is negative
	USHL

	AND
	BIC // n &^ m
	ORR
	ORN
	EOR
	BSL // n where d is 1, m where it is 0
	BIT // n where m is 1, else d
	BIF // n where m is 0, else d

	NEG
	ABS
	CLZ
	CLS
	CNT
	NOT
	RBIT
	REV16
	REV32
	REV64
	CMEQZ
	CMGTZ
	CMGEZ
	CMLEZ
	CMLTZ
	SADDLP // the sums of pairs of lanes
	UADDLP
	SADALP // d + the sums of pairs
	UADALP

	SMULL
	SMULL2
	UMULL
	UMULL2
	SMLAL
	SMLAL2
	UMLAL
	UMLAL2
	SMLSL
	SMLSL2
	UMLSL
	UMLSL2
	SADDL
	SADDL2
	UADDL
	UADDL2
	SABDL
	SABDL2
	UABDL
	UABDL2
	SADDW
	SADDW2
	UADDW
	UADDW2

	XTN
	XTN2
	SQXTN
	SQXTN2
	UQXTN
	UQXTN2
	SQXTUN
	SQXTUN2

	SHL
	SLI // d keeps the bits that are shifted in
	SSHR
	USHR
	SSRA // d + (n >> imm)
	USRA
	SRI
	SSHLL // extended, then shifted
	SSHLL2
	USHLL
	USHLL2

	UZP1
	UZP2
	ZIP1
	ZIP2
	TRN1
	TRN2
	EXT
	TBL // zero where the index is beyond
	TBX // d where the index is beyond

	SDOT // d + the products of four bytes: FEAT_DotProd
	UDOT
	USDOT // FEAT_I8MM

	MOVI // a byte in all

	firstGeneral
)

// three is an instruction on three registers of equal lanes: bit 29, and bits 11 to 15.
func three(name string, u, opcode uint32, sizes uint8) row {
	return row{name: name, bits: 0x4e200400 | u<<29 | opcode<<11, form: formThree, sizes: sizes}
}

func logic(name string, u, size uint32) row {
	return row{name: name, bits: 0x4e201c00 | u<<29 | size<<22, form: formLogic}
}

// two is an instruction on two registers: bit 29, and bits 12 to 16.
func two(name string, u, opcode uint32, f form, sizes uint8) row {
	return row{name: name, bits: 0x4e200800 | u<<29 | opcode<<12, form: f, sizes: sizes}
}

// different is an instruction whose lanes are not equal: bit 29, and bits 12 to 15.
func different(name string, u, opcode uint32, f form) row {
	return row{name: name, bits: 0x0e200000 | u<<29 | opcode<<12, form: f, sizes: lanesBHS}
}

func shift(name string, u, opcode uint32, f form) row {
	return row{name: name, bits: 0x4f000400 | u<<29 | opcode<<11, form: f, sizes: lanesBHSD}
}

func permute(name string, opcode uint32) row {
	return row{name: name, bits: 0x4e000800 | opcode<<12, form: formThree, sizes: lanesBHSD}
}

// changing marks an instruction that reads its first operand.
func changing(r row) row { r.changes = true; return r }

// upperHalf is the instruction on the upper halves, which has a 2 behind its name.
func upperHalf(r row) row {
	r.name, r.bits, r.upper = r.name+"2", r.bits|1<<30, true
	return r
}

// lowerHalf is the instruction that has bit 30 clear.
func lowerHalf(r row) row { r.bits &^= 1 << 30; return r }

// limited is an instruction with fewer arrangements.
func limited(r row, sizes uint8) row { r.sizes = sizes; return r }

var vectorRows = map[Op]row{
	ADD: three("add", 0, 0b10000, lanesBHSD), SUB: three("sub", 1, 0b10000, lanesBHSD), MUL: three("mul", 0, 0b10011, lanesBHS),
	MLA: changing(three("mla", 0, 0b10010, lanesBHS)), MLS: changing(three("mls", 1, 0b10010, lanesBHS)), ADDP: three("addp", 0, 0b10111, lanesBHSD),
	SQADD: three("sqadd", 0, 0b00001, lanesBHSD), UQADD: three("uqadd", 1, 0b00001, lanesBHSD),
	SQSUB: three("sqsub", 0, 0b00101, lanesBHSD), UQSUB: three("uqsub", 1, 0b00101, lanesBHSD),
	SHADD: three("shadd", 0, 0b00000, lanesBHS), UHADD: three("uhadd", 1, 0b00000, lanesBHS),
	SRHADD: three("srhadd", 0, 0b00010, lanesBHS), URHADD: three("urhadd", 1, 0b00010, lanesBHS),
	SMAX: three("smax", 0, 0b01100, lanesBHS), UMAX: three("umax", 1, 0b01100, lanesBHS),
	SMIN: three("smin", 0, 0b01101, lanesBHS), UMIN: three("umin", 1, 0b01101, lanesBHS),
	SABD: three("sabd", 0, 0b01110, lanesBHS), UABD: three("uabd", 1, 0b01110, lanesBHS),
	SABA: changing(three("saba", 0, 0b01111, lanesBHS)), UABA: changing(three("uaba", 1, 0b01111, lanesBHS)),
	CMEQ: three("cmeq", 1, 0b10001, lanesBHSD), CMGT: three("cmgt", 0, 0b00110, lanesBHSD), CMGE: three("cmge", 0, 0b00111, lanesBHSD),
	CMHI: three("cmhi", 1, 0b00110, lanesBHSD), CMHS: three("cmhs", 1, 0b00111, lanesBHSD), CMTST: three("cmtst", 0, 0b10001, lanesBHSD),
	SSHL: three("sshl", 0, 0b01000, lanesBHSD), USHL: three("ushl", 1, 0b01000, lanesBHSD),

	AND: logic("and", 0, 0), BIC: logic("bic", 0, 1), ORR: logic("orr", 0, 2), ORN: logic("orn", 0, 3), EOR: logic("eor", 1, 0),
	BSL: changing(logic("bsl", 1, 1)), BIT: changing(logic("bit", 1, 2)), BIF: changing(logic("bif", 1, 3)),

	NEG: two("neg", 1, 0b01011, formTwo, lanesBHSD), ABS: two("abs", 0, 0b01011, formTwo, lanesBHSD),
	CLZ: two("clz", 1, 0b00100, formTwo, lanesBHS), CLS: two("cls", 0, 0b00100, formTwo, lanesBHS),
	CNT: two("cnt", 0, 0b00101, formTwo, lanesB), NOT: two("mvn", 1, 0b00101, formTwo, lanesB),
	RBIT:  {name: "rbit", bits: 0x6e605800, form: formTwo, sizes: lanesB},
	REV16: two("rev16", 0, 0b00001, formTwo, lanesB), REV32: two("rev32", 1, 0b00000, formTwo, lanesBH), REV64: two("rev64", 0, 0b00000, formTwo, lanesBHS),
	CMEQZ: two("cmeq", 0, 0b01001, formTwoZero, lanesBHSD), CMGTZ: two("cmgt", 0, 0b01000, formTwoZero, lanesBHSD),
	CMGEZ: two("cmge", 1, 0b01000, formTwoZero, lanesBHSD), CMLEZ: two("cmle", 1, 0b01001, formTwoZero, lanesBHSD),
	CMLTZ:  two("cmlt", 0, 0b01010, formTwoZero, lanesBHSD),
	SADDLP: two("saddlp", 0, 0b00010, formPairs, lanesBHS), UADDLP: two("uaddlp", 1, 0b00010, formPairs, lanesBHS),
	SADALP: changing(two("sadalp", 0, 0b00110, formPairs, lanesBHS)), UADALP: changing(two("uadalp", 1, 0b00110, formPairs, lanesBHS)),

	SMULL: different("smull", 0, 0b1100, formLong), SMULL2: upperHalf(different("smull", 0, 0b1100, formLong)),
	UMULL: different("umull", 1, 0b1100, formLong), UMULL2: upperHalf(different("umull", 1, 0b1100, formLong)),
	SMLAL: changing(different("smlal", 0, 0b1000, formLong)), SMLAL2: changing(upperHalf(different("smlal", 0, 0b1000, formLong))),
	UMLAL: changing(different("umlal", 1, 0b1000, formLong)), UMLAL2: changing(upperHalf(different("umlal", 1, 0b1000, formLong))),
	SMLSL: changing(different("smlsl", 0, 0b1010, formLong)), SMLSL2: changing(upperHalf(different("smlsl", 0, 0b1010, formLong))),
	UMLSL: changing(different("umlsl", 1, 0b1010, formLong)), UMLSL2: changing(upperHalf(different("umlsl", 1, 0b1010, formLong))),
	SADDL: different("saddl", 0, 0b0000, formLong), SADDL2: upperHalf(different("saddl", 0, 0b0000, formLong)),
	UADDL: different("uaddl", 1, 0b0000, formLong), UADDL2: upperHalf(different("uaddl", 1, 0b0000, formLong)),
	SABDL: different("sabdl", 0, 0b0111, formLong), SABDL2: upperHalf(different("sabdl", 0, 0b0111, formLong)),
	UABDL: different("uabdl", 1, 0b0111, formLong), UABDL2: upperHalf(different("uabdl", 1, 0b0111, formLong)),
	SADDW: different("saddw", 0, 0b0001, formWide), SADDW2: upperHalf(different("saddw", 0, 0b0001, formWide)),
	UADDW: different("uaddw", 1, 0b0001, formWide), UADDW2: upperHalf(different("uaddw", 1, 0b0001, formWide)),

	XTN: lowerHalf(two("xtn", 0, 0b10010, formNarrow, lanesBHS)), XTN2: changing(upperHalf(two("xtn", 0, 0b10010, formNarrow, lanesBHS))),
	SQXTN: lowerHalf(two("sqxtn", 0, 0b10100, formNarrow, lanesBHS)), SQXTN2: changing(upperHalf(two("sqxtn", 0, 0b10100, formNarrow, lanesBHS))),
	UQXTN: lowerHalf(two("uqxtn", 1, 0b10100, formNarrow, lanesBHS)), UQXTN2: changing(upperHalf(two("uqxtn", 1, 0b10100, formNarrow, lanesBHS))),
	SQXTUN: lowerHalf(two("sqxtun", 1, 0b10010, formNarrow, lanesBHS)), SQXTUN2: changing(upperHalf(two("sqxtun", 1, 0b10010, formNarrow, lanesBHS))),

	SHL: shift("shl", 0, 0b01010, formLeft), SLI: changing(shift("sli", 1, 0b01010, formLeft)),
	SSHR: shift("sshr", 0, 0b00000, formRight), USHR: shift("ushr", 1, 0b00000, formRight),
	SSRA: changing(shift("ssra", 0, 0b00010, formRight)), USRA: changing(shift("usra", 1, 0b00010, formRight)),
	SRI:   changing(shift("sri", 1, 0b01000, formRight)),
	SSHLL: limited(lowerHalf(shift("sshll", 0, 0b10100, formLongLeft)), lanesBHS), SSHLL2: limited(upperHalf(shift("sshll", 0, 0b10100, formLongLeft)), lanesBHS),
	USHLL: limited(lowerHalf(shift("ushll", 1, 0b10100, formLongLeft)), lanesBHS), USHLL2: limited(upperHalf(shift("ushll", 1, 0b10100, formLongLeft)), lanesBHS),

	UZP1: permute("uzp1", 0b001), UZP2: permute("uzp2", 0b101), ZIP1: permute("zip1", 0b011), ZIP2: permute("zip2", 0b111),
	TRN1: permute("trn1", 0b010), TRN2: permute("trn2", 0b110),
	EXT: {name: "ext", bits: 0x6e000000, form: formExtract},
	TBL: {name: "tbl", bits: 0x4e000000, form: formTable}, TBX: {name: "tbx", bits: 0x4e001000, form: formTable, changes: true},

	SDOT: {name: "sdot", bits: 0x4e809400, form: formDot, changes: true}, UDOT: {name: "udot", bits: 0x6e809400, form: formDot, changes: true},
	USDOT: {name: "usdot", bits: 0x4e809c00, form: formDot, changes: true},

	MOVI: {name: "movi", bits: 0x4f00e400, form: formByte},
}
