#include "textflag.h"

// func Enter(code, context uintptr) (reason uint64)
//
// The frame keeps the return address. R28 (Go's g) and R18 (the system's on some) the code leaves alone; Go's own wrapper
// around an ABI0 function expects nothing of the others.
//
// NOSPLIT: the stack must not move between here and the code, which has no stack map.
TEXT ·Enter(SB), NOSPLIT, $16-24
	MOVD code+0(FP), R9
	MOVD context+8(FP), R0
	CALL (R9)
	MOVD R0, reason+16(FP)
	RET

// func EnterArray(code uintptr, dst, a, b, c unsafe.Pointer, n int, frame unsafe.Pointer)
//
// As Enter, for code that has its operands in registers and gives no reason. It has no frame: the code returns to the
// caller of EnterArray by itself.
TEXT ·EnterArray(SB), NOSPLIT|NOFRAME, $0-56
	MOVD code+0(FP), R9
	MOVD dst+8(FP), R0
	MOVD a+16(FP), R1
	MOVD b+24(FP), R2
	MOVD c+32(FP), R3
	MOVD n+40(FP), R4
	MOVD frame+48(FP), R5
	JMP  (R9)
