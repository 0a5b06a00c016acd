package diag

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// Fix is a change of a text on disk that mends what a diagnostic says, without a guess at what its
// author meant.
type Fix struct {
	File *source.File
	Span source.Span
	Text string // in place of the span's
}

// sure are the suggestions that stand for misprints of the manual.
var sure = map[string]string{"varvg2": "vavrg2", "varvg4": "vavrg4"}

// Fix returns the change that mends what the diagnostic says; ok is false if what is meant is not
// sure, or if the text comes from a macro, so that a change there might be one of other statements too.
//
// Sure are names that are only in capitals, misprints of the manual, and words that are written twice. All
// other suggestions are for people: the nearest name need not be the one that was meant.
func (d *Diagnostic) Fix() (fix Fix, ok bool) {
	text := d.File.Text[d.Span.Start:d.Span.End]
	switch {
	case d.Code == ModifierIgnored:
		fix.Text = ""
	case d.Suggest != "" && (strings.EqualFold(text, d.Suggest) || sure[text] == d.Suggest):
		fix.Text = d.Suggest
	default:
		return Fix{}, false
	}
	if via, _ := d.File.Expansion(d.Span); via != nil {
		return Fix{}, false
	}
	fix.File, fix.Span = d.File.Outermost(d.Span)
	return fix, fix.File.Text[fix.Span.Start:fix.Span.End] == text
}

// Fixed returns the text of a file with the changes of those findings that have one, and these findings. Where
// two changes overlap, the first is made.
func (l List) Fixed(src *source.File) (text string, mended List) {
	var out strings.Builder
	end := source.Pos(0)
	sorted := slices.Clone(l)
	sorted.Sort()
	for i := range sorted {
		fix, ok := sorted[i].Fix()
		if !ok || fix.File.Text != src.Text || fix.Span.Start < end {
			continue
		}
		out.WriteString(src.Text[end:fix.Span.Start])
		out.WriteString(fix.Text)
		end = fix.Span.End
		mended = append(mended, sorted[i])
	}
	out.WriteString(src.Text[end:])
	return out.String(), mended
}
