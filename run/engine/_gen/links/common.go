package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/link"
)

// direct are the operations on two values that are one instruction. avo's functions list the
// operands as Go's assembler does: b, a, to.
var direct = map[string]func(...operand.Op){
	"add.u32":    build.VPADDD,
	"sub.u32":    build.VPSUBD,
	"mul.lo.u32": build.VPMULLD,
	"shl.b32":    build.VPSLLVD,
	"shr.u32":    build.VPSRLVD,
	"shr.s32":    build.VPSRAVD,
	"min.u32":    build.VPMINUD,
	"max.u32":    build.VPMAXUD,
	"min.s32":    build.VPMINSD,
	"max.s32":    build.VPMAXSD,

	"add.8":       build.VPADDB,
	"add.16":      build.VPADDW,
	"sub.8":       build.VPSUBB,
	"sub.16":      build.VPSUBW,
	"add.sat.u8":  build.VPADDUSB,
	"add.sat.u16": build.VPADDUSW,
	"add.sat.s8":  build.VPADDSB,
	"add.sat.s16": build.VPADDSW,
	"sub.sat.u8":  build.VPSUBUSB,
	"sub.sat.u16": build.VPSUBUSW,
	"sub.sat.s8":  build.VPSUBSB,
	"sub.sat.s16": build.VPSUBSW,
	"min.u8":      build.VPMINUB,
	"min.u16":     build.VPMINUW,
	"max.u8":      build.VPMAXUB,
	"max.u16":     build.VPMAXUW,
	"min.s8":      build.VPMINSB,
	"min.s16":     build.VPMINSW,
	"max.s8":      build.VPMAXSB,
	"max.s16":     build.VPMAXSW,
	"avg.u8":      build.VPAVGB,
	"avg.u16":     build.VPAVGW,

	"add.u64": build.VPADDQ,
	"sub.u64": build.VPSUBQ,
}

// onTwo makes an emitter of an instruction on two values.
func onTwo(f func(...operand.Op)) emitter {
	return func(u *unit) {
		a := u.value(0)
		f(u.s(1), a, a)
		u.load(a, u.d())
	}
}

// onOne makes an emitter of a function that changes a value where it is.
func onOne(f func(u *unit, a reg.VecPhysical)) emitter {
	return func(u *unit) {
		a := u.value(0)
		f(u, a)
		u.load(a, u.d())
	}
}

// distance makes |a - b| of words or bytes in a.
func distance(u *unit, a reg.VecPhysical, greater, less, subtract func(...operand.Op)) {
	t := u.temporary()
	less(u.s(1), a, t)
	greater(u.s(1), a, a)
	subtract(t, a, a)
}

// common are the handlers that AVX2 and AVX-512 write alike.
func common() map[string]emitter {
	all := map[string]emitter{
		"mov.32":  onOne(func(*unit, reg.VecPhysical) {}),
		"mov.64":  onOne(func(*unit, reg.VecPhysical) {}),
		"abs.s32": onOne(func(_ *unit, a reg.VecPhysical) { build.VPABSD(a, a) }),
		"zero.8": onOne(func(_ *unit, a reg.VecPhysical) {
			build.VPSLLD(operand.U8(24), a, a)
			build.VPSRLD(operand.U8(24), a, a)
		}),
		"zero.16": onOne(func(_ *unit, a reg.VecPhysical) {
			build.VPSLLD(operand.U8(16), a, a)
			build.VPSRLD(operand.U8(16), a, a)
		}),
		"sign.8": onOne(func(_ *unit, a reg.VecPhysical) {
			build.VPSLLD(operand.U8(24), a, a)
			build.VPSRAD(operand.U8(24), a, a)
		}),
		"sign.16": onOne(func(_ *unit, a reg.VecPhysical) {
			build.VPSLLD(operand.U8(16), a, a)
			build.VPSRAD(operand.U8(16), a, a)
		}),
		"fill.32": func(u *unit) { t := u.temporary(); build.VPBROADCASTD(u.s(0), t); u.load(t, u.d()) },
		"fill.64": func(u *unit) { t := u.temporary(); build.VPBROADCASTQ(u.s(0), t); u.load(t, u.d()) },
		"neg.s32": negate(build.VPSUBD),
		"neg.s64": negate(build.VPSUBQ),

		"mad.lo.u32": func(u *unit) {
			a := u.value(0)
			build.VPMULLD(u.s(1), a, a)
			build.VPADDD(u.s(2), a, a)
			u.load(a, u.d())
		},
		"sad.u32": sumOfDistances(build.VPMAXUD, build.VPMINUD),
		"sad.s32": sumOfDistances(build.VPMAXSD, build.VPMINSD),
		"absdiff.u8": func(u *unit) {
			a := u.value(0)
			distance(u, a, build.VPMAXUB, build.VPMINUB, build.VPSUBB)
			u.load(a, u.d())
		},

		"widen.64":     widened(build.VPMOVZXDQ),
		"extend.64":    widened(build.VPMOVSXDQ),
		"mul.wide.u32": product(build.VPMULUDQ, false),
		"mul.wide.s32": product(build.VPMULDQ, false),
		"mad.wide.u32": product(build.VPMULUDQ, true),
		"mad.wide.s32": product(build.VPMULDQ, true),
		"pack.64": func(u *unit) {
			low, high := u.temporary(), u.temporary()
			build.VPMOVZXDQ(u.s(0), low)
			build.VPMOVZXDQ(u.s(1), high)
			build.VPSLLQ(operand.U8(32), high, high)
			build.VPADDQ(low, high, high)
			u.load(high, u.d())
		},

		"spread": func(u *unit) {
			build.MOVL(u.s(0), scratch.As32())
			build.ANDL(operand.Imm(1), scratch.As32())
			build.NEGL(scratch.As32())
			build.MOVL(scratch.As32(), u.d())
		},
		"mov.pred": onBits(nil, false),
		"not.pred": onBits(nil, true),
		"and.pred": onBits(build.ANDL, false),
		"or.pred":  onBits(build.ORL, false),
		"xor.pred": onBits(build.XORL, false),
		"andnot.pred": func(u *unit) {
			build.MOVL(u.s(1), scratch.As32())
			build.NOTL(scratch.As32())
			build.ANDL(u.s(0), scratch.As32())
			build.MOVL(scratch.As32(), u.d())
		},
	}
	for name, f := range direct {
		all[name] = onTwo(f)
	}
	return all
}

