// Package vector chooses the NEON instructions for operations on groups of four lanes.
//
// A selector emits the instructions of an operation; there is a file of selectors for each family of operations, by the
// names of package simt/op. Before that, fusion (fuse.go) finds patterns of several operations that one instruction does:
// absolute differences, products and shifts that are added, bits of two values under a mask.
//
// Operations without a selector are listed in testdata/missing.txt, which a test holds: sine, cosine and the hyperbolic
// tangent of f32, whose loops are those of package math, and fns. Package portable computes them. lop3 has code only where its
// table is a constant, which [Compiler.Can] finds out by trying.
package vector
