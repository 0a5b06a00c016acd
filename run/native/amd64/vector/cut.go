package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Formats that are an f32 without its last bits, bf16 and tf32: bits are rounded as integers.

// roundedBits adds to the bits of f32 what lets them be rounded when so many of the last ones are cut off. What is added carries into the
// exponent, and into infinity. NaNs become anything, but for those whose bits are zeros where they are cut off: when they are rounded to
// nearest, they remain.
func (s *Selection) roundedBits(x machine.Operand, mode string, cut int) machine.Operand {
	all := uint32(1)<<cut - 1
	switch {
	case mode == "rz":
		return x
	case mode == "rna": // away from zero
		return s.New(encode.VPADDD, x, s.Const32(all/2+1))
	case s.HasMasks():
		return s.roundedUnderMask(x, mode, all)
	}
	negative := func() machine.Operand { return s.by(encode.VPSRADI, x, 31) }
	switch mode {
	case "rn": // to even
		last := s.And(s.by(encode.VPSRLDI, x, cut), s.Const32(1))
		return s.New(encode.VPADDD, s.New(encode.VPADDD, x, s.Const32(all/2)), last)
	case "rp":
		return s.New(encode.VPADDD, x, s.New(encode.VPANDN, negative(), s.Const32(all)))
	}
	return s.New(encode.VPADDD, x, s.And(negative(), s.Const32(all)))
}

// roundedUnderMask is roundedBits where sums can be masked. All are the bits that are cut off.
func (s *Selection) roundedUnderMask(x machine.Operand, mode string, all uint32) machine.Operand {
	old, k, more := x, machine.Operand{}, all
	switch mode {
	case "rn": // what is odd, by one more
		old, k, more = s.New(encode.VPADDD, x, s.Const32(all/2)), s.Test(encode.VPTESTMD, x, s.Const32(all+1)), all/2+1
	case "rp":
		k = s.Test(encode.VPTESTNMD, x, s.Const32(1<<31))
	default:
		k = s.Test(encode.VPMOVD2M, x)
	}
	return s.Merged(encode.VPADDD, k, old, x, s.Const32(more))
}

// finite makes an infinity the number before it, whose last place is above the bits that are cut off.
func (s *Selection) finite(x machine.Operand, sign, infinity uint32, cut int) machine.Operand {
	magnitude, largest := s.And(x, s.Const32(sign-1)), s.Const32(infinity)
	if s.HasMasks() {
		return s.Merged(encode.VPADDD, s.Test(encode.VPCMPEQDK, magnitude, largest), x, x, s.Const32(^uint32(1<<cut-1)))
	}
	infinite := s.New(encode.VPCMPEQD, magnitude, largest)
	if cut > 0 {
		infinite = s.by(encode.VPSLLDI, infinite, cut)
	}
	return s.New(encode.VPADDD, x, infinite)
}

// defineTF32 enters what there is of tf32, which has no arithmetic: conversions from f32, and what .relu and .satfinite make of them.
func defineTF32() {
	const tf32Cut = 13
	for _, mode := range []string{"rn", "rz", "rna"} {
		both("cvt."+mode+".tf32.f32", func(s *Selection, a []machine.Operand) machine.Operand {
			r := s.And(s.roundedBits(a[0], mode, tf32Cut), s.Const32(^uint32(1<<tf32Cut-1)))
			return s.singleIf(floatUnordered, a[0], a[0], s.Const32(uint32(singles.nan)), r)
		})
	}
	both("relu.tf32", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Commuted(encode.VPMAXSD, a[0], s.Zero()) // those with a sign are less, as integers
	})
	both("satfinite.tf32", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.finite(a[0], 1<<31, uint32(vexSingles.infinity), tf32Cut)
	})
}
