package warp

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/frame"
)

// Registers are machine registers that values are in, as sets. They have places of their own in the frame.
type Registers struct{ vectors, masks, generals uint32 }

// Used returns the registers that any value is in.
func (k *Compiler) Used() Registers {
	return k.registersOf(func(start, end int32) bool { return true })
}

// UsedAt returns the registers of the values that are there when the code leaves or goes on at an instruction, as
// [frame.Part.Covers] has it.
func (k *Compiler) UsedAt(at int32) Registers {
	return k.registersOf(func(start, end int32) bool { return start < at && at <= end })
}

func (k *Compiler) registersOf(counts func(start, end int32) bool) (set Registers) {
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

// Load writes the loads of the registers from the frame.
func (set Registers) Load(k *Compiler) {
	set.each(k, func(op encode.Op, register, inFrame encode.Operand) { k.Emit(op, register, inFrame) })
}

// Store writes the stores of the registers to the frame.
func (set Registers) Store(k *Compiler) {
	set.each(k, func(op encode.Op, register, inFrame encode.Operand) { k.Emit(op, inFrame, register) })
}

func (set Registers) each(k *Compiler, f func(op encode.Op, register, inFrame encode.Operand)) {
	for r := range k.Target.Vectors {
		if set.vectors>>r&1 != 0 {
			f(k.Target.Move, encode.V(r), encode.At(FrameReg, int32(frameVectors+64*r)))
		}
		if set.masks>>r&1 != 0 {
			f(encode.KMOVQ, encode.K(r), encode.At(FrameReg, int32(frameMasks+8*r)))
		}
		if set.generals>>r&1 != 0 {
			f(encode.MOV|encode.S64, encode.R(r), encode.At(FrameReg, int32(frameGenerals+8*r)))
		}
	}
}

// PartOf says where a register is when the code has left.
func (k *Compiler) PartOf(v machine.VReg) frame.Part {
	r := &k.Registers[v]
	switch {
	case r.Slot < 0:
		return frame.Part{Offset: -r.Slot, Everywhere: true}
	case r.Slot > 0:
		return frame.Part{Offset: k.FrameStart + r.Slot - int32(k.Target.Bytes), Everywhere: true}
	}
	p := frame.Part{From: r.Start, To: r.End}
	switch r.Class {
	case machine.Mask:
		p.Offset = frameMasks + 8*int32(r.Machine)
	case machine.General:
		p.Offset = frameGenerals + 8*int32(r.Machine)
	default:
		p.Offset = frameVectors + 64*int32(r.Machine)
	}
	return p
}
