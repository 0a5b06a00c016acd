package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// sums add the bytes or halves of words, each times a constant.
var sums = map[string]selector{
	"word.sad.u8": sumOfDistances(encode.UABD), "word.sad.s8": sumOfDistances(encode.SABD),
	"dp4a.u32.s32": dot(8, false), "dp4a.s32.s32": dot(8, true), "dp2a.lo.u32.s32": dot(16, false), "dp2a.lo.s32.s32": dot(16, true),
}

// signedness are the instructions for numbers without and with a sign.
type signedness struct {
	shiftRight, shiftAdd, pairs, addPairs encode.Op
}

var (
	unsigned = &signedness{encode.USHR, encode.USRA, encode.UADDLP, encode.UADALP}
	signed   = &signedness{encode.SSHR, encode.SSRA, encode.SADDLP, encode.SADALP}
)

// sumOfDistances is z + the sum of |x - y| of the four bytes.
func sumOfDistances(o encode.Op) selector {
	return func(s *Selection, a []simt.ID) Value {
		return one(s.addBytes(unsigned, a[2], s.New(o|encode.B16, s.V(a[0]), s.V(a[1]))))
	}
}

// isZero reports whether a value is the constant 0.
func (s *Selection) isZero(id simt.ID) bool {
	k, ok := s.ConstOf(id)
	return ok && k == 0
}

// addBytes is the word y + the sum of the four bytes of x.
func (s *Selection) addBytes(sign *signedness, y simt.ID, x machine.Register) machine.Register {
	if s.Options.DotProduct {
		return s.Change(sign.dot(), s.V(y), x, s.Const8(1))
	}
	return s.addHalves(sign, y, s.New(sign.pairs|encode.B16, x))
}

// addHalves is the word y + the sum of the two halves of x.
func (s *Selection) addHalves(sign *signedness, y simt.ID, x machine.Register) machine.Register {
	if s.isZero(y) {
		return s.New(sign.pairs|encode.H8, x)
	}
	return s.Change(sign.addPairs|encode.H8, s.V(y), x)
}

// dot returns the instruction that adds the products of four bytes.
func (sign *signedness) dot() encode.Op {
	if sign == signed {
		return encode.SDOT
	}
	return encode.UDOT
}

// dot is y + the sum of the lanes of x, each times a signed byte of a constant.
func dot(width uint32, withSign bool) selector {
	return func(s *Selection, a []simt.ID) Value {
		k, ok := s.ConstOf(a[1])
		if !ok {
			return dotOfAny(withSign, true, int64(width), 0)(s, a)
		}
		sign := unsigned
		if withSign {
			sign = signed
		}
		d := dotProduct{Selection: s, sign: sign, width: width, x: s.V(a[0]), y: a[2]}
		for n := range 32 / width {
			d.weights[n] = int32(int8(k >> (8 * n)))
		}
		return one(d.sum())
	}
}

// dotProduct is a sum of lanes times weights.
type dotProduct struct {
	*Selection
	sign    *signedness
	width   uint32
	x       machine.Register
	y       simt.ID
	weights [4]int32
}

// sum chooses the shortest way to compute it.
func (d *dotProduct) sum() machine.Register {
	lanes := d.weights[:32/d.width]
	count, last, uniform := 0, 0, true
	factor := int32(0) // of all lanes that count, if it is one
	for n, w := range lanes {
		if w == 0 {
			continue
		}
		uniform = uniform && (count == 0 || w == factor)
		factor = w
		last = n
		count++
	}
	switch {
	case count == 0:
		return d.V(d.y)
	case count == 1 && (factor == 1 || factor == -1):
		return d.lane(uint32(last), factor)
	case uniform && factor == 1:
		return d.all(d.y, d.chosen(count))
	case d.width == 8 && d.Options.DotProduct:
		return d.byProducts()
	case uniform && factor == -1:
		return d.New(encode.SUB|encode.S4, d.V(d.y), d.all(simt.ID(0), d.chosen(count)))
	case d.width == 8:
		return d.bytesByHalves()
	}
	return d.halvesByWords()
}

