package scalar

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/stage"
	"github.com/vop-ptx/vop/rewrite/word"
)

// secondOfSum is .min or .max of a sum of two terms that has 33 bits. Where the sum does not
// fit a word, it is known which side of c it lies on, whatever c is. ok is false where words
// are too short for another reason.
func (b *lowering) secondOfSum(f isa.Form, terms []stage.Term) (v word.Value, ok bool) {
	if len(terms) != 2 || terms[0].Neg {
		return 0, false
	}
	x, y := terms[0], terms[1]
	signed := f.DType.Signed()
	if over, ok := stage.OneSided(x, y, signed); ok && b.Caps.PTX {
		if v, ok := b.secondOfOneSided(f, x, y, over); ok {
			return v, true
		}
	}
	switch {
	case x.Lo >= 0 && y.Lo >= 0 && !y.Neg:
		return b.secondOfUnsignedSum(f, x, y), true
	case x.Lo >= 0 && y.Lo >= 0 && !signed:
		// Below 0 the difference is less than any c, which has no sign.
		sum := b.Do(word.Sub, x.V, y.V)
		return b.secondIf(f, b.Do(word.CmpLtU, x.V, y.V), false, sum), true
	case !signed && !y.Neg && x.Signed != y.Signed && b.Choose(2) == 1:
		return b.secondOfMixedSum(f, x, y), true
	case !signed && x.Signed != y.Signed && b.Choose(2) == 1: // on 64 bits
		return 0, false
	case !b.Caps.PTX && (!signed || !x.Signed || !y.Signed):
		return 0, false
	}
	return b.secondOfFlagged(f, x, y), true
}

// secondOfOneSided is secondOfSum where the sum can be too large, or too small, but not both. ok is
// false where another way is to be tried.
func (b *lowering) secondOfOneSided(f isa.Form, x, y stage.Term, over bool) (v word.Value, ok bool) {
	signed := f.DType.Signed()
	var pairs [][2]stage.Term
	for _, pair := range [][2]stage.Term{{x, y}, {y, x}} {
		if stage.CanLimit(pair[0], pair[1], signed, over) {
			pairs = append(pairs, pair)
		}
	}
	ways := 1 + len(pairs)
	// Where the sum is not what is compared with c in the end, its limit does as well.
	byLimit := over == (f.Second == isa.SecondMin)
	if byLimit {
		ways += len(pairs)
	}
	way := b.Choose(ways)
	if way == 0 {
		return 0, false
	}
	first, other := pairs[(way-1)%len(pairs)][0], pairs[(way-1)%len(pairs)][1]
	if way > len(pairs) {
		sum, _ := b.Limited(first, other, signed)
		if f.Second == isa.SecondMin {
			return b.Smaller(32, signed, sum, b.Input(2)), true
		}
		return b.Larger(32, signed, sum, b.Input(2)), true
	}
	limit := b.LimitOf(first, other, signed, over)
	less := word.CmpLtU
	if first.Signed {
		less = word.CmpLtS
	}
	exceeded := [2]word.Value{limit, first.V}
	if over == first.Neg {
		exceeded = [2]word.Value{first.V, limit}
	}
	return b.secondIf(f, b.Do(less, exceeded[0], exceeded[1]), over, b.Sum(32, []stage.Term{x, y})), true
}

// secondIf is .min or .max of a word and c, both signed or not as dtype is; where the condition
// holds, the number whose low word it is lies above all c, or below.
func (b *lowering) secondIf(f isa.Form, condition word.Value, above bool, low word.Value) word.Value {
	c, signed := b.Input(2), f.DType.Signed()
	fitting, other := b.Smaller(32, signed, low, c), c
	if f.Second == isa.SecondMax {
		fitting = b.Larger(32, signed, low, c)
	}
	if above == (f.Second == isa.SecondMax) {
		other = low
	}
	return b.Do(word.Select, condition, other, fitting)
}

// secondOfUnsignedSum is secondOfSum of two numbers that are not negative: a carry says that
// the sum does not fit.
func (b *lowering) secondOfUnsignedSum(f isa.Form, x, y stage.Term) word.Value {
	sum := b.Do(word.Add, x.V, y.V)
	carry := b.Do(word.CmpLtU, sum, x.V)
	if !f.DType.Signed() {
		return b.secondIf(f, carry, true, sum)
	}
	c := b.Input(2)
	if f.Second == isa.SecondMax { // of max(c, 0), which is not signed
		return b.Do(word.Select, carry, sum, b.Do(word.MaxU, sum, b.Do(word.MaxS, c, b.Con(0))))
	}
	return b.Do(word.Select, carry, c, b.Do(word.MinS, b.Do(word.MinU, sum, b.Con(1<<31-1)), c))
}

// secondOfMixedSum is secondOfSum of an unsigned and a signed number, and an unsigned c: a carry says that
// the sum is not negative where the signed one is, and that it is too large where it is not.
func (b *lowering) secondOfMixedSum(f isa.Form, x, y stage.Term) word.Value {
	x, y = stage.Mixed(x, y)
	sum, c := b.Do(word.Add, x.V, y.V), b.Input(2)
	carry := b.Do(word.CmpLtU, sum, x.V)
	above, below, fitting := c, sum, b.Smaller(32, false, sum, c)
	if f.Second == isa.SecondMax {
		above, below, fitting = sum, c, b.Larger(32, false, sum, c)
	}
	return b.Do(word.Select, b.Do(word.CmpLtS, y.V, b.Con(0)),
		b.Do(word.Select, carry, fitting, below), b.Do(word.Select, carry, above, fitting))
}

// secondOfFlagged is secondOfSum by the top bits of both terms and of their sum modulo 2^32, which say
// whether it fits, and on which side it does not.
func (b *lowering) secondOfFlagged(f isa.Form, x, y stage.Term) word.Value {
	sum, signed := b.Sum(32, []stage.Term{x, y}), f.DType.Signed()
	o := stage.Overflows(32, x, y, signed)
	flag := b.Do(word.CmpLtS, b.Table(o.Over|o.Under, x.V, y.V, sum), b.Con(0))
	switch {
	case o.Under == 0:
		return b.secondIf(f, flag, true, sum)
	case o.Over == 0:
		return b.secondIf(f, flag, false, sum)
	}
	c := b.Input(2)
	above, below, fitting := sum, c, b.Larger(32, signed, sum, c)
	if f.Second == isa.SecondMin {
		above, below, fitting = c, sum, b.Smaller(32, signed, sum, c)
	}
	fill, inverted := b.OverSign(o, x.V, y.V, sum)
	if inverted {
		above, below = below, above
	}
	other := b.Do(word.Select, b.Do(word.CmpLtS, fill, b.Con(0)), above, below)
	return b.Do(word.Select, flag, other, fitting)
}
