package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// integers are operations on words.
var integers = map[string]selector{
	"add.u32": plain(encode.ADD | encode.S4), "sub.u32": subtract, "mul.lo.u32": plain(encode.MUL | encode.S4),
	"min.u32": plain(encode.UMIN | encode.S4), "max.u32": plain(encode.UMAX | encode.S4),
	"min.s32": plain(encode.SMIN | encode.S4), "max.s32": plain(encode.SMAX | encode.S4),
	"sad.u32": distance(encode.UABD, encode.UABA), "sad.s32": distance(encode.SABD, encode.SABA),
}

// packed are operations on bytes and halves, each by itself.
var packed = map[string]selector{
	"word.add.8": plain(encode.ADD | encode.B16), "add.u16x2": plain(encode.ADD | encode.H8),
	"word.sub.8": plain(encode.SUB | encode.B16), "word.sub.16": plain(encode.SUB | encode.H8),
	"word.add.sat.u8": plain(encode.UQADD | encode.B16), "word.add.sat.u16": plain(encode.UQADD | encode.H8),
	"word.add.sat.s8": plain(encode.SQADD | encode.B16), "word.add.sat.s16": plain(encode.SQADD | encode.H8),
	"word.sub.sat.u8": plain(encode.UQSUB | encode.B16), "word.sub.sat.u16": plain(encode.UQSUB | encode.H8),
	"word.sub.sat.s8": plain(encode.SQSUB | encode.B16), "word.sub.sat.s16": plain(encode.SQSUB | encode.H8),
	"word.min.u8": plain(encode.UMIN | encode.B16), "min.u16x2": plain(encode.UMIN | encode.H8),
	"word.max.u8": plain(encode.UMAX | encode.B16), "max.u16x2": plain(encode.UMAX | encode.H8),
	"word.min.s8": plain(encode.SMIN | encode.B16), "min.s16x2": plain(encode.SMIN | encode.H8),
	"word.max.s8": plain(encode.SMAX | encode.B16), "max.s16x2": plain(encode.SMAX | encode.H8),
	"word.avg.u8": plain(encode.URHADD | encode.B16), "word.avg.u16": plain(encode.URHADD | encode.H8),
	"word.absdiff.u8": plain(encode.UABD | encode.B16), "word.absdiff.s8": plain(encode.SABD | encode.B16),
}

// subtract is a negation where the first operand is 0.
func subtract(s *Selection, a []simt.ID) Value {
	if k, ok := s.ConstOf(a[0]); ok && k == 0 {
		return one(s.New(encode.NEG|encode.S4, s.V(a[1])))
	}
	return one(s.New(encode.SUB|encode.S4, s.V(a[0]), s.V(a[1])))
}

// distance is |x - y| + z.
func distance(alone, added encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y := s.V(a[0]), s.V(a[1])
		if k, ok := s.ConstOf(a[2]); ok && k == 0 {
			return one(s.New(alone|encode.S4, x, y))
		}
		return one(s.Change(added|encode.S4, s.V(a[2]), x, y))
	}
}

// comparisons give words that are all ones or zero. Of the predicates that they can be too, selections make a choice.
var comparisons = map[string]selector{
	"word.eq": plain(encode.CMEQ | encode.S4), "word.lt.u": less(encode.CMHI), "word.lt.s": less(encode.CMGT),
	"setp.eq.u32": plain(encode.CMEQ | encode.S4), "setp.lt.u32": less(encode.CMHI), "setp.lt.s32": less(encode.CMGT),
	"word.eq.8": plain(encode.CMEQ | encode.B16), "word.eq.16": plain(encode.CMEQ | encode.H8),
	"word.gt.u8": plain(encode.CMHI | encode.B16), "word.gt.u16": plain(encode.CMHI | encode.H8),
	"word.gt.s8": plain(encode.CMGT | encode.B16), "word.gt.s16": plain(encode.CMGT | encode.H8),
	"selp.32": func(s *Selection, a []simt.ID) Value { return one(s.choose(s.V(a[2]), s.V(a[0]), s.V(a[1]))) },
}

// less compares with the operands in the other order: there are only greater and the like.
func less(greater encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		return one(s.New(greater|encode.S4, s.V(a[1]), s.V(a[0])))
	}
}

// choose returns the bits of x where a mask has ones, and those of y where it has zeros. The mask is what the instruction
// overwrites.
func (s *Selection) choose(mask, x, y machine.Register) machine.Register {
	return s.Change(encode.BSL, mask, x, y)
}
