// Package machine makes code of instructions on virtual registers.
//
// A [Builder] has the instructions, the virtual registers and the constants. Constants stay in registers that are loaded
// once, those used most first, as long as there are registers; the others are read from the pool behind the code. Registers
// are allocated by linear scan over live intervals. What finds no register lives in the frame, and is a memory operand where
// the instruction can have one. Then the code is assembled, with a listing if somebody wants to read it.
//
// The package knows nothing of lanes or of package simt.
package machine
