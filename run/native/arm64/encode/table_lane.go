package encode

// Lanes of vectors to and from general registers, and what only general registers have: division and the like.
const (
	UMOVW = firstDivide + iota // a lane to a general register
	UMOVX
	INSW // a general register to a lane
	INSX
	UDIVX // 0 where the divisor is 0
	UDIVW
	SDIVX
	SDIVW
	MSUBX // a - n*m
	MSUBW
	UMULHX // the upper half of the product
	SMULHX
	LSLX // by a register, modulo the bits that there are
	LSLW
	LSRX
	LSRW
	ASRX
	ASRW
	CLZX
	CLZW
	RBITX
	RBITW
	MSRFPCR // the modes of floats

	firstAtomic
)

var divideRows = func() map[Op]row {
	all := map[Op]row{
		UMOVW: {name: "umov", bits: 0x0e003c00, form: formTake, letter: 'w', scale: 2}, UMOVX: {name: "umov", bits: 0x4e003c00, form: formTake, letter: 'x', scale: 3},
		INSW: {name: "ins", bits: 0x4e001c00, form: formPut, letter: 'w', scale: 2, changes: true},
		INSX: {name: "ins", bits: 0x4e001c00, form: formPut, letter: 'x', scale: 3, changes: true},

		UMULHX: {name: "umulh", bits: 0x9bc07c00, form: formRegisters}, SMULHX: {name: "smulh", bits: 0x9b407c00, form: formRegisters},
		MSRFPCR: {name: "msr", bits: 0xd51b4400, form: formSystem},
	}
	pairOf(all, UDIVX, UDIVW, row{name: "udiv", bits: 0x9ac00800, form: formRegisters})
	pairOf(all, SDIVX, SDIVW, row{name: "sdiv", bits: 0x9ac00c00, form: formRegisters})
	pairOf(all, MSUBX, MSUBW, row{name: "msub", bits: 0x9b008000, form: formAccumulate})
	pairOf(all, LSLX, LSLW, row{name: "lsl", bits: 0x9ac02000, form: formRegisters})
	pairOf(all, LSRX, LSRW, row{name: "lsr", bits: 0x9ac02400, form: formRegisters})
	pairOf(all, ASRX, ASRW, row{name: "asr", bits: 0x9ac02800, form: formRegisters})
	pairOf(all, CLZX, CLZW, row{name: "clz", bits: 0xdac01000, form: formCount})
	pairOf(all, RBITX, RBITW, row{name: "rbit", bits: 0xdac00000, form: formCount})
	return all
}()

// Atomic accesses: those of which a store tells whether it has been done, and, with FEAT_LSE, operations in one instruction.
// All are ordered before and behind all others.
const (
	LDAXRX = firstAtomic + iota
	LDAXRW
	LDAXRH
	STLXRX // the first register becomes 0 if it is done
	STLXRW
	STLXRH
	LDADDX // the second register becomes what was there
	LDADDW
	LDCLRX // and not
	LDCLRW
	LDEORX
	LDEORW
	LDSETX // or
	LDSETW
	LDSMAXX
	LDSMAXW
	LDSMINX
	LDSMINW
	LDUMAXX
	LDUMAXW
	LDUMINX
	LDUMINW
	SWPX
	SWPW
	CASX // the second register is stored if the first has what is there; the first becomes that
	CASW

	numOps
)

var atomicRows = func() map[Op]row {
	all := map[Op]row{
		LDAXRX: {name: "ldaxr", bits: 0xc85ffc00, form: formLoadExclusive, letter: 'x'}, LDAXRW: {name: "ldaxr", bits: 0x885ffc00, form: formLoadExclusive, letter: 'w'},
		LDAXRH: {name: "ldaxrh", bits: 0x485ffc00, form: formLoadExclusive, letter: 'w'},
		STLXRX: {name: "stlxr", bits: 0xc800fc00, form: formExclusive, letter: 'x'}, STLXRW: {name: "stlxr", bits: 0x8800fc00, form: formExclusive, letter: 'w'},
		STLXRH: {name: "stlxrh", bits: 0x4800fc00, form: formExclusive, letter: 'w'},
		CASX:   {name: "casal", bits: 0xc8e0fc00, form: formExclusive, letter: 'x', both: true}, CASW: {name: "casal", bits: 0x88e0fc00, form: formExclusive, letter: 'w', both: true},
	}
	for n, name := range []string{"ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "swp"} {
		r := row{name: name + "al", bits: 0xf8e00000 | uint32(n)<<12, form: formExclusive, letter: 'x', both: true}
		all[LDADDX+Op(2*n)] = r
		r.bits, r.letter = r.bits&^(1<<30), 'w'
		all[LDADDW+Op(2*n)] = r
	}
	return all
}()
