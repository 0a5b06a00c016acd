package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// secondOfSum is .min or .max of a sum of two terms that has 33 bits. Where the sum does not
// fit a word, it is known which side of c it lies on, whatever c is. ok is false where words
// are too short for another reason.
func (b *builder) secondOfSum(f isa.Form, terms []term) (v word.Value, ok bool) {
	if len(terms) != 2 || terms[0].neg {
		return 0, false
	}
	x, y := terms[0], terms[1]
	signed := f.DType.Signed()
	if over, ok := oneSided(x, y, signed); ok && b.caps.PTX {
		if v, ok := b.secondOfOneSided(f, x, y, over); ok {
			return v, true
		}
	}
	switch {
	case x.lo >= 0 && y.lo >= 0 && !y.neg:
		return b.secondOfUnsignedSum(f, x, y), true
	case x.lo >= 0 && y.lo >= 0 && !signed:
		// Below 0 the difference is less than any c, which has no sign.
		sum := b.do(word.Sub, x.v, y.v)
		return b.secondIf(f, b.do(word.CmpLtU, x.v, y.v), false, sum), true
	case !signed && !y.neg && x.signed != y.signed && b.choose(2) == 1:
		return b.secondOfMixedSum(f, x, y), true
	case !signed && x.signed != y.signed && b.choose(2) == 1: // on 64 bits
		return 0, false
	case !b.caps.PTX && (!signed || !x.signed || !y.signed):
		return 0, false
	}
	return b.secondOfFlagged(f, x, y), true
}

// secondOfOneSided is secondOfSum where the sum can be too large, or too small, but not both. ok is
// false where another way is to be tried.
func (b *builder) secondOfOneSided(f isa.Form, x, y term, over bool) (v word.Value, ok bool) {
	signed := f.DType.Signed()
	var pairs [][2]term
	for _, pair := range [][2]term{{x, y}, {y, x}} {
		if canLimit(pair[0], pair[1], signed, over) {
			pairs = append(pairs, pair)
		}
	}
	ways := 1 + len(pairs)
	// Where the sum is not what is compared with c in the end, its limit does as well.
	byLimit := over == (f.Second == isa.SecondMin)
	if byLimit {
		ways += len(pairs)
	}
	way := b.choose(ways)
	if way == 0 {
		return 0, false
	}
	first, other := pairs[(way-1)%len(pairs)][0], pairs[(way-1)%len(pairs)][1]
	if way > len(pairs) {
		sum, _ := b.limited(first, other, signed)
		if f.Second == isa.SecondMin {
			return b.smaller(32, signed, sum, b.input(2)), true
		}
		return b.larger(32, signed, sum, b.input(2)), true
	}
	limit := b.limitOf(first, other, signed, over)
	less := word.CmpLtU
	if first.signed {
		less = word.CmpLtS
	}
	exceeded := [2]word.Value{limit, first.v}
	if over == first.neg {
		exceeded = [2]word.Value{first.v, limit}
	}
	return b.secondIf(f, b.do(less, exceeded[0], exceeded[1]), over, b.sum(32, []term{x, y})), true
}

// secondIf is .min or .max of a word and c, both signed or not as dtype is; where the condition
// holds, the number whose low word it is lies above all c, or below.
func (b *builder) secondIf(f isa.Form, condition word.Value, above bool, low word.Value) word.Value {
	c, signed := b.input(2), f.DType.Signed()
	fitting, other := b.smaller(32, signed, low, c), c
	if f.Second == isa.SecondMax {
		fitting = b.larger(32, signed, low, c)
	}
	if above == (f.Second == isa.SecondMax) {
		other = low
	}
	return b.do(word.Select, condition, other, fitting)
}

// secondOfUnsignedSum is secondOfSum of two numbers that are not negative: a carry says that
// the sum does not fit.
func (b *builder) secondOfUnsignedSum(f isa.Form, x, y term) word.Value {
	sum := b.do(word.Add, x.v, y.v)
	carry := b.do(word.CmpLtU, sum, x.v)
	if !f.DType.Signed() {
		return b.secondIf(f, carry, true, sum)
	}
	c := b.input(2)
	if f.Second == isa.SecondMax { // of max(c, 0), which is not signed
		return b.do(word.Select, carry, sum, b.do(word.MaxU, sum, b.do(word.MaxS, c, b.con(0))))
	}
	return b.do(word.Select, carry, c, b.do(word.MinS, b.do(word.MinU, sum, b.con(1<<31-1)), c))
}

// secondOfMixedSum is secondOfSum of an unsigned and a signed number, and an unsigned c: a carry says that
// the sum is not negative where the signed one is, and that it is too large where it is not.
func (b *builder) secondOfMixedSum(f isa.Form, x, y term) word.Value {
	x, y = mixed(x, y)
	sum, c := b.do(word.Add, x.v, y.v), b.input(2)
	carry := b.do(word.CmpLtU, sum, x.v)
	above, below, fitting := c, sum, b.smaller(32, false, sum, c)
	if f.Second == isa.SecondMax {
		above, below, fitting = sum, c, b.larger(32, false, sum, c)
	}
	return b.do(word.Select, b.do(word.CmpLtS, y.v, b.con(0)),
		b.do(word.Select, carry, fitting, below), b.do(word.Select, carry, above, fitting))
}

// secondOfFlagged is secondOfSum by the top bits of both terms and of their sum modulo 2^32, which say
// whether it fits, and on which side it does not.
func (b *builder) secondOfFlagged(f isa.Form, x, y term) word.Value {
	sum, signed := b.sum(32, []term{x, y}), f.DType.Signed()
	o := overflows(32, x, y, signed)
	flag := b.do(word.CmpLtS, b.table(o.over|o.under, x.v, y.v, sum), b.con(0))
	switch {
	case o.under == 0:
		return b.secondIf(f, flag, true, sum)
	case o.over == 0:
		return b.secondIf(f, flag, false, sum)
	}
	c := b.input(2)
	above, below, fitting := sum, c, b.larger(32, signed, sum, c)
	if f.Second == isa.SecondMin {
		above, below, fitting = c, sum, b.smaller(32, signed, sum, c)
	}
	fill, inverted := b.overSign(o, x.v, y.v, sum)
	if inverted {
		above, below = below, above
	}
	other := b.do(word.Select, b.do(word.CmpLtS, fill, b.con(0)), above, below)
	return b.do(word.Select, flag, other, fitting)
}
