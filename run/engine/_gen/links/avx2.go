package main

import (
	"maps"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func avx2() *target {
	t := &target{
		name: "AVX2", width: 32, register: ymm, temporaries: 12,
		load:     func(from, to operand.Op) { build.VMOVDQU(from, to) },
		handlers: common(),
		setups:   map[string]func(){},
	}
	maps.Copy(t.handlers, handlers2(t))
	return t
}

func handlers2(t *target) map[string]emitter {
	ones := func(to reg.VecPhysical) { build.VPCMPEQD(to, to, to) }
	invert := onOne(func(u *unit, a reg.VecPhysical) {
		build.VPXOR(t.constant(0), a, a)
	})
	all := map[string]emitter{
		"not.b32": invert,
		"not.b64": invert,
		"and.b32": onTwo(three(build.VPAND)),
		"or.b32":  onTwo(three(build.VPOR)),
		"xor.b32": onTwo(three(build.VPXOR)),
		"and.b64": onTwo(three(build.VPAND)),
		"or.b64":  onTwo(three(build.VPOR)),
		"xor.b64": onTwo(three(build.VPXOR)),
		"andnot": func(u *unit) {
			b := u.value(1)
			build.VPANDN(u.s(0), b, b)
			u.load(b, u.d())
		},
		"shl.b64": shiftWide(build.VPSLLVQ),
		"shr.u64": shiftWide(build.VPSRLVQ),

		"eq":     onTwo(build.VPCMPEQD),
		"lt.u":   masked2(less2("u32")),
		"lt.s":   masked2(less2("s32")),
		"eq.8":   onTwo(build.VPCMPEQB),
		"eq.16":  onTwo(build.VPCMPEQW),
		"gt.s8":  onTwo(build.VPCMPGTB),
		"gt.s16": onTwo(build.VPCMPGTW),
		// a > b unless the lesser of them is a.
		"gt.u8":  notLess(t, build.VPMINUB, build.VPCMPEQB),
		"gt.u16": notLess(t, build.VPMINUW, build.VPCMPEQW),

		"select": func(u *unit) {
			chosen, no := u.value(0), u.value(2)
			build.VPBLENDVB(chosen, u.s(1), no, no)
			u.load(no, u.d())
		},
		"sad.u8": func(u *unit) {
			a := u.value(0)
			distance(u, a, build.VPMAXUB, build.VPMINUB, build.VPSUBB)
			build.VPMADDUBSW(t.constant(0), a, a)
			build.VPMADDWD(t.constant(1), a, a)
			build.VPADDD(u.s(2), a, a)
			u.load(a, u.d())
		},
		"prmt.b32": func(u *unit) { permute2(u, t) },

		"narrow.32": func(u *unit) { narrow2(u, u.value(0)) },
		"high.32": func(u *unit) {
			a := u.value(0)
			build.VPSRLQ(operand.U8(32), a, a)
			narrow2(u, a)
		},

		"blend.32": func(u *unit) {
			chosen := spread2(u, u.s(1), t)
			build.VPMASKMOVD(u.value(0), chosen, u.d())
		},
		"blend.64": func(u *unit) {
			chosen := spread2(u, u.s(1), t)
			build.VPMASKMOVQ(u.value(0), chosen, u.d())
		},
		"selp.32": func(u *unit) { choose2(u, t) },
		"selp.64": func(u *unit) { choose2(u, t) },
	}
	eachComparison(func(name string, how uint8, typ string) {
		if typ != "u64" {
			all[name] = compare2(how, typ)
		}
	})
	for _, name := range []string{"not.b32", "not.b64", "gt.u8", "gt.u16"} {
		t.setups[name] = func() { ones(t.constant(0)) }
	}
	// Bit i of a mask's byte, in thread i of a unit.
	bitOfWord := func(i int) byte { return byte(1<<(i/4)) * byte(1-min(i%4, 1)) }
	bitOfWide := func(i int) byte { return byte(1<<(i/8)) * byte(1-min(i%8, 1)) }
	for _, name := range []string{"blend.32", "selp.32"} {
		t.setups[name] = func() { t.load(vector("bitOfWord", 32, bitOfWord), t.constant(0)) }
	}
	for _, name := range []string{"blend.64", "selp.64"} {
		t.setups[name] = func() {
			t.load(vector("bitOfWide", 32, bitOfWide), t.constant(0))
			build.VPSLLQ(operand.U8(4), t.constant(0), t.constant(1))
		}
	}
	t.setups["sad.u8"] = func() {
		words(0x01010101, t.constant(0))
		words(0x00010001, t.constant(1))
	}
	t.setups["prmt.b32"] = func() {
		words(0x00ff00ff, t.constant(0))
		words(0x0f0f0f0f, t.constant(1))
		words(0x03030303, t.constant(2))
		words(0x80808080, t.constant(3))
	}
	return all
}

// less2 compares words to all ones where a is less than b. Unsigned ones have their
// sign bit flipped first, as those of 16 bits have been moved up already.
func less2(typ string) func(u *unit, a, b reg.VecPhysical) {
	return func(u *unit, a, b reg.VecPhysical) {
		if typ[0] == 'u' {
			sign := u.temporary()
			build.VPCMPEQD(sign, sign, sign)
			build.VPSLLD(operand.U8(31), sign, sign)
			build.VPXOR(sign, a, a)
			build.VPXOR(sign, b, b)
		}
		build.VPCMPGTD(a, b, a)
	}
}

func masked2(compare func(u *unit, a, b reg.VecPhysical)) emitter {
	return func(u *unit) {
		a, b := u.value(0), u.value(1)
		compare(u, a, b)
		u.load(a, u.d())
	}
}

func notLess(t *target, lesser, equal func(...operand.Op)) emitter {
	return func(u *unit) {
		a, low := u.value(0), u.temporary()
		lesser(u.s(1), a, low)
		equal(a, low, a)
		build.VPXOR(t.constant(0), a, a)
		u.load(a, u.d())
	}
}

// compare2 compares to bits, after vpcmp's numbers: 1 is less, 2 less or equal, 4 to 6 are
// the negations of 0 to 2.
func compare2(how uint8, typ string) emitter {
	return func(u *unit) {
		a, b := u.value(0), u.value(1)
		if typ[1:] == "16" {
			build.VPSLLD(operand.U8(16), a, a)
			build.VPSLLD(operand.U8(16), b, b)
		}
		invert := how >= 4
		wide := typ[1:] == "64"
		switch how & 3 {
		case 0:
			if wide {
				build.VPCMPEQQ(b, a, a)
			} else {
				build.VPCMPEQD(b, a, a)
			}
		case 1:
			if wide {
				build.VPCMPGTQ(a, b, a)
			} else {
				less2(typ)(u, a, b)
			}
		case 2: // not b < a
			invert = !invert
			if wide {
				build.VPCMPGTQ(b, a, a)
			} else {
				less2(typ)(u, b, a)
				a = b
			}
		}
		signBits(u, a, wide, invert)
	}
}

// signBits stores the top bits of a vector's elements. Two vectors of wide values make a byte.
func signBits(u *unit, a reg.VecPhysical, wide, invert bool) {
	to := scratch
	if wide {
		if u.n%2 == 1 {
			to = sources[2] // comparisons have two sources
		}
		build.VMOVMSKPD(a, to.As32())
		if u.n%2 == 0 {
			return
		}
		build.SHLL(operand.U8(4), to.As32())
		build.ORL(to.As32(), scratch.As32())
	} else {
		build.VMOVMSKPS(a, to.As32())
	}
	if invert {
		build.NOTL(scratch.As32())
	}
	at := u.d()
	at.Disp = u.n * u.threads / 8
	build.MOVB(scratch.As8(), at)
}

// spread2 makes all ones of the bits of a unit. Those of two units of wide values share a byte.
func spread2(u *unit, from operand.Mem, t *target) reg.VecPhysical {
	chosen := u.temporary()
	which := t.constant(0)
	if u.threads == 4 {
		if u.n%2 == 1 {
			which = t.constant(1)
		}
		build.VPBROADCASTB(from, chosen)
		build.VPAND(which, chosen, chosen)
		build.VPCMPEQQ(which, chosen, chosen)
		return chosen
	}
	build.VPBROADCASTB(from, chosen)
	build.VPAND(which, chosen, chosen)
	build.VPCMPEQD(which, chosen, chosen)
	return chosen
}

func choose2(u *unit, t *target) {
	chosen := spread2(u, u.s(2), t)
	no := u.value(1)
	build.VPBLENDVB(chosen, u.s(0), no, no)
	u.load(no, u.d())
}

// narrow2 stores the low words of wide values.
func narrow2(u *unit, a reg.VecPhysical) {
	t := u.temporary()
	build.VEXTRACTI128(operand.U8(1), a, narrow(t, 16))
	const evenWords = operand.U8(0x88)
	build.VSHUFPS(evenWords, narrow(t, 16), narrow(a, 16), narrow(a, 16))
	build.VMOVDQU(narrow(a, 16), u.d())
}

// permute2 is prmt. A shuffle makes zero of a byte whose number has its top bit set:
// each source is shuffled with the numbers of the other so marked.
func permute2(u *unit, t *target) {
	numbers, shifted := u.value(2), u.temporary()
	build.VPSLLD(operand.U8(16), numbers, numbers)
	build.VPSRLD(operand.U8(16), numbers, numbers)
	for i, shift := range []operand.U8{8, 4} { // the four numbers of a selector go to the four bytes of its word
		build.VPSLLD(shift, numbers, shifted)
		build.VPOR(shifted, numbers, numbers)
		build.VPAND(t.constant(i), numbers, numbers)
	}
	first, second := u.temporary(), u.temporary()
	build.VPAND(t.constant(2), numbers, first)
	build.VPOR(vector("firstBytesOfWords", 32, func(i int) byte { return byte(i % 16 &^ 3) }), first, first)
	build.VPSLLD(operand.U8(5), numbers, shifted)
	build.VPAND(t.constant(3), shifted, shifted)
	build.VPOR(shifted, first, first)
	build.VPXOR(t.constant(3), first, second)
	a, b := u.value(0), u.value(1)
	build.VPSHUFB(first, a, a)
	build.VPSHUFB(second, b, b)
	build.VPOR(b, a, a)
	// Bit 3 of a number asks for the byte's sign instead.
	build.VPSLLD(operand.U8(4), numbers, numbers)
	build.VPXOR(shifted, shifted, shifted)
	build.VPCMPGTB(a, shifted, shifted)
	build.VPBLENDVB(numbers, shifted, a, a)
	u.load(a, u.d())
}

// three gives avo's functions that have one shape the type of those that have several.
func three(f func(b, a, to operand.Op)) func(...operand.Op) {
	return func(all ...operand.Op) { f(all[0], all[1], all[2]) }
}
