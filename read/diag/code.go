package diag

import (
	"slices"
	"strings"
)

// Code is the stable name of a kind of diagnostic, in kebab case:
// "selector-not-allowed". It never changes its meaning once released.
type Code string

// Doc is what there is to know about a code: the page of the documentation. It is
// tested: Wrong gives exactly this code, Right gives nothing.
type Doc struct {
	Code     Code
	Severity Severity
	Section  string // of the PTX ISA manual 9.x: "9.7.18.1.1"; or a ruling of docs/rulings.md: "R16"
	Rule     string // one paragraph
	Wrong    string
	Right    string
	Scope    Scope
	// NoExample says why there is none, where there is none.
	NoExample string
}

// Scope says what the examples of a [Doc] are.
type Scope uint8

// The scopes: statements of a kernel, which stand in [Context], whole modules, the
// argument of vop eval, or C with inline asm.
const (
	Statements Scope = iota
	Module
	OneInstruction
	CSource
)

// Context is the module around an example of some statements, which take the
// place of the line EXAMPLE.
const Context = `.version 7.8
.target sm_80
.address_size 64
.visible .entry example(.param .u64 in)
{
	.reg .b32 %r<8>;
	.reg .b64 %q<4>;
	.reg .f32 %f<4>;
	.reg .pred %p<4>;
EXAMPLE
	ret;
}
`

// Source returns an example as a whole file, and as it is if it is one.
func (d Doc) Source(example string) string {
	if d.Scope != Statements {
		return example
	}
	return strings.Replace(Context, "EXAMPLE", example, 1)
}

// docs are the registered codes, in the order of the documentation.
var docs = slices.Concat(syntaxDocs, moduleDocs, videoDocs, ordinaryDocs, asmDocs, commentDocs)

var docByCode = func() map[Code]*Doc {
	m := make(map[Code]*Doc, len(docs))
	for i := range docs {
		m[docs[i].Code] = &docs[i]
	}
	return m
}()

// Codes returns all codes, in the order of the documentation: the text, the
// module, the video instructions, the others, inline asm.
func Codes() []Code {
	codes := make([]Code, len(docs))
	for i := range docs {
		codes[i] = docs[i].Code
	}
	return codes
}

// Page returns what there is to know about a code; ok is false if there is no such code.
func Page(code Code) (page Doc, ok bool) {
	if d := docByCode[code]; d != nil {
		return *d, true
	}
	return Doc{}, false
}

// SeverityOf returns the severity of the diagnostics of a code.
func SeverityOf(code Code) Severity {
	if d := docByCode[code]; d != nil {
		return d.Severity
	}
	return Error
}
