package prove

import (
	"math/big"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/term"
)

// madBits is enough for vmad: a product of two 33-bit values, and c.
const madBits = 72

// mad is 9.7.18.1.3.
func (q *query) mad(f isa.Form) *term.Term {
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
	tmp, c, lsb := product, term.Operand(2), int64(0)
	switch {
	case f.PlusOne:
		lsb = 1
	case negateProduct:
		tmp, lsb = term.Not(tmp), 1
	case f.NegC:
		c, lsb = term.Not(c), 1 // on 32 bits, ruling R5
	}
	sum := q.define("sum", term.Add(term.Add(tmp, term.Extend(c, ctype.Signed(), madBits)), term.Number(lsb, madBits)))
	shift := "bvlshr"
	if final.Signed() {
		shift = "bvashr"
	}
	result := q.define("result", term.Same(shift, sum, term.Number(int64(f.Scale.Shift()), madBits)))
	if f.Sat {
		result = q.define("saturated", clamp(result, final, 32))
	}
	return q.define("d", term.Slice(result, 0, 32))
}

// factor is one of the two numbers that vmad multiplies.
type factor struct {
	typ       isa.Type
	bits      int
	word      *term.Term // extended to a word
	low, high int64      // what it is at least and at most
}

// factor returns the factor that operand n is.
func (q *query) factor(n int, typ isa.Type, sel isa.Part) factor {
	if q.reading == isa.SM86 && sel == isa.Word {
		typ = isa.S32 // rule Q6
	}
	low, high := rangeOf(typ, sel.Bits())
	x := term.Operand(n)
	known := q.facts.Known[n]
	if known.Is {
		x = term.Word(known.Value)
	}
	part := partSelectSignExtend(x, typ, sel, 32)
	if known.Is {
		low = int64(uint32(term.With(0, 0, 0).Value(part).Uint64()))
		if typ.Signed() {
			low = int64(int32(low))
		}
		high = low
	}
	return factor{typ, sel.Bits(), q.define("factor_"+operandNames[n], part), low, high}
}

