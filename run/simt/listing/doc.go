// Package listing prints code for warps, functions of package simt, and reads it again: its text form,
// which vop run --print simt shows and tests are written in.
//
// [Print] and [String] print a function, [Parse] and [ParseAll] read some, and [Check] says what must
// hold of one: shape.go has what each instruction defines and reads, which all of these ask. What the
// forms of accesses to memory and textures say is known to package build, which has their tables.
package listing
