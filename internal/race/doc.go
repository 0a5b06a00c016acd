// Package race tells Go's race detector what it does not see: what machine code reads and writes, and the order that atomic
// operations and strong accesses of kernels make between goroutines, some of which are executing machine code. Without the
// detector its functions do nothing.
package race
