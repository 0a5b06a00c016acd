// Package form is about the forms of instructions: a mnemonic with its modifiers, and what that alone says.
//
// A [Line] is the syntax of some forms, in the notation of the tables; it brings modifiers, which may stand in any order, into its own. Of
// instructions that access memory, textures and surfaces, the form says nearly all: access.go and texture.go read it.
package form
