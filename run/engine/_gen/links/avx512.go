package main

import (
	"maps"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 is AVX-512 F, BW, DQ, VL, VBMI and VNNI.
func avx512() *target {
	t := &target{
		name: "AVX512", accesses: true, width: 64, register: zmm, temporaries: 16,
		load:     func(from, to operand.Op) { build.VMOVDQU64(from, to) },
		handlers: common(),
		setups:   map[string]func(){},
	}
	maps.Copy(t.handlers, handlers512(t))
	return t
}

// The numbers of vpternlog tables: rows are numbered by the bits of the operand
// that is written, and the other two in the order a, b.
const (
	ternaryNot    = operand.U8(0x55)
	ternaryChoose = operand.U8(0xca)
)

// mask is the mask register of a unit.
func mask(u *unit) reg.OpmaskPhysical {
	return []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}[u.n%4]
}

// moveBits moves the bits of a unit from or to a mask register.
func moveBits(u *unit, from, to operand.Op) {
	if u.threads == 8 {
		build.KMOVB(from, to)
		return
	}
	build.KMOVW(from, to)
}

// masked makes all ones of bytes, words or such for which a comparison holds.
func masked(compare func(...operand.Op), how uint8, fill func(k, to operand.Op)) emitter {
	return func(u *unit) {
		a, k := u.value(0), mask(u)
		compare(operand.U8(how), u.s(1), a, k)
		fill(k, a)
		u.load(a, u.d())
	}
}

func handlers512(t *target) map[string]emitter {
	const equal, less, greater = 0, 1, 6
	all := map[string]emitter{
		"not.b32":    onOne(func(_ *unit, a reg.VecPhysical) { build.VPTERNLOGD(ternaryNot, a, a, a) }),
		"not.b64":    onOne(func(_ *unit, a reg.VecPhysical) { build.VPTERNLOGQ(ternaryNot, a, a, a) }),
		"and.b32":    onTwo(build.VPANDD),
		"or.b32":     onTwo(build.VPORD),
		"xor.b32":    onTwo(build.VPXORD),
		"and.b64":    onTwo(build.VPANDQ),
		"or.b64":     onTwo(build.VPORQ),
		"xor.b64":    onTwo(build.VPXORQ),
		"mul.lo.u64": onTwo(build.VPMULLQ),
		"min.u64":    onTwo(build.VPMINUQ),
		"max.u64":    onTwo(build.VPMAXUQ),
		"min.s64":    onTwo(build.VPMINSQ),
		"max.s64":    onTwo(build.VPMAXSQ),
		"andnot": func(u *unit) {
			b := u.value(1)
			build.VPANDND(u.s(0), b, b)
			u.load(b, u.d())
		},
		"mul.hi.u32": upperHalf(build.VPMULUDQ),
		"mul.hi.s32": upperHalf(build.VPMULDQ),
		"shl.b64":    shiftWide(build.VPSLLVQ),
		"shr.u64":    shiftWide(build.VPSRLVQ),
		"shr.s64":    shiftWide(build.VPSRAVQ),

		"eq":     masked(build.VPCMPD, equal, build.VPMOVM2D),
		"lt.u":   masked(build.VPCMPUD, less, build.VPMOVM2D),
		"lt.s":   masked(build.VPCMPD, less, build.VPMOVM2D),
		"eq.8":   masked(build.VPCMPB, equal, build.VPMOVM2B),
		"eq.16":  masked(build.VPCMPW, equal, build.VPMOVM2W),
		"gt.u8":  masked(build.VPCMPUB, greater, build.VPMOVM2B),
		"gt.u16": masked(build.VPCMPUW, greater, build.VPMOVM2W),
		"gt.s8":  masked(build.VPCMPB, greater, build.VPMOVM2B),
		"gt.s16": masked(build.VPCMPW, greater, build.VPMOVM2W),

		"select": func(u *unit) {
			chosen, yes := u.value(0), u.value(1)
			build.VPTERNLOGD(ternaryChoose, u.s(2), yes, chosen)
			u.load(chosen, u.d())
		},
		"sad.u8": func(u *unit) {
			a := u.value(0)
			distance(u, a, build.VPMAXUB, build.VPMINUB, build.VPSUBB)
			sum := u.value(2)
			build.VPDPBUSD(t.constant(0), a, sum)
			u.load(sum, u.d())
		},
		"dot.u8": func(u *unit) {
			sum, a := u.value(1), u.value(0)
			build.VPDPBUSD(u.s(2), a, sum)
			u.load(sum, u.d())
		},
		"dot.s8": func(u *unit) {
			sum, weights := u.value(1), u.value(2)
			build.VPDPBUSD(u.s(0), weights, sum)
			u.load(sum, u.d())
		},
		"prmt.b32": func(u *unit) { permute512(u, t) },

		"narrow.32": func(u *unit) {
			a := u.value(0)
			build.VPMOVQD(a, u.d())
		},
		"high.32": func(u *unit) {
			a := u.value(0)
			build.VPSRLQ(operand.U8(32), a, a)
			build.VPMOVQD(a, u.d())
		},

		"blend.32": func(u *unit) {
			moveBits(u, u.s(1), mask(u))
			build.VMOVDQU32(u.value(0), mask(u), u.d())
		},
		"blend.64": func(u *unit) {
			moveBits(u, u.s(1), mask(u))
			build.VMOVDQU64(u.value(0), mask(u), u.d())
		},
		"selp.32": func(u *unit) {
			moveBits(u, u.s(2), mask(u))
			b := u.value(1)
			build.VPBLENDMD(u.s(0), b, mask(u), b)
			u.load(b, u.d())
		},
		"selp.64": func(u *unit) {
			moveBits(u, u.s(2), mask(u))
			b := u.value(1)
			build.VPBLENDMQ(u.s(0), b, mask(u), b)
			u.load(b, u.d())
		},
	}
	eachComparison(func(name string, how uint8, typ string) {
		all[name] = compare512(how, typ)
	})
	t.setups["sad.u8"] = func() { words(0x01010101, t.constant(0)) }
	t.setups["prmt.b32"] = func() { constants512(t) }
	return all
}

