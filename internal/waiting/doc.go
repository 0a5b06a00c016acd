// Package waiting makes random kernels whose threads, warps and CTAs wait for each other, and says
// what they leave in memory.
//
// A kernel is a tree of statements: ordinary code, in which threads part, and protocols by which
// they wait: locks and tickets, rings between producers and consumers, barriers by number and in
// memory, flags from thread to thread and from CTA to CTA, scans that look back, the last CTA
// that adds up what all have found, barriers of the grid. Each protocol has one result, however
// its threads are scheduled: what is done under a lock commutes, or depends on the number of a
// ticket alone; what is handed on is handed on in one order. So the model ([Kernel.Run]) needs no
// schedule: it executes one statement for all threads that come to it, then the next, by the rule
// of the statement.
//
// A statement says who may come to it (see [team]): any threads, all of a warp, all of some
// warps, or all of the grid. Statements that any threads may come to are nested in all others.
//
// The text ([Kernel.Text]) is written in a style, which is random as well: how a flag is written
// and waited for, how loops are laid out, whether addresses are generic. All styles are right by
// PTX's model of memory, and compute the same.
package waiting