// chosen is x with zeros in the lanes that do not count.
func (d *dotProduct) chosen(count int) machine.Register {
	if count == int(32/d.width) {
		return d.x
	}
	mask := uint32(0)
	for n := range 32 / d.width {
		if d.weights[n] != 0 {
			mask |= (1<<d.width - 1) << (d.width * n)
		}
	}
	return d.New(encode.AND, d.x, d.Const32(mask))
}

// all is y + the sum of all lanes; without y if that is none.
func (d *dotProduct) all(y simt.ID, x machine.Register) machine.Register {
	switch {
	case y == 0 && d.width == 8:
		return d.New(d.sign.pairs|encode.H8, d.New(d.sign.pairs|encode.B16, x))
	case y == 0:
		return d.New(d.sign.pairs|encode.H8, x)
	case d.width == 8:
		return d.addBytes(d.sign, y, x)
	}
	return d.addHalves(d.sign, y, x)
}

// lane adds or subtracts one lane: it is shifted to the upper end, and from there to the lower one.
func (d *dotProduct) lane(n uint32, factor int32) machine.Register {
	down := 32 - d.width
	top := d.shiftBy(encode.SHL, d.x, down-d.width*n)
	if factor == 1 && !d.isZero(d.y) {
		return d.ChangeImm(d.sign.shiftAdd|encode.S4, d.V(d.y), int64(down), top)
	}
	value := d.shiftBy(d.sign.shiftRight, top, down)
	switch {
	case factor == 1:
		return value
	case d.isZero(d.y):
		return d.New(encode.NEG|encode.S4, value)
	}
	return d.New(encode.SUB|encode.S4, d.V(d.y), value)
}

// byProducts uses the instructions that multiply bytes and add: both of signed ones, or both of unsigned ones.
func (d *dotProduct) byProducts() machine.Register {
	var positive, negative uint32
	for n, w := range d.weights {
		switch {
		case d.sign == signed || w > 0:
			positive |= uint32(uint8(w)) << (8 * n)
		default:
			negative |= uint32(uint8(-w)) << (8 * n)
		}
	}
	sum := d.V(d.y)
	if positive != 0 {
		sum = d.Change(d.sign.dot(), sum, d.x, d.Const32(positive))
	}
	if negative != 0 {
		less := d.Change(encode.UDOT, d.Const32(0), d.x, d.Const32(negative))
		sum = d.New(encode.SUB|encode.S4, sum, less)
	}
	return sum
}

// bytesByHalves extends the bytes to halves, first those of even numbers and then those of odd ones: a byte times a signed
// one fits.
func (d *dotProduct) bytesByHalves() machine.Register {
	sum := d.V(d.y)
	for n := range 2 {
		low, high := d.weights[n], d.weights[n+2]
		if low == 0 && high == 0 {
			continue
		}
		var lanes machine.Register
		switch {
		case n == 1:
			lanes = d.NewImm(d.sign.shiftRight|encode.H8, 8, d.x)
		case d.sign == signed:
			lanes = d.NewImm(encode.SSHR|encode.H8, 8, d.NewImm(encode.SHL|encode.H8, 8, d.x))
		default:
			lanes = d.New(encode.AND, d.x, d.Const16(0xff))
		}
		weights := d.Const32(uint32(uint16(low)) | uint32(uint16(high))<<16)
		sum = d.Change(encode.SADALP|encode.H8, sum, d.New(encode.MUL|encode.H8, lanes, weights))
	}
	return sum
}

// halvesByWords extends the halves to words, and multiplies words.
func (d *dotProduct) halvesByWords() machine.Register {
	sum := d.V(d.y)
	for n, w := range d.weights[:2] {
		if w == 0 {
			continue
		}
		top := d.x
		if n == 0 {
			top = d.shiftBy(encode.SHL, d.x, 16)
		}
		sum = d.Change(encode.MLA|encode.S4, sum, d.shiftBy(d.sign.shiftRight, top, 16), d.Const32(uint32(w)))
	}
	return sum
}
