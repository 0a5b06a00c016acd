package prove

import (
	"math/big"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// madBits is enough for vmad: a product of two 33-bit values, and c.
const madBits = 72

// mad is 9.7.18.1.3.
func (q *query) mad(f isa.Form) *term {
	q.signed = q.signedFactors(f)
	negateProduct := f.NegA != f.NegB
	final := isa.U32
	if f.AType.Signed() || f.BType.Signed() || negateProduct || f.NegC {
		final = isa.S32
	}
	ctype := final
	if q.reading == isa.SM86 {
		ctype = isa.S32 // rule Q11
	}

	product := q.define("product", q.product(f))
	tmp, c, lsb := product, operand(2), int64(0)
	switch {
	case f.PlusOne:
		lsb = 1
	case negateProduct:
		tmp, lsb = not(tmp), 1
	case f.NegC:
		c, lsb = not(c), 1 // on 32 bits, ruling R5
	}
	sum := q.define("sum", add(add(tmp, extend(c, ctype.Signed(), madBits)), number(lsb, madBits)))
	shift := "bvlshr"
	if final.Signed() {
		shift = "bvashr"
	}
	result := q.define("result", same(shift, sum, number(int64(f.Scale.Shift()), madBits)))
	if f.Sat {
		result = q.define("saturated", clamp(result, final, 32))
	}
	return q.define("d", slice(result, 0, 32))
}

// factor is one of the two numbers that vmad multiplies.
type factor struct {
	typ       isa.Type
	bits      int
	word      *term // extended to a word
	low, high int64 // what it is at least and at most
}

// factor returns the factor that operand n is.
func (q *query) factor(n int, typ isa.Type, sel isa.Part) factor {
	if q.reading == isa.SM86 && sel == isa.Word {
		typ = isa.S32 // rule Q6
	}
	low, high := rangeOf(typ, sel.Bits())
	x := operand(n)
	known := q.facts.Known[n]
	if known.Is {
		x = word32(known.Value)
	}
	part := partSelectSignExtend(x, typ, sel, 32)
	if known.Is {
		low = int64(uint32(evaluateWith(0, 0, 0).value(part).Uint64()))
		if typ.Signed() {
			low = int64(int32(low))
		}
		high = low
	}
	return factor{typ, sel.Bits(), q.define("factor_"+operandNames[n], part), low, high}
}

// product is ta * tb in madBits. With X and Y the words read as unsigned numbers, and s
// and t 1 where a signed word is negative, it is (X - 2^32 s) * (Y - 2^32 t).
func (q *query) product(f isa.Form) *term {
	x, y := q.factor(0, f.AType, f.ASel), q.factor(1, f.BType, f.BSel)
	if knownFactor(q.facts) && q.multiply == exactly { // solvers are good at most products by a constant
		return same("bvmul", extend(x.word, x.typ.Signed(), madBits), extend(y.word, y.typ.Signed(), madBits))
	}
	total := q.exactProduct(x, y)
	if q.multiply != exactly {
		q.assert(equal(q.abstract(x.word, y.word), q.abstract(y.word, x.word)), "products commute")
		q.bound(x, y, total)
		if q.multiply == negating && f.NegA != f.NegB {
			q.negation(x.word, y.word)
			q.negation(y.word, x.word)
		}
		if q.multiply == raising {
			q.raised(x, y)
			q.raised(y, x)
			q.raisedBoth(x, y)
			q.raisedBoth(y, x)
		}
	}
	return total
}

// knownFactor reports whether a factor of vmad is a constant.
func knownFactor(facts lower.Facts) bool { return facts.Known[0].Is || facts.Known[1].Is }

// exactProduct is the product of two factors.
func (q *query) exactProduct(x, y factor) *term {
	if q.signed && q.multiply != exactly {
		return extend(q.abstract(x.word, y.word), true, madBits)
	}
	total := extend(q.unsignedProduct(x.word, y.word, false), false, madBits)
	high := func(x factor) *term { return same("bvshl", extend(x.word, false, madBits), number(32, madBits)) }
	negative := func(x factor) *term { return lessThan(x.word, word32(0)) }
	zero := number(0, madBits)
	if x.typ.Signed() {
		total = sub(total, choose(negative(x), high(y), zero))
	}
	if y.typ.Signed() {
		total = sub(total, choose(negative(y), high(x), zero))
	}
	if x.typ.Signed() && y.typ.Signed() {
		square := same("bvshl", number(1, madBits), number(64, madBits))
		total = add(total, choose(both(negative(x), negative(y)), square, zero))
	}
	return total
}

// signedFactors reports whether both factors of a form are signed.
func (q *query) signedFactors(f isa.Form) bool {
	signed := func(typ isa.Type, sel isa.Part) bool {
		return typ.Signed() || q.reading == isa.SM86 && sel == isa.Word // rule Q6
	}
	return f.Op.Kind() == isa.Mad && signed(f.AType, f.ASel) && signed(f.BType, f.BSel)
}

// productName is the name of the abstract product.
func (q *query) productName() string {
	if q.signed {
		return "smul"
	}
	return "umul"
}

// abstract is the abstract product. That by a power of two is said as what it is, since it is a shift.
func (q *query) abstract(x, y *term) *term {
	for _, f := range [][2]*term{{x, y}, {y, x}} {
		if places, ok := q.places(f[1]); ok {
			return same("bvshl", extend(f[0], q.signed, 64), number(int64(places), 64))
		}
	}
	return apply(64, q.productName(), x, y)
}

// places returns by how many places a product by a factor is shifted, if it is one by a power of two.
func (q *query) places(factor *term) (int, bool) {
	if factor.name != "" && len(factor.args) == 1 {
		factor = factor.args[0]
	}
	k := factor.number
	if k == nil || k.Sign() == 0 {
		return 0, false
	}
	highest := k.BitLen() - 1
	return highest, uint(highest) == k.TrailingZeroBits() && !(q.signed && highest == 31)
}

// negation asserts what the product of -x is, which an abstract product does not know by
// itself: of unsigned words it is 2^32 * y - x * y, unless x is 0; of signed ones - x * y, unless x is the
// lowest number, which is its own negation.
func (q *query) negation(x, y *term) {
	product := q.abstract(x, y)
	negative := sub(word32(0), x)
	zero := number(0, 64)
	want := choose(equal(x, word32(1<<31)), product, sub(zero, product))
	if !q.signed {
		high := same("bvshl", extend(y, false, 64), number(32, 64))
		want = choose(equal(x, word32(0)), zero, sub(high, product))
	}
	for _, negated := range []*term{q.abstract(negative, y), q.abstract(y, negative)} {
		q.assert(equal(negated, want), "the product of a negated factor")
	}
}

// raised asserts what the product is of a part that was shifted left by a byte, which an abstract product does not know by itself:
// 2^8 times that of the part, unless the part has a sign and words are multiplied as unsigned ones.
func (q *query) raised(part, other factor) {
	if part.bits == 32 || part.typ.Signed() && !q.signed {
		return
	}
	shifted := same("bvshl", part.word, word32(8))
	want := same("bvshl", q.abstract(part.word, other.word), number(8, 64))
	for _, product := range []*term{q.abstract(shifted, other.word), q.abstract(other.word, shifted)} {
		q.assert(equal(product, want), "the product of a raised part")
	}
}

// raisedBoth asserts what the product is of one half that was shifted left by 16 and of another by 1: 2^17 times that of the halves.
func (q *query) raisedBoth(x, y factor) {
	if x.bits != 16 || y.bits != 16 || x.typ.Signed() != y.typ.Signed() {
		return
	}
	top, twice := same("bvshl", x.word, word32(16)), same("bvshl", y.word, word32(1))
	want := same("bvshl", q.abstract(x.word, y.word), number(17, 64))
	for _, product := range []*term{q.abstract(top, twice), q.abstract(twice, top)} {
		q.assert(equal(product, want), "the product of raised halves")
	}
}

// bound asserts in what range the product of two factors lies, which the function
// umul does not know by itself.
func (q *query) bound(x, y factor, product *term) {
	var low, high *big.Int
	for _, p := range []int64{x.low, x.high} {
		for _, r := range []int64{y.low, y.high} {
			corner := new(big.Int).Mul(big.NewInt(p), big.NewInt(r))
			if low == nil || corner.Cmp(low) < 0 {
				low = corner
			}
			if high == nil || corner.Cmp(high) > 0 {
				high = corner
			}
		}
	}
	q.assert(both(atMost(bigNumber(low, madBits), product), atMost(product, bigNumber(high, madBits))),
		"the range of a product of these types and parts")
}

// unsignedProduct returns the 64-bit product of two words.
func (q *query) unsignedProduct(x, y *term, constant bool) *term {
	if q.multiply == byHalves && !constant {
		return q.halves(x, y)
	}
	if q.multiply != exactly && !constant {
		if q.signed {
			return add(add(q.abstract(x, y), excess(x, y)), excess(y, x))
		}
		return q.abstract(x, y)
	}
	for _, f := range [][2]*term{{x, y}, {y, x}} {
		if k := f[1].number; k != nil && k.Bit(31) == 1 {
			// f * k is f * 2^32 - f * (2^32 - k). Solvers see the few bits of a small negative number.
			wide := extend(f[0], false, 64)
			rest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 32), k)
			return sub(same("bvshl", wide, number(32, 64)), same("bvmul", wide, bigNumber(rest, 64)))
		}
	}
	return same("bvmul", extend(x, false, 64), extend(y, false, 64))
}

// excess is by how much a product is larger if x, which is negative, is read as an unsigned word.
func excess(x, y *term) *term {
	high := same("bvshl", extend(y, false, 64), number(32, 64))
	return choose(lessThan(x, word32(0)), high, number(0, 64))
}
