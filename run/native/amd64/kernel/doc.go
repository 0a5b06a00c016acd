// Package kernel compiles functions of any blocks to machine code for warps.
//
// The order of the files, from a function to its code:
//
//	kernel.go        the compilation, what it makes, and the layout of frames
//	scalar.go        values that are the same in all lanes: general registers
//	affine*.go       values that are a scalar and a constant for each lane, see package simt/affine
//	same.go          which of those scalars are equal
//	nodes.go         which values are computed in vectors, covered by nodes of package vector
//	access*.go       loads and stores: at one address, at affine ones, at any, some together; local.go: local memory
//	exchange.go      shuffles and votes
//	flow.go          branches, lanes that wait, turns of loops, barriers; copies.go: the copies of phis;
//	                 branch_affine.go: conditions that scalars decide
//	lanes.go         sets of lanes: mask registers, or vectors
//	leave.go         the ways out, where others execute something, and back
//
// docs/architecture.md follows one kernel through it.
package kernel
