package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/show/lsp/protocol"
)

func at(line, character uint32) protocol.Position {
	return protocol.Position{Line: line, Character: character}
}

// TestPositions: characters count as UTF-16 has them, those outside the BMP twice; what
// is outside the text is at its end.
func TestPositions(t *testing.T) {
	const content = "a\u00e9\U0001d54fb\r\nx\ry\n"
	for _, test := range []struct {
		position protocol.Position
		encoding Encoding
		want     int
	}{
		{at(0, 0), UTF16, 0},
		{at(0, 2), UTF16, 3},
		{at(0, 3), UTF16, 3}, // between the surrogates
		{at(0, 4), UTF16, 7},
		{at(0, 99), UTF16, 8},
		{at(1, 0), UTF16, 10},
		{at(1, 1), UTF16, 11},
		{at(1, 2), UTF16, 11},
		{at(2, 0), UTF16, 12},
		{at(3, 0), UTF16, 14},
		{at(4, 7), UTF16, 14},
		{at(0xffffffff, 0xffffffff), UTF16, 14},
		{at(0, 2), UTF8, 1}, // inside the second character
		{at(0, 3), UTF8, 3},
		{at(0, 7), UTF8, 7},
		{at(0, 0xffffffff), UTF8, 8},
	} {
		if got := New(content, test.encoding).Offset(test.position); got != test.want {
			t.Errorf("%v in %s is byte %d, want %d", test.position, test.encoding, got, test.want)
		}
	}
}

// FuzzEdit holds edits of ranges against those of a plain string, in both encodings.
func FuzzEdit(f *testing.F) {
	f.Add("a\r\nb\nc", "x\ny", uint32(0), uint32(1), uint32(1), uint32(0), false)
	f.Add("\r", "\n", uint32(1), uint32(0), uint32(1), uint32(0), true)
	f.Add("a\rb", "\n", uint32(1), uint32(0), uint32(1), uint32(0), true)
	f.Add("\U0001d54f\xff\x80", "", uint32(0), uint32(1), uint32(9), uint32(9), false)
	f.Fuzz(func(t *testing.T, content, fresh string, l1, c1, l2, c2 uint32, bytes bool) {
		encoding := UTF16
		if bytes {
			encoding = UTF8
		}
		old := New(content, encoding)
		at := protocol.Range{Start: at(l1, c1), End: at(l2, c2)}
		start, end := old.Offset(at.Start), old.Offset(at.End)
		end = max(start, end)
		got := old.Edit([]protocol.ContentChange{{Range: &at, Text: fresh}})
		want := content[:start] + fresh + content[end:]
		if got.String() != want {
			t.Fatalf("%q with %q from %d to %d is %q, want %q", content, fresh, start, end, got, want)
		}
		if old.String() != content {
			t.Fatal("the text before has changed")
		}
		if plain := New(want, encoding); strings.Join(plain.lines, "|") != strings.Join(got.lines, "|") {
			t.Fatalf("lines %q, want %q", got.lines, plain.lines)
		}
	})
}

// TestPositionOfOffset: a position is that of its byte, at every start of a character.
func TestPositionOfOffset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.StringOf(rapid.SampledFrom([]rune("ab\r\n\u00e9\U0001d54f"))).Draw(t, "text")
		encoding := rapid.SampledFrom([]Encoding{UTF8, UTF16}).Draw(t, "encoding")
		text := New(content, encoding)
		for i := range content {
			if strings.HasPrefix(content[i:], "\n") && i > 0 && content[i-1] == '\r' {
				continue // between the two characters of one end of a line there is no position
			}
			if back := text.Offset(text.Position(i)); back != i {
				t.Fatalf("byte %d of %q is %v, which is byte %d", i, content, text.Position(i), back)
			}
		}
	})
}
