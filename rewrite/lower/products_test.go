package lower_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

var types = []isa.Type{isa.U32, isa.S32}

// parts are those that vmad selects.
var parts = []isa.Part{isa.B0, isa.B1, isa.B2, isa.B3, isa.H0, isa.H1}

// TestProductsOfParts: two bytes, or a half and a byte, wherever they stand and whatever their signs, are multiplied and added
// by dp4a or dp2a and one more instruction; the 1 of .po takes one, and a scale two for whatever else there is.
func TestProductsOfParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, asel := range parts {
		for _, bsel := range parts {
			if asel.Bits() == 16 && bsel.Bits() == 16 {
				continue
			}
			for n := range 4 {
				f := isa.Form{Op: isa.Vmad, DType: isa.S32, AType: types[n&1], BType: types[n>>1], ASel: asel, BSel: bsel}
				for _, c := range []struct {
					change func(f *isa.Form)
					most   int
				}{
					{func(*isa.Form) {}, 2},
					{func(f *isa.Form) { f.PlusOne = true }, 3},
					{func(f *isa.Form) { f.NegC = true }, 3},
					{func(f *isa.Form) { f.NegA = true }, 3},
					{func(f *isa.Form) { f.Scale = isa.Shr7 }, 4},
					{func(f *isa.Form) { f.Scale, f.PlusOne, f.Sat = isa.Shr15, true, true }, 4},
					{func(f *isa.Form) { f.Scale, f.NegB, f.Sat = isa.Shr7, true, true }, 4},
					{func(f *isa.Form) { f.Scale, f.NegC = isa.Shr15, true }, 4},
				} {
					f := f
					c.change(&f)
					if !f.Valid() {
						t.Fatalf("%v is no form", f)
					}
					p := lower.Form(f, lower.SM80)
					if n := lower.SM80.Machine(p).Instructions; n > c.most {
						t.Errorf("%v takes %d machine instructions, want %d\n%v", f, n, c.most, p)
					}
					computes(t, rng, p, f, 50)
				}
			}
		}
	}
}

// TestPlusOneOfParts: with a whole word and a part the 1 of .po costs nothing on 64 bits, where both have signs and where neither has.
func TestPlusOneOfParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, part := range parts {
		for n, typ := range types {
			f := isa.Form{Op: isa.Vmad, DType: typ, AType: typ, BType: typ, ASel: part, PlusOne: true, Scale: isa.Shr7}
			if n == 1 {
				f.ASel, f.BSel = f.BSel, f.ASel
			}
			p := lower.Form(f, lower.SM80)
			if count := lower.SM80.Machine(p).Instructions; count > 4 {
				t.Errorf("%v takes %d machine instructions, want 4\n%v", f, count, p)
			}
			for _, sat := range []bool{false, true} {
				for _, scale := range []isa.Scale{isa.NoScale, isa.Shr7, isa.Shr15} {
					f.Sat, f.Scale = sat, scale
					p := lower.Form(f, lower.SM80)
					computes(t, rng, p, f, 200)
				}
			}
		}
	}
}

// TestProductsByNumbers: a part times a number that a byte holds is one dp4a or dp2a, with the sum.
func TestProductsByNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	for _, part := range parts {
		for _, typ := range types {
			for _, c := range []struct {
				number uint32
				most   int
			}{{5, 1}, {127, 1}, {0xffffff80, 1}, {0xfffffffd, 1}, {128, 2}, {0xffffff7f, 2}} {
				f := isa.Form{Op: isa.Vmad, DType: isa.S32, AType: typ, BType: isa.S32, ASel: part}
				var facts lower.Facts
				facts.Known[1] = lower.Constant(c.number)
				p := lower.FormWith(f, lower.SM80, facts)
				if n := lower.SM80.Machine(p).Instructions; n > c.most {
					t.Errorf("%s takes %d machine instructions, want %d\n%v", facts.Spell(f), n, c.most, p)
				}
				for range 50 {
					x, _, z := conform.Operands(rng, f)
					if got, want := p.Eval(x, c.number, z), sem.Eval(f, x, c.number, z); got != want {
						t.Fatalf("%s a=%08x c=%08x is %08x, want %08x\n%v", facts.Spell(f), x, z, got, want, p)
					}
				}
			}
		}
	}
}

// computes holds a program against the definition of its form, on so many operands.
func computes(t *testing.T, rng *rand.Rand, p *word.Program, f isa.Form, times int) {
	t.Helper()
	for range times {
		x, y, z := conform.Operands(rng, f)
		if got, want := p.Eval(x, y, z), sem.Eval(f, x, y, z); got != want {
			t.Fatalf("%v a=%08x b=%08x c=%08x is %08x, want %08x\n%v", f, x, y, z, got, want, p)
		}
	}
}
