#include "textflag.h"

// func Enter(code, context uintptr) (reason uint64)
//
// The frame is 16 bytes, so that the assembler saves RBP before the call and restores it
// after: the code may use RBP. RSP is restored by the code's own RET. R14 (Go's g) and X15
// (zero) are restored by the wrapper that Go's register ABI puts around an ABI0 function. No
// register is kept by the code for its caller beyond these.
//
// NOSPLIT: the stack must not move between here and the code, which has no stack map. The
// frame and the return address of the call are within what every NOSPLIT function may use.
TEXT ·Enter(SB), NOSPLIT, $16-24
	MOVQ code+0(FP), AX
	MOVQ context+8(FP), DI
	CALL AX
	MOVQ AX, reason+16(FP)
	RET
