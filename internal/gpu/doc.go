// Package gpu runs kernels on an NVIDIA GPU, for tests that hold against what the hardware does.
//
// A small C program, which [Build] compiles, calls the driver. It needs neither the CUDA SDK nor cgo, and tests that need a GPU
// skip where there is none ([ErrNone]).
package gpu
