// Package scalar lowers vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset and vmad, which compute with one byte, half or
// word of each operand.
//
//	scalar.go                  the stages, one after the other
//	set.go                     vset by what its operands differ by
//	top.go                     parts that are compared and added where they stand
//	shift.go, shiftwide.go     vshl and vshr, whose results have 34 bits
//	mad.go, raised.go          vmad
//	narrow.go, second.go       a clamp to fewer than 32 bits; .min and .max of a sum
//	wide.go                    what is left where words are too short: 64 bits
//	compiled.go                the reading isa.SM86
package scalar
