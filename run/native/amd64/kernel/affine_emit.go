package kernel

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// scalarEmitter computes scalars in general registers, for an instruction.
type scalarEmitter struct {
	*compiler
	block simt.BlockID
	inst  int
}

func size(wide bool) encode.Op {
	if wide {
		return encode.S64
	}
	return encode.S32
}

func (e *scalarEmitter) Number(bits uint64) machine.Operand { return e.loadImmediate(bits) }

func (e *scalarEmitter) AddNumber(x machine.Operand, n int64, wide bool) machine.Operand {
	if n == int64(int32(n)) {
		return e.compute(encode.LEA|size(wide), machine.MemoryAt(x, int32(n)))
	}
	return e.Add(x, e.loadImmediate(uint64(n)), wide)
}

func (e *scalarEmitter) Add(x, y machine.Operand, wide bool) machine.Operand {
	return e.compute(encode.LEA|size(wide), machine.Indexed(x, y, 1, 0))
}

func (e *scalarEmitter) TimesNumber(x machine.Operand, n int64, wide bool) machine.Operand {
	switch {
	case n > 0 && n&(n-1) == 0:
		return e.change(encode.SHL|size(wide), x, machine.Immediate(bits.TrailingZeros64(uint64(n))))
	case n == int64(int32(n)):
		return e.compute(encode.IMUL3|size(wide), x, machine.Fixed(encode.Imm(n)))
	case !wide:
		n = int64(uint32(n))
	}
	return e.Multiply(x, e.loadImmediate(uint64(n)), wide)
}

func (e *scalarEmitter) Multiply(x, y machine.Operand, wide bool) machine.Operand {
	return e.change(encode.IMUL2|size(wide), x, y)
}

func (e *scalarEmitter) Bitwise(o affine.Bitwise, x machine.Operand, n uint32) machine.Operand {
	op := [...]encode.Op{affine.And: encode.AND, affine.Or: encode.OR, affine.Xor: encode.XOR}[o]
	return e.change(op|encode.S32, x, machine.Fixed(encode.Imm(int64(int32(n)))))
}

func (e *scalarEmitter) ShiftRight(x machine.Operand, n int) machine.Operand {
	return e.change(encode.SHR|encode.S32, x, machine.Immediate(n))
}

func (e *scalarEmitter) ZeroExtend(x machine.Operand) machine.Operand { return x }

func (e *scalarEmitter) SignExtend(x machine.Operand) machine.Operand {
	return e.compute(encode.MOVSXD|encode.S64, x)
}

func (e *scalarEmitter) Low(x machine.Operand) machine.Operand {
	return e.compute(encode.MOV|encode.S32, x)
}

// CheckWrap leaves for steps, which execute the rest of the block.
func (e *scalarEmitter) CheckWrap(x machine.Operand, low, high int64, signed bool) {
	site := e.site(Site{Kind: WrapSite, Block: e.block, Inst: int32(e.inst)})
	uses := e.roots(e.Blocks[e.block].Insts[e.inst].Args)
	e.ifWraps(x, low, high, signed, func(c encode.Cond) { e.leaveIf(c, site, uses) })
}
