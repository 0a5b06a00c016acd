// Package superblock gives kernels a second way for warps that are away from the borders. Kernels on pictures ask at each
// neighbour whether it is there, and most warps have one answer to all of these questions: they are in the middle. For these
// [Form] copies what is executed then into one block without branches (tail duplication; Hwu et al., "The Superblock", 1993),
// which a warp goes to if all of its lanes have the usual answers. Others go the way that they went.
//
//   - trace.go: which blocks are executed one after the other if all answers are the usual ones.
//   - guess.go: which answer is usual.
//   - hoist.go: what the answers are computed from, at the beginning.
//   - form.go: the copy.
package superblock
