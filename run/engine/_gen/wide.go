package main

import (
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// The modes of operations on two wide values.
var (
	wideOrdered = where(func(m machine.Mode) bool {
		return isWidePlace(m.X) && isWidePlace(m.Y) && m != onAccumulator[0] && !m.Finishes
	})
	wideCommuting = slices.Concat(onSlot, byConstant)
)

func isWidePlace(p machine.Place) bool {
	return p == machine.Acc || p == machine.Slot || p == machine.Constant
}

// onHalves makes a step of an operation on 64-bit lanes: it does to the second
// accumulator what it does to the first.
func onHalves(op machine.Op, modes []machine.Mode, emit func(h *handler, y operand.Op, x, to reg.VecPhysical)) step {
	return step{modes: modes, emit: func(h *handler, i int, y operand.Op, x, to reg.VecPhysical) {
		emit(h, y, x, to)

		room, odd := h.odd.room(h, i), h.odd.get(h, i)
		half := func(p machine.Place) operand.Op {
			switch p {
			case machine.Slot:
				return h.slot(operandAt, machine.Registers+i)
			case machine.Constant:
				return h.constant()
			}
			return odd
		}
		emit(h, half(h.mode.Y), h.inRegister(half(h.mode.X)), room)
		h.odd.put(h, i, room)
	}}
}

// product makes a step that multiplies words to wide values, by an instruction
// that multiplies the words at even places.
func product(op machine.Op, multiply func(...operand.Op)) step {
	s := of(op, func(h *handler, i int, y operand.Op, x, to reg.VecPhysical) {
		odd := h.odd.room(h, i)
		xOdd, yOdd := h.newTemporary(), h.newTemporary()
		y = h.inRegister(y)
		build.VPSRLQ(operand.U8(32), x, xOdd)
		build.VPSRLQ(operand.U8(32), y, yOdd)
		multiply(yOdd, xOdd, odd)
		h.odd.put(h, i, odd)
		multiply(y, x, to)
	})
	s.modes = slices.DeleteFunc(s.modes, func(m machine.Mode) bool {
		return m.Finishes || reads(m, machine.Second) // which is the second accumulator
	})
	return s
}

// wideSteps returns the operations on wide values that are alike on AVX2 and AVX-512.
// Shifts to the right have a constant amount, which is their y here.
func wideSteps() map[machine.Op]step {
	lanes := func(f func(...operand.Op)) func(*handler, operand.Op, reg.VecPhysical, reg.VecPhysical) {
		return func(_ *handler, y operand.Op, x, to reg.VecPhysical) { f(y, x, to) }
	}
	return map[machine.Op]step{
		machine.MulWideU: product(machine.MulWideU, build.VPMULUDQ),
		machine.MulWideS: product(machine.MulWideS, build.VPMULDQ),

		machine.AddWide:  onHalves(machine.AddWide, wideCommuting, lanes(build.VPADDQ)),
		machine.SubWide:  onHalves(machine.SubWide, wideOrdered, lanes(build.VPSUBQ)),
		machine.ShlWide:  onHalves(machine.ShlWide, wideOrdered, lanes(build.VPSLLVQ)),
		machine.ShrWideU: onHalves(machine.ShrWideU, byConstant, lanes(build.VPSRLVQ)),

		machine.WideU: {
			modes: onAccumulator,
			emit: func(h *handler, i int, _ operand.Op, x, to reg.VecPhysical) {
				odd := h.odd.room(h, i)
				build.VPSRLQ(operand.U8(32), x, odd)
				h.odd.put(h, i, odd)
				build.VPSLLQ(operand.U8(32), x, to)
				build.VPSRLQ(operand.U8(32), to, to)
			},
		},
	}
}
