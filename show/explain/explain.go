// Package explain draws the stages of one video instruction, as the manual
// names them, the lanes side by side: which byte goes where, what is clamped,
// what comes from c. Where the two readings of the instruction give different values it
// says at which stage they part, and why.
package explain

import (
	"io"
	"strings"

	"github.com/vop-ptx/vop/sem"
)

// Write draws a trace, and where the other reading gives another value what makes the
// difference. With color it uses terminal colours: one for each lane, red for values that
// saturation changed.
func Write(w io.Writer, t sem.Trace, color bool) error {
	d := draw(t)
	var s strings.Builder
	d.title(&s, t, color)
	d.table(&s, color)
	d.result(&s, t, color)
	writeDifference(&s, t, color)
	_, err := io.WriteString(w, s.String())
	return err
}

// String draws a trace without colours.
func String(t sem.Trace) string {
	var s strings.Builder
	_ = Write(&s, t, false) // a strings.Builder does not fail
	return s.String()
}

// drawing is the table of stages: one row for each, a column for each lane.
type drawing struct {
	lanes int
	rows  []row
}

// draw makes the drawing of a trace.
func draw(t sem.Trace) drawing {
	d := drawing{lanes: max(1, len(t.Lanes))}
	if t.Mad != nil {
		d.mad(t)
	} else {
		d.stages(t)
	}
	return d
}

type row struct {
	name  string // the manual's name of the value: "ta", "Va", "tmp", "d"
	how   string // where it comes from: "a.b1 .s32", "ta + tb"
	cells []cell // of lane 0 first
	note  string
}

// cell is the value of one lane.
type cell struct {
	text string
	hue  hue
}
