package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// saturations are conversions of integers that clamp, and what puts several clamped ones into a word.
var saturations = func() map[string]selector {
	all := map[string]selector{
		"add.sat.s32": plain(encode.SQADD | encode.S4), "sub.sat.s32": plain(encode.SQSUB | encode.S4),
		"pack.16": func(s *Selection, a []simt.ID) Value {
			return one(s.bits(s.Const32(0xff), s.V(a[0]), s.NewImm(encode.SHL|encode.S4, 8, s.V(a[1]))))
		},
	}
	for _, to := range integerTypes {
		for _, from := range integerTypes {
			all["cvt.sat."+to.name+"."+from.name] = func(s *Selection, a []simt.ID) Value { return s.convertSaturated(a[0], to, from) }
		}
	}
	for _, t := range []integerType{
		{"u2", 2, false}, {"u4", 4, false}, {"u8", 8, false}, {"u16", 16, false}, {"s2", 2, true}, {"s4", 4, true}, {"s8", 8, true}, {"s16", 16, true},
	} {
		// The upper part is a, the lower one b, and above them is what c has.
		all["cvt.pack.sat."+t.name] = func(s *Selection, a []simt.ID) Value {
			low, high := s.clamped(s.V(a[1]), t, wordType(true)), s.clamped(s.V(a[0]), t, wordType(true))
			above := high
			if t.bits < 16 {
				above = s.ChangeImm(encode.SLI|encode.S4, high, int64(t.bits), s.V(a[2]))
			}
			return one(s.ChangeImm(encode.SLI|encode.S4, low, int64(t.bits), above))
		}
		if t.bits == 16 {
			all["word.pack.sat."+t.name] = func(s *Selection, a []simt.ID) Value {
				return one(s.New(encode.TRN1|encode.H8, s.clamped(s.V(a[0]), t, wordType(true)), s.clamped(s.V(a[1]), t, wordType(true))))
			}
		}
	}
	return all
}()

// limits are the smallest and the largest number of a type of at most 32 bits.
func (t integerType) limits() (least, most int64) {
	if t.signed {
		return -1 << (t.bits - 1), 1<<(t.bits-1) - 1
	}
	return 0, 1<<t.bits - 1
}

// clamped brings words, which are numbers of a type, into the range of another one.
func (s *Selection) clamped(x machine.Register, to, from integerType) machine.Register {
	least, most := to.limits()
	lowest, highest := from.limits()
	smaller := encode.Op(encode.UMIN)
	if from.signed {
		smaller = encode.SMIN
	}
	if lowest < least {
		x = s.New(encode.SMAX|encode.S4, x, s.Const32(uint32(least)))
	}
	if highest > most {
		x = s.New(smaller|encode.S4, x, s.Const32(uint32(most)))
	}
	return x
}

// wordType is the type of words with or without signs.
func wordType(signed bool) integerType { return integerType{bits: 32, signed: signed} }

// saturatedWord brings doublewords into the range of words.
func (s *Selection) saturatedWord(x Value, from, to bool) machine.Register {
	low, high := encode.Op(encode.UQXTN), encode.Op(encode.UQXTN2)
	switch {
	case from && to:
		low, high = encode.SQXTN, encode.SQXTN2
	case from:
		low, high = encode.SQXTUN, encode.SQXTUN2
	}
	w := s.Change(high|encode.S4, s.New(low|encode.S4, x[0]), x[1])
	if to && !from {
		w = s.New(encode.UMIN|encode.S4, w, s.Const32(1<<31-1))
	}
	return w
}

// convertSaturated takes the lowest bits as one type has them, and the nearest number of another one.
func (s *Selection) convertSaturated(id simt.ID, to, from integerType) Value {
	switch {
	case from.bits == 64 && to.bits == 64:
		x := s.Both(id)
		switch {
		case from.signed && !to.signed:
			return each(func(h int) machine.Register {
				return s.New(encode.BIC, x[h], s.New(encode.CMLTZ|encode.D2, x[h]))
			})
		case to.signed && !from.signed:
			return each(func(h int) machine.Register {
				return s.choose(s.New(encode.CMLTZ|encode.D2, x[h]), s.Const64(1<<63-1), x[h])
			})
		}
		return x
	case from.bits == 64:
		return one(s.clamped(s.saturatedWord(s.Both(id), from.signed, to.signed), to, wordType(to.signed)))
	}
	x := s.extended(s.V(id), from)
	if to.bits == 64 {
		if from.signed && !to.signed {
			x = s.New(encode.SMAX|encode.S4, x, s.Const32(0))
		}
		return s.widened(x, from.signed && to.signed)
	}
	return one(s.clamped(x, to, from))
}
