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
	switch signed := f.DType.Signed(); {
	case x.lo >= 0 && y.lo >= 0 && !y.neg:
		return b.secondOfUnsignedSum(f, x, y), true
	case x.lo >= 0 && y.lo >= 0 && !signed:
		// Below 0 the difference is less than any c, which has no sign.
		sum := b.do(word.Sub, x.v, y.v)
		return b.secondIf(f, b.do(word.CmpLtU, x.v, y.v), false, sum), true
	case signed && x.signed && y.signed:
		return b.secondOfSignedSum(f, x, y), true
	}
	return 0, false
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

// secondOfSignedSum is secondOfSum of signed numbers. Where the sum does not fit, its top bit is
// wrong, and says so by which side it is on.
func (b *builder) secondOfSignedSum(f isa.Form, x, y term) word.Value {
	sum := b.sum(32, []term{x, y})
	o := overflows(32, x, y, true)
	flag := b.do(word.CmpLtS, b.table(o.over|o.under, x.v, y.v, sum), b.con(0))
	switch {
	case o.under == 0:
		return b.secondIf(f, flag, true, sum)
	case o.over == 0:
		return b.secondIf(f, flag, false, sum)
	}
	c := b.input(2)
	above, below := sum, c // what is right where the sum is above all c, and below
	fitting := b.do(word.MaxS, sum, c)
	if f.Second == isa.SecondMin {
		above, below = c, sum
		fitting = b.do(word.MinS, sum, c)
	}
	other := b.do(word.Select, b.do(word.CmpLtS, sum, b.con(0)), above, below)
	return b.do(word.Select, flag, other, fitting)
}
