package proof

import (
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/translate/readback"
	"github.com/vop-ptx/vop/rewrite/word"
)

// TestFactsAsClasses counts how many programs for constants and for repeated registers are the program for any operands with these
// put in: those hold for every constant, as that program is proven for all operands. The others use the value.
func TestFactsAsClasses(t *testing.T) {
	step := 7
	if long.Tests() {
		step = 1
	}
	type count struct{ put, all int }
	constants, repeated := map[isa.Op]count{}, count{}
	n := 0
	for f, facts := range prove.FactClasses(prove.Classes()) {
		if n++; n%step != 0 {
			continue
		}
		put := isPutIn(f, facts, lower.SM80)
		c := repeated
		constant := facts.Known[0].Is || facts.Known[1].Is || facts.Known[2].Is
		if constant {
			c = constants[f.Op]
		}
		c.all++
		if put {
			c.put++
		}
		if constant {
			constants[f.Op] = c
		} else {
			repeated = c
		}
	}
	total := count{}
	for _, op := range isa.Ops() {
		if c := constants[op]; c.all > 0 {
			t.Logf("%v: %d of %d programs for constants are the one for any operands", op, c.put, c.all)
			total.put, total.all = total.put+c.put, total.all+c.all
		}
	}
	t.Logf("all: %d of %d; for repeated registers: %d of %d", total.put, total.all, repeated.put, repeated.all)
	if total.put*8 < total.all*3 || repeated.put*10 < repeated.all*8 {
		t.Error("fewer are than docs/proofs.md says")
	}
	f := isa.Form{Op: isa.Vmad, DType: isa.S32, AType: isa.S32, BType: isa.S32, PlusOne: true, Sat: true}
	one := lower.Facts{Known: [3]lower.Known{1: lower.Constant(1)}}
	if f.Valid() && isPutIn(f, one, lower.SM80) {
		t.Error("the product by 1 is said to be the program for any factor")
	}
}

// isPutIn reports whether the program for facts is the one for any operands, with what the facts say put in.
func isPutIn(f isa.Form, facts lower.Facts, caps word.Caps) bool {
	b := readback.NewBuilder()
	v := []word.Value{b.Input(0), b.Input(1), b.Input(2)}
	if facts.SameAB {
		v[1] = v[0]
	}
	if facts.SameAC {
		v[2] = v[0]
	}
	if facts.SameBC {
		v[2] = v[1]
	}
	for i, known := range facts.Known {
		if known.Is {
			v[i] = b.Const(known.Value)
		}
	}
	return b.Insert(lower.Form(f, caps), v) == b.Insert(lower.FormWith(f, caps, facts), v)
}
