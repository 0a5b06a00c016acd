package diag

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

// at returns a diagnostic about the first occurrence of a token in a text.
func at(text, token string) Diagnostic {
	start := source.Pos(strings.Index(text, token))
	return Diagnostic{
		Code: UnknownSelector, File: source.New("dir/kernel.ptx", text), Message: "'" + token + "' is wrong",
		Span: source.Span{Start: start, End: start + source.Pos(len(token))},
	}
}

// text renders one diagnostic as text.
func text(d Diagnostic) string {
	var s strings.Builder
	if err := WriteText(&s, List{d}, TextOptions{}); err != nil {
		panic(err)
	}
	return s.String()
}

func TestText(t *testing.T) {
	noted := at("first\n\tvadd.s32.s32.s32 %r1, %r2.b5, %r3;\nlast", ".b5")
	noted.Notes = []string{"allowed here: .b0 .b1", "and more"}
	noted.Suggest = ".b3"
	warning := at("%r1", "%r1")
	warning.Severity = Warning
	note := at("%r1", "%r1")
	note.Severity = Note
	empty := at("add.u32 %r1, %r2\n", "\n")
	empty.Span.End = empty.Span.Start
	for _, c := range []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"tabs stay tabs", noted, `
dir/kernel.ptx:2:27: error: '.b5' is wrong [unknown-selector]
    2 | 	vadd.s32.s32.s32 %r1, %r2.b5, %r3;
      | 	                         ^^^
      = note: allowed here: .b0 .b1
      = note: and more
      = help: write '.b3'
`},
		{"warning", warning, `
dir/kernel.ptx:1:1: warning: '%r1' is wrong [unknown-selector]
    1 | %r1
      | ^^^
`},
		{"note", note, `
dir/kernel.ptx:1:1: note: '%r1' is wrong [unknown-selector]
    1 | %r1
      | ^^^
`},
		{"wide and combining characters", at("/* 漢字 e\u0301 */ .b5", ".b5"), `
dir/kernel.ptx:1:13: error: '.b5' is wrong [unknown-selector]
    1 | /* 漢字 e` + "\u0301" + ` */ .b5
      |              ^^^
`},
		{"wide characters underlined", at("x 漢字 y", "漢字"), `
dir/kernel.ptx:1:3: error: '漢字' is wrong [unknown-selector]
    1 | x 漢字 y
      |   ^^^^
`},
		{"the end of a line", empty, `
dir/kernel.ptx:1:17: error: '
' is wrong [unknown-selector]
    1 | add.u32 %r1, %r2
      |                 ^
`},
		{"a span of two lines", at("one {two\nthree} four", "{two\nthree}"), `
dir/kernel.ptx:1:5: error: '{two�three}' is wrong [unknown-selector]
    1 | one {two
      |     ^^^^
`},
		{"carriage return", at("add .b5 %r1\r\nret", ".b5"), `
dir/kernel.ptx:1:5: error: '.b5' is wrong [unknown-selector]
    1 | add .b5 %r1
      |     ^^^
`},
		{"control characters are not obeyed", at("add \x1b[2J.b5\xff", ".b5"), `
dir/kernel.ptx:1:9: error: '.b5' is wrong [unknown-selector]
    1 | add �[2J.b5�
      |         ^^^
`},
		{"the end of the file", at("", ""), `
dir/kernel.ptx:1:1: error: '' is wrong [unknown-selector]
`},
	} {
		if c.name == "the end of a line" {
			c.d.Message = "'\n' is wrong"
			c.want = strings.Replace(c.want, "'\n'", "'�'", 1)
		}
		if got := text(c.d); got != c.want[1:] {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want[1:])
		}
	}
}

// TestTextOfLongLines: of a line of a megabyte the part around the place is shown.
func TestTextOfLongLines(t *testing.T) {
	long := strings.Repeat("%r1, ", 200_000)
	for _, line := range []string{long + ".b5" + long, ".b5" + long, long + ".b5"} {
		got := text(at(line, ".b5"))
		rows := strings.Split(got, "\n")
		if len(got) > 1000 {
			t.Errorf("%d bytes are printed", len(got))
		}
		column := strings.Index(rows[2], "^^^")
		if column < 0 || !strings.HasPrefix(rows[1][column:], ".b5") {
			t.Errorf("the carets are not under the token:\n%s", got)
		}
	}
	if got := text(at("x"+strings.Repeat("y", 1000), "x"+strings.Repeat("y", 900))); len(got) > 2000 {
		t.Errorf("%d bytes are printed of a long token", len(got))
	}
}

// brackets paints by writing the number of the style.
type brackets struct{}

