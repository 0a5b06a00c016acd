// Package vm runs the kernels of a PTX module on the CPU: modules, memory, launches and what goes wrong
// in them.
//
//	check.Module --Load--> Module --Kernel--> Kernel --Launch--> memory
//
// A kernel is built once, when it is first asked for: package simt/build makes code for warps of it and of all that it calls
// (code.go). On a level that has machine code for kernels, package native makes some of each function
// (machinecode.go, native.go); package portable executes the others, and what machine code leaves to it.
//
// At launch each worker, one per core, has memory for one CTA, and runs CTA after CTA (worker.go). What they need from
// outside is the launch's: allocations, textures, output, clocks (host.go, texture.go, builtin.go).
//
// What is asked for is held against limits (limits.go) before it is allocated, and every launch ends
// soon after its context has.
//
// A launch may be checked ([Grid.Check]) and counted ([Grid.Stats]). On all levels, package portable then executes
// literal code, which tells observers what it does (observe.go): the sanitizers of package sanitize,
// and those of package counters. Code of any other launch tells nothing.
package vm
