package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// printReport lists what became of each instruction.
func (a *app) printReport(report translate.Report, differing map[source.Position]bool, reading isa.Reading) {
	fmt.Fprintln(a.stderr, "machine instructions: ptxas 11.8 for sm_80, and of the plain PTX as estimated; slots: the time of those, in instructions at the full rate")
	w := tabwriter.NewWriter(a.stderr, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "line\tptxas\tplain\tslots\tinstruction")
	before, after, slots := 0, 0, 0
	for _, r := range report {
		note := ""
		switch {
		case r.Kept:
			note = "   (stays: the target has it)"
		case differing[r.Position] && reading == isa.SM86:
			note = "   (readings-differ: computes what ptxas compiles, not what the manual says)"
		case differing[r.Position]:
			note = "   (readings-differ: computes what the manual says, not what ptxas compiles; --as sm_86 keeps that)"
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%v%s\n", r.Position.Line, r.Before, r.After, r.Slots, r.Form, note)
		before, after, slots = before+r.Before, after+r.After, slots+r.Slots
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%s\n", before, after, slots, diag.Count(len(report), "video instruction"))
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
