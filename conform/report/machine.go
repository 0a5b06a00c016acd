package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/conform/diagnose"
	"github.com/vop-ptx/vop/internal/junit"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// The JSON document; ../schema/report.schema.json describes it.
type jsonReport struct {
	Program     string           `json:"program"`
	Reading     string           `json:"reading"`
	Passed      bool             `json:"passed"`
	Vectors     int              `json:"vectors"`
	Right       int              `json:"right"`
	Wrong       int              `json:"wrong"`
	Failed      int              `json:"failed"`
	Skipped     int              `json:"skipped"`
	Causes      []jsonCause      `json:"causes"`
	Unexplained []jsonExample    `json:"unexplained"`
	Failures    []jsonFailure    `json:"failures"`
	Forms       []jsonForm       `json:"forms"`
	Notices     []string         `json:"notices"`
	Expected    *jsonExpectation `json:"expected,omitempty"`
}

type jsonCause struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Ruling   string        `json:"ruling,omitempty"`
	Ops      []string      `json:"ops"`
	Forms    int           `json:"forms"`
	Explains int           `json:"explains"`
	Against  int           `json:"against"`
	Examples []jsonExample `json:"examples"`
}

type jsonExample struct {
	Instruction string `json:"instruction"`
	A           string `json:"a"`
	B           string `json:"b"`
	C           string `json:"c"`
	Got         string `json:"got"`
	Want        string `json:"want"`
}

type jsonFailure struct {
	What  string `json:"what"`
	Text  string `json:"text"`
	Count int    `json:"count"`
	First string `json:"first"`
}

type jsonForm struct {
	Instruction string   `json:"instruction"`
	Vectors     int      `json:"vectors"`
	Right       int      `json:"right"`
	Skipped     int      `json:"skipped"`
	Causes      []string `json:"causes,omitempty"`
}

type jsonExpectation struct {
	Known int      `json:"known"`
	New   []string `json:"new"`
	Gone  []string `json:"gone"`
	Idle  []string `json:"idle"`
}

// maxExamples bounds the examples of a cause, and of what has none, in documents.
const maxExamples = 10

func examples(r sem.Reading, answers []diagnose.Answer) []jsonExample {
	all := []jsonExample{}
	for _, a := range answers[:min(len(answers), maxExamples)] {
		hex := func(x uint32) string { return fmt.Sprintf("%08x", x) }
		all = append(all, jsonExample{a.Form.String(), hex(a.A), hex(a.B), hex(a.C), hex(a.Got), hex(a.Want[r])})
	}
	return all
}

