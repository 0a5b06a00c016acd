package sass

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestCount holds the counter to what is known of a few snippets.
func TestCount(t *testing.T) {
	if !Available() {
		t.Skip("ptxas and cuobjdump are not installed")
	}
	snippets := []string{
		"add.u32 %r4, %r1, %r2;",
		"and.b32 %r4, %r1, %r2; xor.b32 %r4, %r4, %r3;", // one lop3
		"min.s32 %r4, %r1, %r2; max.s32 %r4, %r4, %r3;", // no names in cuobjdump 11.8, sm_90
		"vsub4.s32.s32.s32.sat %r4, %r1, %r2, %r3;",
	}
	for _, target := range []string{"sm_80", "sm_90"} {
		counts, err := Count(target, Module(target, snippets))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{1, 1, 2, 40} {
			if counts[i] != want {
				t.Errorf("%s: %s: %d machine instructions, want %d", target, snippets[i], counts[i], want)
			}
		}
	}
}

func TestBadPTX(t *testing.T) {
	if !Available() {
		t.Skip("ptxas and cuobjdump are not installed")
	}
	if _, err := Count("sm_80", Module("sm_80", []string{"vadd9 %r4, %r1;"})); err == nil {
		t.Error("no error for an instruction that does not exist")
	}
}

// TestList holds what ptxas and nvdisasm are asked for, by scripts in their place.
func TestList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tools are shell scripts here")
	}
	dir := t.TempDir()
	for tool, script := range map[string]string{
		"ptxas":    "#!/bin/sh\ncase \"$2\" in -bad) echo no such level >&2; exit 1;; esac\necho \"$1 $2\" > \"$5\"\ncat \"$3\" >> \"$5\"\n",
		"nvdisasm": "#!/bin/sh\necho \"$1\"\ncat \"$2\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, tool), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if !CanList() {
		t.Fatal("the tools are not found")
	}
	text, err := List("sm_80", "-O0", "the module\n")
	if want := "-hex\n-arch=sm_80 -O0\nthe module\n"; err != nil || text != want {
		t.Errorf("%q %v, want %q", text, err, want)
	}
	if _, err := List("sm_80", "-bad", ""); err == nil || !strings.Contains(err.Error(), "no such level") {
		t.Errorf("a level that does not exist: %v", err)
	}
}
