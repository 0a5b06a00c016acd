package service

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/vop-ptx/vop/read/source"
)

// Positions are counted as JavaScript counts, whatever stands before them.
func TestUnits(t *testing.T) {
	for _, text := range []string{"", "abc", "\u00e9x\U0001f600y\u20ac", "\xff\xfeab", "\U0001f600\U0001f600", "a\ufffdb"} {
		u := newUnits(text)
		for i := range text {
			want := len(utf16.Encode([]rune(text[:i])))
			if got := u.at(source.Pos(i)); got != want {
				t.Errorf("%q: byte %d is at unit %d, want %d", text, i, got, want)
			}
		}
		if got, want := u.at(source.Pos(len(text))), len(utf16.Encode([]rune(text))); got != want {
			t.Errorf("%q: its end is at unit %d, want %d", text, got, want)
		}
	}
}

// objects returns the list of an answer.
func objects(t *testing.T, answer Object, name string) (all []Object) {
	t.Helper()
	list, ok := answer[name].(List)
	if !ok {
		t.Fatalf("the answer has no %s: %v", name, answer)
	}
	for _, o := range list {
		all = append(all, o.(Object))
	}
	return all
}

// A tree that the parser has given stays as it is when the next line is read: the instruction of each line
// was once told at the place of the last.
func TestLinesKeepTheirPlaces(t *testing.T) {
	text := "// \u00e9\nvset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;\n\nvadd.u32.u32 d, a, b;\n  vmin.s32.s32.s32 d, a, 5;\r\n"
	answer := Analyse(&Request{Text: text, Name: Instructions})
	units := utf16.Encode([]rune(text))
	at := func(o Object) string { return string(utf16.Decode(units[o["from"].(int):o["to"].(int)])) }
	var got []string
	for _, in := range objects(t, answer, "instructions") {
		got = append(got, at(in)+" | "+in["form"].(string))
	}
	want := "vset4.u32.u32.ge d.b21, a.b0123, b.b4444, c; | vset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;\nvmin.s32.s32.s32 d, a, 5; | vmin.s32.s32.s32 d, a, 0x00000005;"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	findings := objects(t, answer, "findings")
	if len(findings) != 1 || at(findings[0]) != ".u32" || findings[0]["line"] != 4 {
		t.Errorf("the findings are %v", findings)
	}
}

// Findings in asm stand at their places in the C file.
func TestHostPlaces(t *testing.T) {
	text := "int f(int a) {\n  int d; // \U0001f600\n  asm(\"{ vadd.s32.s32.s32\\t\"\n      \"%0, %1, %1; vaddd.u32 }\" : \"=r\"(d) : \"r\"(a));\n  return d;\n}\n"
	answer := Analyse(&Request{Text: text, Name: "a.cu"})
	units := utf16.Encode([]rune(text))
	found := false
	for _, f := range objects(t, answer, "findings") {
		if string(utf16.Decode(units[f["from"].(int):f["to"].(int)])) == "vaddd" && f["line"] == 4 {
			found = true
		}
	}
	if !found {
		t.Errorf("vaddd is not found: %v", answer)
	}
}

// What cannot be answered is an error, not a panic.
func TestFailures(t *testing.T) {
	for _, r := range []*Request{
		{}, {Function: "none"}, {Function: "evaluate"}, {Function: "evaluate", Form: "vadd"}, {Function: "evaluate", Form: "add.u32 d, a, b;"},
		{Function: "lower", Form: "x"}, {Function: "lower", Form: "vadd.u32.u32.u32 d, a, b;", SM: 7}, {Function: "lower", Name: "a.ptx", Text: "{"},
		{Function: "emit", Form: "vadd.u32.u32.u32 d, a, b;", Language: "cobol"}, {Function: "emit", Name: "a.cu", Text: "int a;", Language: "c"},
		{Function: "analyse", Text: strings.Repeat(" ", maxText+1)},
	} {
		if message, ok := Answer(r)["error"].(string); !ok || message == "" {
			t.Errorf("%+v is answered by %v", r.Function+" "+r.Form, Answer(r))
		}
	}
}

// FuzzAnswer asks for anything: every answer is data that JavaScript can have.
func FuzzAnswer(f *testing.F) {
	f.Add("vset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;", Instructions, "c", 80, 344, uint32(1))
	f.Add(".version 7.8\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 a; vadd.u32.u32.u32 a, a, a; ret; }", "k.ptx", "cuda", 0, 0, uint32(0x80000000))
	f.Add(`void f() { asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); }`, "k.cu", "go", -1, -5, uint32(0xffffffff))
	f.Fuzz(func(t *testing.T, text, name, language string, sm, width int, word uint32) {
		for function := range functions {
			for _, form := range []string{"", text} {
				r := &Request{Function: function, Text: text, Name: name, Form: form, Language: language, SM: sm, Width: min(width, 4000), A: word, B: ^word, C: word * 3}
				if _, err := json.Marshal(Answer(r)); err != nil {
					t.Errorf("%s: %v", function, err)
				}
			}
		}
	})
}
