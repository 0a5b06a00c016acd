package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// products are those whose upper half is wanted, of 16, 24 and 64 bits, and sums of them.
var products = func() map[string]selector {
	all := map[string]selector{
		"mul.hi.u64": multiplyHighWide(encode.UMULHX), "mul.hi.s64": multiplyHighWide(encode.SMULHX),
		"mad.hi.u64": plusWide(multiplyHighWide(encode.UMULHX)), "mad.hi.s64": plusWide(multiplyHighWide(encode.SMULHX)),
		"mad.lo.u64": plusWide(multiply64), "mad.lo.s64": plusWide(multiply64),
		"mad.hi.u32": plusWord(multiplyHigh(encode.UMULL, encode.UMULL2)), "mad.hi.s32": plusWord(multiplyHigh(encode.SMULL, encode.SMULL2)),
		"mad.wide.u16": plusWord(multiplySmall(unsigned16)), "mad.wide.s16": plusWord(multiplySmall(signed16)),
		"mul.hi.u16": multiplyHighSmall(unsigned16), "mul.hi.s16": multiplyHighSmall(signed16),
		"mad.hi.u16": plusWord(multiplyHighSmall(unsigned16)), "mad.hi.s16": plusWord(multiplyHighSmall(signed16)),
		"mul24.lo.u32": func(s *Selection, a []simt.ID) Value {
			return one(s.New(encode.MUL|encode.S4, s.lower24(a[0], false), s.lower24(a[1], false)))
		},
		"mul24.lo.s32": func(s *Selection, a []simt.ID) Value {
			return one(s.New(encode.MUL|encode.S4, s.lower24(a[0], true), s.lower24(a[1], true)))
		},
		"mul24.hi.u32": upper24(encode.UMULL, encode.UMULL2, false), "mul24.hi.s32": upper24(encode.SMULL, encode.SMULL2, true),
		"sad.u16": distanceSmall(unsigned16), "sad.s16": distanceSmall(signed16), "sad.u64": distanceWide(encode.CMHI), "sad.s64": distanceWide(encode.CMGT),
	}
	for x, signedX := range map[string]bool{"u32": false, "s32": true} {
		for y, signedY := range map[string]bool{"u32": false, "s32": true} {
			all["dp4a."+x+"."+y] = dotOfAny(signedX, signedY, 8, 0)
			all["dp2a.lo."+x+"."+y], all["dp2a.hi."+x+"."+y] = dotOfAny(signedX, signedY, 16, 0), dotOfAny(signedX, signedY, 16, 16)
		}
	}
	for name := range sums { // which look at constants first
		delete(all, name)
	}
	return all
}()

// plusWord and plusWide add the third operand.
func plusWord(product selector) selector {
	return func(s *Selection, a []simt.ID) Value {
		return one(s.New(encode.ADD|encode.S4, product(s, a[:2])[0], s.V(a[2])))
	}
}

func plusWide(product selector) selector {
	return func(s *Selection, a []simt.ID) Value {
		p, z := product(s, a[:2]), s.Both(a[2])
		return each(func(h int) machine.Register { return s.New(encode.ADD|encode.D2, p[h], z[h]) })
	}
}

func multiplyHighWide(o encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		return s.eachLane(64, s.Both(a[0]), s.Both(a[1]), func() { s.Generally(o, x0, x0, x1) })
	}
}

func multiplyHighSmall(t integerType) selector {
	down := encode.Op(encode.USHR)
	if t.signed {
		down = encode.SSHR
	}
	return func(s *Selection, a []simt.ID) Value {
		return one(s.NewImm(down|encode.S4, 16, multiplySmall(t)(s, a)[0]))
	}
}

// lower24 are the lowest 24 bits of words.
func (s *Selection) lower24(id simt.ID, withSign bool) machine.Register {
	return s.extended(s.V(id), integerType{bits: 24, signed: withSign})
}

// upper24 are bits 16 to 47 of the product of 24 bits.
func upper24(low, high encode.Op, withSign bool) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y := s.lower24(a[0], withSign), s.lower24(a[1], withSign)
		p := Value{s.New(low|encode.S4, x, y), s.New(high|encode.S4, x, y)}
		d := each(func(h int) machine.Register { return s.NewImm(encode.USHR|encode.D2, 16, p[h]) })
		return one(s.New(encode.UZP1|encode.S4, d[0], d[1]))
	}
}

func distanceSmall(t integerType) selector {
	o := encode.Op(encode.UABA)
	if t.signed {
		o = encode.SABA
	}
	return func(s *Selection, a []simt.ID) Value {
		return one(s.Change(o|encode.S4, s.V(a[2]), s.extended(s.V(a[0]), t), s.extended(s.V(a[1]), t)))
	}
}

func distanceWide(greater encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y, z := s.Both(a[0]), s.Both(a[1]), s.Both(a[2])
		return each(func(h int) machine.Register {
			more := s.New(greater|encode.D2, x[h], y[h])
			d := s.New(encode.SUB|encode.D2, x[h], y[h])
			d = s.choose(more, d, s.New(encode.NEG|encode.D2, d))
			return s.New(encode.ADD|encode.D2, d, z[h])
		})
	}
}

// dotOfAny is dp4a or dp2a: z + the sum of the lanes of x, each times a byte of y from a bit on, extended to words.
func dotOfAny(signedX, signedY bool, width, first int64) selector {
	return func(s *Selection, a []simt.ID) Value {
		x, y, sum := s.V(a[0]), s.V(a[1]), s.V(a[2])
		if width == 8 && signedX == signedY && s.Options.DotProduct {
			return one(s.Change(map[bool]*signedness{false: unsigned, true: signed}[signedX].dot(), sum, x, y))
		}
		for n := range 32 / width {
			sum = s.Change(encode.MLA|encode.S4, sum, s.field(x, n*width, width, signedX), s.field(y, first+8*n, 8, signedY))
		}
		return one(sum)
	}
}

// field takes bits of words, extended.
func (s *Selection) field(x machine.Register, from, bits int64, withSign bool) machine.Register {
	down := encode.Op(encode.USHR)
	if withSign {
		down = encode.SSHR
	}
	if up := 32 - from - bits; up > 0 {
		x = s.NewImm(encode.SHL|encode.S4, up, x)
	}
	return s.NewImm(down|encode.S4, 32-bits, x)
}
