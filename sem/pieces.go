package sem

import "github.com/vop-ptx/vop/isa"

// 9.7.18.1, Scalar Video Instructions: the functions that all of them share.
//
// The manual's .s33 and .s34 values are held in int64. Only stages that the
// manual limits are limited here.

// partSelectSignExtend extracts the byte, half-word or word sel of x and
// extends it as its type says, "to produce signed 33-bit input values".
func partSelectSignExtend(x uint32, typ isa.Type, sel isa.Part) int64 {
	return signExtend(x>>sel.Shift(), typ, sel.Bits())
}

// signExtend sign- or zero-extends the lowest bits of x: 8, 16 or 32 of them.
func signExtend(x uint32, typ isa.Type, bits int) int64 {
	if typ.Signed() {
		return int64(int32(x<<(32-bits)) >> (32 - bits))
	}
	return int64(x << (32 - bits) >> (32 - bits))
}

// s34 keeps 34 bits of an intermediate result, sign-extended from bit 33: "a
// signed 34-bit result" (ruling R1). Only vshl can exceed them.
func s34(tmp int64) int64 { return tmp << 30 >> 30 }

// optSaturate clamps the intermediate result to the range of the destination.
func optSaturate(tmp int64, sat, sign bool, dsel isa.Part) int64 {
	if !sat {
		return tmp
	}
	low, high := saturationRange(sign, dsel.Bits())
	return clamp(tmp, low, high)
}

// saturationRange returns S8_MIN and S8_MAX, U8_MIN and U8_MAX, or those of 16 or
// 32 bits.
func saturationRange(sign bool, bits int) (low, high int64) {
	if sign {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// clamp is the manual's CLAMP, its bounds in rising order.
func clamp(tmp, low, high int64) int64 { return max(low, min(tmp, high)) }

// optSecOp applies the secondary operation. The sign of c is that of dtype.
func optSecOp(secop isa.Second, tmp, c int64) int64 {
	switch secop {
	case isa.SecondAdd:
		return tmp + c
	case isa.SecondMin:
		return min(tmp, c)
	case isa.SecondMax:
		return max(tmp, c)
	default:
		return tmp
	}
}

// optMerge truncates the intermediate result and puts it into its place in c.
// The manual's d is assigned by optSecOp and then by optMerge; as no instruction
// has both, each may pass on what it does not change (ruling R2).
func optMerge(dsel isa.Part, tmp, c int64) int64 {
	switch dsel {
	case isa.H0:
		return tmp&0xffff | 0xffff0000&c
	case isa.H1:
		return tmp&0xffff<<16 | 0x0000ffff&c
	case isa.B0:
		return tmp&0xff | 0xffffff00&c
	case isa.B1:
		return tmp&0xff<<8 | 0xffff00ff&c
	case isa.B2:
		return tmp&0xff<<16 | 0xff00ffff&c
	case isa.B3:
		return tmp&0xff<<24 | 0x00ffffff&c
	default:
		return tmp
	}
}
