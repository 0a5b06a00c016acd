package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

func avx2() *target {
	onesThenZeros := build.GLOBL("onesThenZeros", attr.RODATA|attr.NOPTR)
	for i, word := range []uint32{0xffffffff, 0} {
		for lane := range 8 {
			build.DATA(32*i+4*lane, operand.U32(word))
		}
	}
	t := &target{
		name:  "AVX2",
		width: 32,
		regs:  ymm,
		load:  func(from, to operand.Op) { build.VMOVDQU(from, to) },
		far:   func(from, to operand.Op) { build.VMOVNTDQ(from, to) },
		move:  func(from, to operand.Op) { build.VMOVDQA(from, to) },
		odd:   oddInMemory{},
		partial: partial{
			choose: func(words reg.GPPhysical) {
				build.LEAQ(onesThenZeros, extraAt)
				build.NEGQ(words)
				build.VMOVDQU(operand.Mem{Base: extraAt, Index: words, Scale: 4, Disp: 32}, reg.Y1)
			},
			load:  func(at operand.Mem, to reg.VecPhysical) { build.VPMASKMOVD(at, reg.Y1, to) },
			store: func(from reg.VecPhysical, at operand.Mem) { build.VPMASKMOVD(from, reg.Y1, at) },
		},
		steps: common(),
	}
	for op, s := range avx2Steps() {
		t.steps[op] = s
	}
	return t
}

// oddInMemory keeps the second accumulator in the first slot: there are not
// enough registers.
type oddInMemory struct{}

func (oddInMemory) at(h *handler, i int) operand.Mem {
	return operand.Mem{Base: slots, Disp: i * h.width}
}
func (o oddInMemory) get(h *handler, i int) reg.VecPhysical { return h.inRegister(o.at(h, i)) }
func (oddInMemory) room(h *handler, _ int) reg.VecPhysical  { return h.newTemporary() }
func (o oddInMemory) put(h *handler, i int, from reg.VecPhysical) {
	h.load(from, o.at(h, i))
}

// allOnes makes the step's extra register 0 all ones.
func allOnes(h *handler) { build.VPCMPEQD(h.extra(0), h.extra(0), h.extra(0)) }

