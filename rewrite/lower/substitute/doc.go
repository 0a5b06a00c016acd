// Package substitute puts the lanes that a SIMD instruction selects in the place of the words x and y of a finished
// program, its core. Moved bytes are moved once, and sums of lanes are taken from the registers where the lanes stand
// (gather.go).
package substitute
