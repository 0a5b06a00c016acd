// Package normal finds the normal form of a word program: programs that move the same bits in other ways have
// one, and so compute the same.
package normal
