package diag

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

// TestSuppressed has a finding selector-ignored at each X of a text, and readings-differ at each Y.
func TestSuppressed(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no comment", "X\nY\n", "1 selector-ignored, 2 readings-differ"},
		{"same line", "X // vop:ignore selector-ignored\nX\n", "2 selector-ignored"},
		{"of C", "X /* vop:ignore selector-ignored */\nX", "2 selector-ignored"},
		{"with a reason", "XY // vop:ignore selector-ignored -- readings-differ is said\n", "1 readings-differ"},
		{"several", "XY // vop:ignore selector-ignored,readings-differ\n", ""},
		{"several, spaced", "XY // vop:ignore selector-ignored, readings-differ\r\n", ""},
		{"line of its own", "// vop:ignore selector-ignored\n\n// why\n/* and why */\nX\nX\n", "6 selector-ignored"},
		{"two lines of their own", "// vop:ignore selector-ignored\n// vop:ignore readings-differ\nXY\n", ""},
		{"last line", "X\n// vop:ignore selector-ignored", "1 selector-ignored, 2 unused-suppression"},
		{"whole file", "X\n// vop:ignore-file selector-ignored\nXY\n", "3 readings-differ"},
		{"whole file between", "// vop:ignore readings-differ\n// vop:ignore-file selector-ignored\nXY\n", ""},
		{"in a string of C", `"X; // vop:ignore selector-ignored\n"`, ""},
		{"unused", "Y // vop:ignore selector-ignored\n", "1 readings-differ, 1 unused-suppression"},
		{"unknown", "X // vop:ignore selector-ignore\n", "1 selector-ignored, 1 unknown-suppression"},
		{"without a code", "X // vop:ignore\n", "1 selector-ignored, 1 unknown-suppression"},
		{"no comment for us", "X vop:ignore selector-ignored\n", "1 selector-ignored"},
	} {
		src := source.New("a.ptx", test.text)
		var list List
		for i, c := range test.text {
			if code := map[rune]Code{'X': SelectorIgnored, 'Y': ReadingsDiffer}[c]; code != "" {
				list = append(list, Diagnostic{Code: code, Severity: SeverityOf(code), File: src, Span: source.Span{Start: source.Pos(i), End: source.Pos(i + 1)}})
			}
		}
		before := slices.Clone(list)
		var got []string
		for _, d := range list.Suppressed(src) {
			got = append(got, fmt.Sprint(d.File.Position(d.Span.Start).Line, " ", d.Code))
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if !slices.EqualFunc(list, before, func(a, b Diagnostic) bool { return a.Code == b.Code && a.Span == b.Span }) {
			t.Errorf("%s: the list has been changed", test.name)
		}
	}
}

// A misspelled code is told what it may stand for, at its place.
func TestUnknownSuppression(t *testing.T) {
	src := source.New("a.ptx", "ret; // vop:ignore readings-differ, readings")
	found := List{}.Suppressed(src)
	if len(found) != 2 {
		t.Fatalf("%d findings, want 2", len(found))
	}
	d := found[1]
	if at := d.File.Position(d.Span.Start); d.Code != UnknownSuppression || at.Col != 37 || d.Suggest != "readings-differ" {
		t.Errorf("got %s at %v, write %q: %s", d.Code, at, d.Suggest, d.Message)
	}
}

func FuzzSuppressed(f *testing.F) {
	f.Add("X // vop:ignore selector-ignored -- \n/* vop:ignore-file */")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range (List{}).Suppressed(source.New("a.ptx", text)) {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Errorf("%v in %q", d.Span, text)
			}
		}
	})
}
