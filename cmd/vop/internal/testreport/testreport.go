// Package testreport writes what tests have given, for people and for programs: text, JSON, JUnit and TAP.
package testreport

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/vop-ptx/vop/internal/junit"
)

// Result is what a test has given.
type Result struct {
	Name   string
	Status Status
	Took   time.Duration
	// Message tells what is wrong, in one line or several.
	Message string
	Output  string // of the kernels
	Note    string // in brackets after the name, also of what has passed
}

// Status is how a test has ended.
type Status string

// A test passes; or it fails, as it ends in a fault or gives something else than is expected; or it could not be run.
const (
	Passed  Status = "ok"
	Failed  Status = "failed"
	Unusual Status = "error"
)

// WriteText writes a line for a test, and below it what is wrong.
func WriteText(w io.Writer, r Result) error {
	var s strings.Builder
	word := map[Status]string{Passed: "ok   ", Failed: "FAIL ", Unusual: "ERROR"}[r.Status]
	fmt.Fprintf(&s, "%s %s (%.2fs)", word, r.Name, r.Took.Seconds())
	if r.Note != "" {
		fmt.Fprintf(&s, " [%s]", r.Note)
	}
	s.WriteByte('\n')
	if r.Status != Passed {
		s.WriteString(indent(r.Message))
		if r.Output != "" {
			s.WriteString("      printed:\n" + indent(r.Output))
		}
	}
	_, err := io.WriteString(w, s.String())
	return err
}

func indent(text string) string {
	var s strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		s.WriteString(strings.TrimRight("      "+line, " ") + "\n")
	}
	return s.String()
}

// JSON is a test in JSON. The names of its fields are a promise.
type JSON struct {
	Name    string  `json:"name"`
	Status  Status  `json:"status"`
	Seconds float64 `json:"seconds"`
	Message string  `json:"message,omitempty"`
	Output  string  `json:"output,omitempty"`
}

// WriteJSON writes one object a line.
func WriteJSON(w io.Writer, results []Result) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, r := range results {
		if err := out.Encode(JSON{r.Name, r.Status, r.Took.Seconds(), r.Message, r.Output}); err != nil {
			return err
		}
	}
	return nil
}

// WriteJUnit writes a JUnit document with one suite. The class of a test is the folder of its file.
func WriteJUnit(w io.Writer, results []Result) error {
	suite := junit.Suite{Name: "vop test"}
	for _, r := range results {
		name := filepath.ToSlash(r.Name)
		c := junit.Case{Name: path.Base(name), Class: strings.ReplaceAll(path.Dir(name), "/", "."), Took: r.Took, Output: r.Output}
		first, _, _ := strings.Cut(r.Message, "\n")
		text := &junit.Text{Message: first, All: r.Message}
		switch r.Status {
		case Failed:
			c.Failure = text
		case Unusual:
			c.Error = text
		}
		suite.Cases = append(suite.Cases, c)
	}
	return junit.Write(w, "vop test", []junit.Suite{suite})
}

// WriteTAP writes the Test Anything Protocol, version 13: a line for each test, and what is wrong as comments.
func WriteTAP(w io.Writer, results []Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "TAP version 13\n1..%d\n", len(results))
	for i, r := range results {
		verdict := "ok"
		if r.Status != Passed {
			verdict = "not ok"
		}
		fmt.Fprintf(out, "%s %d - %s\n", verdict, i+1, strings.ReplaceAll(r.Name, "#", `\#`))
		if r.Status != Passed {
			for line := range strings.SplitSeq(strings.TrimRight(r.Message, "\n"), "\n") {
				fmt.Fprintln(out, strings.TrimRight("# "+line, " "))
			}
		}
	}
	return out.Flush()
}
