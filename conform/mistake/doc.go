// Package mistake evaluates video instructions wrongly, on purpose. It is the pseudo-code of
// PTX ISA 9.7.18 once more, with a switch at each place where implementations go wrong: an operand
// extended as the wrong type, a merge from b, a sum that loses its carry.
//
// With no switch on it is the manual, with the switches [Compiled] it is the code that ptxas
// emits; tests hold both against package sem. With others on it is a guess at what somebody's implementation
// does: package diagnose looks for the guess that explains the answers, [Separates] tells which guesses
// a vector tells from the truth, and the tests of the whole kit plant them.
package mistake
