// Package compute builds the instructions that compute in registers: arithmetic, logic, comparisons, selections, conversions and moves. Most are an
// operation of package simt/op of the same name (plain.go), or several.
//
// There is a file for each family, which begins with the table of its forms: integer.go (with packed.go of parts of words, and carry.go),
// float.go, half.go, brain.go (with bf16 and mixed formats), convert.go (with half_convert.go and brain_convert.go), compare.go, move.go.
package compute
