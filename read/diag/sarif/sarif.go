// Package sarif writes diagnostics as SARIF 2.1.0, the format in which code hosts
// and editors take the findings of static analysis.
package sarif

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/vop-ptx/vop/read/diag"
)

// home is where the tool comes from, manual where its codes are documented.
const (
	home   = "https://github.com/vop-ptx/vop"
	manual = home + "/blob/main/docs/diagnostics.md#"
)

// Write writes a report of one run of vop, of the given version or "", with a rule
// for each code that occurs.
func Write(w io.Writer, list diag.List, version string) error {
	r := run{
		Tool:       tool{driver{Name: "vop", Version: version, InformationURI: home, Rules: []rule{}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []result{},
	}
	indices := make(map[diag.Code]int)
	for i := range list {
		d := &list[i]
		index, known := indices[d.Code]
		if !known {
			index = len(indices)
			indices[d.Code] = index
			r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, ruleOf(d.Code))
		}
		r.Results = append(r.Results, resultOf(d, index))
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(report{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []run{r},
	})
}

// ruleOf describes a code.
func ruleOf(code diag.Code) rule {
	page, _ := diag.Page(code)
	return rule{
		ID:                   string(code),
		FullDescription:      text{Text: page.Rule},
		Help:                 text{Text: page.Rule, Markdown: page.Markdown()},
		HelpURI:              manual + string(code),
		DefaultConfiguration: configuration{page.Severity.String()},
	}
}

// resultOf is one diagnostic. Its notes are part of the message, which is what readers show.
func resultOf(d *diag.Diagnostic, rule int) result {
	place := d.Region()
	at := region{place.Line, place.Col, place.EndLine, place.EndCol}
	file := artifactLocation{uri(place.File)}
	r := result{
		RuleID: string(d.Code), RuleIndex: rule, Level: d.Severity.String(),
		Message:   text{Text: strings.Join(append([]string{d.Message}, d.AllNotes()...), "\n")},
		Locations: []location{{physicalLocation{file, at}}},
	}
	if d.Suggest != "" {
		r.Fixes = []fix{{
			Description:     text{Text: "write '" + d.Suggest + "'"},
			ArtifactChanges: []artifactChange{{file, []replacement{{at, text{Text: d.Suggest}}}}},
		}}
	}
	return r
}

// uri returns a file name as a relative reference, whatever characters it has.
func uri(name string) string {
	return (&url.URL{Path: filepath.ToSlash(name)}).String()
}
