package engine

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/sem"
)

var formsFlag = flag.Int("forms", 20000, "number of forms that TestForms draws")

// TestForms holds every level against package sem: forms drawn by the table's own
// generator, operands at which something changes, arrays of all short lengths.
func TestForms(t *testing.T) {
	all := engines(t)
	rng := rand.New(rand.NewPCG(3, 0))
	const most = 64
	var a, b, c, want, dst [most]uint32
	drawn := 0
	for f := range isa.Sample(rng) {
		if drawn++; drawn > *formsFlag {
			break
		}
		n := 16 + rng.IntN(most-16)
		for i := range n {
			a[i], b[i], c[i] = conform.Operands(rng, f)
			want[i] = sem.Eval(f, a[i], b[i], c[i])
		}
		for _, e := range all {
			k := e.Compile(lower.Form(f, e.Caps()))
			if e.unit != nil && k.sequence == nil {
				t.Errorf("%v: the machine of %v has not all operations", f, e.Level())
			}
			k.Run(dst[:n], a[:n], b[:n], c[:n])
			for i := range n {
				if dst[i] != want[i] {
					t.Fatalf("%v on %v: a=%08x b=%08x c=%08x: %08x, want %08x\n%v",
						f, e.Level(), a[i], b[i], c[i], dst[i], want[i], lower.Form(f, e.Caps()))
				}
			}
		}
	}
}
