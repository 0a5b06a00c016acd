package encode

// Instructions on floats of 32 and 64 bits.
const (
	FADD = firstFloat + iota
	FSUB
	FMUL
	FDIV
	FMLA // d + n*m, rounded once
	FMLS
	FCMEQ
	FCMGE
	FCMGT
	FMAXNM
	FMINNM
	FSQRT
	SCVTF
	UCVTF
	FCVTZS
	FCVTZU
	FCVTNS
	FCVTNU
	FRINTN
	FRINTM
	FRINTP
	FRINTZ

	firstConvert
)

// float is an instruction on floats.
func float(name string, bits uint32, f form) row {
	return row{name: name, bits: bits, form: f, sizes: lanesS | lanesD, float: true}
}

var floatRows = map[Op]row{
	FADD: float("fadd", 0x4e20d400, formThree), FSUB: float("fsub", 0x4ea0d400, formThree), FMUL: float("fmul", 0x6e20dc00, formThree),
	FDIV: float("fdiv", 0x6e20fc00, formThree), FMLA: changing(float("fmla", 0x4e20cc00, formThree)), FMLS: changing(float("fmls", 0x4ea0cc00, formThree)),
	FCMEQ: float("fcmeq", 0x4e20e400, formThree), FCMGE: float("fcmge", 0x6e20e400, formThree), FCMGT: float("fcmgt", 0x6ea0e400, formThree),
	FMAXNM: float("fmaxnm", 0x4e20c400, formThree), FMINNM: float("fminnm", 0x4ea0c400, formThree),
	FSQRT: float("fsqrt", 0x6ea1f800, formTwo), SCVTF: float("scvtf", 0x4e21d800, formTwo), UCVTF: float("ucvtf", 0x6e21d800, formTwo),
	FCVTZS: float("fcvtzs", 0x4ea1b800, formTwo), FCVTZU: float("fcvtzu", 0x6ea1b800, formTwo),
	FCVTNS: float("fcvtns", 0x4e21a800, formTwo), FCVTNU: float("fcvtnu", 0x6e21a800, formTwo),
	FRINTN: float("frintn", 0x4e218800, formTwo), FRINTM: float("frintm", 0x4e219800, formTwo),
	FRINTP: float("frintp", 0x4ea18800, formTwo), FRINTZ: float("frintz", 0x4ea19800, formTwo),
}