func avx2Steps() map[machine.Op]step {
	steps := map[machine.Op]step{
		machine.MulMasked: {
			modes: modesOf(machine.MulMasked), setup: loadExtras(1),
			emit: func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
				masked := h.newTemporary()
				build.VPAND(y, h.extra(0), masked)
				build.VPAND(x, h.extra(0), to)
				build.VPMADDWD(masked, to, to) // the high halves are 0
			},
		},
		machine.BitSelect: {
			modes: modesOf(machine.BitSelect), setup: extraSlot,
			emit: func(h *handler, i int, y operand.Op, x, to reg.VecPhysical) {
				mask := h.inRegister(h.slot(extraAt, i))
				fromX := h.newTemporary()
				build.VPAND(mask, x, fromX)
				build.VPANDN(y, mask, mask)
				build.VPOR(mask, fromX, to)
			},
		},
	}
	word := func(op machine.Op, emit emitter) {
		steps[op] = of(op, emit)
	}
	three := func(f func(y, x, to operand.Op)) emitter {
		return func(_ *handler, _ int, y operand.Op, x, to reg.VecPhysical) { f(y, x, to) }
	}
	word(machine.And, three(build.VPAND))
	word(machine.Or, three(build.VPOR))
	word(machine.Xor, three(build.VPXOR))
	word(machine.AndNot, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		build.VPANDN(x, h.inRegister(y), to)
	})

	word(machine.CmpEq, instruction(build.VPCMPEQD))
	word(machine.CmpEq8, instruction(build.VPCMPEQB))
	word(machine.CmpEq16, instruction(build.VPCMPEQW))
	word(machine.CmpGtS8, instruction(build.VPCMPGTB))
	word(machine.CmpGtS16, instruction(build.VPCMPGTW))
	word(machine.CmpLtS, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		build.VPCMPGTD(x, h.inRegister(y), to)
	})
	// There is no unsigned comparison: x is greater (less) unless the smaller
	// (larger) of x and y is x.
	unlessFirst := func(op machine.Op, choose, equal func(...operand.Op)) {
		s := of(op, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
			chosen := h.newTemporary()
			choose(y, x, chosen)
			equal(x, chosen, chosen)
			build.VPXOR(h.extra(0), chosen, to)
		})
		s.setup = allOnes
		steps[op] = s
	}
	unlessFirst(machine.CmpLtU, build.VPMAXUD, build.VPCMPEQD)
	unlessFirst(machine.CmpGtU8, build.VPMINUB, build.VPCMPEQB)
	unlessFirst(machine.CmpGtU16, build.VPMINUW, build.VPCMPEQW)

	word(machine.Perm, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		fromX, fromY := h.newTemporary(), h.newTemporary()
		h.copy(y, fromY)
		build.VPSHUFB(h.extra(1), fromY, fromY)
		build.VPSHUFB(h.extra(0), x, fromX)
		build.VPOR(fromX, fromY, to)
	})
	// The sums of products of neighbours, then of neighbours among those.
	ones := func(h *handler) {
		loadExtras(1)(h)
		build.VPCMPEQW(h.extra(1), h.extra(1), h.extra(1))
		build.VPSRLW(operand.U8(15), h.extra(1), h.extra(1))
	}
	word(machine.DotU8, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		pairs := h.newTemporary()
		build.VPMADDUBSW(h.extra(0), x, pairs)
		build.VPMADDWD(h.extra(1), pairs, pairs)
		build.VPADDD(y, pairs, to)
	})
	word(machine.DotS8, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		pairs := h.newTemporary()
		build.VPMADDUBSW(x, h.extra(0), pairs)
		build.VPMADDWD(h.extra(1), pairs, pairs)
		build.VPADDD(y, pairs, to)
	})
	word(machine.DotS16, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		product := h.newTemporary()
		build.VPMADDWD(h.extra(0), x, product)
		build.VPADDD(y, product, to)
	})
	for op, setup := range map[machine.Op]func(*handler){
		machine.Perm: loadExtras(2), machine.DotU8: ones, machine.DotS8: ones, machine.DotS16: loadExtras(1),
	} {
		s := steps[op]
		s.setup = setup
		steps[op] = s
	}

	// A logical shift leaves the sign at the bit that Extra names: it is spread by
	// flipping and subtracting that bit.
	shift := onHalves(machine.ShrWideS, byConstant, func(h *handler, y operand.Op, x, to reg.VecPhysical) {
		build.VPSRLVQ(y, x, to)
		build.VPXOR(h.extra(0), to, to)
		build.VPSUBQ(h.extra(0), to, to)
	})
	shift.setup = loadExtras(1)
	steps[machine.ShrWideS] = shift

	// choose makes a step that takes y where greater(x, y), else x; or the other way round.
	choose := func(op machine.Op, yIfGreater, unsigned bool) {
		s := onHalves(op, wideCommuting, func(h *handler, y operand.Op, x, to reg.VecPhysical) {
			yRegister := h.inRegister(y)
			xGreater := h.newTemporary()
			if unsigned {
				flipped := h.newTemporary()
				build.VPXOR(h.extra(0), yRegister, flipped)
				build.VPXOR(h.extra(0), x, xGreater)
				build.VPCMPGTQ(flipped, xGreater, xGreater)
			} else {
				build.VPCMPGTQ(yRegister, x, xGreater)
			}
			if yIfGreater {
				build.VPBLENDVB(xGreater, yRegister, x, to)
			} else {
				build.VPBLENDVB(xGreater, x, yRegister, to)
			}
		})
		if unsigned {
			s.setup = func(h *handler) {
				allOnes(h)
				build.VPSLLQ(operand.U8(63), h.extra(0), h.extra(0))
			}
		}
		steps[op] = s
	}
	choose(machine.MinWideU, true, true)
	choose(machine.MinWideS, true, false)
	choose(machine.MaxWideS, false, false)

	steps[machine.WideS] = step{
		modes: onAccumulator,
		emit: func(h *handler, i int, _ operand.Op, x, to reg.VecPhysical) {
			signs, odd := h.newTemporary(), h.odd.room(h, i)
			build.VPSRAD(operand.U8(31), x, signs)
			build.VPSRLQ(operand.U8(32), x, odd)
			build.VPBLENDD(oddWords, signs, odd, odd)
			h.odd.put(h, i, odd)
			build.VPSLLQ(operand.U8(32), signs, signs)
			build.VPBLENDD(oddWords, signs, x, to)
		},
	}
	steps[machine.Lo] = step{
		modes: onAccumulator,
		emit: func(h *handler, i int, _ operand.Op, x, to reg.VecPhysical) {
			high := h.odd.get(h, i)
			build.VPSLLQ(operand.U8(32), high, high)
			build.VPBLENDD(oddWords, high, x, to)
		},
	}
	return steps
}

// oddWords is the selection of vpblendd that takes words at odd places.
const oddWords = operand.U8(0xaa)
