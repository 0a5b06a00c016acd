package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/diag"
)

func TestParse(t *testing.T) {
	got, err := Parse(".vop.toml", `exclude = ["third_party/**"]
[check]
off = ["readings-differ"]
severity = "warning"
max-errors = 0
[lower]
target = "sm_90"
as = "sm_86"
`)
	want := &Config{
		File: ".vop.toml", Exclude: []string{"third_party/**"}, Off: []diag.Code{diag.ReadingsDiffer},
		Severity: "warning", MaxErrors: 0, Target: "sm_90", As: "sm_86",
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"exlude = []":                     `.vop.toml:1: unknown key exlude; want one of exclude, check, lower`,
		"[check]\n\noff = [\"readings\"]": `.vop.toml:3: off: there is no code "readings"`,
		"[check]\noff = \"x\"":            `.vop.toml:2: off: want a list of strings, got "x"`,
		"exclude = [1]":                   `.vop.toml:1: exclude: want a list of strings, got 1 in it`,
		"check = 1":                       `.vop.toml:1: check: want a table, got 1`,
		"[check]\nseverity = \"bad\"":     `.vop.toml:2: severity: want one of ["error" "warning" "note"], got "bad"`,
		"[check]\nmax-errors = -1":        `.vop.toml:2: max-errors: want a number from 0 on, got -1`,
		"[lower]\ntarget = \"sm80\"":      `.vop.toml:2: target: want a target as "sm_80", got "sm80"`,
		"[lower]\ntarget = 80":            `.vop.toml:2: target: want a target as "sm_80", got 80`,
		"[lower]\nas = \"sm_80\"":         `.vop.toml:2: as: want one of ["isa" "sm_86"], got "sm_80"`,
		"[check":                          `.vop.toml:1:`,
	} {
		if _, err := Parse(".vop.toml", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The nearest file above counts, alone.
func TestFor(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		".vop.toml": "[check]\nmax-errors = 1\n", "a/b/.vop.toml": "[check]\nmax-errors = 2\n", "a/c/k.ptx": "", "a/d/.vop.toml": "x",
	} {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var f Finder
	for name, want := range map[string]int{"k.ptx": 1, "a/k.ptx": 1, "a/b/k.ptx": 2, "a/b/c/k.ptx": 2, "a/c/k.ptx": 1} {
		c, err := f.For(filepath.Join(folder, name))
		if err != nil || c.MaxErrors != want {
			t.Errorf("%s: %+v, %v; want %d", name, c, err, want)
		}
	}
	if _, err := f.For(filepath.Join(folder, "a/d/k.ptx")); err == nil || !strings.Contains(err.Error(), ".vop.toml:1:") {
		t.Error(err)
	}
	f = Finder{Fixed: "none"}
	if c, err := f.For(filepath.Join(folder, "a/d/k.ptx")); err != nil || c.MaxErrors != -1 {
		t.Error(c, err)
	}
	f = Finder{Fixed: filepath.Join(folder, "a/b/.vop.toml")}
	if c, err := f.For(filepath.Join(folder, "k.ptx")); err != nil || c.MaxErrors != 2 {
		t.Error(c, err)
	}
	f = Finder{Fixed: filepath.Join(folder, "no.toml")}
	if _, err := f.For("k.ptx"); err == nil {
		t.Error("a file that is not there")
	}
}
