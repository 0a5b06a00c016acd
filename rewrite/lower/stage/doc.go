// Package stage has what the stages of the manual are made of, for scalar and for SIMD instructions, lanes of all widths
// and all types. What one stage hands to the next is the sum of a few [Term]s, each an exact number in every lane of a word,
// with the [Span] of numbers that it may be.
//
//	term.go, span.go       numbers, and what is known of them
//	operate.go             stage 2: the operation; average.go those of vavrg2 and vavrg4; place.go, difference.go
//	                       and equality.go where parts need not be extracted
//	saturate.go            stage 3: the clamp of a sum, in one of several ways
//	window.go              ... by a saturating operation
//	overflow.go            ... by the top bits that tell an overflow
//	limit.go               ... by limiting one term beforehand
//	accumulate.go          stage 4: .add
package stage
