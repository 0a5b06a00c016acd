// Package warp makes code for the 32 lanes of a warp, which vector instructions have in groups: what groups and sets of lanes
// are in machine code, and where registers are when the code has been left.
//
//	warp.go        the compilation, the machine registers that are not allocated, and instructions that define none
//	frame.go       what the code keeps in frames for itself
//	lanes.go       sets of lanes: mask registers, or vectors
//	at_work.go     the lanes at work, and sets in general registers
//	gather.go      loads of a lane each, and elements put side by side
//	registers.go   registers that are stored in frames where the code leaves
//
// What is computed, and in which order, is for those to say who stand on it: packages scalar and kernel.
package warp
