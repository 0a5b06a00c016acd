package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// Bytes and halves of words.

func definePacked() {
	for name, o := range map[string]encode.Op{
		"word.add.8": encode.VPADDB, "add.u16x2": encode.VPADDW, "add.s16x2": encode.VPADDW,
		"word.add.sat.u8": encode.VPADDUSB, "word.add.sat.u16": encode.VPADDUSW,
		"word.add.sat.s8": encode.VPADDSB, "word.add.sat.s16": encode.VPADDSW,
		"word.min.u8": encode.VPMINUB, "min.u16x2": encode.VPMINUW, "word.max.u8": encode.VPMAXUB, "max.u16x2": encode.VPMAXUW,
		"word.min.s8": encode.VPMINSB, "min.s16x2": encode.VPMINSW, "word.max.s8": encode.VPMAXSB, "max.s16x2": encode.VPMAXSW,
		"word.avg.u8": encode.VPAVGB, "word.avg.u16": encode.VPAVGW,
	} {
		both(name, commutative(o))
	}
	for name, o := range map[string]encode.Op{
		"word.sub.8": encode.VPSUBB, "word.sub.16": encode.VPSUBW,
		"word.sub.sat.u8": encode.VPSUBUSB, "word.sub.sat.u16": encode.VPSUBUSW,
		"word.sub.sat.s8": encode.VPSUBSB, "word.sub.sat.s16": encode.VPSUBSW,
	} {
		both(name, ordered(o))
	}
	for name, o := range map[string]struct{ min, max encode.Op }{
		"8": {encode.VPMINUB, encode.VPMAXUB}, "s8": {encode.VPMINSB, encode.VPMAXSB},
	} {
		difference := func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(encode.VPSUBB, s.Commuted(o.max, a[0], a[1]), s.Commuted(o.min, a[0], a[1]))
		}
		if name == "8" {
			name = "u8"
		}
		both("word.absdiff."+name, difference)
		both("word.sad."+name, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.dotUnsigned(difference(s, a[:2]), 0x01010101, a[2])
		})
	}
	for o, c := range vectorComparisonNames {
		with512(o, func(s *Selection, a []machine.Operand) machine.Operand {
			return s.New(emit.MasksToBits[c.size], s.compare(c, a[0], a[1]))
		})
	}
	for name, o := range map[string]encode.Op{"word.eq.8": encode.VPCMPEQB, "word.eq.16": encode.VPCMPEQW, "word.eq": encode.VPCMPEQD} {
		with2(name, commutative(o))
	}
	for name, o := range map[string]encode.Op{"word.gt.s8": encode.VPCMPGTB, "word.gt.s16": encode.VPCMPGTW} {
		with2(name, ordered(o))
	}
	with2("word.lt.s", func(s *Selection, a []machine.Operand) machine.Operand { return s.New(encode.VPCMPGTD, a[1], a[0]) })
	with2("word.lt.u", func(s *Selection, a []machine.Operand) machine.Operand { return s.GreaterUnsigned(4, a[1], a[0]) })
	with2("word.gt.u8", func(s *Selection, a []machine.Operand) machine.Operand { return s.GreaterUnsigned(1, a[0], a[1]) })
	with2("word.gt.u16", func(s *Selection, a []machine.Operand) machine.Operand { return s.GreaterUnsigned(2, a[0], a[1]) })

	for name, o := range map[string]struct {
		least, most uint32
		half        bool
	}{
		"u8": {0, 0xff, false}, "s8": {0xffffff80, 0x7f, false}, "u16": {0, 0xffff, true}, "s16": {0xffff8000, 0x7fff, true},
		"u4": {0, 15, false}, "s4": {0xfffffff8, 7, false}, "u2": {0, 3, false}, "s2": {0xfffffffe, 1, false},
	} {
		size := map[byte]int{'8': 8, '6': 16, '4': 4, '2': 2}[name[len(name)-1]]
		both("cvt.pack.sat."+name, func(s *Selection, a []machine.Operand) machine.Operand {
			part := func(x machine.Operand) machine.Operand {
				x = s.Commuted(encode.VPMINSD, s.Commuted(encode.VPMAXSD, x, s.Const32(o.least)), s.Const32(o.most))
				return x
			}
			low := s.And(part(a[1]), s.Const32(1<<size-1))
			high := part(a[0])
			if size == 16 {
				return s.Or(s.New(encode.VPSLLDI, high, machine.Immediate(16)), low)
			}
			high = s.New(encode.VPSLLDI, s.And(high, s.Const32(1<<size-1)), machine.Immediate(size))
			return s.Or(s.Or(high, low), s.New(encode.VPSLLDI, a[2], machine.Immediate(2*size)))
		})
	}
}
