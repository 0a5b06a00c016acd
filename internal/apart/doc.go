// Package apart makes random kernels whose threads go apart and wait for each other, and says what they compute.
//
// Threads of a warp part at branches, in loops of very different lengths, in functions that they call by name or by address, over and over,
// and meet again at exchanges. At each place a kernel knows its team: the threads of the warp that come to it. Whoever parts
// for good, and is to exchange something there, finds out who goes the same way, by a vote or a match; that is the team of what follows. So each exchange
// has the members that come to it, as the manual demands, and what a kernel computes does not depend on when a thread is executed.
// Inside of what has no exchange threads part without telling. Barriers of the CTA stand where all of its threads come to that have not ended, as often, be it at
// different places; those are not aligned.
//
// The model ([Kernel.Run]) executes each thread for itself, by the tree that the kernel was made from: it knows of no blocks, no
// order of them, and no registers. A thread stops where it waits, and goes on when those have come that it waits for.
//
// The text ([Kernel.Text]) of a tree is written in a style, which is random as well: branches or guards, loops that look at their beginning
// or their end, loops that are unrolled, functions that are written where they are called, blocks in any order, several files. All styles
// compute the same.
package apart
