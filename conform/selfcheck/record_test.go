package selfcheck

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/vop-ptx/vop/sem"
)

// TestRecordsOfCards: on each card that was recorded every file has the values that reading sm_86 gives, at -O0 and at -O3.
func TestRecordsOfCards(t *testing.T) {
	checks, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"h200-O0", "h200-O3"} {
		f, err := os.Open("testdata/" + name + ".jsonl.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Scan() // the card
		values := map[string]string{}
		for lines.Scan() {
			var line struct{ File, Hash string }
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			values[line.File] = line.Hash
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		if len(values) != len(checks) {
			t.Errorf("%s: %d files, want %d", name, len(values), len(checks))
		}
		for _, c := range checks {
			if want := fmt.Sprintf("%08x", c.Hashes[sem.SM86]); values[c.File] != want {
				t.Errorf("%s: %s: the hash of the values is %s, want %s", name, c.File, values[c.File], want)
			}
		}
	}
}