func (brackets) Paint(s Style, text string) string { return fmt.Sprintf("<%d:%s>", s, text) }

func TestPalette(t *testing.T) {
	d := at(" .b5", ".b5")
	d.Suggest = ".b3"
	var s strings.Builder
	if err := WriteText(&s, List{d}, TextOptions{Palette: brackets{}}); err != nil {
		t.Fatal(err)
	}
	want := `<0:dir/kernel.ptx:1:2:> <1:error:> <4:'.b5' is wrong> <5:[unknown-selector]>
<6:    1 |>  .b5
<6:      |>  <1:^^^>
<6:      => <7:help: write '.b3'>
`
	if s.String() != want {
		t.Errorf("got\n%swant\n%s", s.String(), want)
	}
}

// TestEmbedded: what is wrong in the text of an asm statement is shown in the C file.
func TestEmbedded(t *testing.T) {
	c := source.New("k.cu", "asm(\"add;\\n\\t\"\n    \"vadd .b5;\");")
	inner := source.Embed(c, "add;\n\tvadd .b5;", []source.Segment{{Inner: 0, Outer: 5}, {Inner: 4, Outer: 9, Width: 2}, {Inner: 5, Outer: 11, Width: 2}, {Inner: 6, Outer: 20}})
	d := at("add;\n\tvadd .b5;", ".b5")
	d.File = inner
	want := `k.cu:2:11: error: '.b5' is wrong [unknown-selector]
    2 |     "vadd .b5;");
      |           ^^^
`
	if got := text(d); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	d := at("é\n\té .b5<", ".b5")
	d.Severity = Warning
	d.Notes, d.Suggest = []string{"a <note>"}, ".b0"
	var s strings.Builder
	if err := WriteJSON(&s, List{d, at("x", "x")}); err != nil {
		t.Fatal(err)
	}
	want := `{"file":"dir/kernel.ptx","line":2,"col":4,"end_line":2,"end_col":7,"severity":"warning","code":"unknown-selector","message":"'.b5' is wrong","notes":["a <note>"],"suggestion":".b0"}
{"file":"dir/kernel.ptx","line":1,"col":1,"end_line":1,"end_col":2,"severity":"error","code":"unknown-selector","message":"'x' is wrong"}
`
	if s.String() != want {
		t.Errorf("got\n%swant\n%s", s.String(), want)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(s.String()), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}

func TestGitHub(t *testing.T) {
	d := at("a\n  .b5", ".b5")
	d.Message = "100%\nwrong"
	d.Notes, d.Suggest = []string{"note"}, ".b0"
	d.File.Name = "a,b:c.ptx"
	over := at("one {two\nthree}", "{two\nthree}")
	over.Severity, over.Message = Note, "over lines"
	var s strings.Builder
	if err := WriteGitHub(&s, List{d, over}); err != nil {
		t.Fatal(err)
	}
	want := `::error file=a%2Cb%3Ac.ptx,line=2,endLine=2,col=3,endColumn=6,title=unknown-selector::100%25%0Awrong%0Anote%0Awrite '.b0'
::notice file=dir/kernel.ptx,line=1,endLine=2,col=5,title=unknown-selector::over lines
`
	if s.String() != want {
		t.Errorf("got\n%swant\n%s", s.String(), want)
	}
}

// failing is a writer that cannot write.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }

func TestWriteErrors(t *testing.T) {
	list := List{at("x", "x")}
	for name, write := range map[string]func() error{
		"text":   func() error { return WriteText(failing{}, list, TextOptions{}) },
		"json":   func() error { return WriteJSON(failing{}, list) },
		"github": func() error { return WriteGitHub(failing{}, list) },
	} {
		if err := write(); err == nil {
			t.Errorf("%s: the error of the writer is lost", name)
		}
	}
}

func TestSort(t *testing.T) {
	file, other := source.New("b", "0123456789"), source.New("a", "0123456789")
	make := func(f *source.File, start source.Pos, s Severity, message string) Diagnostic {
		return Diagnostic{File: f, Span: source.Span{Start: start, End: start + 1}, Severity: s, Message: message}
	}
	list := List{
		make(file, 5, Error, "3"), make(file, 2, Warning, "2"), make(file, 2, Error, "1"), make(other, 9, Error, "0"),
		make(file, 5, Error, "3"), make(file, 5, Error, "4"),
	}
	list.Sort()
	order := ""
	for _, d := range list {
		order += d.Message
	}
	if order != "01234" {
		t.Errorf("order %s", order)
	}
	if !list.HasErrors() || (List{make(file, 0, Warning, "")}).HasErrors() {
		t.Error("HasErrors")
	}
}
