// Package diag is what vop tells people about their source: one Diagnostic
// type, the registry of codes with a page for each, and the renderers (text with
// carets, JSON lines, SARIF). It knows nothing of PTX beyond the pages' text.
package diag

import (
	"cmp"
	"slices"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/read/source"
)

// Severity says how serious a diagnostic is.
type Severity uint8

// Errors make a file unusable; warnings do not; notes explain.
const (
	Error Severity = iota
	Warning
	Note
)

func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// Diagnostic is one message about one place.
type Diagnostic struct {
	Code     Code
	Severity Severity
	File     *source.File
	Span     source.Span // the offending token, as tight as possible
	Message  string      // one sentence: what is wrong here
	Notes    []string    // what is allowed, what the manual says
	// Suggest, if not empty, is what the user probably meant in place of the span's text.
	Suggest string

	more int         // further uses of a macro that give the same
	last source.Span // the last of them
}

// List is a list of diagnostics, in the order in which they were found.
type List []Diagnostic

// Sort orders the list by file name and position, and drops repetitions: exact ones, and
// those about the same place in the body of a macro, or in a statement that is read more than once.
func (l *List) Sort() {
	sorting.Stable(*l, func(a, b Diagnostic) int {
		fa, sa := a.File.Outermost(a.Span)
		fb, sb := b.File.Outermost(b.Span)
		return cmp.Or(cmp.Compare(fa.Name, fb.Name), cmp.Compare(sa.Start, sb.Start), cmp.Compare(a.Severity, b.Severity))
	})
	*l = slices.CompactFunc(*l, func(a, b Diagnostic) bool {
		return a.File == b.File && a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
	})
	*l = once(*l)
}

// Without returns the list without the findings of some codes.
func (l List) Without(codes ...Code) List {
	return slices.DeleteFunc(slices.Clone(l), func(d Diagnostic) bool { return slices.Contains(codes, d.Code) })
}

// AtLeast returns the list without what is less severe.
func (l List) AtLeast(least Severity) List {
	return slices.DeleteFunc(slices.Clone(l), func(d Diagnostic) bool { return d.Severity > least })
}

// OnlyNotes reports whether nothing in the list is worse than a note: there may be
// something to know, and there is nothing to mend.
func (l List) OnlyNotes() bool {
	return !slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity != Note })
}

// HasErrors reports whether the list holds an error, not only warnings.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}
