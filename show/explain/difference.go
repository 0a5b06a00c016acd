package explain

import (
	"slices"

	"github.com/vop-ptx/vop/sem"
)

// Other returns the reading that is not r.
func Other(r sem.Reading) sem.Reading {
	if r == sem.SM86 {
		return sem.ISA
	}
	return sem.SM86
}

// differ adds what the other reading gives, if that is another value: at which stage the two part,
// and the rules that make them.
func (d *Drawing) differ(t sem.Trace) {
	u := sem.TraceOf(Other(t.Reading), t.Form, t.A, t.B, t.C)
	if u.D == t.D {
		return
	}
	d.Difference = &Difference{Reading: u.Reading, Result: u.D, Rules: sem.Causes(t.Form, t.A, t.B, t.C)}
	manual, compiled := *d, draw(u)
	if t.Reading == sem.SM86 {
		manual, compiled = compiled, manual
	}
	for i := range min(len(manual.Stages), len(compiled.Stages)) {
		if d.Difference.Parted = parting(manual.Stages[i], compiled.Stages[i]); d.Difference.Parted != nil {
			d.Difference.Kind = manual.Stages[i].Kind
			return
		}
	}
}

// parting returns the first row of a stage that has other values in two readings, as each has it.
func parting(manual, compiled Stage) []Parted {
	for k := range min(len(manual.Rows), len(compiled.Rows)) {
		x, y := manual.Rows[k], compiled.Rows[k]
		if !slices.EqualFunc(x.Cells, y.Cells, func(x, y Cell) bool { return x.Text == y.Text }) {
			return []Parted{{sem.ISA, manual.Formula, x}, {sem.SM86, compiled.Formula, y}}
		}
	}
	return nil
}
