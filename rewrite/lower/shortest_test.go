package lower_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// TestShortest holds the programs to testdata/shortest.txt.
func TestShortest(t *testing.T) {
	text, err := os.ReadFile("testdata/shortest.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		lines++
		fields := strings.SplitN(line, " ", 3)
		caps, err := lower.Target(fields[0])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		limit, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		f, err := conform.ParseForm(fields[2])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		p := lower.Form(f, caps)
		if n := caps.Machine(p).Instructions; n > limit {
			t.Errorf("%s: %v takes %d machine instructions, want at most %d\n%v", caps.Name, f, n, limit, p)
		}
	}
	if lines < 30 {
		t.Errorf("only %d lines", lines)
	}
}
