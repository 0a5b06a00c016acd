// Package testreport writes what tests have given, for people and for programs: text, JSON, JUnit and TAP.
package testreport

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"
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

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string     `xml:"name,attr"`
	Class   string     `xml:"classname,attr"`
	Time    string     `xml:"time,attr"`
	Failure *junitText `xml:"failure"`
	Error   *junitText `xml:"error"`
	Output  string     `xml:"system-out,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a JUnit document with one suite. The class of a test is the folder of its file.
func WriteJUnit(w io.Writer, results []Result) error {
	suite := junitSuite{Name: "vop test", Tests: len(results)}
	var all time.Duration
	for _, r := range results {
		all += r.Took
		name := filepath.ToSlash(r.Name)
		c := junitCase{Name: path.Base(name), Class: strings.ReplaceAll(path.Dir(name), "/", "."), Time: seconds(r.Took), Output: clean(r.Output)}
		first, _, _ := strings.Cut(r.Message, "\n")
		text := &junitText{clean(first), clean(r.Message)}
		switch r.Status {
		case Failed:
			suite.Failures++
			c.Failure = text
		case Unusual:
			suite.Errors++
			c.Error = text
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = seconds(all)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", "  ")
	if err := out.Encode(struct {
		XMLName xml.Name `xml:"testsuites"`
		Suite   junitSuite
	}{Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// clean takes out what XML does not allow.
func clean(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' || c == 0xfffe || c == 0xffff {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
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
