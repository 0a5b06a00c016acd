package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/adapter"
	"github.com/vop-ptx/vop/conform/diagnose"
	"github.com/vop-ptx/vop/conform/selfcheck"
	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/sem"
)

// Outcome is a vector and what the implementation answered.
type Outcome struct {
	conform.Entry
	adapter.Answer
}

// Right reports whether the answer is what the reading gives.
func (o Outcome) Right(r sem.Reading) bool {
	if o.Rejected {
		return o.Kind == adapter.Refused
	}
	return o.Kind == adapter.Value && o.Word == o.Want[r]
}

// Skipped reports whether the answer is that the implementation does not have the instruction.
func (o Outcome) Skipped() bool { return o.Kind == adapter.Skip }

// Report is all of it.
type Report struct {
	Name    string // the program
	Reading sem.Reading
	Notices []string // what happened to the program

	Vectors, Right, Wrong, Skipped, Failed int // Failed: no word where there should be one, or one where there should be none

	Forms     []Form             // in the order they were asked
	Diagnosis diagnose.Diagnosis // of the wrong words
	Failures  []Failure          // the other answers that are not right
	Expected  *Comparison        // nil without expectations

	verdicts bool // the words are verdicts
}

// Form is how an instruction has done.
type Form struct {
	Instruction             string
	Vectors, Right, Skipped int
	First                   *Outcome // the first answer that is not right; nil if all are
}

// Passed reports whether no answer is wrong.
func (f Form) Passed() bool { return f.First == nil }

// Failure is a kind of answer that is no word where one is wanted, or the reverse.
type Failure struct {
	What  string // "crash", "error", "garbled", "timeout", "unasked", "accepted", "verdict"
	Text  string
	Count int
	First Outcome
}

// New makes a report of outcomes.
func New(name string, r sem.Reading, outcomes []Outcome, notices []string) *Report {
	return newReport(name, r, outcomes, notices, true)
}

// NewVerdicts makes a report of outcomes whose words are not values but the verdicts of self-checking files: there is
// nothing to diagnose.
func NewVerdicts(name string, r sem.Reading, outcomes []Outcome, notices []string) *Report {
	return newReport(name, r, outcomes, notices, false)
}

func newReport(name string, r sem.Reading, outcomes []Outcome, notices []string, values bool) *Report {
	report := &Report{Name: name, Reading: r, Notices: notices, Vectors: len(outcomes), verdicts: !values}
	index := map[string]int{}
	var answers []diagnose.Answer
	failures := map[[2]string]*Failure{}
	for i := range outcomes {
		o := &outcomes[i]
		n, known := index[o.Instruction]
		if !known {
			n = len(report.Forms)
			index[o.Instruction] = n
			report.Forms = append(report.Forms, Form{Instruction: o.Instruction})
		}
		f := &report.Forms[n]
		f.Vectors++
		if o.Kind == adapter.Value && !o.Rejected && values {
			answers = append(answers, diagnose.Answer{Vector: o.Vector, Got: o.Word})
		}
		switch {
		case o.Right(r):
			report.Right++
			f.Right++
			continue
		case o.Skipped():
			report.Skipped++
			f.Skipped++
			continue
		case o.Kind == adapter.Value && !o.Rejected && values:
			report.Wrong++
		default:
			report.Failed++
			what, text := o.Kind.String(), o.Text
			switch {
			case !values && o.Kind == adapter.Value:
				report.Failed--
				report.Wrong++
				what, text = "verdict", verdictText(o.Word)
			case o.Rejected:
				what, text = "accepted", "an instruction that is to be rejected"
			}
			key := [2]string{what, text}
			if o.Kind == adapter.Garbled {
				key[1] = "" // each may be another; the first is shown
			}
			if failures[key] == nil {
				failures[key] = &Failure{What: what, Text: text, First: *o}
			}
			failures[key].Count++
		}
		if f.First == nil {
			f.First = o
		}
	}
	report.Diagnosis = diagnose.Of(r, answers)
	for _, f := range failures {
		report.Failures = append(report.Failures, *f)
	}
	sorting.Stable(report.Failures, func(x, y Failure) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.What, y.What), cmp.Compare(x.Text, y.Text))
	})
	return report
}

// verdictText says what a verdict that is not right means.
func verdictText(word uint32) string {
	switch word {
	case selfcheck.AsManual:
		return "the values are the manual's"
	case selfcheck.AsCompiled:
		return "the values are as compiled for sm_86"
	case selfcheck.Neither:
		return "the values are neither the manual's nor as compiled for sm_86"
	}
	return fmt.Sprintf("%08x: the kernel has not run to its end", word)
}

// Passed reports whether the implementation has done as it should: everything is right or, with
// expectations, everything is as expected.
func (r *Report) Passed() bool {
	if r.Expected != nil {
		return len(r.Expected.New) == 0 && len(r.Expected.Gone) == 0
	}
	return r.Wrong == 0 && r.Failed == 0
}

// causesOf returns the names of the causes that explain wrong answers of each form.
func (r *Report) causesOf() map[string][]string {
	sets := map[string]map[string]bool{}
	for _, c := range r.Diagnosis.Causes {
		for _, a := range c.Explains {
			text := a.Form.String()
			if sets[text] == nil {
				sets[text] = map[string]bool{}
			}
			sets[text][c.Name()] = true
		}
	}
	names := map[string][]string{}
	for text, set := range sets {
		names[text] = slices.Sorted(maps.Keys(set))
	}
	return names
}