// upperHalf takes the upper words of the products of words: those at even places,
// and those at odd ones.
func upperHalf(multiply func(...operand.Op)) emitter {
	return func(u *unit) {
		a, b := u.value(0), u.value(1)
		even := u.temporary()
		multiply(b, a, even)
		build.VPSRLQ(operand.U8(32), a, a)
		build.VPSRLQ(operand.U8(32), b, b)
		multiply(b, a, a)
		build.VPSRLQ(operand.U8(32), even, even)
		build.MOVL(operand.U32(0xaaaa), scratch.As32())
		build.KMOVW(scratch.As32(), mask(u))
		build.VMOVDQA32(a, mask(u), even)
		u.load(even, u.d())
	}
}

// shiftWide shifts wide values by words.
func shiftWide(shift func(...operand.Op)) emitter {
	return func(u *unit) {
		a, amount := u.value(0), u.temporary()
		build.VPMOVZXDQ(u.s(1), amount)
		shift(amount, a, a)
		u.load(a, u.d())
	}
}

// compare512 compares to bits. Values of 16 bits are moved to the upper half of their
// words, whose lower half does not matter otherwise.
func compare512(how uint8, typ string) emitter {
	compare := map[string]func(...operand.Op){
		"u32": build.VPCMPUD, "s32": build.VPCMPD, "u16": build.VPCMPUD, "s16": build.VPCMPD, "u64": build.VPCMPUQ, "s64": build.VPCMPQ,
	}[typ]
	return func(u *unit) {
		a, b := u.value(0), operand.Op(u.s(1))
		if typ[1:] == "16" {
			build.VPSLLD(operand.U8(16), a, a)
			t := u.value(1)
			build.VPSLLD(operand.U8(16), t, t)
			b = t
		}
		compare(operand.U8(how), b, a, mask(u))
		moveBits(u, mask(u), u.d())
	}
}

// The constants of permute512: how vpmultishiftqb finds the numbers of a selector, the
// number's bits that say which byte and which source, and the place of a word's first byte.
func constants512(t *target) {
	wides(0x2c2824200c080400, t.constant(0))
	words(0x03030303, t.constant(1))
	words(0x04040404, t.constant(2))
	words(0x08080808, t.constant(3))
	t.load(vector("firstBytesOfWords512", 64, func(i int) byte { return byte(i &^ 3) }), t.constant(4))
}

// permute512 is prmt: vpermt2b picks bytes from two vectors, those of the second from 64
// on. A number's bit 3 asks for the byte's sign.
func permute512(u *unit, t *target) {
	selector := u.value(2)
	build.VPMULTISHIFTQB(selector, t.constant(0), selector)
	build.VPTESTMB(t.constant(3), selector, mask(u))
	source := u.temporary()
	build.VPANDD(t.constant(2), selector, source)
	build.VPANDD(t.constant(1), selector, selector)
	build.VPSLLD(operand.U8(4), source, source)
	const or = operand.U8(0xfe)
	build.VPTERNLOGD(or, t.constant(4), source, selector)
	a := u.value(0)
	build.VPERMI2B(u.s(1), a, selector)
	signs := []reg.OpmaskPhysical{reg.K5, reg.K6}[u.n%2]
	build.VPMOVB2M(selector, signs)
	build.VPMOVM2B(signs, source)
	build.VMOVDQU8(source, mask(u), selector)
	u.load(selector, u.d())
}
