package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMistakesOfPlatforms plants what is wrong on one platform alone, and demands that it is told there and nowhere else.
func TestMistakesOfPlatforms(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":             "module example.org/m\n\ngo 1.26\n",
		"a/a.go":             "package a\n\nimport \"os\"\n\nfunc A() int { os.Getpid(); return of() }\n",
		"a/of_linux.go":      "package a\n\nfunc of() int { return 1 }\n",
		"a/of_darwin.go":     "package a\n\nfunc of() int { return 1 }\n",
		"a/of_windows.go":    "package a\n\nfunc of() string { return \"\" }\n", // A returns another type there
		"a/a_darwin_test.go": "package a\n\nfunc unused() { x := 1 }\n",
		"a/asm.go":           "package a\n\nfunc asm()\n",
		"a/asm_amd64.s":      "TEXT ·asm(SB), 4, $0-0\n\tRET\n",
		"a/asm_arm64.s":      "TEXT ·asm(SB), 4, $0-0\n\tRET\n",
		"b/b.go":             "package b\n\nimport _ \"example.org/m/a\"\n\nvar B int = 1 << 40\n",   // too large for 32 bits
		"b/b_test.go":        "package b_test\n\nimport \"example.org/m/b\"\n\nvar _ string = b.C\n", // which only Windows lacks
		"b/c.go":             "//go:build !windows\n\npackage b\n\nvar C string\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for platform, want := range map[string][]string{
		"linux/arm64":   nil,
		"linux/386":     {"(overflows)", "no assembly has the function asm"},
		"darwin/amd64":  {"declared and not used: x"},
		"windows/amd64": {"cannot use of()", "undefined: b.C"},
	} {
		text := ""
		if err := checkAll([]string{platform}, []string{"./..."}); err != nil {
			text = err.Error()
		}
		for _, part := range want {
			if strings.Count(text, part) != 1 {
				t.Errorf("%s: %q is not told once:\n%s", platform, part, text)
			}
		}
		if lines := strings.Count(text, "\n"); text != "" && lines != len(want)-1 || text == "" && want != nil {
			t.Errorf("%s: want %d mistakes:\n%s", platform, len(want), text)
		}
	}
}

// TestNoPlatform: what is no platform is an error, not a platform without packages.
func TestNoPlatform(t *testing.T) {
	for _, platform := range []string{"linux", "linux/vax", "plan10/amd64"} {
		if checkAll([]string{platform}, []string{"."}) == nil {
			t.Errorf("%s is checked", platform)
		}
	}
}
