// Package translate rewrites video instructions into code that computes the same:
// [Lower] replaces those of a PTX file, or of the asm statements of a CUDA source, by
// plain PTX; [Emit] writes functions in C, CUDA, HIP, OpenCL C, Go and WGSL.
//
// Both print the word programs of package lower, which package prove proves equal
// to the manual. Nothing here knows what an instruction computes.
package translate
