// Package emit adds instructions on vectors and masks to code: the best ones that a level has for operands that may be constants, what is
// loaded, or what nobody reads again.
//
// emitter.go has single instructions, in whose choice of operands a load and a copy less are won; logic.go any bitwise function of three
// vectors; masked.go moves and blends under masks; halves.go halves of vectors, and masks that are the same in all lanes. Selectors, in package
// vector, are written with these.
package emit
