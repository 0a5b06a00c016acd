// Package circuit turns the terms of package term into circuits of gates, and these into a formula in
// conjunctive normal form, for a solver of such formulas.
//
// It shares no line with any solver of bit vectors, so that what one of those has decided is decided once more.
package circuit
