// Package encode writes instructions of 64-bit Arm: those of Advanced SIMD (NEON) on integers, loads and stores of
// vectors, and what loops and addresses need of the general instructions.
//
// An [Op] is an instruction, and with it the arrangement of its vectors where it has several:
//
//	a := encode.New()
//	loop := a.NewLabel()
//	a.Bind(loop)
//	a.Emit(encode.LDRQPost, encode.V(0), encode.X(1), encode.Imm(16))      // ldr q0, [x1], #16
//	a.Emit(encode.SQADD|encode.B16, encode.V(0), encode.V(0), encode.V(2)) // sqadd v0.16b, v0.16b, v2.16b
//	a.Emit(encode.STRQPost, encode.V(0), encode.X(0), encode.Imm(16))
//	a.Emit(encode.SUBSI, encode.X(4), encode.X(4), encode.Imm(4))
//	a.Branch(encode.BNE, loop)
//	a.Emit(encode.RET)
//	code, err := a.Finish()
//
// Operands come in the order of Arm's assembly language. What cannot be encoded, such as an offset that is too far, is an
// error of [Assembler.Finish], which names the instruction. The first error is kept.
//
// The instructions stand in tables (table_vector.go, table_general.go): a row has the fixed bits, and the form, which says
// where the operands go. A test holds every row against llvm-mc, or its recorded answers where it is not installed.
package encode
