// Package vector chooses the NEON instructions for operations on groups of four lanes.
//
// A selector emits the instructions of an operation; there is a file of selectors for each family of operations, by the
// names of package simt/op. Before that, fusion (fuse.go) finds patterns of several operations that one instruction does:
// absolute differences, products and shifts that are added, bits of two values under a mask.
//
// Operations of word programs that NEON has no short code for are not selected: logic of three values by a table, sign bits
// that a permutation spreads, packing with saturation. Programs for the level do not have them, and others are computed
// by package portable.
package vector
