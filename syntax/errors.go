package syntax

import "github.com/vop-ptx/vop/diag"

// The codes of what can be wrong with the form of a text, whatever it means.
const (
	// A character that begins nothing in PTX, such as a lone dot or a backquote.
	codeBadCharacter diag.Code = "syntax-bad-character"
	// A number is written 42, 052, 0x2a, 0b101010, with U for unsigned, 1.5, 1e3, 0f and 8 or 0d and 16 hexadecimal digits.
	codeBadNumber diag.Code = "syntax-bad-number"
	// A string ends with a quote on the line on which it began.
	codeUnterminatedString diag.Code = "syntax-unterminated-string"
	// A comment that begins with /* ends with */.
	codeUnterminatedComment diag.Code = "syntax-unterminated-comment"
	// The token cannot stand here; the message says what can.
	codeUnexpected diag.Code = "syntax-unexpected"
	// An instruction, a declaration and some directives end with a semicolon.
	codeMissingSemicolon diag.Code = "syntax-missing-semicolon"
	// A semicolon ends a statement; it is none by itself.
	codeEmptyStatement diag.Code = "syntax-empty-statement"
	// Every { ( [ has its closing partner.
	codeUnbalanced diag.Code = "syntax-unbalanced"
	// A register is negated once: --%r1 and !!%p1 are not written.
	codeRepeatedSign diag.Code = "syntax-repeated-sign"
	// Scopes, parentheses and operators nest at most so deep that every program can walk the tree.
	codeTooDeep diag.Code = "syntax-too-deep"
	// Positions are 32-bit numbers: a file is smaller than 2 GiB.
	codeTooLarge diag.Code = "syntax-too-large"
	// After very many errors the rest is not looked at: the file is hardly PTX.
	codeTooManyErrors diag.Code = "syntax-too-many-errors"
	// The text is to be one instruction: no label, no directive, no second one.
	codeNotOneInstruction diag.Code = "syntax-not-one-instruction"
)
