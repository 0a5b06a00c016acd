package encode

// Arithmetic and logic on general registers: r/m,r; r,m; r/m,imm. The digit also gives
// the opcode.
const (
	ADD = 0x01 | oALU | mG | hasAll | 0<<digitShift | locks
	OR  = 0x09 | oALU | mG | hasAll | 1<<digitShift | locks
	ADC = 0x11 | oALU | mG | hasAll | 2<<digitShift | locks
	SBB = 0x19 | oALU | mG | hasAll | 3<<digitShift | locks
	AND = 0x21 | oALU | mG | hasAll | 4<<digitShift | locks
	SUB = 0x29 | oALU | mG | hasAll | 5<<digitShift | locks
	XOR = 0x31 | oALU | mG | hasAll | 6<<digitShift | locks
	CMP = 0x39 | oALU | mG | hasAll | 7<<digitShift

	TEST = 0x85 | oTest | mG | hasAll

	INC  = 0xff | oM | mG | hasAll | 0<<digitShift | locks
	DEC  = 0xff | oM | mG | hasAll | 1<<digitShift | locks
	NOT  = 0xf7 | oM | mG | hasAll | 2<<digitShift | locks
	NEG  = 0xf7 | oM | mG | hasAll | 3<<digitShift | locks
	MUL  = 0xf7 | oM | mG | hasAll | 4<<digitShift // RDX:RAX = RAX * r/m
	IMUL = 0xf7 | oM | mG | hasAll | 5<<digitShift // the same, signed
	DIV  = 0xf7 | oM | mG | hasAll | 6<<digitShift
	IDIV = 0xf7 | oM | mG | hasAll | 7<<digitShift

	IMUL2 = 0xaf | oRM | m0F | rG | mG | hasWide // r *= r/m
	IMUL3 = 0x69 | oRMI | rG | mG | hasWide      // r = r/m * imm
	CDQE  = 0x98 | oNone | hasWide               // RAX = its lower half, sign extended
	CDQ   = 0x99 | oNone | hasWide               // RDX = sign of RAX

	ADCX = 0xf6 | oRM | m38 | p66 | rG | mG | hasGP | fADX
	ADOX = 0xf6 | oRM | m38 | pF3 | rG | mG | hasGP | fADX
)

// Shifts by an immediate or by RCX.
const (
	ROL = 0xc1 | oShift | mG | hasAll | 0<<digitShift
	ROR = 0xc1 | oShift | mG | hasAll | 1<<digitShift
	RCL = 0xc1 | oShift | mG | hasAll | 2<<digitShift
	RCR = 0xc1 | oShift | mG | hasAll | 3<<digitShift
	SHL = 0xc1 | oShift | mG | hasAll | 4<<digitShift
	SHR = 0xc1 | oShift | mG | hasAll | 5<<digitShift
	SAR = 0xc1 | oShift | mG | hasAll | 7<<digitShift

	SHLD = 0xa4 | oDouble | m0F | rG | mG | hasWide
	SHRD = 0xac | oDouble | m0F | rG | mG | hasWide
)

// Moves between general registers and memory.
const (
	MOV     = 0x89 | oMov | mG | hasAll
	MOVZX8  = 0xb6 | oRM | m0F | rG | mG | hasWide | rmByte
	MOVZX16 = 0xb7 | oRM | m0F | rG | mG | hasGP
	MOVSX8  = 0xbe | oRM | m0F | rG | mG | hasWide | rmByte
	MOVSX16 = 0xbf | oRM | m0F | rG | mG | hasGP
	MOVSXD  = 0x63 | oRM | rG | mG | has64
	LEA     = 0x8d | oRM | rG | memOnly | hasWide
	MOVNTI  = 0xc3 | oMR | m0F | rG | memOnly | hasGP
	XCHG    = 0x87 | oMR | rG | mG | hasAll | locks
	BSWAP   = 0xc8 | oO | m0F | mG | hasGP
	CMOV    = 0x40 | oRM | m0F | rG | mG | hasWide // .If(cond)
	SET     = 0x90 | oM | m0F | mG | rmByte        // .If(cond)
)

