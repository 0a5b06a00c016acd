package encode

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew; TestAgainstLLVM must pass")

// TestGolden holds the encodings to those recorded in testdata/golden.txt, which llvm-mc has
// confirmed: a few instructions of each row, and a hash over all that are tried. It needs no assembler.
func TestGolden(t *testing.T) {
	r := random(0x9e3779b97f4a7c15)
	var b strings.Builder
	hash := sha256.New()
	total := 0
	for _, row := range rows(t) {
		for i, s := range samples(row, &r) {
			code, err := encodeOne(s.op, s.operands...)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			hash.Write(code)
			total++
			// One of each: registers and memory, VEX and EVEX.
			if i%32 == 7 && i < perRow {
				fmt.Fprintf(&b, "%x\t%s\n", code, att(s, nil))
			}
		}
	}
	fmt.Fprintf(&b, "%d instructions, sha256 %s\n", total, hex.EncodeToString(hash.Sum(nil)))
	path := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	recorded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(string(recorded), "\n"), strings.Split(b.String(), "\n")
	shown := 0
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			if shown++; shown <= 10 {
				t.Errorf("line %d\n  got   %s\n  want  %s", i+1, g, w)
			}
		}
	}
}
