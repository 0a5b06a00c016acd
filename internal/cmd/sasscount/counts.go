package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/internal/sass"
	"github.com/vop-ptx/vop/rewrite/translate/cost"
)

// writeCounts writes, for each class of forms, its representative and the number of
// machine instructions that ptxas makes of it.
func writeCounts(path string) error {
	var s strings.Builder
	s.WriteString("# Machine instructions that ptxas 11.8 makes of a form for sm_80, written by script/sasscount.\n")
	for some := range slices.Chunk(cost.Classes(), atOnce) {
		var snippets []string
		for _, f := range some {
			snippets = append(snippets, f.Spell("%r4", "%r1", "%r2", "%r3"))
		}
		counts, err := sass.Count("sm_80", sass.Module("sm_80", snippets))
		if err != nil {
			return err
		}
		for i, f := range some {
			fmt.Fprintf(&s, "%d\t%s\n", counts[i], f)
		}
	}
	return os.WriteFile(path, []byte(s.String()), 0o644)
}

// atOnce is the number of kernels in a module: cuobjdump reads all of it for each.
const atOnce = 50
