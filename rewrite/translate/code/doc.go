// Package code prints word programs as functions of programming languages: C, C89,
// CUDA, HIP, OpenCL C, SYCL, Metal, Go and WGSL.
//
// A [Language] is a table from operations to expressions, with the few functions
// those call. What is common to all is in the printer: which values are signed,
// which get a name, and where parentheses stand.
package code
