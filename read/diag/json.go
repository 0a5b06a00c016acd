package diag

import (
	"encoding/json"
	"io"
)

// JSON is a diagnostic in JSON. The names of its fields are a promise.
type JSON struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Col      int      `json:"col"`
	EndLine  int      `json:"end_line"`
	EndCol   int      `json:"end_col"`
	Severity string   `json:"severity"`
	Code     Code     `json:"code"`
	Message  string   `json:"message"`
	Notes    []string `json:"notes,omitempty"`
	Suggest  string   `json:"suggestion,omitempty"`
}

// WriteJSON prints diagnostics as JSON, one object a line. Lines and columns count
// from 1, columns in characters; the end is exclusive.
func WriteJSON(w io.Writer, list List) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range list {
		d := &list[i]
		r := d.Region()
		err := encoder.Encode(JSON{
			File: r.File, Line: r.Line, Col: r.Col, EndLine: r.EndLine, EndCol: r.EndCol,
			Severity: d.Severity.String(), Code: d.Code, Message: d.Message, Notes: d.AllNotes(), Suggest: d.Suggest,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
