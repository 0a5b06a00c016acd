// Package check gives PTX text its meaning: [Check] turns the tree of a module
// into a [Module] in which every name is resolved and every video instruction is
// an isa.Form, or says what is wrong, where, and what would be right. [Asm] does
// this for the text of an inline asm statement, [Instruction] for one video
// instruction by itself.
//
// Video instructions (PTX ISA 9.7.18) are checked completely: types, modifiers,
// selectors, operands and the registers in them, .version and .target. Of all other
// instructions only the names are: they are kept, known or not.
//
// What is accepted is what ptxas 11.8 accepts, held by testdata/verdicts.tsv.gz;
// where the manual is silent, the rulings R13 to R20 say so.
package check
