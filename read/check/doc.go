// Package check gives PTX text its meaning: [Check] turns the tree of a module
// into a [Module] in which every name is resolved and every video instruction is
// an isa.Form, or says what is wrong, where, and what would be right. [Asm] does
// this for the text of an inline asm statement, [Instruction] for one video
// instruction by itself.
//
// Video instructions (PTX ISA 9.7.18) are checked by the table of package isa, all others by that
// of package inst: modifiers, types, selectors, operands and the registers in them, .version
// and .target. In a module of a later version than that table describes, ordinary instructions
// are kept as they are, known or not.
//
// What is accepted is what ptxas 11.8 accepts, held by testdata/verdicts.tsv.gz and
// testdata/ordinary.tsv.gz, and of what came later what ptxas 13.0 accepts for sm_90a, held by
// testdata/ordinary13.tsv.gz but for its mistakes, which the test lists; where the manual is
// silent, the rulings R13 to R20 and O17 to O26 say so.
package check
