// Package machine executes machine code for sm_70 to sm_90, as nvdisasm prints it, one thread at a time:
// the integer instructions that ptxas makes of video instructions and of what they are lowered to, loads,
// stores, branches. With ptxas at hand it says what a kernel really computes, without a GPU.
//
// NVIDIA documents the names of these instructions and little more. What is written here has been
// learned from what is public: listings beside the PTX that they were compiled from, the compiler of
// Mesa for these GPUs and the tests that its authors run on them, and what others have measured. Each
// file says of its instructions which are certain and which are inferred:
//
//   - certain: the operation is that of a PTX instruction that is known to become this one instruction,
//     and tests hold it to package internal/ordinary, the model of the PTX manual; or Mesa's tests run it on
//     GPUs; or it is a load, a store or a branch, of which nothing else can be meant;
//   - inferred: from the name and the encoding, or from listings in which only that meaning is possible.
//
// Nothing is guessed beyond that. A mnemonic, a modifier, an operand or a sign that is not known is an
// error of [Compile], with the function, the line and the text, even where no thread would come to it.
//
//	move.go       MOV, SEL, FSEL, PRMT, P2R, R2P, S2R, CS2R, R2UR, and constants by HFMA2
//	add.go        IADD3, IADD, VIADD, LEA, IABS
//	multiply.go   IMAD, IMUL, IDP
//	shift.go      SHF, SGXT, BMSK
//	logic.go      LOP3, PLOP3, POPC, FLO, BREV
//	compare.go    ISETP, IMNMX, VIMNMX
//	bytes.go      VABSDIFF, VABSDIFF4, I2I, I2IP
//	memory.go     LDG, STG, LDC, LDL, STL
//	flow.go       BRA, EXIT, NOP and what concerns warps alone
//	unnamed.go    instructions that are printed as code alone
//
// Instructions of the uniform datapath (UIADD3, ULOP3 ...) do what those without the U do, on uniform
// registers: a thread alone is always uniform.
package machine
