package mistake

import "math/bits"

// Set is a set of mistakes.
type Set [3]uint64

// Of returns the set of the given mistakes.
func Of(mistakes ...Mistake) (s Set) {
	for _, m := range mistakes {
		s[m/64] |= 1 << (m % 64)
	}
	return s
}

// Has reports whether a mistake is in the set.
func (s *Set) Has(m Mistake) bool { return s[m/64]>>(m%64)&1 != 0 }

// Toggled returns the set with a mistake added, or taken out if it is in it.
func (s Set) Toggled(m Mistake) Set {
	s[m/64] ^= 1 << (m % 64)
	return s
}

// Len returns the number of mistakes in the set.
func (s Set) Len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}
