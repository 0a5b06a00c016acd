package vop

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/diag"
)

// Severity says how serious a finding is.
type Severity uint8

// The severities.
const (
	Error   Severity = iota // the file cannot be used
	Warning                 // it can, and is likely to be wrong
	Note                    // something to know
)

// String returns "error", "warning" or "note".
func (s Severity) String() string { return diag.Severity(s).String() }

// Finding is what there is to say about a place in a text. It prints itself, with the line and what is allowed there.
type Finding struct {
	File            string // as messages call it
	Line, Col       int    // where the place begins, both from 1; Col counts bytes
	EndLine, EndCol int    // behind its last byte
	Severity        Severity
	Code            string   // docs/diagnostics.md has a page for each: "unknown-selector"
	Message         string   // one sentence: what is wrong here
	Notes           []string // what is allowed, what the manual says
	Suggestion      string   // what was probably meant in place of the text; may be empty
	diagnostic      diag.Diagnostic
}

// String returns the finding as vop check prints it: the place and the message, the line with carets, and the notes.
func (f Finding) String() string {
	var s strings.Builder
	_ = diag.WriteText(&s, diag.List{f.diagnostic}, diag.TextOptions{}) // a strings.Builder takes everything
	return s.String()
}

// Findings are all that there is to say about a text, in the order of their places.
type Findings []Finding

// String returns all findings as vop check prints them.
func (f Findings) String() string {
	var s strings.Builder
	for _, finding := range f {
		s.WriteString(finding.String())
	}
	return s.String()
}

// HasErrors reports whether one of them is an error.
func (f Findings) HasErrors() bool {
	return slices.ContainsFunc(f, func(finding Finding) bool { return finding.Severity == Error })
}

func findingsOf(list diag.List) Findings {
	var all Findings
	for i := range list {
		d := &list[i]
		r := d.Region()
		all = append(all, Finding{
			File: r.File, Line: r.Line, Col: r.Col, EndLine: r.EndLine, EndCol: r.EndCol,
			Severity: Severity(d.Severity), Code: string(d.Code), Message: d.Message, Notes: d.AllNotes(), Suggestion: d.Suggest,
			diagnostic: *d,
		})
	}
	return all
}

// InputError is the error of a text that cannot be used. One of its findings, at least, is an error.
type InputError struct {
	Findings Findings
	cause    *front.InputError
}

// Error gives the first error with its place, and how many there are. Findings prints all of them.
func (e *InputError) Error() string { return e.cause.Error() }

// Unwrap returns the error as the packages below have it.
func (e *InputError) Unwrap() error { return e.cause }

// outward turns errors of the packages below into those of this one.
func outward(err error) error {
	if input, ok := err.(*front.InputError); ok {
		return &InputError{findingsOf(input.Diagnostics), input}
	}
	return err
}

// wrong is an error about what was asked for.
func wrong(format string, args ...any) error { return fmt.Errorf("vop: "+format, args...) }
