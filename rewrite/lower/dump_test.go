package lower

import (
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
)

func TestDump(t *testing.T) {
	f := isa.Form{Op: isa.Vadd, ASel: isa.H1, DSel: isa.B0, Sat: true}
	const want = `v2 = shr.u a, 10
v4 = not b
v5 = min.u v2, v4
v6 = add b, v5
v8 = min.u v6, ff
v11 = and c, ffffff00
v12 = or v8, v11
d = v12
`
	p := Form(f, word.Portable)
	if p.String() != want {
		t.Errorf("%v is\n%vwant\n%v", f, p, want)
	}
	if p.Cost() != 7 || !p.Reads(0) || !p.Reads(2) {
		t.Errorf("%v: %d operations, reads a: %v, c: %v; want 7, true, true", f, p.Cost(), p.Reads(0), p.Reads(2))
	}
	if p := Form(isa.Form{Op: isa.Vadd}, word.Portable); p.Reads(2) {
		t.Errorf("vadd without second operation reads c:\n%v", p)
	}
}