// negate subtracts from zero.
func negate(subtract func(...operand.Op)) emitter {
	return func(u *unit) {
		zero := u.temporary()
		build.VPXOR(narrow(zero, 16), narrow(zero, 16), narrow(zero, 16)) // clears all of the register
		subtract(u.s(0), zero, zero)
		u.load(zero, u.d())
	}
}

// narrow returns the low bytes of a register as a register of their own.
func narrow(r reg.VecPhysical, bytes int) reg.VecPhysical {
	switch bytes {
	case 16:
		return r.AsX().(reg.VecPhysical)
	case 32:
		return r.AsY().(reg.VecPhysical)
	}
	return r
}

func sumOfDistances(greater, less func(...operand.Op)) emitter {
	return func(u *unit) {
		a := u.value(0)
		distance(u, a, greater, less, build.VPSUBD)
		build.VPADDD(u.s(2), a, a)
		u.load(a, u.d())
	}
}

func widened(extend func(...operand.Op)) emitter {
	return func(u *unit) {
		t := u.temporary()
		extend(u.s(0), t)
		u.load(t, u.d())
	}
}

// product multiplies words to wide values, and adds a wide value if wanted.
func product(multiply func(...operand.Op), add bool) emitter {
	return func(u *unit) {
		a, b := u.temporary(), u.temporary()
		build.VPMOVZXDQ(u.s(0), a)
		build.VPMOVZXDQ(u.s(1), b)
		multiply(b, a, a)
		if add {
			build.VPADDQ(u.s(2), a, a)
		}
		u.load(a, u.d())
	}
}

// onBits makes an emitter of an operation on 32 predicates.
func onBits(f func(imr, mr operand.Op), invert bool) emitter {
	return func(u *unit) {
		build.MOVL(u.s(0), scratch.As32())
		if f != nil {
			f(u.s(1), scratch.As32())
		}
		if invert {
			build.NOTL(scratch.As32())
		}
		build.MOVL(scratch.As32(), u.d())
	}
}

// eachComparison calls f for the comparisons of all types.
func eachComparison(f func(name string, how uint8, typ string)) {
	for how, c := range link.Comparisons {
		for _, t := range []string{"u32", "s32", "u16", "s16", "u64", "s64"} {
			f("setp."+c+"."+t, []uint8{0, 1, 2, 4, 5, 6}[how], t)
		}
	}
}

var ymm = []reg.VecPhysical{
	reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
}

var zmm = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
}

// vector returns memory with a constant.
func vector(name string, bytes int, value func(i int) byte) operand.Mem {
	if m, ok := vectors[name]; ok {
		return m
	}
	m := build.GLOBL(name, attr.NOPTR|attr.RODATA)
	for i := 0; i < bytes; i += 8 {
		var eight uint64
		for k := range 8 {
			eight |= uint64(value(i+k)) << (8 * k)
		}
		build.DATA(i, operand.U64(eight))
	}
	vectors[name] = m
	return m
}

var vectors = map[string]operand.Mem{}

// words broadcasts a constant to a register.
func words(value uint32, to reg.VecPhysical) {
	build.MOVL(operand.U32(value), scratch.As32())
	build.VMOVD(scratch.As32(), narrow(to, 16))
	build.VPBROADCASTD(narrow(to, 16), to)
}

func wides(value uint64, to reg.VecPhysical) {
	build.MOVQ(operand.U64(value), scratch)
	build.VMOVQ(scratch, narrow(to, 16))
	build.VPBROADCASTQ(narrow(to, 16), to)
}
