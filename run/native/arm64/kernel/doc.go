// Package kernel compiles functions of any blocks to arm64 code for warps, with NEON.
//
// A warp is eight groups of four lanes. A vector register holds a word of a group, so that four values of a warp would fill
// all there are: values stay in memory, in their homes, and are in registers within a run of operations only, which
// is computed for one group after the other. What is the same in all lanes is a scalar: it has a place in the
// frame, and is kept in a general register to the end of its block. Lanes' sets, which predicates are, have places in the frame too.
//
// The order of the files, from a function to its code:
//
//	kernel.go    the compilation, and the layout of frames
//	analyse.go   scalars, runs of operations, what is read outside of its run
//	run.go       the code of a run, for all groups; strip.go: what a group has
//	scalar.go    scalars in general registers; scalar_table.go: their operations
//	access.go    loads and stores: which lanes may, and that; access_move.go: lane by lane
//	atomic.go    atomic operations
//	texture.go   point-sampled reads of textures
//	flow.go      branches, lanes that wait, turns of loops, barriers; switch.go: branches by a list; copies.go: the copies of phis
//	leave.go     the ways out, where others execute something, and back
package kernel
