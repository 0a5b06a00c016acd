// Package build makes code for warps, functions of package simt, of checked PTX functions and of word programs.
//
// [Function] builds a kernel, or a function that kernels call: text.go finds the blocks of its text, flow.go brings them into order, and each
// instruction is built by the function that the table of its family has for its form (table.go). The packages below stand on each other:
//
//	ssa      values that are defined once: registers become values, operations are folded
//	form     what a mnemonic with its modifiers says, and the notation of the tables
//	builder  operands and destinations of an instruction, on ssa and form
//	compute  memory  matrix    the families of instructions, on builder
//
// Those that concern the flow of control are here, with the blocks that they end: branches and barriers (control.go), calls (call.go), exchanges
// between the lanes of a warp (warp.go); and video instructions (video.go). A row of a table is a syntax line of the PTX manual and the function
// that builds it. testdata has small kernels and what becomes of them.
//
// [Program] makes a function for arrays of a word program, as video instructions become one.
package build
