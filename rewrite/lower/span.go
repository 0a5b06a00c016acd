package lower

import (
	"math"
	"math/bits"
)

// A span is what is known of a number: it is not below lo and not above hi. From far on
// nothing is known of how far: a hi of far means that there may be no bound at all, a lo of
// -far likewise. So spans of 64-bit products and sums need no more than an int64.
type span struct{ lo, hi int64 }

const far = 1 << 62

// anything is the span of a number of which nothing is known.
var anything = span{-far, far}

// spanOf returns the span of a sum of terms.
func spanOf(terms ...term) span {
	s := span{}
	for _, t := range terms {
		lo, hi := t.bounds()
		s = s.plus(span{lo, hi})
	}
	return s
}

// plus returns the span of a sum.
func (s span) plus(t span) span { return span{lowBound(s.lo, t.lo), highBound(s.hi, t.hi)} }

// highBound adds bounds from above; far and more stays far.
func highBound(x, y int64) int64 {
	if x >= far || y >= far || x > far-max(y, 0) {
		return far
	}
	return max(x+y, -far)
}

// lowBound adds bounds from below.
func lowBound(x, y int64) int64 { return -highBound(-x, -y) }

// negated returns the span of the negative.
func (s span) negated() span { return span{-s.hi, -s.lo} }

// times returns the span of a product: the least and the greatest product of bounds.
func (s span) times(t span) span {
	r := span{math.MaxInt64, math.MinInt64}
	for _, x := range []int64{s.lo, s.hi} {
		for _, y := range []int64{t.lo, t.hi} {
			p := boundedProduct(x, y)
			r.lo, r.hi = min(r.lo, p), max(r.hi, p)
		}
	}
	return r
}

// boundedProduct returns x * y, but not beyond far.
func boundedProduct(x, y int64) int64 {
	high, low := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	switch {
	case high == 0 && low < far:
		return x * y
	case (x < 0) != (y < 0):
		return -far
	}
	return far
}

// shifted returns the span of the number shifted right by n, rounded down.
func (s span) shifted(n uint) span {
	r := span{s.lo >> n, s.hi >> n}
	if s.lo <= -far {
		r.lo = -far
	}
	if s.hi >= far {
		r.hi = far
	}
	return r
}

// within reports whether all numbers of the span are numbers of w bits.
func (s span) within(w lanes, signed bool) bool { return within(s.lo, s.hi, w, signed) }

// word reports whether the low word of the number is the number, and how it is read then.
func (s span) word() (signed, ok bool) {
	if s.within(32, false) {
		return false, true
	}
	return true, s.within(32, true)
}
