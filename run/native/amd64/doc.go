// Package amd64 says how machine code for x86-64 is made, with AVX-512 or AVX2, and what it is. The packages below make it.
//
// # From operations to bytes
//
//		simt.Function --vector--> instructions on virtual registers --machine--> machine registers --encode--> bytes
//
//	  - [github.com/vop-ptx/vop/run/native/amd64/encode] writes one instruction.
//	  - [github.com/vop-ptx/vop/run/native/amd64/machine] has instructions on virtual registers: constants, live intervals,
//	    the allocation of registers, assembly.
//	  - [github.com/vop-ptx/vop/run/native/amd64/vector] chooses the instructions of an operation for a group of lanes.
//	  - [github.com/vop-ptx/vop/run/native/amd64/array] makes a loop over slices of it.
//	  - [github.com/vop-ptx/vop/run/native/amd64/warp] makes code for the groups of a warp,
//	    [github.com/vop-ptx/vop/run/native/amd64/scalar] for what is the same in all of them, and
//	    [github.com/vop-ptx/vop/run/native/amd64/kernel] code of whole functions of both.
//
// A group is as many lanes as a vector has elements of 32 bits: 16 with AVX-512, 8 with AVX2. In a group a
// 32-bit value is one vector, a 64-bit value two, in the order of lanes. A predicate is a mask register of 16
// bits with AVX-512, and a vector of elements that are all ones or zero with AVX2.
package amd64
