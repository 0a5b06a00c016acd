// Package build makes code for warps, functions of package simt, of checked PTX functions and of word programs.
//
// [Function] builds a kernel, or a function that kernels call: text.go finds the blocks of its text,
// flow.go brings them into order, ssa.go turns registers into values, compute.go folds what is constant,
// and there is a file for each family of instructions, which begins with the table of its forms. A row is
// a syntax line of the PTX manual and the function that builds it; form.go looks forms up. testdata has
// small kernels and what becomes of them.
//
// [Program] makes a function for arrays of a word program, as video instructions become one.
package build
