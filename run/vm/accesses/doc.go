// Package accesses tests loads and stores by machine code: their addresses may be the same for all
// lanes, affine, or any, their lanes side by side, at the edge of a buffer or beyond, and what is
// computed of them may be computed elsewhere.
package accesses
