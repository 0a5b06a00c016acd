package scalar

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// emitter computes scalars in general registers, for an instruction.
type emitter struct {
	k     *Compiler
	block simt.BlockID
	inst  int
}

func size(wide bool) encode.Op {
	if wide {
		return encode.S64
	}
	return encode.S32
}

func (e *emitter) Number(bits uint64) machine.Operand { return e.k.loadImmediate(bits) }

func (e *emitter) AddNumber(x machine.Operand, n int64, wide bool) machine.Operand {
	if n == int64(int32(n)) {
		return e.k.Compute(encode.LEA|size(wide), machine.MemoryAt(x, int32(n)))
	}
	return e.Add(x, e.k.loadImmediate(uint64(n)), wide)
}

func (e *emitter) Add(x, y machine.Operand, wide bool) machine.Operand {
	return e.k.Compute(encode.LEA|size(wide), machine.Indexed(x, y, 1, 0))
}

func (e *emitter) TimesNumber(x machine.Operand, n int64, wide bool) machine.Operand {
	switch {
	case n > 0 && n&(n-1) == 0:
		return e.k.Change(encode.SHL|size(wide), x, machine.Immediate(bits.TrailingZeros64(uint64(n))))
	case n == int64(int32(n)):
		return e.k.Compute(encode.IMUL3|size(wide), x, machine.Fixed(encode.Imm(n)))
	case !wide:
		n = int64(uint32(n))
	}
	return e.Multiply(x, e.k.loadImmediate(uint64(n)), wide)
}

func (e *emitter) Multiply(x, y machine.Operand, wide bool) machine.Operand {
	return e.k.Change(encode.IMUL2|size(wide), x, y)
}

func (e *emitter) Bitwise(o affine.Bitwise, x machine.Operand, n uint32) machine.Operand {
	op := [...]encode.Op{affine.And: encode.AND, affine.Or: encode.OR, affine.Xor: encode.XOR}[o]
	return e.k.Change(op|encode.S32, x, machine.Fixed(encode.Imm(int64(int32(n)))))
}

func (e *emitter) ShiftRight(x machine.Operand, n int) machine.Operand {
	return e.k.Change(encode.SHR|encode.S32, x, machine.Immediate(n))
}

func (e *emitter) ZeroExtend(x machine.Operand) machine.Operand { return x }

func (e *emitter) SignExtend(x machine.Operand) machine.Operand {
	return e.k.Compute(encode.MOVSXD|encode.S64, x)
}

func (e *emitter) Low(x machine.Operand) machine.Operand {
	return e.k.Compute(encode.MOV|encode.S32, x)
}

// CheckWrap leaves where the sum wraps around.
func (e *emitter) CheckWrap(x machine.Operand, low, high int64, signed bool) {
	e.k.IfWraps(x, low, high, signed, e.k.OnWrap(e.block, e.inst))
}
