package diag

// The codes of package syntax: what can be wrong with a text, whatever it means.
const (
	SyntaxBadCharacter        Code = "syntax-bad-character"
	SyntaxBadNumber           Code = "syntax-bad-number"
	SyntaxNumberRange         Code = "syntax-number-range"
	SyntaxNumberCut           Code = "syntax-number-cut"
	SyntaxUnterminatedString  Code = "syntax-unterminated-string"
	SyntaxUnterminatedComment Code = "syntax-unterminated-comment"
	SyntaxUnexpected          Code = "syntax-unexpected"
	SyntaxMissingSemicolon    Code = "syntax-missing-semicolon"
	SyntaxEmptyStatement      Code = "syntax-empty-statement"
	SyntaxUnbalanced          Code = "syntax-unbalanced"
	SyntaxRepeatedSign        Code = "syntax-repeated-sign"
	SyntaxTooDeep             Code = "syntax-too-deep"
	SyntaxTooLarge            Code = "syntax-too-large"
	SyntaxTooManyErrors       Code = "syntax-too-many-errors"
	SyntaxNotOneInstruction   Code = "syntax-not-one-instruction"
)

var syntaxDocs = []Doc{
	{
		Code:    SyntaxBadCharacter,
		Section: "4.2",
		Rule:    "The character begins nothing in PTX: neither a name, a number, a string, a comment, a directive nor an operator. A dot begins a directive or a modifier and has a letter right after it.",
		Wrong:   "\tadd.s32 %r1, %r2, `5;",
		Right:   "\tadd.s32 %r1, %r2, 5;",
	}, {
		Code:    SyntaxBadNumber,
		Section: "4.5",
		Rule:    "An integer is written in decimal (42), octal (052), hexadecimal (0x2a) or binary (0b101010), with a U at its end if it is unsigned. A floating-point number is written 1.5 or 1e3, or as the bits of a single (0f and 8 hexadecimal digits) or a double (0d and 16). No letter or digit may follow it directly.",
		Wrong:   "\tadd.s32 %r1, %r2, 0x;",
		Right:   "\tadd.s32 %r1, %r2, 0x2a;",
	}, {
		Code:    SyntaxNumberRange,
		Section: "4.5",
		Rule:    "An integer has 64 bits, signed or unsigned, and goes up to 18446744073709551615; a floating-point number is a double and goes up to 1.7976931348623157e308.",
		Wrong:   "\tmov.u64 %q1, 99999999999999999999;",
		Right:   "\tmov.u64 %q1, 9999999999999999999;",
	}, {
		Code:     SyntaxNumberCut,
		Severity: Warning,
		Section:  "4.5",
		Rule:     "An integer has 64 bits. Of a hexadecimal, octal or binary one with more bits ptxas takes the lower 64 without a word, and so it does of the decimal ones from 18446744073709551616 to 18446744073709551619.",
		Wrong:    "\tmov.u64 %q1, 0x1ffffffffffffffff;",
		Right:    "\tmov.u64 %q1, 0xffffffffffffffff;",
	}, {
		Code:    SyntaxUnterminatedString,
		Section: "4.5",
		Rule:    "A string ends with a quotation mark on the line on which it begins.",
		Wrong:   "\t.pragma \"nounroll\n\t;",
		Right:   "\t.pragma \"nounroll\";",
	}, {
		Code:    SyntaxUnterminatedComment,
		Section: "4.2",
		Rule:    "A comment that begins with /* ends with */. Such comments do not nest.",
		Scope:   Module,
		Wrong:   ".version 7.8\n.target sm_80\n/* the end is missing",
		Right:   ".version 7.8\n.target sm_80\n/* the end is here */",
	}, {
		Code:    SyntaxUnexpected,
		Section: "4.3",
		Rule:    "Something else must stand here; the message says what. The rest of the statement is not looked at.",
		Wrong:   "\tadd.s32 %r1, , %r3;",
		Right:   "\tadd.s32 %r1, %r2, %r3;",
	}, {
		Code:    SyntaxMissingSemicolon,
		Section: "4.3",
		Rule:    "Every instruction and every declaration ends with a semicolon, and so do the directives .pragma, .branchtargets, .calltargets and .callprototype. A new line ends nothing.",
		Wrong:   "\tadd.s32 %r1, %r2, %r3\n\tsub.s32 %r1, %r1, %r2;",
		Right:   "\tadd.s32 %r1, %r2, %r3;\n\tsub.s32 %r1, %r1, %r2;",
	}, {
		Code:    SyntaxEmptyStatement,
		Section: "4.3",
		Rule:    "A semicolon ends a statement and is none by itself; ptxas rejects a second one.",
		Wrong:   "\tadd.s32 %r1, %r2, %r3;;",
		Right:   "\tadd.s32 %r1, %r2, %r3;",
	}, {
		Code:    SyntaxUnbalanced,
		Section: "4.3",
		Rule:    "Every brace, bracket and parenthesis that is opened is closed, and none is closed that is not open.",
		Wrong:   "\tld.param.u64 %q1, [in;",
		Right:   "\tld.param.u64 %q1, [in];",
	}, {
		Code:    SyntaxRepeatedSign,
		Section: "6.4",
		Rule:    "A register has one sign at most. Constants may have any number of them.",
		Wrong:   "\tvmad.s32.s32.s32 %r1, --%r2, %r3, %r4;",
		Right:   "\tvmad.s32.s32.s32 %r1, -%r2, %r3, %r4;",
	}, {
		Code:      SyntaxTooDeep,
		Rule:      "Scopes, parentheses and operators nest 250 levels deep at most. No compiler comes near to that; the limit is what lets every tool walk the tree without fear.",
		NoExample: "it would take 251 parentheses",
	}, {
		Code:      SyntaxTooLarge,
		Rule:      "A file is smaller than 2 GiB, since places in it are 32-bit numbers.",
		NoExample: "it would take a file of 2 GiB",
	}, {
		Code:      SyntaxTooManyErrors,
		Rule:      "After very many errors the rest of the file is not looked at: it is hardly PTX.",
		NoExample: "it would take very many errors",
	}, {
		Code:    SyntaxNotOneInstruction,
		Section: "4.3",
		Rule:    "Where one instruction is asked for, as in vop eval, the text is exactly one: no directive, no label, no second instruction. The semicolon may be left out.",
		Scope:   OneInstruction,
		Wrong:   "vadd4.u32.u32.u32 d, a, b, c; vsub4.u32.u32.u32 d, a, b, c;",
		Right:   "vadd4.u32.u32.u32 d, a, b, c;",
	},
}
