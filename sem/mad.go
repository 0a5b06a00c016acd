package sem

import "github.com/vop-ptx/vop/isa"

// madStages holds the values of one vmad, as the manual names them.
type madStages struct {
	ta, tb      int64 // the extracted and extended operands
	signedFinal bool
	product     Int128 // ta * tb
	tmp         Int128 // product, or ~product if (a*b) is negated
	c           uint32 // c, or ~c if c is negated
	c128        Int128
	lsb         int64
	sum         Int128 // tmp + c128 + lsb
	scaled      Int128 // sum after .shr7 or .shr15
	result      Int128 // scaled after .sat
	d           uint32
}

// mad is 9.7.18.1.3: vmad.
func mad(q ruleSet, f isa.Form, a, b, c uint32) (s madStages) {
	s.ta = partSelectSignExtend(a, wordType(q, f.AType, f.ASel), f.ASel)
	s.tb = partSelectSignExtend(b, wordType(q, f.BType, f.BSel), f.BSel)
	// -a and -b together cancel (ruling R7).
	negateProduct := f.NegA != f.NegB
	s.signedFinal = f.AType.Signed() || f.BType.Signed() || negateProduct || f.NegC
	s.product = multiply(s.ta, s.tb)

	s.tmp, s.c, s.lsb = s.product, c, 0
	if f.PlusOne {
		s.lsb = 1
	} else if negateProduct {
		s.tmp, s.lsb = s.product.not(), 1
	} else if f.NegC {
		s.c, s.lsb = ^c, 1 // on 32 bits, before the extension (ruling R5)
	}

	if s.signedFinal || q.has(signedC) {
		s.c128 = extend128(partSelectSignExtend(s.c, isa.S32, isa.Word))
	} else {
		s.c128 = extend128(partSelectSignExtend(s.c, isa.U32, isa.Word))
	}
	s.sum = s.tmp.add(s.c128).add(extend128(s.lsb))

	// Without .shr7 or .shr15 nothing is shifted (ruling R3). The kind of shift
	// goes by the final result, not by dtype (ruling R4), and the manual's
	// & 0xffffffffffffffff takes no sign away before .sat (ruling R6).
	if s.signedFinal {
		s.scaled = s.sum.shiftRight(f.Scale.Shift())
	} else {
		s.scaled = s.sum.shiftRightLogical(f.Scale.Shift())
	}

	s.result = s.scaled
	if f.Sat {
		s.result = s.scaled.clamp(saturationRange(s.signedFinal, 32)) // ruling R4
	}
	s.d = uint32(s.result.Lo)
	return s
}
