package prove

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
)

// manual defines the stages of a form as the manual's pseudo-code has them, and returns d.
func (q *query) manual(f isa.Form) term {
	switch {
	case f.Op.SIMD():
		return q.simd(f)
	case f.Op.Kind() == isa.Mad:
		return q.mad(f)
	}
	return q.scalar(f)
}

// The widths in which stages are computed: enough for every exact result.
const (
	scalarBits = 40 // two 33-bit values, added
	shiftBits  = 72 // a 33-bit value shifted left by 32
	madBits    = 72 // a 66-bit product and c
)

// partSelectSignExtend is 9.7.18.1, stage 1.
func partSelectSignExtend(x term, typ isa.Type, sel isa.Part, width int) term {
	return extend(slice(x, sel.Shift(), sel.Bits()), typ.Signed(), width)
}

// limits returns the range of numbers of the given width.
func limits(signed bool, bits, width int) (low, high term) {
	if signed {
		return number(-1<<(bits-1), width), number(1<<(bits-1)-1, width)
	}
	return number(0, width), number(1<<bits-1, width)
}

// clamp is CLAMP( x, high, low ).
func clamp(x term, signed bool, bits int) term {
	low, high := limits(signed, bits, x.width)
	return larger(low, smaller(x, high))
}

// scalar is 9.7.18.1.1, .2 and .4.
func (q *query) scalar(f isa.Form) term {
	width := scalarBits
	shift := f.Op.Kind() == isa.Shl || f.Op.Kind() == isa.Shr
	if shift {
		width = shiftBits
	}
	ta := q.define("ta", partSelectSignExtend(operand(0), f.AType, f.ASel, width))
	btype := f.BType
	if shift {
		btype = isa.U32
	}
	tb := q.define("tb", partSelectSignExtend(operand(1), btype, f.BSel, width))
	switch f.Mode {
	case isa.Clamp:
		tb = q.define("amount", choose(lessThan(number(32, width), tb), number(32, width), tb))
	case isa.Wrap:
		tb = q.define("amount", and(tb, number(0x1f, width)))
	}
	var exact term
	switch f.Op.Kind() {
	case isa.Add:
		exact = add(ta, tb)
	case isa.Sub:
		exact = sub(ta, tb)
	case isa.Absdiff:
		exact = magnitude(sub(ta, tb))
	case isa.Min:
		exact = smaller(ta, tb)
	case isa.Max:
		exact = larger(ta, tb)
	case isa.Shl:
		exact = same("bvshl", ta, tb)
	case isa.Shr:
		exact = same("bvashr", ta, tb)
	case isa.Set:
		exact = choose(compareTerms(f.Cmp, ta, tb), number(1, width), number(0, width))
	}
	tmp := q.define("tmp", extend(slice(exact, 0, 34), true, width)) // .s34, ruling R1
	if f.Sat {
		tmp = q.define("saturated", clamp(tmp, f.DType.Signed(), f.DSel.Bits()))
	}
	tc := q.define("tc", extend(operand(2), f.DType.Signed(), width))
	switch f.Second {
	case isa.SecondAdd:
		tmp = add(tmp, tc)
	case isa.SecondMin:
		tmp = smaller(tmp, tc)
	case isa.SecondMax:
		tmp = larger(tmp, tc)
	}
	return q.define("d", merge(tmp, f.DSel))
}

func magnitude(x term) term {
	zero := number(0, x.width)
	return choose(lessThan(x, zero), sub(zero, x), x)
}

func compareTerms(cmp isa.Cmp, x, y term) term {
	switch cmp {
	case isa.Eq:
		return equal(x, y)
	case isa.Ne:
		return apply(0, "distinct", x, y)
	case isa.Lt:
		return lessThan(x, y)
	case isa.Le:
		return atMost(x, y)
	case isa.Gt:
		return lessThan(y, x)
	}
	return atMost(y, x)
}

// merge is optMerge, with c the third operand.
func merge(tmp term, dsel isa.Part) term {
	if dsel == isa.Word {
		return slice(tmp, 0, 32)
	}
	var parts []term
	if dsel.Shift() > 0 {
		parts = append(parts, slice(operand(2), 0, dsel.Shift()))
	}
	parts = append(parts, slice(tmp, 0, dsel.Bits()))
	if above := dsel.Shift() + dsel.Bits(); above < 32 {
		parts = append(parts, slice(operand(2), above, 32-above))
	}
	return join(parts...)
}

// simd is 9.7.18.2.1 to .4.
func (q *query) simd(f isa.Form) term {
	n, bits := f.Op.Lanes(), f.Op.LaneBits()
	width := bits + 4
	pair := q.define("pair", join(operand(0), operand(1)))
	c := operand(2)
	lanes := make([]term, n)
	for i := range n {
		if !f.Mask.Has(i) {
			lanes[i] = slice(c, i*bits, bits)
			continue
		}
		va := q.define(fmt.Sprintf("Va%d", i), extend(slice(pair, f.ALane.Lane(i)*bits, bits), f.AType.Signed(), width))
		vb := q.define(fmt.Sprintf("Vb%d", i), extend(slice(pair, f.BLane.Lane(i)*bits, bits), f.BType.Signed(), width))
		t := q.define(fmt.Sprintf("t%d", i), simdOperation(f, va, vb))
		if f.Sat {
			t = q.define(fmt.Sprintf("s%d", i), clamp(t, f.DType.Signed(), bits))
		}
		lanes[i] = t
	}
	if f.Second == isa.SecondAdd {
		d := c
		for i, t := range lanes {
			if f.Mask.Has(i) {
				d = add(d, extend(t, true, 32))
			}
		}
		return q.define("d", d)
	}
	for i := range lanes {
		lanes[i] = slice(lanes[i], 0, bits)
	}
	return q.define("d", join(lanes...))
}

