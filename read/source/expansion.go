package source

import (
	"sort"
	"strings"
)

// Expansion is a use of a macro in a file, which has put text there that stands
// elsewhere: in the macro's body or in its arguments.
type Expansion struct {
	Macro string
	Use   Span // the name and the arguments, where they are written
	Def   Span // the name in its #define
	More  int  // further uses that give the same
}

// Origin says how the text of a span has come to where it is read.
type Origin uint8

// The origins.
const (
	Written  Origin = iota // it stands there
	Body                   // it stands in the body of a macro
	Argument               // it is an argument of a macro
	Joined                 // a macro has put it together from several places
)

// Expansion returns the use of a macro that has put the text of a span where it is
// read, and from where; nil if it stands there itself.
func (f *File) Expansion(s Span) (*Expansion, Origin) {
	if f.outer == nil {
		return nil, Written
	}
	_, via, origin := f.outward(s)
	return via, origin
}

// run is a part of an embedded text that stands together in the outer file.
type run struct {
	Span
	via *Expansion
}

// inArgument reports whether a part is an argument of the macro whose use has put it there.
func (r run) inArgument() bool {
	return r.via != nil && r.via.Use.Start <= r.Start && r.End <= r.via.Use.End
}

// outward returns the span of the outer file that a span comes from.
func (f *File) outward(s Span) (Span, *Expansion, Origin) {
	if len(f.segments) == 0 {
		return Span{}, nil, Written
	}
	runs := f.runs(s)
	if r := runs[0]; len(runs) == 1 {
		switch {
		case r.via == nil:
			return r.Span, nil, Written
		case r.inArgument():
			return r.Span, r.via, Argument
		}
		return r.Span, r.via, Body
	}
	return joined(runs)
}

// joined returns where the user has written what consists of several parts: those
// of them that are arguments or stand there themselves, or else the uses of macros.
func joined(runs []run) (at Span, via *Expansion, origin Origin) {
	first := true
	include := func(s Span) {
		if first {
			at, first = s, false
		}
		at = Span{min(at.Start, s.Start), max(at.End, s.End)}
	}
	within := func(use Span) bool {
		for _, r := range runs {
			if (r.via == nil || r.inArgument()) && use.Start <= r.Start && r.End <= use.End {
				return true
			}
		}
		return false
	}
	for _, r := range runs {
		if r.via != nil && via == nil {
			via = r.via
		}
		switch {
		case r.via == nil || r.inArgument():
			include(r.Span)
		case !within(r.via.Use):
			include(r.via.Use)
		}
	}
	return at, via, Joined
}

// runs returns the parts of a span, at least one, in the order of the embedded text.
func (f *File) runs(s Span) []run {
	i := max(0, sort.Search(len(f.segments), func(i int) bool { return f.segments[i].Inner > s.Start })-1)
	var room [4]run
	runs := room[:0]
	for p := s.Start; ; i++ {
		g := &f.segments[i]
		end := Pos(len(f.Text))
		if i+1 < len(f.segments) {
			end = f.segments[i+1].Inner
		}
		end = min(end, s.End)
		at := Span{g.Outer, g.Outer + Pos(g.Width)}
		if g.Width == 0 {
			at = Span{g.Outer + p - g.Inner, g.Outer + max(p, end) - g.Inner}
		}
		if s.End <= s.Start { // a place between two bytes
			at.End = at.Start
		}
		if n := len(runs); n > 0 && runs[n-1].via == g.Via && f.goesOn(runs[n-1].Span, at, g.Via) {
			runs[n-1].End = max(runs[n-1].End, at.End)
		} else {
			runs = append(runs, run{at, g.Via})
		}
		if p = max(p, end); p >= s.End || i+1 == len(f.segments) {
			return runs
		}
	}
}

// goesOn reports whether a text goes on from one place of the outer file to another:
// the second is behind the first, and in a macro there are only ends of string literals and
// blanks in between. Outside of macros there may be comments as well.
func (f *File) goesOn(from, to Span, via *Expansion) bool {
	if to.Start < from.Start || to.End < from.End {
		return false
	}
	return via == nil || to.Start <= from.End || strings.Trim(f.outer.Text[from.End:to.Start], "\" \t\r\n\\") == ""
}
