// Package vector chooses the instructions for operations on groups of lanes.
//
// Fusion (fuse.go) covers the operations of a block by nodes. A [Node] is an operation, or a pattern of
// several that the machine does at once: any logic of three values, a comparison and what it masks, a
// product of small numbers and a sum. Each pattern can be switched off, see [amd64.Fusion].
//
// A selector emits the instructions of a node for one part: one vector of 32-bit elements, or one of 64-bit
// elements. There is a file of selectors for each family of operations, in tables by the names of package simt/op.
// Selectors work on operands, which are virtual registers or constants; they never see a machine
// register, and they decide nothing about memory.
// Package emit below has what they are written with.
//
// Operations without a selector are listed in testdata/missing_avx512.txt and missing_avx2.txt, which a test holds: there are
// none.
//
// To give the processors a new operation: its selector in the file of its family; the tests find it by its name.
package vector
