package translate

import (
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// LineMap tells of which line of a file each line of its lowered text comes. Lines count from 1.
type LineMap struct{ of []int }

// Lines returns the map of a file that was lowered.
func (l *Lowered) Lines(src *source.File) LineMap {
	m := LineMap{make([]int, 1, strings.Count(l.Text, "\n")+2)} // nothing is at 0
	line, done := 1, source.Pos(0)
	m.of = append(m.of, 1)
	text := func(s string, moves bool) {
		for range strings.Count(s, "\n") {
			if moves {
				line++
			}
			m.of = append(m.of, line)
		}
	}
	for _, e := range l.Edits {
		text(src.Text[done:e.At.Start], true)
		text(e.Text, false)
		line += strings.Count(src.Text[e.At.Start:e.At.End], "\n")
		done = e.At.End
	}
	text(src.Text[done:], true)
	return m
}

// Of returns the line of the file for one of the lowered text. One beyond its end is beyond that of the file by
// as much.
func (m LineMap) Of(line int) int {
	last := len(m.of) - 1
	switch {
	case line < 1:
		return line
	case line > last:
		return m.of[last] + line - last
	}
	return m.of[line]
}
