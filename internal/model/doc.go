// Package model makes random kernels and says what they must compute.
//
// A kernel is a tree of statements ([Kernel]). It is written as PTX text, and it is run by a plain
// interpreter, thread by thread, of the same tree: the text is not read for it, and nothing of packages check,
// lower, simt, portable, native and vm has a part in it. Video instructions are computed by package sem.
//
// The kernels are like those that compilers and people write: registers of all classes, addresses that are the
// same for all threads, side by side, scattered, or now one and now the other, predicates that hold for all,
// some or none, vectors, generic addresses, loops of different length, early returns, calls, exchanges.
// Threads do not race, so that there is one right result.
//
// Those of [WithTextures] read textures and access surfaces besides, which package texture, below this
// one, computes from the guide's formulas. Those of [WithMatrices] have products of small matrices,
// which package matrix computes. Those of [InStep] are for targets before sm_70, on which the lanes of a
// warp keep in step.
//
// [Kernel.Reduce] finds the part of a kernel that a failure needs.
package model
