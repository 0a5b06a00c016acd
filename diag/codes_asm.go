package diag

// The codes of package check that are about inline asm.
const (
	AsmOperand      Code = "asm-operand"
	AsmInputWritten Code = "asm-input-written"
)

var asmDocs = []Doc{
	{
		Code:    AsmOperand,
		Section: inlinePTX,
		Rule:    "The operands of an asm statement are numbered from %0, outputs first; one that is both, \"+r\", has one number. The text names an operand that the statement has not.",
		Scope:   CSource,
		Wrong:   `asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b));`,
		Right:   `asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));`,
	}, {
		Code:     AsmInputWritten,
		Severity: Warning,
		Section:  inlinePTX,
		Rule:     "The compiler takes an input to be the same after the asm statement as before, and may have put another variable into the same register. What the text writes to is an output, \"=r\", or both, \"+r\".",
		Scope:    CSource,
		Wrong:    `asm volatile("vadd4.u32.u32.u32 %0, %0, %1, %0;" :: "r"(sum), "r"(x));`,
		Right:    `asm volatile("vadd4.u32.u32.u32 %0, %0, %1, %0;" : "+r"(sum) : "r"(x));`,
	},
}

// inlinePTX is where asm statements are described.
const inlinePTX = "Inline PTX Assembly in CUDA, 1.1"
