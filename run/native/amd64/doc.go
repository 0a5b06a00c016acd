// Package amd64 compiles functions of package simt to machine code with AVX-512 or AVX2.
//
// # From operations to bytes
//
//	simt.Function --fuse--> nodes --select--> instructions on virtual registers --constants, spill,
//	allocate--> machine registers --assemble--> bytes
//
// Fusion (fuse.go) covers the operations of a block by nodes. A node is an operation, or a pattern of
// several that the machine does at once: any logic of three values, a comparison and what it masks, a
// product of small numbers and a sum. Each pattern can be switched off.
//
// A selector emits the instructions of a node for one part: one vector of 32-bit elements, or one of 64-bit
// elements. The files select_*.go hold the selectors by family, in tables by the names of package simt/op.
// Selectors work on operands, which are virtual registers or constants; they never see a machine
// register, and they decide nothing about memory.
//
// A group is as many lanes as a vector has elements of 32 bits: 16 with AVX-512, 8 with AVX2. In a group a
// 32-bit value is one vector, a 64-bit value two, in the order of lanes. A predicate is a mask register of 16
// bits with AVX-512, and a vector of elements that are all ones or zero with AVX2.
//
// Constants stay in registers that are loaded once, those used most first, as long as there are registers;
// the others are read from the pool behind the code. Registers are allocated by linear scan over live
// intervals. What finds no register lives in the frame and is a memory operand where the instruction can
// have one.
//
// Operations without a selector are listed in testdata/missing_avx512.txt and missing_avx2.txt, which a test holds.
// With AVX-512 they are fns and the transcendental approximations; with AVX2 also roundings other than to
// nearest, division of 64-bit integers, halves, and conversions of 64-bit integers to and from floats.
//
// # Around the code
//
// [Array] puts straight-line code into a loop over slices, [Block] computes one warp whose values lie in a frame, and
// [Kernel] compiles functions of any blocks for warps, with AVX-512: docs/architecture.md says which file does what.
package amd64
