package service

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/text"
)

// edited makes edits to a text.
func edited(content string, edits []protocol.TextEdit) string {
	old := text.New(content, text.UTF16)
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b protocol.TextEdit) int { return old.Offset(b.Range.Start) - old.Offset(a.Range.Start) })
	for _, e := range edits {
		content = content[:old.Offset(e.Range.Start)] + e.NewText + content[old.Offset(e.Range.End):]
	}
	return content
}

// codesOf are the codes of what is said about a text, in order.
func codesOf(a *Analysis) (all []diag.Code) {
	for i := range a.findings {
		all = append(all, a.findings[i].Code)
	}
	return all
}

// TestRenameChangesNothing: whatever is renamed, to whatever is allowed, the text means what it
// meant: the same is said about it, and renaming back gives it back, but for the declaration that a
// register of a row has got.
func TestRenameChangesNothing(t *testing.T) {
	renamed, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SampledFrom([]string{several, hostSource}).Draw(t, "text")
		file := "k.ptx"
		if content == hostSource {
			file = "k.cu"
		}
		a := Analyse(file, content)
		d := NewDocument("file:///k", 1, text.New(content, text.UTF16), a)
		var places []int // of names
		for _, p := range a.pieces {
			for _, u := range p.names().uses {
				start, _ := p.outer(u.at)
				places = append(places, start)
			}
		}
		at := d.Text.Position(rapid.SampledFrom(places).Draw(t, "at"))
		name := rapid.SampledFrom([]string{"%r", "%r1", "%r9", "%x", "%sum", "table", "a", "L", "helper", "%in", "x$1", "%tid", "%0", "p"}).Draw(t, "name")
		edits, err := d.Rename(at, name)
		if err != nil {
			refused++
			return
		}
		fresh := edited(content, edits)
		b := Analyse(file, fresh)
		if !slices.Equal(codesOf(a), codesOf(b)) {
			t.Fatalf("%v is said of the first text, %v of the second:\n%s\n%s", codesOf(a), codesOf(b), content, fresh)
		}
		if len(edits) == 0 {
			return
		}
		renamed++
		if strings.Count(fresh, "\n") != strings.Count(content, "\n") {
			return
		}
		first := slices.MinFunc(edits, func(x, y protocol.TextEdit) int {
			return d.Text.Offset(x.Range.Start) - d.Text.Offset(y.Range.Start)
		})
		old := content[d.Text.Offset(first.Range.Start):d.Text.Offset(first.Range.End)]
		e := NewDocument("file:///k", 2, text.New(fresh, text.UTF16), b)
		back, err := e.Rename(first.Range.Start, strings.ReplaceAll(old, "%%", "%"))
		if err != nil || edited(fresh, back) != content {
			t.Fatalf("not back to %s (%v):\n%s\n%s", old, err, fresh, edited(fresh, back))
		}
	})
	t.Logf("%d renamed, %d refused", renamed, refused)
	if renamed == 0 || refused == 0 {
		t.Error("only one of them has been tried")
	}
}
