// Package inst is the one table of PTX's ordinary instructions, that is of all but the
// video instructions, which are package isa's.
//
// The table is table.txt, syntax lines in the notation of the manual. Each line says which
// modifiers an instruction takes, which types go with them, what its operands are, and since
// when it exists. Four readers use it:
//
//	check       [Find] looks up a mnemonic with its modifiers, [Opcode.Fit] judges operands
//	simt        [Opcode] tells the row, the types and the choice of each modifier
//	hover       [Rows] and [Section]: syntax line, meaning, section of the manual
//	completion  [Names], and [Next]: the modifiers that may follow
//
// A word is what the text of an instruction is made of:
//
//	Section  a part of the manual     9.7.1.3 "mul"
//	Row      a syntax line            mul.wide.type d:wide, a, b;
//	Slot     a place for a modifier   .type, one of .u16 .u32 .s16 .s32
//	Operand  a place for an operand   d:wide, a result of twice the width
//
// What is accepted is what ptxas 11.8 accepts, and of what came later, up to PTX ISA 9.0 and
// sm_90a, what ptxas 13.0 accepts; tests hold them together on recorded verdicts. All else is
// taken from the manual. What the table is not sure of is accepted.
package inst
