package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Shifts. The processor's shifts by vectors clamp as PTX's do: an amount that is too large gives
// zeros, or copies of the sign.

// shift is a kind of shift of elements of a size.
type shift struct {
	byVector, byImmediate encode.Op
	bits                  uint32
	sign                  bool
}

var (
	shiftLeft32        = shift{encode.VPSLLVD, encode.VPSLLDI, 32, false}
	shiftRight32       = shift{encode.VPSRLVD, encode.VPSRLDI, 32, false}
	shiftRightSigned32 = shift{encode.VPSRAVD, encode.VPSRADI, 32, true}
	shiftLeft64        = shift{encode.VPSLLVQ, encode.VPSLLQI, 64, false}
	shiftRight64       = shift{encode.VPSRLVQ, encode.VPSRLQI, 64, false}
	shiftRightSigned64 = shift{encode.VPSRAVQ, encode.VPSRAQI, 64, true}
)

func defineShift() {
	both("shl.b32", shiftLeft32.part)
	both("shr.u32", shiftRight32.part)
	both("shr.s32", shiftRightSigned32.part)
	both("shl.b16", shiftLeft32.part)
	both("shr.u16", func(s *Selection, a []machine.Operand) machine.Operand {
		return shiftRight32.by(s, s.low16(a[0]), a[1])
	})
	both("shr.s16", func(s *Selection, a []machine.Operand) machine.Operand {
		return shiftRightSigned32.by(s, s.signed16(a[0]), a[1])
	})
	both("shl.b64", shiftLeft64.part)
	both("word.shl.wide", shiftLeft64.part)
	both("shr.u64", shiftRight64.part)
	both("shr.s64", shiftRightSigned64.part)

	with512("shf.l.wrap.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		if k, ok := s.Const32Of(a[2]); ok {
			if k &= 31; k == 0 {
				return a[1]
			}
			return s.funnel(a[1], a[0], int(k&31))
		}
		return s.Change(encode.VPSHLDVD, a[1], a[0], a[2])
	})
	with512("shf.r.wrap.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		if k, ok := s.Const32Of(a[2]); ok {
			if k &= 31; k == 0 {
				return a[0]
			}
			return s.funnel(a[1], a[0], int(32-k&31))
		}
		return s.Change(encode.VPSHRDVD, a[0], a[1], a[2])
	})
	with512("shf.l.clamp.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		far := s.compare(comparison{encode.VPCMPUD, CompareNotLess, 4}, a[2], s.Const32(32))
		return s.Merged(encode.VMOVDQA32, far, s.Change(encode.VPSHLDVD, a[1], a[0], a[2]), a[0])
	})
	with512("shf.r.clamp.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		far := s.compare(comparison{encode.VPCMPUD, CompareNotLess, 4}, a[2], s.Const32(32))
		return s.Merged(encode.VMOVDQA32, far, s.Change(encode.VPSHRDVD, a[0], a[1], a[2]), a[1])
	})
	both("high.16", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VPSRLDI, a[0], machine.Immediate(16))
	})
	both("high.8", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VPSRLDI, a[0], machine.Immediate(8))
	})
	both("pack.32", packed(16))
	both("pack.16", packed(8))
}

func (k shift) part(s *Selection, a []machine.Operand) machine.Operand { return k.by(s, a[0], a[1]) }

// by shifts by an amount that may be a constant.
func (k shift) by(s *Selection, x, amount machine.Operand) machine.Operand {
	if s.Target.Level == amd64.AVX2 && k.sign && k.bits == 64 {
		// Negative numbers are complemented, shifted, and complemented again.
		sign := s.New(encode.VPCMPGTQ, s.Zero(), x)
		return s.Xor(shiftRight64.by(s, s.Xor(x, sign), amount), sign)
	}
	n, ok := s.Const64Of(amount)
	if ok && k.bits == 32 {
		n = uint64(uint32(n))
	}
	switch {
	case !ok:
		return s.New(k.byVector, x, amount)
	case n == 0:
		return x
	case n >= uint64(k.bits) && !k.sign:
		return s.Zero()
	}
	return s.New(k.byImmediate, x, machine.Immediate(int(min(n, uint64(k.bits-1)))))
}

// low16 clears the upper halves of words.
func (s *Selection) low16(x machine.Operand) machine.Operand { return s.And(x, s.Const32(0xffff)) }

// signed16 extends the lower halves of words by their signs.
func (s *Selection) signed16(x machine.Operand) machine.Operand { return s.signed(x, 16) }

// signed extends the low bits of words by their sign.
func (s *Selection) signed(x machine.Operand, bits int) machine.Operand {
	return s.New(encode.VPSRADI, s.New(encode.VPSLLDI, x, machine.Immediate(32-bits)), machine.Immediate(32-bits))
}

// packed makes a selector that puts two values of a width side by side.
func packed(width int) partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		high := s.New(encode.VPSLLDI, a[1], machine.Immediate(width))
		return s.Or(high, s.And(a[0], s.Const32(1<<width-1)))
	}
}
