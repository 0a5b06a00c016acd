package prove

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
)

func TestDump(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	n := 0
	for f := range isa.Sample(rng) {
		s := f.String()
		if strings.HasPrefix(s, "vsub4.u32.s32.u32.add d.b321, a.b1243") {
			os.WriteFile("/tmp/q_sub.smt2", []byte(Query(f, lower.Form(f, lower.SM80), lower.Facts{})), 0o644)
		}
		if strings.HasPrefix(s, "vabsdiff4.u32.u32.u32.add d, a, b.b3476") {
			os.WriteFile("/tmp/q_abs.smt2", []byte(Query(f, lower.Form(f, lower.AVX512), lower.Facts{})), 0o644)
			os.WriteFile("/tmp/q_absp.smt2", []byte(Query(f, lower.Form(f, lower.Portable), lower.Facts{})), 0o644)
		}
		if strings.HasPrefix(s, "vmax4.s32.u32.s32.sat d, a.b7677") {
			os.WriteFile("/tmp/q_max.smt2", []byte(Query(f, lower.Form(f, lower.SM80), lower.Facts{})), 0o644)
		}
		if n++; n == 30 {
			break
		}
	}
}
