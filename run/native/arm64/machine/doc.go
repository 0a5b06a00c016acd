// Package machine has arm64 instructions on virtual registers, and makes code of them.
//
// A [Piece] is a straight run of instructions, each of which defines a value that is never changed: the body of a loop.
// [Builder.Allocate] gives the values of all pieces machine registers. Since a piece has no branches, the whole future of
// a value is known where a register is wanted: the value goes whose next use is furthest away (Belady 1966). Constants
// stay in registers over all pieces as far as there is room, and are read again from behind the code otherwise.
//
// In kernels a piece is a run of operations for all groups of a warp. Its values are in memory before and after it: a
// [Place] says where, and what is read from there is loaded where it is wanted.
//
// The allocator of package amd64/machine scans live intervals over blocks and loops, for kernels, and knows that
// architecture's memory operands, masks and encoder; sharing it would have meant to teach it two machines. This one has a
// tenth of its size.
package machine
