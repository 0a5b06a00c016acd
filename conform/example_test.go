package conform_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// An implementation of vabsdiff4.u32.u32.u32.add that forgets c.
func ExampleCheck() {
	f := isa.Form{Op: isa.Vabsdiff4, Second: isa.SecondAdd, Mask: 0xf, ALane: 0x3210, BLane: 0x7654}
	sad := func(_ isa.Form, a, b, _ uint32) (sum uint32) {
		for i := 0; i < 32; i += 8 {
			x, y := a>>i&0xff, b>>i&0xff
			sum += max(x, y) - min(x, y)
		}
		return sum
	}
	vectors := func(yield func(conform.Vector) bool) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 1000 {
			a, b, c := conform.Operands(rng, f)
			if !yield(conform.Of(f, a, b, c)) {
				return
			}
		}
	}
	for m := range conform.Check(sad, sem.ISA, vectors) {
		fmt.Println(m.Form)
		fmt.Println("wrong by c:", m.Want[sem.ISA]-m.Got == m.C)
		break
	}
	// Output:
	// vabsdiff4.u32.u32.u32.add d, a, b, c;
	// wrong by c: true
}
