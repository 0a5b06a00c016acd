package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/vm"
)

// runReport is the JSON document of vop run. The names of its fields are a promise.
type runReport struct {
	Engine   string         `json:"engine,omitempty"` // its level; none if the error came before
	Launches []launchReport `json:"launches"`         // those that were started
	Outputs  []outputReport `json:"outputs"`          // the files that have been written
	Stats    *vm.Stats      `json:"stats,omitempty"`  // with --stats
	Error    *errorReport   `json:"error,omitempty"`
}

// launchReport is one launch.
type launchReport struct {
	PTX     string  `json:"ptx"`
	Kernel  string  `json:"kernel"`
	Grid    [3]int  `json:"grid"`
	Block   [3]int  `json:"block"`
	Shared  int     `json:"shared"` // bytes of dynamic shared memory
	Seconds float64 `json:"seconds"`
}

// outputReport is a file and what it holds: an array, the last index running fastest.
type outputReport struct {
	Buffer string `json:"buffer"`
	File   string `json:"file"`
	Type   string `json:"type"` // "u8", "i16", "f32": see package buffer
	Shape  []int  `json:"shape"`
	Bytes  int    `json:"bytes"`
}

// errorReport is what has ended the run.
type errorReport struct {
	Kind        string            `json:"kind"` // see errorKind
	Message     string            `json:"message"`
	Fault       *faultReport      `json:"fault,omitempty"`
	Reports     []checkReport     `json:"reports,omitempty"` // with --check
	Stopped     *stoppedReport    `json:"stopped,omitempty"`
	Missing     []missingReport   `json:"missing,omitempty"`
	Diagnostics []json.RawMessage `json:"diagnostics,omitempty"` // as of vop check --json
}

// faultReport is a vm.Fault.
type faultReport struct {
	Kind    string `json:"kind"`
	Kernel  string `json:"kernel"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Source  string `json:"source,omitempty"`
	Block   [3]int `json:"block"`
	Thread  [3]int `json:"thread"`
	Access  string `json:"access,omitempty"`
	Address string `json:"address,omitempty"` // hexadecimal: a number of JSON may not hold it
	Detail  string `json:"detail,omitempty"`
}

// checkReport is a vm.Report.
type checkReport struct {
	faultReport
	Count int64 `json:"count"`
}

func newFaultReport(f *vm.Fault) *faultReport {
	report := &faultReport{
		Kind: f.Kind.String(), Kernel: f.Kernel, File: f.File, Line: f.Line, Col: f.Col, Source: f.Source,
		Block: dimReport(f.Block), Thread: dimReport(f.Thread), Access: f.Access, Detail: f.Detail,
	}
	if f.Access != "" {
		report.Address = fmt.Sprintf("0x%x", f.Address)
	}
	return report
}

// stoppedReport is a vm.StoppedError. Without a place nothing had begun yet.
type stoppedReport struct {
	Kernel string `json:"kernel"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Col    int    `json:"col,omitempty"`
	Last   int    `json:"last,omitempty"` // the last line of the loop
	Source string `json:"source,omitempty"`
	Block  [3]int `json:"block"`
	Thread [3]int `json:"thread"`
}

// missingReport is a vm.MissingForm.
type missingReport struct {
	Form  string `json:"form"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Col   int    `json:"col"`
	Count int    `json:"count"`
	Kind  string `json:"kind"` // as vm.MissingKind
	Why   string `json:"why,omitempty"`
}

func newRunReport() *runReport {
	return &runReport{Launches: []launchReport{}, Outputs: []outputReport{}}
}

func (r *runReport) launched(l *job.Launch, took time.Duration) {
	r.Launches = append(r.Launches, launchReport{
		PTX: l.Files.String(), Kernel: l.Name,
		Grid: dimReport(l.Grid.Grid), Block: dimReport(l.Grid.Block), Shared: l.Grid.Shared,
		Seconds: took.Seconds(),
	})
}

func dimReport(d vm.Dim) [3]int { return [3]int{d.X, d.Y, d.Z} }

func (r *runReport) wrote(b *job.Buffer) {
	layout := b.Arg.Layout
	r.Outputs = append(r.Outputs, outputReport{
		Buffer: b.Name, File: b.Arg.Output, Type: layout.Elem.Name, Shape: layout.Shape, Bytes: len(b.Memory.Bytes()),
	})
}

// fail tells the report of an error; nil is none.
func (r *runReport) fail(err error) {
	if err == nil {
		return
	}
	report := &errorReport{Kind: errorKind(err), Message: err.Error()}
	if f, ok := errors.AsType[*vm.Fault](err); ok {
		report.Fault = newFaultReport(f)
	}
	if found, ok := errors.AsType[*vm.CheckError](err); ok {
		for _, r := range found.Reports {
			report.Reports = append(report.Reports, checkReport{*newFaultReport(r.Fault), r.Count})
		}
	}
	if s, ok := errors.AsType[*vm.StoppedError](err); ok {
		report.Stopped = &stoppedReport{
			Kernel: s.Kernel, File: s.File, Line: s.Line, Col: s.Col, Last: s.Last, Source: s.Source,
			Block: dimReport(s.Block), Thread: dimReport(s.Thread),
		}
	}
	if missing, ok := errors.AsType[*vm.MissingError](err); ok {
		for _, f := range missing.Forms {
			report.Missing = append(report.Missing, missingReport{f.Form, f.File, f.Line, f.Col, f.Count, f.Kind.String(), f.Why})
		}
	}
	if input, ok := errors.AsType[*front.InputError](err); ok {
		report.Diagnostics = diagnosticReports(input.Diagnostics)
	}
	r.Error = report
}

// stopsLaunch are the kinds of errors that have stopped a kernel that was running. The
// others tell that there was nothing to run.
var stopsLaunch = map[string]bool{"fault": true, "difference": true, "timeout": true, "interrupted": true}

// errorKind returns the kind of an error that has ended a run.
func errorKind(err error) string {
	_, fault := errors.AsType[*vm.Fault](err)
	_, missing := errors.AsType[*vm.MissingError](err)
	_, input := errors.AsType[*front.InputError](err)
	_, difference := errors.AsType[job.Differences](err)
	switch {
	case difference:
		return "difference" // a buffer does not hold what is expected
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case fault:
		return "fault" // what a thread has done
	case missing:
		return "missing" // instructions that the machine does not have
	case input:
		return "input" // errors in a PTX text
	}
	return "usage" // arguments, files
}

// diagnosticReports returns the objects that vop check --json prints, one to a line.
func diagnosticReports(list diag.List) (reports []json.RawMessage) {
	var lines bytes.Buffer
	diag.WriteJSON(&lines, list) // a bytes.Buffer takes everything
	for line := range bytes.Lines(lines.Bytes()) {
		reports = append(reports, json.RawMessage(line))
	}
	return reports
}

func (r *runReport) write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
