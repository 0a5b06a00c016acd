// Package builder makes word programs, instruction by instruction. A [Builder] folds constants, knows which bits
// may be 1, follows bytes to where they come from, and shares equal instructions, so that whoever computes with
// it may write plainly what is meant.
//
//	builder.go, shared.go    an instruction is added, or found; all ways are tried, and the cheapest program kept
//	operands.go              what is known of a, b and c
//	rules.go, sums.go        an instruction that is simpler, as it is added
//	known.go                 the bits that may be 1
//	origin.go, bytes.go      a word of four bytes from anywhere; assemble.go makes it of shifts and masks
//	extract.go, times.go     bytes and halves that are added or multiplied where they stand
//	logic.go                 functions of three bits, and trees of logic as one operation
//	demand.go                what settles only bits that nobody looks at is left out
//	plain.go, inline.go      operations by their names; a program within another
//	lanes.go                 the widths of lanes, and operations that there are for several
package builder