// Bits.
const (
	BT  = 0xa3 | oBit | m0F | mG | hasWide | 4<<digitShift
	BTS = 0xab | oBit | m0F | mG | hasWide | 5<<digitShift | locks
	BTR = 0xb3 | oBit | m0F | mG | hasWide | 6<<digitShift | locks
	BTC = 0xbb | oBit | m0F | mG | hasWide | 7<<digitShift | locks

	BSF    = 0xbc | oRM | m0F | rG | mG | hasWide
	BSR    = 0xbd | oRM | m0F | rG | mG | hasWide
	TZCNT  = 0xbc | oRM | m0F | pF3 | rG | mG | hasWide | fBMI1
	LZCNT  = 0xbd | oRM | m0F | pF3 | rG | mG | hasWide | fLZCNT
	POPCNT = 0xb8 | oRM | m0F | pF3 | rG | mG | hasWide | fPOPCNT

	ANDN   = 0xf2 | oRVM | vex | m38 | rG | vG | mG | wSize | fBMI1
	BEXTR  = 0xf7 | oRMV | vex | m38 | rG | vG | mG | wSize | fBMI1
	BLSR   = 0xf3 | oVM | vex | m38 | vG | mG | wSize | 1<<digitShift | fBMI1
	BLSMSK = 0xf3 | oVM | vex | m38 | vG | mG | wSize | 2<<digitShift | fBMI1
	BLSI   = 0xf3 | oVM | vex | m38 | vG | mG | wSize | 3<<digitShift | fBMI1
	BZHI   = 0xf5 | oRMV | vex | m38 | rG | vG | mG | wSize | fBMI2
	PDEP   = 0xf5 | oRVM | vex | m38 | pF2 | rG | vG | mG | wSize | fBMI2
	PEXT   = 0xf5 | oRVM | vex | m38 | pF3 | rG | vG | mG | wSize | fBMI2
	MULX   = 0xf6 | oRVM | vex | m38 | pF2 | rG | vG | mG | wSize | fBMI2 // high, low = RDX * r/m
	SHLX   = 0xf7 | oRMV | vex | m38 | p66 | rG | vG | mG | wSize | fBMI2
	SARX   = 0xf7 | oRMV | vex | m38 | pF3 | rG | vG | mG | wSize | fBMI2
	SHRX   = 0xf7 | oRMV | vex | m38 | pF2 | rG | vG | mG | wSize | fBMI2
	RORX   = 0xf0 | oRM | vex | m3A | pF2 | rG | mG | wSize | ib | fBMI2
)

// Control. A label as the operand of JMP, JCC and CALL is given by the functions
// [Assembler.Jump], [Assembler.JumpIf] and [Assembler.Call].
const (
	JMP   = 0xe9 | oLabel
	JCC   = 0x80 | oLabel | m0F // .If(cond)
	CALL  = 0xe8 | oLabel
	JMPR  = 0xff | oM | mG | 4<<digitShift // to the address in a register or in memory
	CALLR = 0xff | oM | mG | 2<<digitShift
	RET   = 0xc3 | oNone
	INT3  = 0xcc | oNone
	UD2   = 0x0b | oNone | m0F
	PAUSE = 0x90 | oNone | pF3
	RDTSC = 0x31 | oNone | m0F // EDX:EAX = time stamp
)

// Atomic operations (with [Op.Lock]), fences, prefetches and the control register of floats.
const (
	CMPXCHG    = 0xb1 | oMR | m0F | rG | mG | hasAll | locks
	XADD       = 0xc1 | oMR | m0F | rG | mG | hasAll | locks
	CMPXCHG8B  = 0xc7 | oM | m0F | memOnly | 1<<digitShift | locks
	CMPXCHG16B = 0xc7 | oM | m0F | memOnly | 1<<digitShift | locks | vw1 | fCX16

	LFENCE = 0xae | oNoneD | m0F | 5<<digitShift
	MFENCE = 0xae | oNoneD | m0F | 6<<digitShift
	SFENCE = 0xae | oNoneD | m0F | 7<<digitShift

	PREFETCHNTA = 0x18 | oM | m0F | memOnly | 0<<digitShift
	PREFETCHT0  = 0x18 | oM | m0F | memOnly | 1<<digitShift
	PREFETCHT1  = 0x18 | oM | m0F | memOnly | 2<<digitShift
	PREFETCHT2  = 0x18 | oM | m0F | memOnly | 3<<digitShift
	PREFETCHW   = 0x0d | oM | m0F | memOnly | 1<<digitShift

	LDMXCSR = 0xae | oM | m0F | memOnly | 2<<digitShift
	STMXCSR = 0xae | oM | m0F | memOnly | 3<<digitShift

	VZEROUPPER = 0x77 | oNone | vex | m0F | fAVX
)
