// Package vm runs the kernels of a PTX module on the CPU: memory, launch,
// warps, divergence and barriers.
//
// It works in columns. A virtual register is one array over the threads of a CTA
// ([column]), a predicate is one bit per thread, and executing an instruction is
// one call that works the whole column, so that the cost of interpreting it is spread over
// hundreds of threads. A register that has the same value in all threads is known as
// such (uniform) and is computed once.
//
//	check.Module --Load--> Module --Kernel--> Kernel --Launch--> memory
//
// A kernel is built once, when it is first asked for: each instruction is
// looked up in the table of forms (forms.go), which says which operation of
// package engine runs it on which columns. The body becomes basic blocks with their
// post-dominators (flow.go). At launch each worker, one per core, binds the blocks to
// columns of its own ([frame]) and runs CTA after CTA ([machine]).
//
// What is asked for is held against limits (limits.go) before it is allocated, and every launch ends
// soon after its context has.
//
// Threads of a CTA go together as a path: a place in the code and a mask of
// threads. A branch on which they disagree splits the path; the parts meet
// again at the branch's immediate post-dominator (schedule.go). A warp's threads are
// therefore always in lockstep.
//
// A launch may be checked ([Grid.Check]) and counted ([Grid.Stats]). On all levels, package portable then executes
// literal code, which tells observers what it does (observe.go): the sanitizers of package sanitize,
// and those of package counters. Code of any other launch tells nothing.
package vm
