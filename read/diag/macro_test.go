package diag

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/source"
)

// TestOnce: what is wrong in the body of a macro is said once, with the number of its uses; other
// mistakes at the same place, and the same elsewhere, are said as well.
func TestOnce(t *testing.T) {
	c := source.New("k.cu", "#define M \"vadd\"\nM M M M")
	used := func(at source.Pos) *source.File {
		via := &source.Expansion{Macro: "M", Use: source.Span{Start: at, End: at + 1}, Def: source.Span{Start: 8, End: 9}}
		return source.Embed(c, "vadd", []source.Segment{{Outer: 11, Via: via}})
	}
	at := source.Span{End: 4}
	first, second, third := used(17), used(19), used(21)
	list := List{
		{Code: "b", File: third, Span: at, Message: "third"},
		{Code: "a", File: first, Span: at, Message: "one"},
		{Code: "a", File: first, Span: at, Message: "another"},
		{Code: "a", File: second, Span: at, Message: "in other words"},
		{Code: "a", File: second, Span: at, Message: "and again"},
		{Code: "a", File: third, Span: at, Message: "one"},
		{Code: "a", File: third, Span: source.Span{Start: 1, End: 2}, Message: "elsewhere"},
	}
	list.Sort()
	var got []string
	for _, d := range list {
		got = append(got, d.Message+": "+strings.Join(d.AllNotes(), ", "))
	}
	want := []string{
		"third: macro 'M' is used at k.cu:2:5",
		"one: macro 'M' is used at k.cu:2:1; 2 further uses of the macro give the same",
		"another: macro 'M' is used at k.cu:2:1",
		"elsewhere: macro 'M' is used at k.cu:2:5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOnlyNotes: notes are nothing to mend.
func TestOnlyNotes(t *testing.T) {
	if !(List{}).OnlyNotes() || !(List{{Severity: Note}}).OnlyNotes() || (List{{Severity: Note}, {Severity: Warning}}).OnlyNotes() || (List{{}}).OnlyNotes() {
		t.Error("wrong")
	}
}
