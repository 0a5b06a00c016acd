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

// func enterFlushing(code, context uintptr) (reason uint64)
//
// As Enter, between two changes of MXCSR. No Go code runs in between, so that no other goroutine comes to run on this thread.
TEXT ·enterFlushing(SB), NOSPLIT, $16-24
	MOVQ    code+0(FP), AX
	MOVQ    context+8(FP), DI
	STMXCSR before-16(SP)
	MOVL    before-16(SP), CX
	ORL     $0x8040, CX             // FTZ and DAZ
	MOVL    CX, flushing-8(SP)
	LDMXCSR flushing-8(SP)
	CALL    AX
	LDMXCSR before-16(SP)
	MOVQ    AX, reason+16(FP)
	RET

// func floatMode() uint32
TEXT ·floatMode(SB), NOSPLIT, $8-4
	STMXCSR mode-8(SP)
	MOVL    mode-8(SP), AX
	MOVL    AX, ret+0(FP)
	RET

// func setFloatMode(mode uint32)
TEXT ·setFloatMode(SB), NOSPLIT, $0-4
	LDMXCSR mode+0(FP)
	RET

// func EnterArray(code uintptr, dst, a, b, c unsafe.Pointer, n int, frame unsafe.Pointer)
//
// As Enter, for code that has its operands in registers and gives no reason. It has no frame: the code
// leaves RBP alone and returns to the caller of EnterArray by itself. To the runtime, which finds no function at a place
// in the code, this looks as Enter does: a return address of Go's on top of the stack.
TEXT ·EnterArray(SB), NOSPLIT|NOFRAME, $0-56
	MOVQ code+0(FP), AX
	MOVQ dst+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	MOVQ c+32(FP), CX
	MOVQ n+40(FP), R8
	MOVQ frame+48(FP), R9
	JMP  AX
