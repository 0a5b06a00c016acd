// Package simt is the code that kernels become before they run: functions as basic blocks of
// operations on the values of a warp, 32 lanes that go together.
//
// # Values
//
// A value has one type in all lanes: a predicate, 32 or 64 bits. Floats are their bits. Code is in
// static single assignment form: each value is computed at one place, which dominates its uses, so
// that what lanes that are not active have in it is never read. Where paths meet, phis choose.
//
// What only computes is an operation of package op, and has no guard: an instruction of the text
// with a guard becomes an operation and a selection between its result and what its register held.
// Loads, stores and all else that has effects carry their guard.
//
// # The order of blocks
//
// Blocks stand in an order in which every edge leads forward, but for one edge of each loop, from its
// last block, the latch, back to its first, the header. Loops are contiguous, and are entered by their
// headers only.
//
// # Lanes
//
// A block is executed by the active lanes of a warp together. Lanes that part at the end of a block go
// on as groups. The group that stands first in the order of blocks goes first, so that the others, which
// wait further on, are met at the earliest block that all of them come to: the immediate
// post-dominator, where there is one on all their ways. Groups that come to the same block go on as
// one; no group is ever a turn of a loop ahead of one that waits inside of it. This is thread frontier
// scheduling: Diamos et al., "SIMD Re-Convergence at Thread Frontiers" (2011).
//
// # Reading
//
// function.go defines the code, and access.go, bulk.go, call.go, barrier.go, exchange.go, texture.go and trap.go what instructions
// say that do more than compute. The other files find out what must be known to execute it: where lanes part
// and wait, what is alive, what is the same in all lanes, and where values have their homes.
//
// Package build makes the code of PTX, and package listing prints and reads it, and says what must hold of it.
package simt
