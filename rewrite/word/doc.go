// Package word holds the word program: the short, straight-line, single-assignment code over
// 32-bit words that every video instruction becomes. Package lower makes it, the translators
// print it, the prover proves it equal to package sem, and what runs executes it.
//
// op.go defines every operation, eval.go computes them one by one, program.go is the program and
// what must hold of it. caps.go says which operations a target has, cost.go what they weigh there.
package word
