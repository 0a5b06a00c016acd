// Package readback reads the functions that package code prints back as word programs,
// with the semantics of their language: what is printed can be proven to compute what it should.
//
// It reads only what is printed, and nothing else of the languages; what it does not know is an error. It takes
// nothing from the printer. Where a language leaves a result undefined, such as shifts
// in C by 32 and more, the condition becomes a value too, which must be proven never to hold.
package readback
