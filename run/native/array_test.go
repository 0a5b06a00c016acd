package native_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/sem"
)

func TestX(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	drawn := 0
	for f := range isa.Sample(rng) {
		if drawn++; drawn > 2000 {
			break
		}
		for _, l := range native.Levels() {
			p := lower.Form(f, native.Caps(l))
			fn := simt.OfProgram(p)
			k, err := native.CompileWith(fn, native.Options{Level: l})
			if err != nil {
				t.Fatalf("%v: %v\n%v", f, err, p)
			}
			n := rng.IntN(71)
			a, b, c, dst, want := make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)
			for i := range n {
				a[i], b[i], c[i] = conform.Operands(rng, f)
				want[i] = sem.Eval(f, a[i], b[i], c[i])
			}
			k.Run(dst, a, b, c)
			for i := range dst {
				if dst[i] != want[i] {
					t.Fatalf("%v on %v: word %d of %d: a=%08x b=%08x c=%08x: %08x, want %08x\n%v\n%v",
						f, l, i, n, a[i], b[i], c[i], dst[i], want[i], p, k)
				}
			}
		}
	}
}
