package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Ctrl-C, which ends the context, stops a kernel that runs: exit code 130, and no file is there.
func TestInterrupt(t *testing.T) {
	folder := t.TempDir()
	const text = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry spin(.param .u64 d) {\nLOOP:\n\tbra LOOP;\n}\n"
	ptx := filepath.Join(folder, "spin.ptx")
	if err := os.WriteFile(ptx, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	var stdout, stderr bytes.Buffer
	args := []string{"run", ptx, "--arg", "out:" + filepath.Join(folder, "d.bin") + ":4", "--json"}
	if code := Main(ctx, args, strings.NewReader(""), &stdout, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, &stderr)
	}
	var report runReport
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s", err, &stdout)
	}
	if report.Error == nil || report.Error.Kind != "interrupted" {
		t.Errorf("the report is %s", &stdout)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		t.Errorf("the folder has %v (%v), want spin.ptx alone", files, err)
	}
}

func TestLinesOfKeys(t *testing.T) {
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
	want := keyLines{
		"a": 2, `"b = c"`: 3, "t": 8, "t.a.b": 9, `t."x.y"`: 13,
		"l[0]": 14, "l[0].a": 15, "l[1]": 16, "l[1].a": 17,
	}
	if diff := cmp.Diff(want, linesOfKeys(text)); diff != "" {
		t.Error(diff)
	}
	for path, line := range map[string]int{"t.a.b.c": 9, "l[1].a": 17, "l[1].b": 16, "l[2].b": 1, "z": 1} {
		if got := want.at(path); got != line {
			t.Errorf("%s is on line %d, want %d", path, got, line)
		}
	}
}

// No text makes the reader of launch files panic, and statements are on lines that it has.
func FuzzLaunchFile(f *testing.F) {
	f.Add("ptx = \"a\"\n[buffers]\nb = \"zero:8\"\n[[launch]]\ngrid = [1, 2]\nargs = [\"b\", 1, 2.5]\n")
	f.Add("launch = [{ ptx = \"\"\"\na\\\"\"\"\", block = 1 }]\nbuffers.\"a.b\" = 'zero:8'")
	f.Add("\v") // the library's error begins at -1
	f.Fuzz(func(t *testing.T, text string) {
		jobOfFile("f.toml", text, "")
		for _, s := range statements(text) {
			if last := strings.Count(text, "\n") + 1; s.line > last {
				t.Errorf("%q is on line %d of %d", s.head, s.line, last)
			}
		}
	})
}
