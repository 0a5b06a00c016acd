package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// registers are machine registers that values are in, as sets. They have places of their own in the frame.
type registers struct{ vectors, masks, generals uint32 }

// used returns the registers that any value is in.
func (k *compiler) used() registers {
	return k.registersOf(func(start, end int32) bool { return true })
}

// usedAt returns the registers of the values that are there when the code leaves or goes on at an instruction, as
// [Part.Covers] has it.
func (k *compiler) usedAt(at int32) registers {
	return k.registersOf(func(start, end int32) bool { return start < at && at <= end })
}

func (k *compiler) registersOf(counts func(start, end int32) bool) (set registers) {
	for v := range k.Registers {
		r := &k.Registers[v]
		if r.Machine < 0 || r.IsConstant() || !counts(r.Start, r.End) {
			continue
		}
		switch r.Class {
		case machine.Vector:
			set.vectors |= 1 << r.Machine
		case machine.Mask:
			set.masks |= 1 << r.Machine
		case machine.General:
			set.generals |= 1 << r.Machine
		}
	}
	return set
}

// load and store write the loads of the registers from the frame, and the stores.
func (set registers) load(k *compiler) {
	set.each(k, func(op encode.Op, register, inFrame encode.Operand) { k.Emit(op, register, inFrame) })
}

func (set registers) store(k *compiler) {
	set.each(k, func(op encode.Op, register, inFrame encode.Operand) { k.Emit(op, inFrame, register) })
}

func (set registers) each(k *compiler, f func(op encode.Op, register, inFrame encode.Operand)) {
	for r := range k.Target.Vectors {
		if set.vectors>>r&1 != 0 {
			f(k.Target.Move, encode.V(r), encode.At(frameReg, int32(frameVectors+64*r)))
		}
		if set.masks>>r&1 != 0 {
			f(encode.KMOVW, encode.K(r), encode.At(frameReg, int32(frameMasks+8*r)))
		}
		if set.generals>>r&1 != 0 {
			f(encode.MOV|encode.S64, encode.R(r), encode.At(frameReg, int32(frameGenerals+8*r)))
		}
	}
}
