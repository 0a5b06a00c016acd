package source

import (
	"sort"
	"strconv"
	"strings"
)

// marker is a line marker: the lines behind it are those of another file.
type marker struct {
	pos  Pos // where the first of these lines begins
	at   int // its number in this file
	line int // its number in the other
	name string
}

// FollowLineMarkers makes positions those of the files that a text has been
// preprocessed from: its lines
//
//	# 12 "kernel.cu" 1
//	#line 12 "kernel.cu"
//
// say where the line after them comes from. The text of a line stays that of this file.
// It is called before the first position is asked for.
func (f *File) FollowLineMarkers() {
	if f.markers != nil {
		return
	}
	name := f.Name
	for number, start := range f.lineStarts() {
		if int(start) >= len(f.Text) || f.Text[start] != '#' {
			continue
		}
		line, to, ok := parseMarker(f.Line(start))
		if !ok {
			continue
		}
		if to != "" {
			name = to
		}
		// The lines count from 1: the one after the marker is number + 2.
		if next := strings.IndexByte(f.Text[start:], '\n'); next >= 0 {
			f.markers = append(f.markers, marker{start + Pos(next) + 1, number + 2, line, name})
		}
	}
}

// parseMarker reads a line marker.
func parseMarker(text string) (line int, name string, ok bool) {
	text = strings.TrimLeft(text[1:], " \t")
	if rest, found := strings.CutPrefix(text, "line"); found {
		text = strings.TrimLeft(rest, " \t")
	}
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	line, err := strconv.Atoi(text[:digits])
	if err != nil || line > 1<<30 {
		return 0, "", false
	}
	rest := strings.TrimSpace(text[digits:])
	if rest == "" {
		return line, "", true
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil || quoted[0] != '"' {
		return 0, "", false
	}
	name, err = strconv.Unquote(quoted)
	return line, name, err == nil
}

// markerOf returns the marker that p is behind, or nil.
func (f *File) markerOf(p Pos) *marker {
	i := sort.Search(len(f.markers), func(i int) bool { return f.markers[i].pos > p })
	if i == 0 {
		return nil
	}
	return &f.markers[i-1]
}

// NameAt returns the name of the file that p is in, as messages give it: that of f,
// or of the file that the line comes from if f is preprocessed.
func (f *File) NameAt(p Pos) string {
	if m := f.markerOf(p); m != nil {
		return m.name
	}
	return f.Name
}
