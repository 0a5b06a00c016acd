package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Comparisons of integers to predicates, selections, and logic on predicates.

// integerComparisons are the comparisons to predicates.
var integerComparisons = func() map[string]comparison {
	all := map[string]comparison{}
	for name, predicate := range map[string]uint8{"eq": CompareEqual, "ne": compareUnequal, "lt": CompareLess, "le": compareLessOrEqual,
		"gt": CompareGreater, "ge": CompareNotLess} {
		for t, c := range map[string]comparison{"u16": {encode.VPCMPUD, 0, 2}, "s16": {encode.VPCMPD, 0, 2}, "u32": {encode.VPCMPUD, 0, 4},
			"s32": {encode.VPCMPD, 0, 4}, "u64": {encode.VPCMPUQ, 0, 8}, "s64": {encode.VPCMPQ, 0, 8}} {
			c.predicate = predicate
			all["setp."+name+"."+t] = c
		}
	}
	return all
}()

func defineCompare() {
	for name, c := range integerComparisons {
		signed := name[len(name)-3] == 's'
		extend := func(s *Selection, x machine.Operand) machine.Operand {
			switch {
			case c.size != 2:
				return x
			case signed:
				return s.signed16(x)
			}
			return s.low16(x)
		}
		with512(name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.compare(c, extend(s, a[0]), extend(s, a[1]))
		})
		with2(name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.compareVectors(c.predicate, int(max(c.size, 4)), signed, extend(s, a[0]), extend(s, a[1]))
		})
	}
	with512("selp.32", func(s *Selection, a []machine.Operand) machine.Operand { return s.BlendUnder(4, a[2], a[0], a[1]) })
	with512("selp.64", func(s *Selection, a []machine.Operand) machine.Operand { return s.Blend64(a[2], a[0], a[1]) })
	with512("slct.32.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.BlendUnder(4, s.Test(encode.VPMOVD2M, a[2]), a[1], a[0])
	})
	with512("slct.64.s32", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Blend64(s.Test(encode.VPTESTMQ, a[2], s.Const64(1<<31)), a[1], a[0])
	})
	for _, name := range []string{"selp.32", "selp.64"} {
		with2(name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(encode.VPBLENDVB, a[1], a[0], a[2])
		})
	}

	for name, o := range map[string]struct{ masks, vectors encode.Op }{
		"and.pred": {encode.KANDW, encode.VPAND}, "or.pred": {encode.KORW, encode.VPOR}, "xor.pred": {encode.KXORW, encode.VPXOR},
	} {
		with512(name, func(s *Selection, a []machine.Operand) machine.Operand { return s.Test(o.masks, a[0], a[1]) })
		with2(name, commutative(o.vectors))
	}
	both("mov.pred", identity)
	both("mov.32", identity)
	both("mov.64", identity)
	with512("not.pred", func(s *Selection, a []machine.Operand) machine.Operand { return s.Test(encode.KNOTW, a[0]) })
	with2("not.pred", func(s *Selection, a []machine.Operand) machine.Operand { return s.Not(a[0]) })
	with512("selp.pred", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.Test(encode.KORW, s.Test(encode.KANDW, a[0], a[2]), s.Test(encode.KANDNW, a[2], a[1]))
	})
	with2("selp.pred", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.New(encode.VPBLENDVB, a[1], a[0], a[2])
	})
}

// compareVectors compares where comparisons give vectors: equal and greater are there, the others
// are made of them.
func (s *Selection) compareVectors(predicate uint8, size int, signed bool, x, y machine.Operand) machine.Operand {
	equal := [9]encode.Op{4: encode.VPCMPEQD, 8: encode.VPCMPEQQ}[size]
	greater := func(x, y machine.Operand) machine.Operand {
		if signed {
			return s.New([9]encode.Op{4: encode.VPCMPGTD, 8: encode.VPCMPGTQ}[size], x, y)
		}
		return s.GreaterUnsigned(size, x, y)
	}
	switch predicate {
	case CompareEqual:
		return s.Commuted(equal, x, y)
	case compareUnequal:
		return s.Not(s.Commuted(equal, x, y))
	case CompareLess:
		return greater(y, x)
	case CompareGreater:
		return greater(x, y)
	case compareLessOrEqual:
		return s.Not(greater(x, y))
	}
	return s.Not(greater(y, x))
}
