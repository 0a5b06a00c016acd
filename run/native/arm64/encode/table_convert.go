package encode

// Conversions of floats to wider and narrower ones and to integers, and extremes that give a NaN where an operand is one.
const (
	FCVTL = firstConvert + iota // of 16 bits to 32, of 32 to 64
	FCVTL2
	FCVTN // rounded as FPCR says
	FCVTN2
	FCVTXN // of 64 bits to 32, rounded to odd
	FCVTXN2
	FCVTMS // downwards
	FCVTMU
	FCVTPS // upwards
	FCVTPU
	FMAX
	FMIN

	firstHalf
)

var convertRows = map[Op]row{
	FCVTL: widening("fcvtl", 0x0e217800), FCVTL2: upperHalf(widening("fcvtl", 0x0e217800)),
	FCVTN: narrowing("fcvtn", 0x0e216800, lanesHS), FCVTN2: changing(upperHalf(narrowing("fcvtn", 0x0e216800, lanesHS))),
	FCVTXN: narrowing("fcvtxn", 0x2e216800, lanesS), FCVTXN2: changing(upperHalf(narrowing("fcvtxn", 0x2e216800, lanesS))),
	FCVTMS: float("fcvtms", 0x4e21b800, formTwo), FCVTMU: float("fcvtmu", 0x6e21b800, formTwo),
	FCVTPS: float("fcvtps", 0x4ea1a800, formTwo), FCVTPU: float("fcvtpu", 0x6ea1a800, formTwo),
	FMAX: float("fmax", 0x4e20f400, formThree), FMIN: float("fmin", 0x4ea0f400, formThree),
}

func widening(name string, bits uint32) row {
	return row{name: name, bits: bits, form: formWiden, sizes: lanesHS, float: true}
}

func narrowing(name string, bits uint32, sizes uint8) row {
	return row{name: name, bits: bits, form: formNarrow, sizes: sizes, float: true}
}

// Instructions on floats of 16 bits, of which there are eight: FEAT_FP16.
const (
	FADDH = firstHalf + iota
	FSUBH
	FMULH
	FMLAH // d + n*m, rounded once
	FCMEQH
	FCMGTH
	FMAXNMH
	FMINNMH
	FMAXH
	FMINH

	firstDivide
)

var halfRows = map[Op]row{
	FADDH: half("fadd", 0x4e401400), FSUBH: half("fsub", 0x4ec01400), FMULH: half("fmul", 0x6e401c00), FMLAH: changing(half("fmla", 0x4e400c00)),
	FCMEQH: half("fcmeq", 0x4e402400), FCMGTH: half("fcmgt", 0x6ec02400), FMAXNMH: half("fmaxnm", 0x4e400400), FMINNMH: half("fminnm", 0x4ec00400),
	FMAXH: half("fmax", 0x4e403400), FMINH: half("fmin", 0x4ec03400),
}

func half(name string, bits uint32) row {
	return row{name: name, bits: bits, form: formThree, sizes: lanesH}
}
