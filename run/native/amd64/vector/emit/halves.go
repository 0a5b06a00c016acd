package emit

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Upper returns the upper half of a vector.
func (e *Emitter) Upper(x machine.Operand) machine.Operand {
	if e.machine.Target.Level == amd64.AVX512 {
		return e.New(encode.VEXTRACTI64X4, x, machine.Immediate(1))
	}
	return e.New(encode.VEXTRACTI128, x, machine.Immediate(1))
}

// Extend widens both halves of a vector by an instruction.
func (e *Emitter) Extend(o encode.Op, x machine.Operand) [2]machine.Operand {
	return [2]machine.Operand{e.New(o, x), e.New(o, e.Upper(x))}
}

// JoinHalves puts two half vectors side by side.
func (e *Emitter) JoinHalves(x [2]machine.Operand) machine.Operand {
	if e.machine.Target.Level == amd64.AVX512 {
		return e.New(encode.VINSERTI64X4, x[0], x[1], machine.Immediate(1))
	}
	return e.New(encode.VINSERTI128, x[0], x[1], machine.Immediate(1))
}

// ConstMask returns a mask that is the same for all lanes.
func (e *Emitter) ConstMask(set bool) machine.Operand {
	if e.machine.Target.Level == amd64.AVX512 {
		if set {
			return e.Put(machine.Mask, machine.Instr{Op: encode.KXNORW}, []machine.Operand{machine.Fixed(encode.K0), machine.Fixed(encode.K0)})
		}
		return e.Put(machine.Mask, machine.Instr{Op: encode.KXORW}, []machine.Operand{machine.Fixed(encode.K0), machine.Fixed(encode.K0)})
	}
	if set {
		return e.Ones()
	}
	return e.Zero()
}
