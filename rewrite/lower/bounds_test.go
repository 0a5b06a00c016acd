package lower

import (
	"testing"

	"github.com/vop-ptx/vop/isa"
)

// TestBounds lists what bounds of the operands are for: a clamp that cannot act is not there.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		form isa.Form
		want int // machine instructions
	}{
		// A product of bytes and c, shifted: the sum has 33 bits, what is left fits.
		{isa.Form{Op: isa.Vmad, ASel: isa.B0, BSel: isa.B1, Sat: true, Scale: isa.Shr7}, 5},
		{isa.Form{Op: isa.Vmad, DType: isa.S32, AType: isa.S32, BType: isa.S32, ASel: isa.H0, BSel: isa.H1, Sat: true, Scale: isa.Shr15}, 5},
		// Only one limit can be passed.
		{isa.Form{Op: isa.Vmad, ASel: isa.H0, BSel: isa.H1, Sat: true}, 5},
		// A negated part is taken from its word and negated at once.
		{isa.Form{Op: isa.Vmad, NegA: true, ASel: isa.H0, BSel: isa.H0}, 3},
		// The carry of whole words comes with their sum.
		{isa.Form{Op: isa.Vadd, Sat: true}, 2},
		{isa.Form{Op: isa.Vadd, Sat: true, BSel: isa.B1}, 3},
		{isa.Form{Op: isa.Vadd, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true}, 5},
	} {
		p := Form(test.form, SM80)
		if got := SM80.Machine(p).Instructions; got > test.want {
			t.Errorf("%v takes %d machine instructions, want %d\n%v", test.form, got, test.want, p)
		}
	}
}
