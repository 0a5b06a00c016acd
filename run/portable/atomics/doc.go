// Package atomics says what atomic operations, and those of barriers in memory, make of a value in memory. It accesses
// no memory: package portable does that, and lets nobody come between.
package atomics
