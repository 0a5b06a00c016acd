package vop

import (
	"fmt"

	"github.com/vop-ptx/vop/read/diag"
)

// Diagnostic is a message about a place in a text: a code, a severity, a span,
// what is wrong, what is allowed there.
type Diagnostic = diag.Diagnostic

// InputError is a text that cannot be used. Diagnostics has at least one error.
type InputError struct{ Diagnostics diag.List }

func inputError(findings diag.List) error {
	findings.Sort()
	return &InputError{findings}
}

// Error gives the first error with its place, and how many there are.
func (e *InputError) Error() string {
	errors := 0
	var first Diagnostic
	for _, d := range e.Diagnostics {
		if d.Severity != diag.Error {
			continue
		}
		if errors == 0 {
			first = d
		}
		errors++
	}
	file, span := first.File.Outermost(first.Span)
	at := file.Position(span.Start)
	text := fmt.Sprintf("%s:%d:%d: %s [%s]", file.NameAt(span.Start), at.Line, at.Col, first.Message, first.Code)
	if errors > 1 {
		text += fmt.Sprintf(" (and %d more)", errors-1)
	}
	return text
}
