// Package portable executes the code of package simt in plain Go. It runs on every platform, it is
// what sanitizers and counters observe, and it is the oracle of package native.
//
// An operation is executed over the 32 lanes of a warp after the one before it. Each value has one
// home in the frame of the activation (see [simt.Homes]); nothing else remembers lanes. What is written
// is written in the active lanes only.
//
// code.go binds a function to its frame: each instruction becomes a step, a Go function that
// works on a warp. compute.go, memory.go, atomic.go, bulk.go, exchange.go and host.go make the steps; warp.go runs
// them, and keeps the groups of lanes that have parted; cta.go runs the warps of a CTA, and barrier.go and
// cluster.go have its barriers and that of the cluster. Package atomics says what atomic operations make of a value.
//
// observe.go tells an [Observer] what code does that has been bound for it: sanitizers and counters are observers.
package portable
