// Package vector chooses the NEON instructions for operations on groups of four lanes.
//
// A selector emits the instructions of an operation; there is a file of selectors for each family of operations, by the
// names of package simt/op. Before that, fusion (fuse.go) finds patterns of several operations that one instruction does:
// absolute differences, products and shifts that are added, bits of two values under a mask.
//
// Operations that NEON has no short code for are not selected: bf16 and formats of 8 bits, functions such as sine,
// minima of magnitudes. Package portable computes them. Some have code only where an operand is a constant, which
// [Compiler.Can] finds out by trying.
package vector
