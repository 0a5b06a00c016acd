package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// printReport prints what became of the instructions, as a table.
func (a *app) printReport(report translate.Report) {
	w := tabwriter.NewWriter(a.stderr, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "line\tbefore\tafter\tinstruction")
	before, after := 0, 0
	for _, r := range report {
		note := ""
		if r.Kept {
			note = "   (stays: the target has it)"
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%v%s\n", r.Position.Line, r.Before, r.After, r.Form, note)
		before, after = before+r.Before, after+r.After
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%s\n", before, after, diag.Count(len(report), "video instruction"))
}

// lowerReport is the JSON object of a file that vop lower --report --json prints. The names of its
// fields are a promise.
type lowerReport struct {
	File         string          `json:"file"`
	Output       string          `json:"output"`
	Target       string          `json:"target,omitempty"` // what --target or .vop.toml says
	Reading      string          `json:"reading"`
	Before       int             `json:"before"` // machine instructions of sm_80 by ptxas 11.8
	After        int             `json:"after"`  // operations
	Instructions []loweredReport `json:"instructions"`
}

// loweredReport is what became of one instruction.
type loweredReport struct {
	Line   int    `json:"line"`
	Col    int    `json:"col"`
	Form   string `json:"form"`
	Before int    `json:"before"`
	After  int    `json:"after"`
	Kept   bool   `json:"kept"` // the target has it
}

func newLowerReport(name, out string, flags lowerFlags, report translate.Report) *lowerReport {
	r := &lowerReport{File: name, Output: out, Target: flags.target, Reading: flags.reading.String(), Instructions: []loweredReport{}}
	for _, in := range report {
		r.Before, r.After = r.Before+in.Before, r.After+in.After
		r.Instructions = append(r.Instructions, loweredReport{in.Position.Line, in.Position.Col, in.Form.String(), in.Before, in.After, in.Kept})
	}
	return r
}

func (r *lowerReport) write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
