package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/sem"
)

// writeDifference says what the other reading gives, if that is another value: at
// which stage the two part, and the rules that make them.
func writeDifference(s *strings.Builder, t sem.Trace, color bool) {
	other := sem.SM86
	if t.Reading == sem.SM86 {
		other = sem.ISA
	}
	u := sem.TraceOf(other, t.Form, t.A, t.B, t.C)
	if u.D == t.D {
		return
	}
	fmt.Fprintf(s, "\n  %s read as %v. The readings part here:\n\n", clamped.paint(fmt.Sprintf("d %08x", u.D), color), other)
	writeParting(s, t, u, color)
	for _, rule := range sem.Causes(t.Form, t.A, t.B, t.C) {
		fmt.Fprintf(s, "\n  %s  %s\n", strong.paint(rule.Name, color), strong.paint(rule.Title, color))
		for _, line := range [][2]string{{sem.ISA.String(), rule.Manual}, {sem.SM86.String(), rule.Compiled}, {"both", rule.Instead}} {
			fmt.Fprintf(s, "    %s  %s\n", faint.paint(fmt.Sprintf("%-5s", line[0]), color), line[1])
		}
	}
}

// writeParting draws the first stage that has not the same value in two traces.
func writeParting(s *strings.Builder, t, u sem.Trace, color bool) {
	if t.Reading == sem.SM86 {
		t, u = u, t
	}
	parting := drawing{lanes: 1}
	manual, compiled := draw(t).rows, draw(u).rows
	name := ""
	for i := range min(len(manual), len(compiled)) {
		if manual[i].name != "" {
			name = manual[i].name // a row without one goes on with the row before
		}
		if manual[i].sameValues(compiled[i]) {
			continue
		}
		manual[i].name = fmt.Sprintf("%-5v   %s", t.Reading, name)
		compiled[i].name = fmt.Sprintf("%-5v   %s", u.Reading, name)
		parting.rows = []row{manual[i], compiled[i]}
		break
	}
	parting.table(s, color)
}

func (r row) sameValues(other row) bool {
	return slices.EqualFunc(r.cells, other.cells, func(x, y cell) bool { return x.text == y.text })
}
