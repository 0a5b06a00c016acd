// Package arm64 says how machine code for 64-bit Arm is made, with NEON, and what it is. The packages below make it.
//
//		simt.Function --vector--> instructions on virtual registers --machine--> machine registers --encode--> bytes
//
//	  - [github.com/vop-ptx/vop/run/native/arm64/encode] writes one instruction.
//	  - [github.com/vop-ptx/vop/run/native/arm64/machine] has instructions on virtual registers: constants, the allocation of
//	    registers, assembly.
//	  - [github.com/vop-ptx/vop/run/native/arm64/vector] chooses the instructions of an operation for a group of lanes.
//	  - [github.com/vop-ptx/vop/run/native/arm64/array] makes a loop over slices of it.
//
// A group is four lanes. In it a 32-bit value is one vector, a 64-bit value two, the lower lanes first, and a predicate a vector
// of words that are all ones or zero.
//
// There is no code for kernels yet: package portable executes them. It would be a package beside array, on the same
// selectors; what machine lacks for it are live intervals over several blocks.
package arm64
