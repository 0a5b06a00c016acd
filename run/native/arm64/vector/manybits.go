package vector

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// manyBits are counts and positions of bits, of words and of doublewords, masks, and modes of prmt.
var manyBits = func() map[string]selector {
	all := map[string]selector{
		"abs.s16": func(s *Selection, a []simt.ID) Value {
			return one(s.New(encode.ABS|encode.S4, s.extended(s.V(a[0]), signed16)))
		},
		"abs.u16": func(s *Selection, a []simt.ID) Value { return one(s.extended(s.V(a[0]), unsigned16)) },
		"abs.u32": identity, "abs.u64": identity,
		"neg.u16": plain(encode.NEG | encode.S4), "neg.u32": plain(encode.NEG | encode.S4), "neg.u64": halvesOf(encode.NEG | encode.D2),
		"popc.b64": func(s *Selection, a []simt.ID) Value {
			x := s.Both(a[0])
			d := each(func(h int) machine.Register {
				return s.New(encode.UADDLP|encode.S4, s.New(encode.UADDLP|encode.H8, s.New(encode.UADDLP|encode.B16, s.New(encode.CNT|encode.B16, x[h]))))
			})
			return one(s.New(encode.UZP1|encode.S4, d[0], d[1]))
		},
		"clz.b64": func(s *Selection, a []simt.ID) Value { return one(s.leadingZeros(s.Both(a[0]))) },
		"brev.b64": func(s *Selection, a []simt.ID) Value {
			x := s.Both(a[0])
			return each(func(h int) machine.Register {
				return s.New(encode.RBIT|encode.B16, s.New(encode.REV64|encode.B16, x[h]))
			})
		},
		"bmsk.clamp.b32": func(s *Selection, a []simt.ID) Value {
			return one(s.New(encode.USHL|encode.S4, s.ones(s.shiftAmount(a[1])), s.shiftAmount(a[0])))
		},
		"bmsk.wrap.b32": func(s *Selection, a []simt.ID) Value {
			wrapped := func(id simt.ID) machine.Register { return s.New(encode.AND, s.V(id), s.Const32(31)) }
			return one(s.New(encode.USHL|encode.S4, s.ones(wrapped(a[1])), wrapped(a[0])))
		},
		"shf.l.clamp.b32": funnelClamped(true), "shf.r.clamp.b32": funnelClamped(false),
	}
	for _, t := range []string{"u32", "s32", "u64", "s64"} {
		// The position is the number of leading zeros from the other end; none gives all ones in both ways.
		all["bfind."+t] = func(s *Selection, a []simt.ID) Value {
			n, top := s.leadingSigns(a[0], t)
			return one(s.New(encode.SUB|encode.S4, s.Const32(top), n))
		}
		all["bfind.shiftamt."+t] = func(s *Selection, a []simt.ID) Value {
			n, top := s.leadingSigns(a[0], t)
			return one(s.New(encode.ORR, n, s.New(encode.CMHI|encode.S4, n, s.Const32(top))))
		}
	}
	for name, selectors := range permuteModes {
		all["prmt.b32."+name] = func(s *Selection, a []simt.ID) Value {
			by := s.New(encode.AND, s.V(a[2]), s.Const32(3))
			selector := s.Const32(selectors[0])
			for n := uint32(1); n < 4; n++ {
				selector = s.Change(encode.BIT, selector, s.Const32(selectors[n]), s.New(encode.CMEQ|encode.S4, by, s.Const32(n)))
			}
			return one(s.permuteBy(s.V(a[0]), s.V(a[1]), selector))
		}
	}
	return all
}()

// permuteModes are the selectors that each mode of prmt has, by the lowest two bits of its operand.
var permuteModes = map[string][4]uint32{
	"f4e": {0x3210, 0x4321, 0x5432, 0x6543}, "b4e": {0x5670, 0x6701, 0x7012, 0x0123}, "rc8": {0x0000, 0x1111, 0x2222, 0x3333},
	"ecl": {0x3210, 0x3211, 0x3222, 0x3333}, "ecr": {0x0000, 0x1110, 0x2210, 0x3210}, "rc16": {0x1010, 0x3232, 0x1010, 0x3232},
}

// shiftAmount is a word, 32 at most.
func (s *Selection) shiftAmount(id simt.ID) machine.Register {
	return s.New(encode.UMIN|encode.S4, s.V(id), s.Const32(32))
}

// leadingZeros counts those of doublewords: of the upper words, and of the lower ones where those have nothing else.
func (s *Selection) leadingZeros(x Value) machine.Register {
	high := s.New(encode.CLZ|encode.S4, s.New(encode.UZP2|encode.S4, x[0], x[1]))
	low := s.New(encode.CLZ|encode.S4, s.New(encode.UZP1|encode.S4, x[0], x[1]))
	return s.New(encode.ADD|encode.S4, high, s.New(encode.AND, low, s.New(encode.CMEQ|encode.S4, high, s.Const32(32))))
}

// leadingSigns counts leading zeros, or of numbers with signs those of x or ^x, whichever is not negative. It also returns
// the number of the top bit.
func (s *Selection) leadingSigns(id simt.ID, t string) (n machine.Register, top uint32) {
	x := s.Both(id)
	if strings.HasSuffix(t, "64") {
		if t[0] == 's' {
			x = each(func(h int) machine.Register { return s.New(encode.EOR, x[h], s.New(encode.CMLTZ|encode.D2, x[h])) })
		}
		return s.leadingZeros(x), 63
	}
	if t[0] == 's' {
		x[0] = s.New(encode.EOR, x[0], s.New(encode.CMLTZ|encode.S4, x[0]))
	}
	return s.New(encode.CLZ|encode.S4, x[0]), 31
}

// funnelClamped shifts the pair b:a by 32 at most.
func funnelClamped(left bool) selector {
	return func(s *Selection, a []simt.ID) Value { return one(s.funnel(a, s.shiftAmount(a[2]), left)) }
}

// funnel shifts the pair b:a by words from 0 to 32: to the left it is the upper word, else the lower one.
func (s *Selection) funnel(a []simt.ID, by machine.Register, left bool) machine.Register {
	rest := s.New(encode.SUB|encode.S4, by, s.Const32(32)) // negative: to the right
	low, high := s.V(a[0]), s.V(a[1])
	if left {
		return s.New(encode.ORR, s.New(encode.USHL|encode.S4, high, by), s.New(encode.USHL|encode.S4, low, rest))
	}
	down := s.New(encode.NEG|encode.S4, by)
	return s.New(encode.ORR, s.New(encode.USHL|encode.S4, low, down), s.New(encode.USHL|encode.S4, high, s.New(encode.NEG|encode.S4, rest)))
}
