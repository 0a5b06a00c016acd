// Package matrix builds the instructions on small matrices, of which each lane of a warp has some elements (PTX ISA 9.7.14): they become exchanges
// between lanes, and operations on what comes.
//
// matrix.go loads, stores and transposes (ldmatrix, stmatrix, movmatrix), and has what all are made of; tiling.go knows the types of elements
// and who has which; product.go multiplies (mma, wmma.mma), quad.go four products at once (mma.m8n8k4); fragment.go loads and stores the parts of wmma.
package matrix
