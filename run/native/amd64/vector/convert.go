package vector

import (
	"strconv"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Conversions among integer types. What is narrower than a word is extended by its own sign, of the
// source and of the result.

// integerType is one of the types of cvt.
type integerType struct {
	name   string
	bits   int
	signed bool
}

var integerTypes = func() (all []integerType) {
	for _, bits := range []int{8, 16, 32, 64} {
		all = append(all, integerType{"u" + strconv.Itoa(bits), bits, false}, integerType{"s" + strconv.Itoa(bits), bits, true})
	}
	return all
}()

// least and most are the limits of a type, as 64 bits.
func (t integerType) least() uint64 {
	if t.signed {
		return ^uint64(0) << (t.bits - 1)
	}
	return 0
}

func (t integerType) most() uint64 {
	if t.signed {
		return 1<<(t.bits-1) - 1
	}
	return 1<<t.bits - 1
}

func defineConvert() {
	for _, to := range integerTypes {
		for _, from := range integerTypes {
			if name := "cvt." + to.name + "." + from.name; name != "cvt.s64.s32" {
				define(convertLevels(false, to, from), name, selector{group: func(s *Selection) { convertInteger(s, to, from) }})
			}
			define(convertLevels(true, to, from), "cvt.sat."+to.name+"."+from.name, selector{group: func(s *Selection) { saturateInteger(s, to, from) }})
		}
	}
	for _, t := range []integerType{{"s16", 16, true}, {"u16", 16, false}} {
		both("word.pack.sat."+t.name, func(s *Selection, a []machine.Operand) machine.Operand {
			low := s.low16(s.clampWord(a[0], integerType{"s32", 32, true}, t))
			return s.Or(low, s.New(encode.VPSLLDI, s.clampWord(a[1], integerType{"s32", 32, true}, t), machine.Immediate(16)))
		})
	}
}

// convertLevels are the levels that have a conversion here: AVX2 has no minimum of 64 bits, see [saturateWideAVX2].
func convertLevels(saturated bool, to, from integerType) []amd64.Level {
	if saturated && from.bits == 64 {
		return onlyAVX512
	}
	return everyLevel
}

// extendTo extends the low bits of words to all of the word.
func (s *Selection) extendTo(t integerType, x machine.Operand) machine.Operand {
	switch {
	case t.bits >= 32:
		return x
	case t.signed:
		return s.signed(x, t.bits)
	}
	return s.And(x, s.Const32(uint32(t.most())))
}

func convertInteger(s *Selection, to, from integerType) {
	switch {
	case from.bits == 64 && to.bits == 64:
		s.giveWide(s.wide(s.Node.Args[0]))
	case from.bits == 64:
		x := s.Node.Args[0]
		dies := s.LastUse[x] == int32(s.nodeNumber) && !s.IsKnown(s.wide(x)[0])
		s.give(s.extendTo(to, s.Pick(s.wide(x), 0, dies)))
	case to.bits == 64 && from.signed:
		s.giveWide(s.WidenSigned(s.extendTo(from, s.arg(0))))
	case to.bits == 64:
		s.giveWide(s.zeroExtended(s.extendTo(from, s.arg(0))))
	case to.bits < from.bits || to.bits == from.bits && to.bits < 32:
		s.give(s.extendTo(to, s.arg(0)))
	default:
		s.give(s.extendTo(to, s.extendTo(from, s.arg(0))))
	}
}

// zeroExtended is widen for operands that may be known.
func (s *Selection) zeroExtended(x machine.Operand) [2]machine.Operand {
	if bits, ok := s.Const32Of(x); ok {
		k := s.Const64(uint64(bits))
		return [2]machine.Operand{k, k}
	}
	return s.Widen(x)
}

func saturateInteger(s *Selection, to, from integerType) {
	if from.bits < 64 {
		x := s.clampWord(s.extendTo(from, s.arg(0)), from, to)
		switch {
		case to.bits < 64:
			s.give(x)
		case from.signed && to.signed:
			s.giveWide(s.WidenSigned(x))
		default: // not negative, or not any more
			s.giveWide(s.zeroExtended(x))
		}
		return
	}
	var parts [2]machine.Operand
	for h, x := range s.wide(s.Node.Args[0]) {
		parts[h] = s.clampWide(x, from, to)
	}
	if to.bits == 64 {
		s.giveWide(parts)
		return
	}
	s.give(s.Pick(parts, 0, false))
}

// clampWord brings words of a type into the range of another one.
func (s *Selection) clampWord(x machine.Operand, from, to integerType) machine.Operand {
	if from.signed {
		if !to.signed {
			x = s.Commuted(encode.VPMAXSD, x, s.Zero())
		} else if to.bits < from.bits {
			x = s.Commuted(encode.VPMAXSD, x, s.Const32(uint32(to.least())))
		}
		if to.most() < from.most() {
			x = s.Commuted(encode.VPMINSD, x, s.Const32(uint32(to.most())))
		}
		return x
	}
	if to.most() < from.most() {
		x = s.Commuted(encode.VPMINUD, x, s.Const32(uint32(to.most())))
	}
	return x
}

// clampWide is clampWord for elements of 64 bits.
func (s *Selection) clampWide(x machine.Operand, from, to integerType) machine.Operand {
	if from.signed {
		if !to.signed {
			x = s.Commuted(encode.VPMAXSQ, x, s.Zero())
		} else if to.bits < from.bits {
			x = s.Commuted(encode.VPMAXSQ, x, s.Const64(to.least()))
		}
		if to.most() < from.most() {
			x = s.Commuted(encode.VPMINSQ, x, s.Const64(to.most()))
		}
		return x
	}
	if to.most() < from.most() {
		x = s.Commuted(encode.VPMINUQ, x, s.Const64(to.most()))
	}
	return x
}
