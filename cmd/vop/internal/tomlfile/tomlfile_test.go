package tomlfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const text = `# a comment
ptx = "a.ptx"
"odd key" = """
two
lines"""

[buffers] # of the job
in = "in:x"
list = [
	1, # one
	{ deep = 2,
	  more = 3 },
]
a.b = 1

[[launch]]
grid = 1
[launch.inner]
x = 1
[[launch]]
grid = 2
args = [{ n = 1 }]
`

func TestLines(t *testing.T) {
	f, err := Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"ptx": 2, `"odd key"`: 3, "buffers": 7, "buffers.in": 8, "buffers.list": 9, "buffers.list[1].deep": 11,
		"buffers.list[1].more": 12, "buffers.a.b": 14, "launch[0]": 16, "launch[0].grid": 17, "launch[0].inner": 18,
		"launch[0].inner.x": 19, "launch[1]": 20, "launch[1].grid": 21, "launch[1].args[0].n": 22,
		"launch[1].block": 20, "nothing": 1,
	} {
		if got := f.Line(path); got != want {
			t.Errorf("%s is on line %d, want %d", path, got, want)
		}
	}
}

func TestLinesOfOddKeys(t *testing.T) {
	const text = `# a = 1
a = "x # y" # b = 2
"b = c" = '''
[not.a.table]
d = 4
''' # e

[t] # [u]
a.b = [ # [v]
	1, "]", ']', { c = """
\""" d = 1 """" },
]
"x.y"=2
[[ l ]]
a = 1
[[l]]
a=2`
	f, err := Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"a": 2, `"b = c"`: 3, "t": 8, "t.a.b": 9, "t.a.b[3].c": 10, `t."x.y"`: 13,
		"l[0]": 14, "l[0].a": 15, "l[1]": 16, "l[1].a": 17,
	}
	if diff := cmp.Diff(want, f.lines); diff != "" {
		t.Error(diff)
	}
	for path, line := range map[string]int{"t.a.b.d": 9, "l[1].a": 17, "l[1].b": 16, "l[2].b": 1, "z": 1} {
		if got := f.Line(path); got != line {
			t.Errorf("%s is on line %d, want %d", path, got, line)
		}
	}
}

func TestKeysInTheOrderOfTheText(t *testing.T) {
	f, err := Parse("f.toml", "[buffers]\nz = 1\na = 2\n\"m m\" = 3\n[launch]\n")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"buffers"}, {"buffers", "z"}, {"buffers", "a"}, {"buffers", "m m"}, {"launch"}}
	if diff := cmp.Diff(want, f.Keys()); diff != "" {
		t.Error(diff)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\nb = = 2\n":         "f.toml:2:5: ",
		"a = 1\na = 2\n":           "f.toml:2:1: ",
		"[a]\nb = \"open\n":        "f.toml:2:",
		"[[a]]\n[a]\n":             "f.toml:2:",
		"a = [1, 2\n":              "f.toml:",
		"\xff = 1\n":               "f.toml:1:",
		"a = 99999999999999999999": "f.toml:1:",
	} {
		_, err := Parse("f.toml", text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s...", text, err, want)
		}
	}
}

func TestOnly(t *testing.T) {
	f, err := Parse("f.toml", "[t]\ngood = 1\nzz = 2\n\"b d\" = 3\n")
	if err != nil {
		t.Fatal(err)
	}
	table := f.Tree["t"].(map[string]any)
	if err := f.Only("t", table, "good", "zz", "b d"); err != nil {
		t.Error(err)
	}
	if err := f.Only("t", table, "good", "zz"); err == nil || err.Error() != `f.toml:4: unknown key "b d"; want one of good, zz` {
		t.Error(err)
	}
	if err := f.Only("t", table, "good"); err == nil || err.Error() != `f.toml:3: unknown key zz; want one of good` {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(text)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("f.toml", text)
		if err != nil {
			return
		}
		lines := strings.Count(text, "\n") + 1
		for path, line := range file.lines {
			if line < 1 || line > lines {
				t.Errorf("%s is on line %d of %d", path, line, lines)
			}
		}
	})
}

// A byte order mark is no part of the first key, and moves no place.
func TestByteOrderMark(t *testing.T) {
	f, err := Parse("a.toml", "\ufeffptx = \"k.ptx\"\r\n[check]\r\n")
	if err != nil || f.Tree["ptx"] != "k.ptx" {
		t.Fatal(f, err)
	}
	if _, err := Parse("a.toml", "\ufeffptx = \n"); err == nil || !strings.HasPrefix(err.Error(), "a.toml:1:7: ") {
		t.Errorf("%v", err)
	}
}
