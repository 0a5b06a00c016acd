// Package kernel compiles functions of any blocks to machine code for warps.
//
// The order of the files, from a function to its code:
//
//	kernel.go        the compilation, and what it makes; definition: what computes each value
//	nodes.go         which values are computed in vectors, covered by nodes of package vector
//	access*.go       loads and stores: at one address, at affine ones, at any, some together; local.go: local memory
//	exchange.go      shuffles and votes
//	flow.go          branches, lanes that wait, turns of loops, barriers; copies.go: the copies of phis;
//	                 branch_affine.go: what is computed for conditions that scalars decide
//	leave.go         the ways out, where others execute something, and back
//
// What needs no vector is computed by package scalar. How a warp's lanes are in groups and sets, and where registers are when the
// code has been left, is package warp's.
//
// docs/architecture.md follows one kernel through it.
package kernel
