package diag

import (
	"fmt"

	"github.com/vop-ptx/vop/read/source"
)

// AllNotes returns the notes of a diagnostic, and before them how its text has come
// through a macro, where it has: the renderers print these.
func (d *Diagnostic) AllNotes() []string {
	via, origin := d.File.Expansion(d.Span)
	if via == nil {
		return d.Notes
	}
	file, _ := d.File.Outermost(d.Span)
	place := func(s source.Span) string {
		at := file.Position(s.Start)
		return fmt.Sprintf("%s:%d:%d", file.NameAt(s.Start), at.Line, at.Col)
	}
	note := ""
	switch origin {
	case source.Body:
		note = fmt.Sprintf("macro '%s' is used at %s", via.Macro, place(via.Use))
	case source.Argument:
		note = fmt.Sprintf("it is an argument of macro '%s', defined at %s", via.Macro, place(via.Def))
	default:
		note = fmt.Sprintf("macro '%s', defined at %s, puts it together", via.Macro, place(via.Def))
	}
	if more := via.More + d.more; more > 0 {
		note += fmt.Sprintf("; %s of the macro gives the same", plural(more, "further use"))
		if more > 1 {
			note = note[:len(note)-len("gives the same")] + "give the same"
		}
	}
	return append([]string{note}, d.Notes...)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// place is where a diagnostic is shown, and what about.
type place struct {
	file *source.File
	span source.Span
	code Code
}

// once drops from a list what says the same of the same place: a macro that is used many times, or
// a statement that is read once for each branch of its #if, is reported once. The first stays,
// and counts the uses.
func once(list List) List {
	first := map[place]int{}
	kept := list[:0]
	for _, d := range list {
		file, span := d.File.Outermost(d.Span)
		if file == d.File { // not embedded: there are exact repetitions only
			kept = append(kept, d)
			continue
		}
		at := place{file, span, d.Code}
		i, seen := first[at]
		switch {
		case !seen:
			first[at] = len(kept)
			kept = append(kept, d)
		case kept[i].File == d.File && kept[i].Message != d.Message:
			kept = append(kept, d)
		case kept[i].File != d.File:
			kept[i].alsoAt(&d)
		}
	}
	return kept
}

// alsoAt counts the use of a macro that another diagnostic of the same place is about.
func (d *Diagnostic) alsoAt(other *Diagnostic) {
	via, _ := d.File.Expansion(d.Span)
	again, _ := other.File.Expansion(other.Span)
	if via != nil && again != nil && again.Use != via.Use && again.Use != d.last {
		d.more += 1 + again.More
		d.last = again.Use
	}
}
