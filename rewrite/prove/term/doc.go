// Package term has the terms of SMT-LIB in which package prove words its questions: fixed-size bit vectors
// and Booleans. They are printed for solvers, and computed for given operands, by which tests hold them
// against what they are to say.
package term
