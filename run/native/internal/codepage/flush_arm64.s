//go:build !windows

#include "textflag.h"

// func cacheLines() (data, code uintptr)
//
// CTR_EL0 has the logarithms of the lengths in words: of data lines in bits 16 to 19, of code lines in bits 0 to 3.
TEXT ·cacheLines(SB), NOSPLIT, $0-16
	MRS  CTR_EL0, R0
	MOVD $4, R1
	UBFX $16, R0, $4, R2
	LSL  R2, R1, R2
	MOVD R2, data+0(FP)
	UBFX $0, R0, $4, R2
	LSL  R2, R1, R2
	MOVD R2, code+8(FP)
	RET

// func cleanLines(from, to, line uintptr)
//
// What has been written goes to where instructions are fetched from: DC CVAU of every line.
TEXT ·cleanLines(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD line+16(FP), R2
clean:
	CMP  R1, R0
	BHS  cleaned
	WORD $0xd50b7b20 // dc cvau, x0
	ADD  R2, R0
	B    clean
cleaned:
	DSB  $11 // ish
	RET

// func dropLines(from, to, line uintptr)
//
// What has been fetched before is forgotten: IC IVAU of every line.
TEXT ·dropLines(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD line+16(FP), R2
drop:
	CMP  R1, R0
	BHS  dropped
	WORD $0xd50b7520 // ic ivau, x0
	ADD  R2, R0
	B    drop
dropped:
	DSB  $11 // ish
	ISB  $15
	RET
