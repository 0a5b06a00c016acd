// Package encode writes x86-64 machine code into a byte buffer: the general
// instructions, scalar and packed floats, AVX2 and AVX-512. It writes only. It
// reads no text, allocates nothing for an instruction, and knows nothing of what
// an instruction computes.
//
//	a := encode.New(encode.LevelAVX512)
//	loop := a.NewLabel()
//	a.Bind(loop)
//	a.Emit(encode.VPADDD|encode.L512, encode.V(0), encode.V(1), encode.At(encode.RSI, 64))
//	a.Emit((encode.VPSUBD | encode.L512).Mask(encode.K1).Zeroing(), encode.V(2), encode.V(0), a.Const32(7).Broadcast())
//	a.Emit(encode.SUB|encode.S64, encode.RCX, encode.Imm(1))
//	a.JumpIf(encode.CondNE, loop)
//	a.Emit(encode.RET)
//	code, err := a.Finish()
//
// # Instructions
//
// An [Op] is a row of the table: a constant whose bits say how the instruction is
// encoded and which operands it takes. The files op_*.go hold the rows, one line
// each, by family. A row has its mnemonic as its name; where one mnemonic means
// two instructions of different operands, a suffix tells them apart:
//
//	K  the result is a mask register        VPCMPEQDK
//	V  the mask of a gather is a vector     VPGATHERDDV
//	R  one operand is a general register    KMOVWR, VPBROADCASTDR, JMPR
//	I  the shift count is an immediate      VPSLLDI
//	S  the store, where the load is another instruction   VMOVQS
//
// Sizes and decorations are further bits of the Op: a size of general registers
// (S8 to S64), a length of vectors (L128 to L512), a write mask, zeroing, rounding.
// An instruction that exists in one length only needs none. Where a row has a VEX
// and an EVEX encoding, the VEX encoding is taken if it can express the
// instruction, since it is shorter.
//
// # Operands
//
// An [Operand] is one word: a register, an immediate, a memory operand, or a place
// in the code. Operands are in Intel's order, the destination first. A vector
// register has no length of its own; the instruction gives it. Memory operands are
// made by [At], [AtIndex], [AtIndexOnly], [AtAbs] and [AtLabel].
//
// # Code and constants
//
// Jumps backward are short where that reaches. Jumps forward take a displacement of
// four bytes, since their distance is not known when they are written; [Assembler.JumpShort]
// is for distances that the caller knows to be small. Constants and jump tables follow
// the code, each aligned to its size, equal ones once. They are addressed relative to the
// instruction pointer, so the finished code runs at any address.
//
// # Errors
//
// What cannot be encoded is never written. The first error sticks: further
// instructions are passed over and [Assembler.Finish] returns it. So a compiler
// checks once, and can fall back to something else.
package encode
