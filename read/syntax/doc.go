// Package syntax reads and writes PTX text: [Parse] makes a tree of a file, [Print]
// lays a tree out in the canonical way. Package read/inline finds the PTX in the
// asm statements of C and CUDA sources.
//
// The tree keeps every instruction and directive, known or not. What they mean
// and whether they may stand where they do is for package check to say. Places
// are byte offsets in the source, and all strings of the tree are parts of its text.
//
// A text with errors has a tree too: what could not be understood is a [Bad],
// and parsing goes on after it, so that one pass tells all errors.
package syntax
