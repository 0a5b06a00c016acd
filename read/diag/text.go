package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Style is a part of a printed diagnostic that may have a colour.
type Style uint8

// The styles.
const (
	PlaceStyle   Style = iota // file:line:col
	ErrorStyle                // the word error, and carets under errors
	WarningStyle              // the word warning, and carets under warnings
	NoteStyle                 // the word note, and carets under notes
	MessageStyle              // what is wrong
	CodeStyle                 // [code]
	GutterStyle               // line numbers and bars beside the source
	HelpStyle                 // what to write instead
)

// Palette colours text for a terminal.
type Palette interface {
	Paint(Style, string) string
}

// TextOptions say how diagnostics are printed. The zero value prints no colours.
type TextOptions struct {
	Palette Palette
}

// WriteText prints diagnostics for people, each as
//
//	kernel.ptx:12:29: error: '.b5' is not a selector of source b [unknown-selector]
//	   12 |     vadd.s32.s32.s32 %r1, %r2, %r3.b5;
//	      |                                   ^^^
//	      = note: allowed here: .b0 .b1 .b2 .b3 .h0 .h1
//	      = help: write '.b3'
//
// and after them how many there are.
func WriteText(w io.Writer, list List, options TextOptions) error {
	t := textWriter{paint: func(_ Style, s string) string { return s }}
	if options.Palette != nil {
		t.paint = options.Palette.Paint
	}
	for i := range list {
		t.diagnostic(&list[i])
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

type textWriter struct {
	out   strings.Builder
	paint func(Style, string) string
}

var severityStyle = [...]Style{Error: ErrorStyle, Warning: WarningStyle, Note: NoteStyle}

func (t *textWriter) diagnostic(d *Diagnostic) {
	r, style := d.Region(), severityStyle[d.Severity]
	fmt.Fprintf(&t.out, "%s %s %s %s\n",
		t.paint(PlaceStyle, fmt.Sprintf("%s:%d:%d:", clean(r.File), r.Line, r.Col)),
		t.paint(style, d.Severity.String()+":"),
		t.paint(MessageStyle, clean(d.Message)),
		t.paint(CodeStyle, "["+string(d.Code)+"]"))
	before, under, after := r.window()
	if before+under+after != "" {
		fmt.Fprintf(&t.out, "%s %s%s%s\n", t.paint(GutterStyle, fmt.Sprintf("%5d |", r.Line)), clean(before), clean(under), clean(after))
		fmt.Fprintf(&t.out, "%s %s%s\n", t.paint(GutterStyle, "      |"), blanks(before), t.paint(style, strings.Repeat("^", max(1, width(under)))))
	}
	for _, note := range d.AllNotes() {
		fmt.Fprintf(&t.out, "%s %s\n", t.paint(GutterStyle, "      ="), "note: "+clean(note))
	}
	if d.Suggest != "" {
		fmt.Fprintf(&t.out, "%s %s\n", t.paint(GutterStyle, "      ="), t.paint(HelpStyle, "help: write '"+clean(d.Suggest)+"'"))
	}
}

// maxLine is how many bytes of a source line are printed at most: of longer ones
// those around the place.
const maxLine = 240

// window cuts the line into what is before, in and after the span.
func (r *Region) window() (before, under, after string) {
	before, under, after = r.Text[:r.start], r.Text[r.start:r.end], r.Text[r.end:]
	if len(r.Text) <= maxLine {
		return before, under, after
	}
	if len(before) > maxLine/2 {
		before = "..." + strings.ToValidUTF8(before[len(before)-maxLine/2:], "")
	}
	if len(under) > maxLine/2 {
		under, after = strings.ToValidUTF8(under[:maxLine/2], ""), "..."
	}
	if len(after) > maxLine/4 {
		after = strings.ToValidUTF8(after[:maxLine/4], "") + "..."
	}
	return before, under, after
}

// blanks returns the white space that takes as much room as text does: tabs stay
// tabs, whatever their width is where they are looked at.
func blanks(text string) string {
	var s strings.Builder
	for _, r := range clean(text) {
		if r == '\t' {
			s.WriteByte('\t')
		} else {
			s.WriteString("  "[:runeWidth(r)])
		}
	}
	return s.String()
}

// width returns the number of columns that text takes on a terminal. A tab is
// counted as one: where it ends is not known.
func width(text string) int {
	n := 0
	for _, r := range clean(text) {
		n += runeWidth(r)
	}
	return n
}

// wide are the characters that take two columns: East Asian ones and pictographs.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xa960, Hi: 0xa97f, Stride: 1}, {Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, {Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f900, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// runeWidth returns the number of columns that a character takes: 0, 1 or 2.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
