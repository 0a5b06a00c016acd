// Package readings finds the video instructions of a file that ptxas does not compile to
// what the manual says (docs/rulings.md, "The reading sm_86"). For each it gives a
// warning: the cause, operands with both values, and what means the same in both.
//
// Instructions that cannot depend on it are passed over, by the form and by what the
// text tells of the operands: which are constants, and which are one register.
package readings

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/sem"
)

// Finder finds such instructions. It remembers what it has found out about each form:
// use one for a file, or for several, but by one goroutine at a time.
type Finder struct{ known map[question][]sem.Difference }

// NewFinder returns a Finder that knows nothing yet.
func NewFinder() *Finder { return &Finder{map[question][]sem.Difference{}} }

// question is all that the answer depends on.
type question struct {
	form    isa.Form
	sources check.Sources
}

// Module returns the warnings about a module.
func (f *Finder) Module(m *check.Module) diag.List {
	var found diag.List
	for _, function := range m.Functions {
		found = append(found, f.Body(m.Source, function.Body)...)
	}
	return found
}

// Body returns the warnings about instructions that stand in src.
func (f *Finder) Body(src *source.File, body []check.Inst) diag.List {
	var found diag.List
	for i := range body {
		in := &body[i]
		if in.Video == nil {
			continue
		}
		if differences := f.differences(in); len(differences) > 0 {
			found = append(found, warning(src, in, differences))
		}
	}
	return found
}

// differences returns what makes the readings of an instruction differ.
func (f *Finder) differences(in *check.Inst) []sem.Difference {
	q := question{in.Video.Form, check.SourcesOf(in.Tree.Operands)}
	answer, ok := f.known[q]
	if !ok {
		answer = sem.DifferencesGiven(q.form, q.operands())
		f.known[q] = answer
	}
	return answer
}

// operands returns the question's operands in the terms of package sem.
func (q *question) operands() sem.Known {
	s := &q.sources
	known := sem.Known{SameAB: s.SameAB, SameAC: s.SameAC, SameBC: s.SameBC}
	for i, operand := range []**uint32{&known.A, &known.B, &known.C} {
		if s.Constants[i].Is {
			*operand = &s.Constants[i].Word
		}
	}
	return known
}

// warning is what is said about one instruction, whatever the number of causes.
func warning(src *source.File, in *check.Inst, differences []sem.Difference) diag.Diagnostic {
	var titles, notes []string
	for _, d := range differences {
		about := ""
		if len(differences) > 1 {
			about = d.Rule.Name + ": "
		}
		titles = append(titles, fmt.Sprintf("%s (%s)", d.Rule.Title, d.Rule.Name))
		notes = append(notes,
			about+example(in.Video.Form, d),
			about+"the same in both: "+d.Rule.Instead)
	}
	return diag.Diagnostic{
		Code:     diag.ReadingsDiffer,
		Severity: diag.SeverityOf(diag.ReadingsDiffer),
		File:     src,
		Span:     in.Tree.Name.Span(),
		Message:  "from sm_70 on this is not what the manual says: " + strings.Join(titles, "; "),
		Notes:    notes,
	}
}

// example gives the operands of a difference and both values.
func example(f isa.Form, d sem.Difference) string {
	operands := fmt.Sprintf("a=0x%08x b=0x%08x", d.A, d.B)
	if f.ReadsC() {
		operands += fmt.Sprintf(" c=0x%08x", d.C)
	}
	return fmt.Sprintf("%s gives 0x%08x by the manual, 0x%08x as compiled", operands, d.ISA, d.SM86)
}
