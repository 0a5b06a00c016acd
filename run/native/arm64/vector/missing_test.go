package vector

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/simt/op"
)

var update = flag.Bool("update", false, "write testdata/missing.txt anew")

// TestMissing holds the list of operations that there is no code for.
func TestMissing(t *testing.T) {
	var missing strings.Builder
	for o := op.Op(1); o < op.All(); o++ {
		if !Selected(o) {
			missing.WriteString(o.String() + "\n")
		}
	}
	const path = "testdata/missing.txt"
	if *update {
		if err := os.WriteFile(path, []byte(missing.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if missing.String() != string(want) {
		t.Errorf("there is no code for\n%s%s has\n%sgo test -update writes it anew", &missing, path, want)
	}
}
