package service

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// Format returns the edits that bring a module into the canonical layout, but for its line ends; within, if not nil, only
// those of lines in the range. A text with syntax errors is left as it is: the error says where the
// first is.
func (d *Document) Format(within *protocol.Range) ([]protocol.TextEdit, error) {
	edits := []protocol.TextEdit{}
	if d.host {
		return edits, nil
	}
	src := source.New(d.name, d.Text.String())
	fresh, errs := syntax.Format(src)
	for i := range errs {
		if e := &errs[i]; errs.HasErrors() {
			at := src.Position(e.Span.Start)
			return nil, fmt.Errorf("line %d: %s: the text is formatted once that is mended", at.Line, e.Message)
		}
	}
	fresh = d.lineEnds(fresh)
	if fresh == d.Text.String() {
		return edits, nil
	}
	old := make([]string, d.Text.Lines())
	for i := range old {
		old[i] = d.Text.String()[d.Text.Start(i):d.Text.Start(i+1)]
	}
	all := hunks(old, strings.SplitAfter(fresh, "\n"))
	if n := len(all); within == nil && n > maxHunks {
		// Many edits keep an editor busy for longer than one that is large.
		at := protocol.Range{End: d.Text.Position(len(d.Text.String()))}
		return append(edits, protocol.TextEdit{Range: at, NewText: fresh}), nil
	}
	for _, h := range all {
		at := protocol.Range{Start: protocol.Position{Line: uint32(h.from)}, End: protocol.Position{Line: uint32(h.to)}}
		if h.to >= len(old) { // the last line has no end
			at.End = d.Text.Position(len(d.Text.String()))
		}
		last := max(h.from, h.to-1)
		if within == nil || int(within.Start.Line) <= h.from && last <= int(within.End.Line) {
			edits = append(edits, protocol.TextEdit{Range: at, NewText: h.text})
		}
	}
	return edits, nil
}

// lineEnds gives a text the line ends of the document: how lines end is the editor's affair, and a
// layout that changed that would touch every line, each time.
func (d *Document) lineEnds(content string) string {
	first, _, _ := strings.Cut(d.Text.String(), "\n")
	if !strings.HasSuffix(first, "\r") {
		return content
	}
	return strings.ReplaceAll(strings.ReplaceAll(content, "\r\n", "\n"), "\n", "\r\n")
}

// maxHunks is how many edits there are at most.
const maxHunks = 2000

// hunk replaces the lines from from up to, not including, to.
type hunk struct {
	from, to int
	text     string
	line     bool // one line that stays by itself
}

// hunks returns the differences of two lists of lines, of which the second is the first laid out
// anew: what stands on them is mostly the same but for blanks, so that line after line is compared.
func hunks(old, fresh []string) (all []hunk) {
	add := func(from, to int, text string) {
		if n := len(all); n > 0 && all[n-1].to == from && !all[n-1].line {
			all[n-1].to = to
			all[n-1].text += text
			return
		}
		all = append(all, hunk{from, to, text, false})
	}
	i, k := 0, 0
	for i < len(old) || k < len(fresh) {
		switch {
		case i < len(old) && k < len(fresh) && old[i] == fresh[k]:
			i++
			k++
		case i < len(old) && k < len(fresh) && alike(old[i], fresh[k]):
			// By itself, so that the cursor and the marks of other lines stay.
			all = append(all, hunk{i, i + 1, fresh[k], true})
			i++
			k++
		case i < len(old) && alike(old[i], "") && i+1 < len(old):
			add(i, i+1, "")
			i++
		case k < len(fresh) && alike(fresh[k], "") && k+1 < len(fresh):
			add(i, i, fresh[k])
			k++
		default:
			m, n := meet(old[i:], fresh[k:])
			add(i, i+m, strings.Join(fresh[k:k+n], ""))
			i, k = i+m, k+n
		}
	}
	return all
}

// alike reports whether two lines differ in nothing but blanks.
func alike(a, b string) bool {
	return strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}

// meet returns how many lines of two lists are not alike before both go on alike; all of them if
// that is far.
func meet(old, fresh []string) (m, n int) {
	const far = 60
	for sum := 1; sum < 2*far; sum++ {
		for m := max(0, sum-far); m <= min(sum, far); m++ {
			if n := sum - m; m < len(old) && n < len(fresh) && !alike(old[m], "") && alike(old[m], fresh[n]) {
				return m, n
			}
		}
	}
	return len(old), len(fresh)
}
