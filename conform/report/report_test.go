package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/adapter"
	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// entries are vectors of all classes.
var entries = sync.OnceValue(func() []conform.Entry {
	return slices.Collect(conform.Entries(conform.Select(conform.Classes(), 2, 0)))
})

// answered returns outcomes of an implementation that merges from a in vset2, does not have vavrg4, rejects
// vmad and crashes at a vector of vshl.
func answered() (all []Outcome) {
	wrong := mistake.Of(mistake.MergeFromA)
	crashed := false
	for _, e := range entries() {
		o := Outcome{Entry: e, Answer: adapter.Answer{Word: e.Want[sem.ISA]}}
		switch e.Form.Op {
		case isa.Vset2:
			o.Word = mistake.Eval(&wrong, e.Form, e.A, e.B, e.C)
		case isa.Vavrg4:
			o.Answer = adapter.Answer{Kind: adapter.Skip}
		case isa.Vmad:
			o.Answer = adapter.Answer{Kind: adapter.Refused, Text: "unknown <op> & \x01"}
		case isa.Vshl:
			if !crashed {
				o.Answer = adapter.Answer{Kind: adapter.Crashed, Text: "the program ended (exit status 4)"}
				crashed = true
			}
		}
		all = append(all, o)
	}
	return all
}

func TestCounts(t *testing.T) {
	r := New("it", sem.ISA, answered(), nil)
	if r.Right+r.Wrong+r.Skipped+r.Failed != r.Vectors || r.Vectors != 2*len(conform.Classes()) {
		t.Errorf("%d right, %d wrong, %d skipped, %d failed of %d", r.Right, r.Wrong, r.Skipped, r.Failed, r.Vectors)
	}
	if r.Skipped != 2*48 || r.Failed != 2*336+1 || r.Wrong == 0 || r.Passed() {
		t.Errorf("%d skipped, %d failed, %d wrong", r.Skipped, r.Failed, r.Wrong)
	}
	if len(r.Diagnosis.Causes) != 1 || r.Diagnosis.Causes[0].Mistake != mistake.MergeFromA {
		t.Errorf("causes %v", r.Diagnosis.Causes)
	}
	if len(r.Failures) != 2 || r.Failures[0].What != "error" || r.Failures[1].What != "crash" {
		t.Errorf("failures %v", r.Failures)
	}
}

// TestFailuresOfManyKindsAreBounded: garbled answers were a kind each, and a program like cat filled the screen.
func TestFailuresOfManyKindsAreBounded(t *testing.T) {
	var outcomes []Outcome
	for i, e := range slices.Collect(conform.Entries(conform.Select(conform.Real()[:25], 2, 0))) {
		o := Outcome{Entry: e, Answer: adapter.Answer{Kind: adapter.Garbled, Text: fmt.Sprint("line ", i)}}
		if i%2 == 0 {
			o.Answer.Kind = adapter.Refused
		}
		outcomes = append(outcomes, o)
	}
	r := New("cat", sem.ISA, outcomes, nil)
	if len(r.Failures) != 26 || r.Failures[0].What != "garbled" || r.Failures[0].Count != 25 || r.Failures[0].Text != "line 1" {
		t.Errorf("%d kinds, the first %+v", len(r.Failures), r.Failures[0])
	}
	var text strings.Builder
	if err := r.WriteText(&text, TextOptions{}); err != nil || strings.Count(text.String(), "   first: ") != 20 || !strings.Contains(text.String(), "and 6 failures of other kinds") {
		t.Errorf("%s", text.String())
	}
}

