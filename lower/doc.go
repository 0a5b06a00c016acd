// Package lower turns every video instruction into a word program: a short,
// straight-line, single-assignment program over 32-bit words. It is written once;
// the engine runs it over columns, the translators print it, the prover
// proves it equal to package sem.
package lower
