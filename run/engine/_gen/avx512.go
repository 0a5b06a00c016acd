package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// avx512 is AVX-512 F, BW, VL, VBMI and VNNI.
func avx512() *target {
	t := &target{
		name:  "AVX512",
		width: 64,
		regs:  zmm,
		load:  func(from, to operand.Op) { build.VMOVDQU64(from, to) },
		far:   func(from, to operand.Op) { build.VMOVNTDQ(from, to) },
		move:  func(from, to operand.Op) { build.VMOVDQA64(from, to) },
		odd:   oddInRegisters{},
		partial: partial{
			choose: func(words reg.GPPhysical) {
				build.MOVL(operand.U32(0xffffffff), extraAt.As32())
				build.BZHIL(words.As32(), extraAt.As32(), extraAt.As32())
				build.KMOVW(extraAt.As32(), reg.K1)
			},
			load:  func(at operand.Mem, to reg.VecPhysical) { build.VMOVDQU32_Z(at, reg.K1, to) },
			store: func(from reg.VecPhysical, at operand.Mem) { build.VMOVDQU32(from, reg.K1, at) },
		},
		steps: common(),
	}
	for op, s := range avx512Steps() {
		t.steps[op] = s
	}
	return t
}

// oddInRegisters keeps the second accumulator in the registers after the first.
type oddInRegisters struct{}

func (oddInRegisters) get(h *handler, i int) reg.VecPhysical { return h.regs[machine.Registers+i] }
func (o oddInRegisters) room(h *handler, i int) reg.VecPhysical {
	return o.get(h, i)
}
func (oddInRegisters) put(*handler, int, reg.VecPhysical) {}

// The comparisons of vpcmp, and the tables of vpternlog. A table's rows are
// numbered by the bits of the operand that is written, x and y, in that order.
const (
	equal        = operand.U8(0)
	less         = operand.U8(1)
	greater      = operand.U8(6)
	firstChooses = operand.U8(0xca)
	xAndNotY     = operand.U8(0x30)
)

// compare makes an emit function of a comparison into a mask register and a
// move that makes all ones of the mask's bits.
func compare(f func(...operand.Op), how operand.U8, widen func(k, to operand.Op)) emitter {
	return func(_ *handler, i int, y operand.Op, x, to reg.VecPhysical) {
		k := masks[i%len(masks)]
		f(how, y, x, k)
		widen(k, to)
	}
}

var masks = []reg.OpmaskPhysical{reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}

func avx512Steps() map[machine.Op]step {
	steps := map[machine.Op]step{
		machine.MulMasked: {
			modes: modesOf(machine.MulMasked), setup: loadExtras(1),
			emit: func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
				masked := h.newTemporary()
				build.VPANDD(y, h.extra(0), masked)
				build.VPANDD(x, h.extra(0), to)
				build.VPMADDWD(masked, to, to) // the high halves are 0
			},
		},
		machine.BitSelect: {
			modes: modesOf(machine.BitSelect), setup: extraSlot,
			emit: func(h *handler, i int, y operand.Op, x, to reg.VecPhysical) {
				mask := h.inRegister(h.slot(extraAt, i))
				build.VPTERNLOGD(firstChooses, y, x, mask)
				h.move(mask, to)
			},
		},
	}
	word := func(op machine.Op, emit emitter) {
		steps[op] = of(op, emit)
	}
	word(machine.And, instruction(build.VPANDD))
	word(machine.Or, instruction(build.VPORD))
	word(machine.Xor, instruction(build.VPXORD))
	word(machine.AndNot, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		build.VPANDND(x, h.inRegister(y), to)
	})

	word(machine.CmpEq, compare(build.VPCMPD, equal, build.VPMOVM2D))
	word(machine.CmpLtU, compare(build.VPCMPUD, less, build.VPMOVM2D))
	word(machine.CmpLtS, compare(build.VPCMPD, less, build.VPMOVM2D))
	word(machine.CmpEq8, compare(build.VPCMPB, equal, build.VPMOVM2B))
	word(machine.CmpEq16, compare(build.VPCMPW, equal, build.VPMOVM2W))
	word(machine.CmpGtU8, compare(build.VPCMPUB, greater, build.VPMOVM2B))
	word(machine.CmpGtU16, compare(build.VPCMPUW, greater, build.VPMOVM2W))
	word(machine.CmpGtS8, compare(build.VPCMPB, greater, build.VPMOVM2B))
	word(machine.CmpGtS16, compare(build.VPCMPW, greater, build.VPMOVM2W))

	word(machine.Perm, func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
		if x == to && y != operand.Op(to) {
			build.VPERMT2B(y, h.extra(0), to)
			return
		}
		numbers := h.newTemporary()
		h.move(h.extra(0), numbers)
		build.VPERMI2B(y, x, numbers)
		h.move(numbers, to)
	})
	// accumulate makes an emit function of an instruction that adds to its result.
	accumulate := func(f func(x, to reg.VecPhysical, h *handler)) emitter {
		return func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
			if y == operand.Op(to) && x != to {
				f(x, to, h)
				return
			}
			sum := h.newTemporary()
			h.copy(y, sum)
			f(x, sum, h)
			h.move(sum, to)
		}
	}
	word(machine.DotU8, accumulate(func(x, to reg.VecPhysical, h *handler) { build.VPDPBUSD(h.extra(0), x, to) }))
	word(machine.DotS8, accumulate(func(x, to reg.VecPhysical, h *handler) { build.VPDPBUSD(x, h.extra(0), to) }))
	word(machine.DotS16, accumulate(func(x, to reg.VecPhysical, h *handler) { build.VPDPWSSD(x, h.extra(0), to) }))
	for _, op := range []machine.Op{machine.Perm, machine.DotU8, machine.DotS8, machine.DotS16} {
		s := steps[op]
		s.setup = loadExtras(1)
		steps[op] = s
	}

	lanes := func(op machine.Op, modes []machine.Mode, f func(...operand.Op)) {
		steps[op] = onHalves(op, modes, func(_ *handler, y operand.Op, x, to reg.VecPhysical) { f(y, x, to) })
	}
	lanes(machine.ShrWideS, byConstant, build.VPSRAVQ)
	lanes(machine.MinWideU, wideCommuting, build.VPMINUQ)
	lanes(machine.MinWideS, wideCommuting, build.VPMINSQ)
	lanes(machine.MaxWideS, wideCommuting, build.VPMAXSQ)

	steps[machine.WideS] = step{
		modes: onAccumulator,
		emit: func(h *handler, i int, _ operand.Op, x, to reg.VecPhysical) {
			build.VPSRAQ(operand.U8(32), x, h.odd.room(h, i))
			build.VPSLLQ(operand.U8(32), x, to)
			build.VPSRAQ(operand.U8(32), to, to)
		},
	}
	steps[machine.Lo] = step{
		modes: onAccumulator,
		setup: func(*handler) {
			build.MOVL(operand.U32(0xaaaa), extraAt.As32())
			build.KMOVW(extraAt.As32(), reg.K1)
		},
		emit: func(h *handler, i int, _ operand.Op, _, to reg.VecPhysical) {
			high := h.newTemporary()
			build.VPSLLQ(operand.U8(32), h.odd.get(h, i), high)
			build.VMOVDQA32(high, reg.K1, to)
		},
	}
	return steps
}
