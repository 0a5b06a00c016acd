package diag

// The codes of package check that are about inline asm.
const (
	AsmOperand      Code = "asm-operand"
	AsmInputWritten Code = "asm-input-written"
	AsmNotRead      Code = "asm-not-read"
	AsmNotLowered   Code = "asm-not-lowered"
	AsmNotPorted    Code = "asm-not-ported"
	AsmNVCC         Code = "asm-nvcc"
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
	}, {
		Code:     AsmNotRead,
		Severity: Note,
		Section:  inlinePTX,
		Rule:     "A part of the asm statement is not known, so that less of it is checked. vop expands the macros that the file defines, and looks at all branches of its #if, within bounds; it does not read the files that it includes. A source that has been preprocessed (nvcc -E, clang -E; a .ii file) has nothing that is not known, and diagnostics still name the lines of the files that it was made of.",
		Scope:    CSource,
		Wrong:    `asm(OP " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));`,
		Right:    "#define OP \"vadd4.u32.u32.u32\"\nasm(OP \" %0, %1, %2, %3;\" : \"=r\"(d) : \"r\"(a), \"r\"(b), \"r\"(c));",
	}, {
		Code:      AsmNotLowered,
		Severity:  Note,
		Section:   inlinePTX,
		Rule:      "A video instruction stays as it is: macros put it together from several places, or it stands in a macro outside the asm statement, or its text is used elsewhere too, so that no place of the source can be rewritten without changing other statements. Preprocess the source (nvcc -E, clang -E) and lower the result.",
		Scope:     CSource,
		NoExample: "vop lower says it, not vop check",
	}, {
		Code:      AsmNotPorted,
		Severity:  Warning,
		Section:   inlinePTX,
		Rule:      "An asm statement with video instructions stays as it is: macros make it, it is read in several ways, an operand is no 32-bit register, or it has other instructions than video instructions and mov, add, sub, and, or, xor and not of 32 bits. Write the statement itself where it is used, or write what it does in the language.",
		Scope:     CSource,
		NoExample: "vop port says it, not vop check",
	}, {
		Code:     AsmNVCC,
		Severity: Note,
		Section:  inlinePTX,
		Rule:     "clang takes the asm statement, and nvcc does not: it has no names of operands, no clobber but \"memory\", and of constraints single letters only: h, r, l, q, f, d, n and C.",
		Scope:    CSource,
		Wrong:    `asm("vadd4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "rn"(a));`,
		Right:    `asm("vadd4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "r"(a));`,
	},
}

// inlinePTX is where asm statements are described.
const inlinePTX = "Inline PTX Assembly in CUDA, 1.1"
