// Package arm64 says how machine code for 64-bit Arm is made, with NEON, and what it is. The packages below make it.
//
//		simt.Function --vector--> instructions on virtual registers --machine--> machine registers --encode--> bytes
//
//	  - [github.com/vop-ptx/vop/run/native/arm64/encode] writes one instruction.
//	  - [github.com/vop-ptx/vop/run/native/arm64/machine] has instructions on virtual registers: constants, the allocation of
//	    registers, assembly.
//	  - [github.com/vop-ptx/vop/run/native/arm64/vector] chooses the instructions of an operation for a group of lanes.
//	  - [github.com/vop-ptx/vop/run/native/arm64/array] makes a loop over slices of it, and
//	    [github.com/vop-ptx/vop/run/native/arm64/kernel] code of whole functions for warps.
//
// A group is four lanes. In it a 32-bit value is one vector, a 64-bit value two, the lower lanes first, and a predicate a vector
// of words that are all ones or zero.
//
// A warp is eight groups. Its values are in memory between runs of operations, so that machine needs no live intervals over
// several blocks; package kernel says why.
package arm64
