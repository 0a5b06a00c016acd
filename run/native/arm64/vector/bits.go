package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// bitCounts count and turn round bits of words.
var bitCounts = map[string]selector{
	"clz.b32":  plain(encode.CLZ | encode.S4),
	"popc.b32": func(s *Selection, a []simt.ID) Value { return one(s.countOnes(s.V(a[0]))) },
	"fns.b32":  findNthSet,
	"brev.b32": func(s *Selection, a []simt.ID) Value {
		return one(s.New(encode.RBIT|encode.B16, s.New(encode.REV32|encode.B16, s.V(a[0]))))
	},
	"shf.l.wrap.b32": funnel(true), "shf.r.wrap.b32": funnel(false),
}

// funnel shifts the pair b:a, modulo 32: to the left it is the upper word, else the lower one.
func funnel(left bool) selector {
	return func(s *Selection, a []simt.ID) Value {
		k, ok := s.ConstOf(a[2])
		if !ok {
			return one(s.funnel(a, s.New(encode.AND, s.V(a[2]), s.Const32(31)), left))
		}
		by := int64(k & 31)
		if left && by != 0 {
			by = 32 - by // of the pair to the right, which leaves the lower word
		} else if left {
			return one(s.V(a[1]))
		}
		if by == 0 {
			return one(s.V(a[0]))
		}
		return one(s.ChangeImm(encode.SLI|encode.S4, s.NewImm(encode.USHR|encode.S4, by, s.V(a[0])), 32-by, s.V(a[1])))
	}
}

// logicOfThree is lop3: bit 4*a+2*b+c of a table, which must be a constant, decides each bit.
func logicOfThree(s *Selection, a []simt.ID) Value {
	k, ok := s.ConstOf(a[3])
	if !ok {
		return s.fail("lop3 by a varying table")
	}
	x, y, z := s.V(a[0]), s.V(a[1]), s.V(a[2])
	zeros, ones := uint8(k&15), uint8(k>>4&15) // what is left where x is 0, and where it is 1
	if zeros == ones {
		return one(s.logicOfTwo(zeros, y, z))
	}
	return one(s.choose(x, s.logicOfTwo(ones, y, z), s.logicOfTwo(zeros, y, z)))
}

// logicOfTwo is the function of two values with a table of four bits: bit 2*y+z.
func (s *Selection) logicOfTwo(table uint8, y, z machine.Register) machine.Register {
	not := func(x machine.Register) machine.Register { return s.New(encode.NOT|encode.B16, x) }
	switch table {
	case 0b0000:
		return s.Const32(0)
	case 0b1111:
		return s.Const32(1<<32 - 1)
	case 0b1100:
		return y
	case 0b1010:
		return z
	case 0b0011:
		return not(y)
	case 0b0101:
		return not(z)
	case 0b1000:
		return s.New(encode.AND, y, z)
	case 0b1110:
		return s.New(encode.ORR, y, z)
	case 0b0110:
		return s.New(encode.EOR, y, z)
	case 0b0100:
		return s.New(encode.BIC, y, z)
	case 0b0010:
		return s.New(encode.BIC, z, y)
	case 0b1101:
		return s.New(encode.ORN, y, z)
	case 0b1011:
		return s.New(encode.ORN, z, y)
	case 0b0111:
		return not(s.New(encode.AND, y, z))
	case 0b0001:
		return not(s.New(encode.ORR, y, z))
	}
	return not(s.New(encode.EOR, y, z)) // 0b1001
}
