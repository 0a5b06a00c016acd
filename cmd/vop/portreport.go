package main

import (
	"encoding/json"
	"io"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// portReport is the JSON object of a file that vop port --json prints. The names of its fields are
// a promise.
type portReport struct {
	File       string            `json:"file"`
	Output     string            `json:"output"`
	Language   string            `json:"language"`
	Header     string            `json:"header,omitempty"` // the file of the functions; none if nothing was replaced
	Replaced   int               `json:"replaced"`         // asm statements
	Left       int               `json:"left"`             // asm statements with video instructions that stay
	Functions  []string          `json:"functions"`        // that are called
	Statements []portedStatement `json:"statements"`
}

// portedStatement is what became of an asm statement with video instructions.
type portedStatement struct {
	Line         int      `json:"line"` // of the source as it was
	Col          int      `json:"col"`
	EndLine      int      `json:"end_line"`
	EndCol       int      `json:"end_col"`
	Instructions []string `json:"instructions"`
	Replaced     bool     `json:"replaced"`
	Text         string   `json:"text,omitempty"` // what stands in its place
	Why          string   `json:"why,omitempty"`  // it stays
}

func newPortReport(name, out, header, language string, ported *translate.Ported) *portReport {
	r := &portReport{
		File: name, Output: out, Language: language, Header: header, Replaced: ported.Calls(), Left: ported.Left(),
		Functions: []string{}, Statements: []portedStatement{},
	}
	for _, f := range ported.Forms {
		r.Functions = append(r.Functions, translate.FunctionName(f))
	}
	for _, s := range ported.Statements {
		r.Statements = append(r.Statements, portedStatement{
			Line: s.Start.Line, Col: s.Start.Col, EndLine: s.End.Line, EndCol: s.End.Col,
			Instructions: formNames(s.Forms), Replaced: s.Why == "", Text: s.Call, Why: s.Why,
		})
	}
	return r
}

// formNames spells forms, as the reports of other commands do.
func formNames(forms []isa.Form) []string {
	names := make([]string, 0, len(forms))
	for _, f := range forms {
		names = append(names, f.String())
	}
	return names
}

func (r *portReport) write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