// product is ta * tb in madBits. With X and Y the words read as unsigned numbers, and s
// and t 1 where a signed word is negative, it is (X - 2^32 s) * (Y - 2^32 t).
func (q *query) product(f isa.Form) *term.Term {
	x, y := q.factor(0, f.AType, f.ASel), q.factor(1, f.BType, f.BSel)
	if knownFactor(q.facts) && q.multiply == exactly { // solvers are good at most products by a constant
		return term.Same("bvmul", term.Extend(x.word, x.typ.Signed(), madBits), term.Extend(y.word, y.typ.Signed(), madBits))
	}
	total := q.exactProduct(x, y)
	if q.multiply != exactly {
		q.assert(term.Equal(q.abstract(x.word, y.word), q.abstract(y.word, x.word)), "products commute")
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
func (q *query) exactProduct(x, y factor) *term.Term {
	if q.signed && q.multiply != exactly {
		return term.Extend(q.abstract(x.word, y.word), true, madBits)
	}
	total := term.Extend(q.unsignedProduct(x.word, y.word, false), false, madBits)
	high := func(x factor) *term.Term {
		return term.Same("bvshl", term.Extend(x.word, false, madBits), term.Number(32, madBits))
	}
	negative := func(x factor) *term.Term { return term.LessThan(x.word, term.Word(0)) }
	zero := term.Number(0, madBits)
	if x.typ.Signed() {
		total = term.Sub(total, term.Choose(negative(x), high(y), zero))
	}
	if y.typ.Signed() {
		total = term.Sub(total, term.Choose(negative(y), high(x), zero))
	}
	if x.typ.Signed() && y.typ.Signed() {
		square := term.Same("bvshl", term.Number(1, madBits), term.Number(64, madBits))
		total = term.Add(total, term.Choose(term.Both(negative(x), negative(y)), square, zero))
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
func (q *query) abstract(x, y *term.Term) *term.Term {
	for _, f := range [][2]*term.Term{{x, y}, {y, x}} {
		if places, ok := q.places(f[1]); ok {
			return term.Same("bvshl", term.Extend(f[0], q.signed, 64), term.Number(int64(places), 64))
		}
	}
	return term.Apply(64, q.productName(), x, y)
}

// places returns by how many places a product by a factor is shifted, if it is one by a power of two.
func (q *query) places(factor *term.Term) (int, bool) {
	if factor.Name != "" && len(factor.Args) == 1 {
		factor = factor.Args[0]
	}
	k := factor.Number
	if k == nil || k.Sign() == 0 {
		return 0, false
	}
	highest := k.BitLen() - 1
	return highest, uint(highest) == k.TrailingZeroBits() && !(q.signed && highest == 31)
}

// negation asserts what the product of -x is, which an abstract product does not know by
// itself: of unsigned words it is 2^32 * y - x * y, unless x is 0; of signed ones - x * y, unless x is the
// lowest number, which is its own negation.
func (q *query) negation(x, y *term.Term) {
	product := q.abstract(x, y)
	negative := term.Sub(term.Word(0), x)
	zero := term.Number(0, 64)
	want := term.Choose(term.Equal(x, term.Word(1<<31)), product, term.Sub(zero, product))
	if !q.signed {
		high := term.Same("bvshl", term.Extend(y, false, 64), term.Number(32, 64))
		want = term.Choose(term.Equal(x, term.Word(0)), zero, term.Sub(high, product))
	}
	for _, negated := range []*term.Term{q.abstract(negative, y), q.abstract(y, negative)} {
		q.assert(term.Equal(negated, want), "the product of a negated factor")
	}
}

// raised asserts what the product is of a part that was shifted left by a byte, which an abstract product does not know by itself:
// 2^8 times that of the part, unless the part has a sign and words are multiplied as unsigned ones.
func (q *query) raised(part, other factor) {
	if part.bits == 32 || part.typ.Signed() && !q.signed {
		return
	}
	shifted := term.Same("bvshl", part.word, term.Word(8))
	want := term.Same("bvshl", q.abstract(part.word, other.word), term.Number(8, 64))
	for _, product := range []*term.Term{q.abstract(shifted, other.word), q.abstract(other.word, shifted)} {
		q.assert(term.Equal(product, want), "the product of a raised part")
	}
}

// raisedBoth asserts what the product is of one half that was shifted left by 16 and of another by 1: 2^17 times that of the halves.
func (q *query) raisedBoth(x, y factor) {
	if x.bits != 16 || y.bits != 16 || x.typ.Signed() != y.typ.Signed() {
		return
	}
	top, twice := term.Same("bvshl", x.word, term.Word(16)), term.Same("bvshl", y.word, term.Word(1))
	want := term.Same("bvshl", q.abstract(x.word, y.word), term.Number(17, 64))
	for _, product := range []*term.Term{q.abstract(top, twice), q.abstract(twice, top)} {
		q.assert(term.Equal(product, want), "the product of raised halves")
	}
}

// bound asserts in what range the product of two factors lies, which the function
// umul does not know by itself.
func (q *query) bound(x, y factor, product *term.Term) {
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
	q.assert(term.Both(term.AtMost(term.Big(low, madBits), product), term.AtMost(product, term.Big(high, madBits))),
		"the range of a product of these types and parts")
}

// unsignedProduct returns the 64-bit product of two words.
func (q *query) unsignedProduct(x, y *term.Term, constant bool) *term.Term {
	if q.multiply == byHalves && !constant {
		return q.halves(x, y)
	}
	if q.multiply != exactly && !constant {
		if q.signed {
			return term.Add(term.Add(q.abstract(x, y), excess(x, y)), excess(y, x))
		}
		return q.abstract(x, y)
	}
	for _, f := range [][2]*term.Term{{x, y}, {y, x}} {
		if k := f[1].Number; k != nil && k.Bit(31) == 1 {
			// f * k is f * 2^32 - f * (2^32 - k). Solvers see the few bits of a small negative number.
			wide := term.Extend(f[0], false, 64)
			rest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 32), k)
			return term.Sub(term.Same("bvshl", wide, term.Number(32, 64)), term.Same("bvmul", wide, term.Big(rest, 64)))
		}
	}
	return term.Same("bvmul", term.Extend(x, false, 64), term.Extend(y, false, 64))
}

// excess is by how much a product is larger if x, which is negative, is read as an unsigned word.
func excess(x, y *term.Term) *term.Term {
	high := term.Same("bvshl", term.Extend(y, false, 64), term.Number(32, 64))
	return term.Choose(term.LessThan(x, term.Word(0)), high, term.Number(0, 64))
}
