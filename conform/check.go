package conform

import (
	"fmt"
	"iter"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Implementation computes one video instruction. Where the form does not read c
// ([isa.Form.ReadsC]), c holds anything.
type Implementation func(f isa.Form, a, b, c uint32) uint32

// Mismatch is a vector on which an implementation is wrong.
type Mismatch struct {
	Vector
	Reading sem.Reading
	Got     uint32
}

func (m Mismatch) String() string {
	return fmt.Sprintf("%v a=%08x b=%08x c=%08x: got %08x, want %08x (%v)", m.Form, m.A, m.B, m.C, m.Got, m.Want[m.Reading], m.Reading)
}

// Check runs an implementation on vectors and yields those on which it does not
// give the value of the reading. vectors must end, or the caller stop.
func Check(implementation Implementation, r sem.Reading, vectors iter.Seq[Vector]) iter.Seq[Mismatch] {
	return func(yield func(Mismatch) bool) {
		for v := range vectors {
			if got := implementation(v.Form, v.A, v.B, v.C); got != v.Want[r] && !yield(Mismatch{v, r, got}) {
				return
			}
		}
	}
}
