package emit

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// The instructions under a mask of elements of a size.
var (
	MaskedMoves = [5]encode.Op{1: encode.VMOVDQU8, 2: encode.VMOVDQU16, 4: encode.VMOVDQA32}
	blends      = [5]encode.Op{1: encode.VPBLENDMB, 2: encode.VPBLENDMW, 4: encode.VPBLENDMD}
	MasksToBits = [5]encode.Op{1: encode.VPMOVM2B, 2: encode.VPMOVM2W, 4: encode.VPMOVM2D}
)

// BlendUnder takes x where the mask is set and y elsewhere.
func (e *Emitter) BlendUnder(size uint8, k, x, y machine.Operand) machine.Operand {
	switch {
	case e.IsZero(y):
		return e.Zeroed(MaskedMoves[size], k, x)
	case !e.machine.IsKnown(y) && e.Dies(y):
		return e.Merged(MaskedMoves[size], k, y, x)
	}
	return e.Put(machine.Vector, machine.Instr{Op: blends[size], Mask: k}, []machine.Operand{y, x})
}

// Blend64 takes x where the mask is set and y elsewhere, of elements of 64 bits.
func (e *Emitter) Blend64(k, x, y machine.Operand) machine.Operand {
	if !e.machine.IsKnown(y) && e.Dies(y) {
		return e.Merged(encode.VMOVDQA64, k, y, x)
	}
	return e.Put(machine.Vector, machine.Instr{Op: encode.VPBLENDMQ, Mask: k}, []machine.Operand{y, x})
}

// GreaterUnsigned compares unsigned elements of a size where there are only signed comparisons:
// with the top bits flipped, the order is the same.
func (e *Emitter) GreaterUnsigned(size int, x, y machine.Operand) machine.Operand {
	o := [9]encode.Op{1: encode.VPCMPGTB, 2: encode.VPCMPGTW, 4: encode.VPCMPGTD, 8: encode.VPCMPGTQ}[size]
	top := [9]uint64{1: 0x8080808080808080, 2: 0x8000800080008000, 4: 0x8000000080000000, 8: 1 << 63}[size]
	flip := func(x machine.Operand) machine.Operand {
		if bits, ok := e.machine.Const64Of(x); ok {
			return e.machine.Const64(bits ^ top)
		}
		return e.Xor(x, e.machine.Const64(top))
	}
	return e.New(o, flip(x), flip(y))
}
