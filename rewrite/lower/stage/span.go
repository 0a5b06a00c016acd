package stage

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/rewrite/lower/builder"
)

// A Span is what is known of a number: it is not below lo and not above hi. From far on
// nothing is known of how far: a hi of far means that there may be no bound at all, a lo of
// -far likewise. So spans of 64-bit products and sums need no more than an int64.
type Span struct{ Lo, Hi int64 }

// Far is where nothing is known of how far a number is.
const Far = 1 << 62

// Anything is the span of a number of which nothing is known.
var Anything = Span{-Far, Far}

// SpanOf returns the span of a sum of terms.
func SpanOf(terms ...Term) Span {
	s := Span{}
	for _, t := range terms {
		lo, hi := t.bounds()
		s = s.Plus(Span{lo, hi})
	}
	return s
}

// Plus returns the span of a sum.
func (s Span) Plus(t Span) Span { return Span{lowBound(s.Lo, t.Lo), highBound(s.Hi, t.Hi)} }

// highBound adds bounds from above; far and more stays far.
func highBound(x, y int64) int64 {
	if x >= Far || y >= Far || x > Far-max(y, 0) {
		return Far
	}
	return max(x+y, -Far)
}

// lowBound adds bounds from below.
func lowBound(x, y int64) int64 { return -highBound(-x, -y) }

// Negated returns the span of the negative.
func (s Span) Negated() Span { return Span{-s.Hi, -s.Lo} }

// Times returns the span of a product: the least and the greatest product of bounds.
func (s Span) Times(t Span) Span {
	r := Span{math.MaxInt64, math.MinInt64}
	for _, x := range []int64{s.Lo, s.Hi} {
		for _, y := range []int64{t.Lo, t.Hi} {
			p := boundedProduct(x, y)
			r.Lo, r.Hi = min(r.Lo, p), max(r.Hi, p)
		}
	}
	return r
}

// boundedProduct returns x * y, but not beyond far.
func boundedProduct(x, y int64) int64 {
	high, low := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	switch {
	case high == 0 && low < Far:
		return x * y
	case (x < 0) != (y < 0):
		return -Far
	}
	return Far
}

// Shifted returns the span of the number shifted right by n, rounded down.
func (s Span) Shifted(n uint) Span {
	r := Span{s.Lo >> n, s.Hi >> n}
	if s.Lo <= -Far {
		r.Lo = -Far
	}
	if s.Hi >= Far {
		r.Hi = Far
	}
	return r
}

// Within reports whether all numbers of the span are numbers of w bits.
func (s Span) Within(w builder.Lanes, signed bool) bool { return Within(s.Lo, s.Hi, w, signed) }

// Word reports whether the low word of the number is the number, and how it is read then.
func (s Span) Word() (signed, ok bool) {
	if s.Within(32, false) {
		return false, true
	}
	return true, s.Within(32, true)
}
