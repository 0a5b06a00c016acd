package service

import (
	"strings"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// documentation is where the project's pages are, and manual the one that explains the codes.
const (
	documentation = "https://github.com/vop-ptx/vop/blob/main/docs/"
	manual        = documentation + "diagnostics.md#"
)

// maxDiagnostics is how many findings are told: no editor does anything with more.
const maxDiagnostics = 1000

// Diagnostics returns what is to say about the document.
func (d *Document) Diagnostics() []protocol.Diagnostic {
	list := make([]protocol.Diagnostic, 0, min(len(d.findings), maxDiagnostics))
	for i := range d.findings[:min(len(d.findings), maxDiagnostics)] {
		list = append(list, d.diagnostic(&d.findings[i]))
	}
	return list
}

var severities = map[diag.Severity]protocol.Severity{
	diag.Error: protocol.SeverityError, diag.Warning: protocol.SeverityWarning, diag.Note: protocol.SeverityInformation,
}

// diagnostic returns a finding as editors want it. Its notes are lines of the message: few editors
// show anything else.
func (d *Document) diagnostic(f *finding) protocol.Diagnostic {
	message := f.Message
	if f.Suggest != "" {
		message += "; did you mean '" + f.Suggest + "'?"
	}
	for _, note := range f.AllNotes() {
		message += "\n" + note
	}
	return protocol.Diagnostic{
		Range: d.rangeOf(f.start, f.end), Severity: severities[f.Severity],
		Code: string(f.Code), CodeDescription: &protocol.CodeDescription{Href: manual + string(f.Code)},
		Source: "vop", Message: strings.ToValidUTF8(message, "\ufffd"),
	}
}

// explanation is what a code means, in Markdown.
func explanation(f *finding) string {
	page, ok := diag.Page(f.Code)
	if !ok {
		return ""
	}
	where := ""
	switch {
	case strings.HasPrefix(page.Section, "R"):
		where = " (ruling " + page.Section + ")"
	case page.Section != "" && page.Scope != diag.CSource:
		where = " (PTX ISA " + page.Section + ")"
	}
	return "**[" + string(f.Code) + "](" + manual + string(f.Code) + ")** " + f.Severity.String() + where + "\n\n" + strings.ReplaceAll(page.Rule, "](rulings.md", "]("+documentation+"rulings.md")
}
