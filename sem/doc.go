// Package sem is the reference semantics of the video instructions: the
// pseudo-code of PTX ISA 9.7.18, function for function and named as there, to be
// read with the manual open beside it. Everything else in vop that computes an
// instruction is proven or tested against this package.
//
//	pieces.go    9.7.18.1      partSelectSignExtend, optSaturate, optSecOp, optMerge
//	scalar.go    9.7.18.1.1    vadd, vsub, vabsdiff, vmin, vmax
//	shift.go     9.7.18.1.2    vshl, vshr
//	mad.go       9.7.18.1.3    vmad
//	set.go       9.7.18.1.4    vset, and compare
//	simd.go      9.7.18.2.1-4  the SIMD ones: extractAndSignExt_2/_4, extractMaskBits
//	int128.go                  the 128-bit integer of vmad
//	compiled.go                the stages that the reading sm_86 has instead of the manual's
//	rules.go, difference.go    what makes the readings differ, and on which operands
//	trace.go                   the stages as data
//
// Where the manual is silent or contradicts itself, a comment names the ruling
// ("ruling R5") that docs/rulings.md explains.
//
// [Eval] gives the value, [TraceOf] the stages that lead to it. Both run the
// same code: the functions of a section return every stage, and Eval keeps the
// last.
package sem