func simdOperation(f isa.Form, va, vb term) term {
	one, zero := number(1, va.width), number(0, va.width)
	switch f.Op.Kind() {
	case isa.Add:
		return add(va, vb)
	case isa.Sub:
		return sub(va, vb)
	case isa.Absdiff:
		return magnitude(sub(va, vb))
	case isa.Min:
		return smaller(va, vb)
	case isa.Max:
		return larger(va, vb)
	case isa.Set:
		return choose(compareTerms(f.Cmp, va, vb), one, zero)
	}
	sum := add(va, vb)
	return choose(atMost(zero, sum), same("bvashr", add(sum, one), one), same("bvashr", sum, one))
}

// mad is 9.7.18.1.3.
func (q *query) mad(f isa.Form) term {
	negateProduct := f.NegA != f.NegB
	signedFinal := f.AType.Signed() || f.BType.Signed() || negateProduct || f.NegC

	product := q.define("product", q.product(f))
	tmp, c, lsb := product, operand(2), int64(0)
	switch {
	case f.PlusOne:
		lsb = 1
	case negateProduct:
		tmp, lsb = not(tmp), 1
	case f.NegC:
		c, lsb = not(c), 1
	}
	c128 := extend(c, signedFinal, madBits)
	sum := q.define("sum", add(add(tmp, c128), number(lsb, madBits)))
	shift := "bvlshr"
	if signedFinal {
		shift = "bvashr"
	}
	result := q.define("result", same(shift, sum, number(int64(f.Scale.Shift()), madBits)))
	if f.Sat {
		result = q.define("saturated", clamp(result, signedFinal, 32))
	}
	return q.define("d", slice(result, 0, 32))
}

// product is ta * tb in madBits. With X and Y the words read as unsigned numbers, and s
// and t 1 where a signed word is negative, it is (X - 2^32 s) * (Y - 2^32 t).
func (q *query) product(f isa.Form) term {
	x := q.define("xa", q.factor(0, f.AType, f.ASel))
	y := q.define("xb", q.factor(1, f.BType, f.BSel))
	if q.products && !q.known(0) && !q.known(1) {
		q.line("(assert (= (umul xa xb) (umul xb xa)))")
	}
	total := extend(q.unsignedProduct(x, y, q.known(0) || q.known(1)), false, madBits)
	high := func(x term) term { return same("bvshl", extend(x, false, madBits), number(32, madBits)) }
	negative := func(x term) term { return lessThan(x, word(0)) }
	zero := number(0, madBits)
	if f.AType.Signed() {
		total = sub(total, choose(negative(x), high(y), zero))
	}
	if f.BType.Signed() {
		total = sub(total, choose(negative(y), high(x), zero))
	}
	if f.AType.Signed() && f.BType.Signed() {
		both := apply(0, "and", negative(x), negative(y))
		total = add(total, choose(both, same("bvshl", number(1, madBits), number(64, madBits)), zero))
	}
	if !q.known(0) && !q.known(1) {
		q.bound(f, total)
	}
	return total
}

// factor is the word that an operand of vmad is extended to.
func (q *query) factor(n int, typ isa.Type, sel isa.Part) term {
	x := operand(n)
	if q.facts.Known[n].Is {
		x = word(q.facts.Known[n].Value)
	}
	return partSelectSignExtend(x, typ, sel, 32)
}

// known reports whether operand n is a constant.
func (q *query) known(n int) bool { return q.facts.Known[n].Is }

// bound asserts in what range a product of such parts lies, which the function
// umul does not know by itself.
func (q *query) bound(f isa.Form, product term) {
	bits := f.ASel.Bits() + f.BSel.Bits()
	if bits > 62 {
		return // no program relies on it
	}
	type span struct{ lo, hi int64 }
	of := func(typ isa.Type, sel isa.Part) span {
		if typ.Signed() {
			return span{-1 << (sel.Bits() - 1), 1<<(sel.Bits()-1) - 1}
		}
		return span{0, 1<<sel.Bits() - 1}
	}
	x, y := of(f.AType, f.ASel), of(f.BType, f.BSel)
	lo := min(x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi)
	hi := max(x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi)
	q.line("(assert (and %s %s)) ; a product of these types and parts", atMost(number(lo, madBits), product).text, atMost(product, number(hi, madBits)).text)
}

// unsignedProduct returns the 64-bit product of two words.
func (q *query) unsignedProduct(x, y term, constant bool) term {
	if q.products && !constant {
		return apply(64, "umul", x, y)
	}
	return same("bvmul", extend(x, false, 64), extend(y, false, 64))
}
