// Package scalar makes code for values that need no vector: what is the same in all lanes of a warp, and affine values, which
// are a scalar and a constant for each lane, see package simt/affine. Scalars are computed once, in general registers.

//	scalar.go      which values are scalars or affine, and the registers that they are in
//	bring.go       vectors of such values, where something needs vectors, and how long they are kept
//	table.go       the operations on scalars
//	affine.go      the scalars of affine values
//	emit.go        what the rules of package affine ask for, in machine code
//	same.go        which scalars are equal, and need one register
//	condition.go   branches that scalars decide
//
// Package kernel tells what is computed where; nothing here knows of memory, of the flow of lanes or of sites.
package scalar
