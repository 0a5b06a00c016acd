// Package isa is the one table of NVIDIA PTX's video instructions
// (PTX ISA 9.7.18): the 9 scalar ones (vadd ... vset) and the 14 SIMD ones
// (vadd2/4 ... vset2/4).
//
// The table is grammar.txt, the manual's syntax lines in the manual's own
// notation. Reading it gives the [Row]s; the rows give every [Form], that is
// every instruction with all its modifiers, selectors, masks and negations
// chosen but its registers left open. Counting, enumerating, sampling, parsing,
// checking and spelling forms are all walks over the rows, so a change to the
// grammar is a change to one text file.
//
//	Op    a mnemonic                     vadd4
//	Row   a mnemonic and a syntax line   vadd4.dtype.atype.btype.add d{.mask}, a{.asel}, b{.bsel}, c;
//	Form  every choice made              vadd4.u32.u32.s32.add d.b10, a, b.b4444, c;
//
// The package imports nothing of vop and knows nothing of what the
// instructions compute; that is package sem.
package isa
