package build

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// Rewrite is the flag by which tests write to testdata what they compare with it.
var Rewrite = flag.Bool("update", false, "write to testdata what functions are printed as, and what is not executed")

// TestUnbuilt holds the list of instructions that PTX has and that are not executed: the lines of inst/table.txt of which no form, or not
// each of those that are drawn, has a meaning here. It is renewed by -update.
func TestUnbuilt(t *testing.T) {
	const draws, path = 200, "testdata/unbuilt.txt"
	var list strings.Builder
	for _, section := range inst.Sections() {
		title := fmt.Sprintf("%s %s\n", section.Number, section.Title)
		for _, row := range section.Rows() {
			hash := fnv.New64a()
			hash.Write([]byte(row.Mnemonic + row.Line))
			rng := rand.New(rand.NewPCG(hash.Sum64(), 1))
			built, lacking := 0, ""
			for range draws {
				spelling := drawForm(rng, row)
				if meaning, _ := lookUp(form.Parse(spelling)); meaning != nil {
					built++
				} else {
					lacking = spelling
				}
			}
			if built == draws {
				continue
			}
			list.WriteString(title)
			title = ""
			if built == 0 {
				fmt.Fprintf(&list, "    %s\n", row.Line)
			} else {
				fmt.Fprintf(&list, "    %s (but for some: %s)\n", row.Line, lacking)
			}
		}
	}
	if *Rewrite {
		if err := os.WriteFile(path, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if list.String() != string(want) {
		t.Errorf("%s is not the list of what is not executed: run the test with -update, and look at what changes", path)
	}
}

// drawForm spells a form of a row. Of what may be left out it leaves some out.
func drawForm(rng *rand.Rand, row *inst.Row) string {
	spelling := row.Mnemonic
	for _, slot := range row.Slots {
		if !slot.Optional || rng.IntN(2) == 0 {
			spelling += slot.Values[rng.IntN(len(slot.Values))]
		}
	}
	return spelling
}