// WriteJSON writes one JSON document.
func (r *Report) WriteJSON(w io.Writer) error {
	j := jsonReport{
		Program: r.Name, Reading: r.Reading.String(), Passed: r.Passed(),
		Vectors: r.Vectors, Right: r.Right, Wrong: r.Wrong, Failed: r.Failed, Skipped: r.Skipped,
		Causes: []jsonCause{}, Unexplained: examples(r.Reading, r.Diagnosis.Unexplained), Failures: []jsonFailure{}, Forms: []jsonForm{},
		Notices: append([]string{}, r.Notices...),
	}
	for _, c := range r.Diagnosis.Causes {
		j.Causes = append(j.Causes, jsonCause{c.Name(), c.Title(), c.Ruling(), names(c.Ops), c.Forms, len(c.Explains), c.Against, examples(r.Reading, c.Explains)})
	}
	for _, f := range r.Failures {
		j.Failures = append(j.Failures, jsonFailure{f.What, f.Text, f.Count, r.question(f.First)})
	}
	causes := r.causesOf()
	for _, f := range r.Forms {
		j.Forms = append(j.Forms, jsonForm{f.Instruction, f.Vectors, f.Right, f.Skipped, causes[f.Instruction]})
	}
	if c := r.Expected; c != nil {
		j.Expected = &jsonExpectation{c.Known, []string{}, []string{}, []string{}}
		for _, f := range c.New {
			j.Expected.New = append(j.Expected.New, f.Instruction)
		}
		for _, e := range c.Gone {
			j.Expected.Gone = append(j.Expected.Gone, e.Pattern)
		}
		for _, e := range c.Idle {
			j.Expected.Idle = append(j.Expected.Idle, e.Pattern)
		}
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(j)
}

func names(ops []isa.Op) []string {
	all := []string{}
	for _, op := range ops {
		all = append(all, op.String())
	}
	return all
}

// message says what is wrong with a form, in a line.
func (r *Report) message(f Form, causes []string) string {
	o := f.First
	if r.verdicts && o.Kind == 0 {
		return verdictText(o.Word)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d of %d wrong", f.Vectors-f.Right-f.Skipped, f.Vectors)
	if len(causes) > 0 {
		fmt.Fprintf(&text, " (%s)", strings.Join(causes, ", "))
	}
	fmt.Fprintf(&text, "; a=%08x b=%08x c=%08x: ", o.A, o.B, o.C)
	switch {
	case o.Rejected:
		text.WriteString("accepted, and is to be rejected")
	case o.Kind == 0:
		fmt.Fprintf(&text, "got %08x, want %08x", o.Word, o.Want[r.Reading])
	default:
		fmt.Fprintf(&text, "%v %s, want %08x", o.Kind, o.Text, o.Want[r.Reading])
	}
	return text.String()
}

// op returns the mnemonic of an instruction: its name without modifiers.
func op(instruction string) string {
	name, _, _ := strings.Cut(instruction, ".")
	return name
}

// WriteJUnit writes a JUnit document: a test case for each form, a suite for each instruction. With expectations, what
// fails as expected is skipped, and what passes though it was expected to fail is a failure of its own suite.
func (r *Report) WriteJUnit(w io.Writer) error {
	var suites []junit.Suite
	causes := r.causesOf()
	unexpected := r.unexpected()
	add := func(suite string, c junit.Case) {
		i := slices.IndexFunc(suites, func(s junit.Suite) bool { return s.Name == suite })
		if i < 0 {
			i = len(suites)
			suites = append(suites, junit.Suite{Name: suite})
		}
		suites[i].Cases = append(suites[i].Cases, c)
	}
	for _, f := range r.Forms {
		c := junit.Case{Name: f.Instruction, Class: "vop." + op(f.Instruction), Took: junit.NotMeasured}
		switch {
		case !f.Passed() && unexpected(f.Instruction):
			c.Failure = &junit.Text{Message: strings.ReplaceAll(r.message(f, causes[f.Instruction]), "\n", " ")}
		case !f.Passed() || f.Skipped == f.Vectors:
			c.Skipped = true
		}
		add(op(f.Instruction), c)
	}
	if r.Expected != nil {
		for _, e := range r.Expected.Gone {
			add("expectations", junit.Case{Name: e.Pattern, Class: "vop.expectations", Took: junit.NotMeasured, Failure: &junit.Text{Message: fmt.Sprintf("line %d: passes now", e.Line)}})
		}
	}
	return junit.Write(w, "vop conform, "+r.Reading.String(), suites)
}

// unexpected returns a function that reports whether the failure of an instruction is not expected.
func (r *Report) unexpected() func(instruction string) bool {
	if r.Expected == nil {
		return func(string) bool { return true }
	}
	set := map[string]bool{}
	for _, f := range r.Expected.New {
		set[f.Instruction] = true
	}
	return func(instruction string) bool { return set[instruction] }
}

// WriteTAP writes the Test Anything Protocol, version 13: a line for each form.
func (r *Report) WriteTAP(w io.Writer) error {
	out := bufio.NewWriter(w)
	gone := 0
	if r.Expected != nil {
		gone = len(r.Expected.Gone)
	}
	fmt.Fprintf(out, "TAP version 13\n1..%d\n", len(r.Forms)+gone)
	causes := r.causesOf()
	unexpected := r.unexpected()
	for i, f := range r.Forms {
		verdict, directive := "ok", ""
		switch {
		case !f.Passed():
			verdict = "not ok"
			if !unexpected(f.Instruction) {
				directive = " # TODO known failure"
			}
		case f.Skipped == f.Vectors:
			directive = " # SKIP"
		}
		fmt.Fprintf(out, "%s %d - %s%s\n", verdict, i+1, f.Instruction, directive)
		if !f.Passed() {
			fmt.Fprintf(out, "# %s\n", strings.ReplaceAll(r.message(f, causes[f.Instruction]), "\n", " "))
		}
	}
	if r.Expected != nil {
		for i, e := range r.Expected.Gone {
			fmt.Fprintf(out, "not ok %d - %s passes now (line %d of the expectations)\n", len(r.Forms)+i+1, e.Pattern, e.Line)
		}
	}
	return out.Flush()
}
