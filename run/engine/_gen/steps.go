package main

import (
	"maps"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// Modes that several steps have.
var (
	onAccumulator = []machine.Mode{{X: machine.Acc, Y: machine.Acc}}
	onSlot        = []machine.Mode{{X: machine.Acc, Y: machine.Slot}}
	byConstant    = []machine.Mode{{X: machine.Acc, Y: machine.Constant}}
)

// where returns the modes that have a property.
func where(has func(machine.Mode) bool) []machine.Mode {
	return slices.DeleteFunc(slices.Clone(machine.Modes()), func(m machine.Mode) bool { return !has(m) })
}

// modesOf returns the modes of an operation on two values. There would be more, but
// programs hardly ever need them, and can do without.
func modesOf(op machine.Op) []machine.Mode {
	return where(func(m machine.Mode) bool {
		mirror := m.Y == machine.Acc || m.X == machine.B && m.Y == machine.A
		switch {
		case m == onAccumulator[0]:
			return false
		case m.Finishes && m.X == machine.A && op == machine.BitSelect: // it follows a comparison
			return false
		case mirror && op.Commutes():
			return false
		case m.Finishes && m.X == machine.Acc:
			return endsPrograms(op)
		case m.Y == machine.Acc && (m.X == machine.C || m.X == machine.Constant):
			return endsPrograms(op)
		}
		return true
	})
}

// endsPrograms reports whether an operation is often the last, as those on whole
// words are that merge into the third operand, accumulate, or do the second operation.
func endsPrograms(op machine.Op) bool {
	packed := op >= machine.Add8 && op <= machine.CmpGtS16
	compares := op == machine.CmpEq || op == machine.CmpLtU || op == machine.CmpLtS
	return !packed && !compares && op < machine.Load
}

// of returns a step for an operation on two words.
func of(op machine.Op, emit emitter) step {
	return step{modes: modesOf(op), emit: emit}
}

// instruction is an emit function that is one instruction. avo's functions
// list their operands as Go's assembler does: y, x, to.
func instruction(f func(...operand.Op)) emitter {
	return func(_ *handler, _ int, y operand.Op, x, to reg.VecPhysical) { f(y, x, to) }
}

// direct lists the operations that are one instruction, of the same name, on
// AVX2 and AVX-512.
var direct = map[machine.Op]func(...operand.Op){
	machine.Add:  build.VPADDD,
	machine.Sub:  build.VPSUBD,
	machine.Mul:  build.VPMULLD,
	machine.Shl:  build.VPSLLVD,
	machine.ShrU: build.VPSRLVD,
	machine.ShrS: build.VPSRAVD,
	machine.MinU: build.VPMINUD,
	machine.MaxU: build.VPMAXUD,
	machine.MinS: build.VPMINSD,
	machine.MaxS: build.VPMAXSD,

	machine.Add8:      build.VPADDB,
	machine.Add16:     build.VPADDW,
	machine.Sub8:      build.VPSUBB,
	machine.Sub16:     build.VPSUBW,
	machine.AddSatU8:  build.VPADDUSB,
	machine.AddSatU16: build.VPADDUSW,
	machine.AddSatS8:  build.VPADDSB,
	machine.AddSatS16: build.VPADDSW,
	machine.SubSatU8:  build.VPSUBUSB,
	machine.SubSatU16: build.VPSUBUSW,
	machine.SubSatS8:  build.VPSUBSB,
	machine.SubSatS16: build.VPSUBSW,
	machine.MinU8:     build.VPMINUB,
	machine.MinU16:    build.VPMINUW,
	machine.MaxU8:     build.VPMAXUB,
	machine.MaxU16:    build.VPMAXUW,
	machine.MinS8:     build.VPMINSB,
	machine.MinS16:    build.VPMINSW,
	machine.MaxS8:     build.VPMAXSB,
	machine.MaxS16:    build.VPMAXSW,
	machine.AvgU8:     build.VPAVGB,
	machine.AvgU16:    build.VPAVGW,
}

// differences lists the operations that are a maximum, a minimum and a
// subtraction.
var differences = map[machine.Op]struct{ greater, less, sub func(...operand.Op) }{
	machine.AbsDiffU:   {build.VPMAXUD, build.VPMINUD, build.VPSUBD},
	machine.AbsDiffS:   {build.VPMAXSD, build.VPMINSD, build.VPSUBD},
	machine.AbsDiffU8:  {build.VPMAXUB, build.VPMINUB, build.VPSUBB},
	machine.AbsDiffS8:  {build.VPMAXSB, build.VPMINSB, build.VPSUBB},
	machine.AbsDiffU16: {build.VPMAXUW, build.VPMINUW, build.VPSUBW},
	machine.AbsDiffS16: {build.VPMAXSW, build.VPMINSW, build.VPSUBW},
}

// common returns the steps that are alike on AVX2 and AVX-512.
func common() map[machine.Op]step {
	steps := map[machine.Op]step{
		machine.Load: {
			modes: where(func(m machine.Mode) bool { return m.X == machine.Acc && m.Y != machine.Acc && !m.Finishes }),
			emit:  func(h *handler, _ int, y operand.Op, _, to reg.VecPhysical) { h.copy(y, to) },
		},
		machine.Save: {
			modes: where(func(m machine.Mode) bool {
				return m.X == machine.Acc && !m.Finishes &&
					(m.Y == machine.Slot || m.Y == machine.Second || m.Y == machine.Third)
			}),
			emit: func(h *handler, _ int, y operand.Op, x, _ reg.VecPhysical) { h.copy(x, y) },
		},
		machine.LoadWide: {
			modes: slices.Concat(onSlot, byConstant),
			emit: func(h *handler, i int, y operand.Op, _, to reg.VecPhysical) {
				h.copy(y, to)
				odd := h.odd.room(h, i)
				if h.mode.Y == machine.Slot {
					y = h.slot(operandAt, machine.Registers+i)
				}
				h.copy(y, odd)
				h.odd.put(h, i, odd)
			},
		},
		machine.SaveWide: {
			modes: onSlot,
			emit: func(h *handler, i int, y operand.Op, x, _ reg.VecPhysical) {
				h.copy(x, y)
				h.copy(h.odd.get(h, i), h.slot(operandAt, machine.Registers+i))
			},
		},
		machine.Shuffle: {
			modes: where(func(m machine.Mode) bool { return m.Y == machine.Constant }),
			emit:  instruction(build.VPSHUFB),
		},
	}
	for op, f := range direct {
		steps[op] = of(op, instruction(f))
	}
	for op, d := range differences {
		steps[op] = step{
			modes: modesOf(op),
			emit: func(h *handler, _ int, y operand.Op, x, to reg.VecPhysical) {
				y = h.inRegister(y)
				greater, less := h.newTemporary(), h.newTemporary()
				d.greater(y, x, greater)
				d.less(y, x, less)
				d.sub(less, greater, to)
			},
		}
	}
	maps.Copy(steps, wideSteps())
	return steps
}
