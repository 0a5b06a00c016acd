// Package engine executes word programs, and the plain operations of a kernel,
// over columns: arrays that hold one value per thread. It is the only place with
// assembly or unsafe.
//
// An [Engine] computes with one [Level] of instructions. [Engine.Compile] makes a
// [Kernel] of a program of package lower, once, and [Kernel.Run] runs it over arrays:
//
//	e, err := engine.Default()
//	k := e.Compile(lower.Form(form, e.Caps()))
//	k.Run(dst, a, b, c) // dst[i] from a[i], b[i] and c[i]
//
// On amd64 a program runs on a vector machine (unit.go, sequencer.go, package
// internal/machine), whose assembly the generator in _gen writes; elsewhere, and for
// operations that the machine does not have, as loops in Go (columns.go, loops.go).
// docs/engine.md follows one instruction all the way.
//
// The plain operations (plain.go) are PTX's own, for package vm.
package engine