func TestExpectations(t *testing.T) {
	r := New("it", sem.ISA, answered(), nil)
	var file bytes.Buffer
	if err := r.WriteExpectations(&file); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(file.String(), "\tmerge-from-a\n") || !strings.Contains(file.String(), "\tcrash\n") {
		t.Errorf("%.300s", file.String())
	}
	own, err := ReadExpectations(&file)
	if err != nil {
		t.Fatal(err)
	}
	if r.Compare(own); !r.Passed() || r.Expected.Known == 0 {
		t.Errorf("the report is not what it expects itself: %d new, %d gone", len(r.Expected.New), len(r.Expected.Gone))
	}

	some, err := ReadExpectations(strings.NewReader("# known\n\nvset2.*\tmerges\nvmad.*;\nvadd4.*\twas wrong once\nvavrg4.*\nvsub9.*\n"))
	if err != nil || len(some) != 5 || some[2].Line != 5 || some[0].Reason != "merges" {
		t.Fatalf("%v %v", some, err)
	}
	r.Compare(some)
	if len(r.Expected.New) != 1 || r.Expected.Known != 24+336 || !strings.HasPrefix(r.Expected.New[0].Instruction, "vshl") {
		t.Errorf("new: %v", r.Expected.New)
	}
	if len(r.Expected.Gone) != 1 || r.Expected.Gone[0].Pattern != "vadd4.*" {
		t.Errorf("gone: %v", r.Expected.Gone)
	}
	if len(r.Expected.Idle) != 2 { // what was skipped was not asked
		t.Errorf("idle: %v", r.Expected.Idle)
	}
	if r.Passed() {
		t.Error("new failures pass")
	}
	if _, err := ReadExpectations(strings.NewReader("vset2.*\nfail vadd\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"vadd.u32.u32.u32 d, a, b;", "vadd.u32.u32.u32 d, a, b;", true},
		{"vadd.u32.u32.u32 d, a, b", "vadd.u32.u32.u32 d, a, b;", true},
		{"vadd.u32.u32.u32", "vadd.u32.u32.u32 d, a, b;", false},
		{"vadd*", "vadd.u32.u32.u32 d, a, b;", true},
		{"vadd.*", "vadd4.u32.u32.u32 d, a, b, c;", false},
		{"*.sat*", "vadd4.u32.u32.u32.sat d, a, b, c;", true},
		{"*.sat d, *c", "vadd4.u32.u32.u32.sat d, a, b, c;", true},
		{"v*.sat*b, a*", "vadd4.u32.u32.u32.sat d, a, b, c;", false},
		{"*", "x", true},
	} {
		if got := matches(c.pattern, c.text); got != c.want {
			t.Errorf("%q, %q: %v", c.pattern, c.text, got)
		}
	}
}

func TestDocumentsAreWellFormed(t *testing.T) {
	r := New("it", sem.ISA, answered(), []string{"started again"})
	expectations, _ := ReadExpectations(strings.NewReader("vset2.*\nvadd4.*\n"))
	for _, expected := range []bool{false, true} {
		if expected {
			r.Compare(expectations)
		}
		var junit bytes.Buffer
		if err := r.WriteJUnit(&junit); err != nil {
			t.Fatal(err)
		}
		var suites struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Suites   []struct {
				Cases []struct {
					Failure *struct{} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(junit.Bytes(), &suites); err != nil {
			t.Fatal(err)
		}
		tests, failures := 0, 0
		for _, s := range suites.Suites {
			tests += len(s.Cases)
			for _, c := range s.Cases {
				if c.Failure != nil {
					failures++
				}
			}
		}
		failed := 0
		for _, f := range r.Forms {
			if !f.Passed() && (!expected || !matches("vset2.*", f.Instruction)) {
				failed++
			}
		}
		if expected {
			failed++ // vadd4.*, which passes
			tests--
		}
		if suites.Tests != tests && !expected || tests != len(r.Forms) || failures != failed || suites.Failures != failed {
			t.Errorf("JUnit: %d tests, %d failures (%d stated), want %d and %d", tests, failures, suites.Failures, len(r.Forms), failed)
		}

		var tap bytes.Buffer
		if err := r.WriteTAP(&tap); err != nil {
			t.Fatal(err)
		}
		lines := 0
		for line := range strings.Lines(tap.String()) {
			if strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "not ok ") {
				lines++
			}
		}
		if lines < len(r.Forms) || !strings.HasPrefix(tap.String(), "TAP version 13\n1..") || !strings.Contains(tap.String(), " # SKIP\n") {
			t.Errorf("TAP: %d lines for %d forms\n%.200s", lines, len(r.Forms), tap.String())
		}
		if todo := strings.Contains(tap.String(), "# TODO"); todo != expected {
			t.Errorf("TAP: known failures are marked: %v", todo)
		}

		var document bytes.Buffer
		if err := r.WriteJSON(&document); err != nil || !json.Valid(document.Bytes()) {
			t.Errorf("JSON: %v", err)
		}
		var text strings.Builder
		if err := r.WriteText(&text, TextOptions{Draw: func(sem.Trace) string { return "drawing\n" }, Examples: 2}); err != nil {
			t.Fatal(err)
		}
		for _, piece := range []string{"1. merges from a instead of c   [merge-from-a]", "in 24 forms of vset2", "drawing", "error: 672 vectors", "crash: 1 vector\n", "note: started again", "unknown <op> &  \n", "forms right, 48 skipped\n"} {
			if !strings.Contains(text.String(), piece) {
				t.Errorf("the text has no %q:\n%.1500s", piece, text.String())
			}
		}
	}
}
