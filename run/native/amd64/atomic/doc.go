// Package atomic makes code for atomic operations on memory: atom and red.
//
//	atomic.go   which operations there is code for, and what their code needs in the frame
//	lanes.go    the loops over the lanes, and the one operation for all lanes at one address
//	update.go   the instructions that change one element
//	half.go     sums of f16 and bf16
//
// The lanes go one after the other, the lowest first, as those of package portable do, whose operations define what is computed. Both
// use the processor's own atomic instructions on global memory, so that workers may execute either side by side. Shared memory
// is one worker's alone: there they are common instructions, which take a tenth of the time.
//
// Whether all lanes access memory that is there, package kernel has looked at before: nothing is changed if one does not, and
// steps execute the operation in its place.
package atomic
