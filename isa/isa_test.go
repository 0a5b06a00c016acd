package isa

import (
	"math/rand/v2"
	"testing"
)

// TestCounts holds the number of forms against the closed formula of each section.
func TestCounts(t *testing.T) {
	const (
		types3   = 2 * 2 * 2
		types2   = 2 * 2
		optional = 2
		selector = 1 + 6         // a byte, a half-word, or the whole word
		finish   = 1 + 3 + 6     // plain, .op2, .dsel
		negation = 8 - 2         // R7: not (-a xor -b) with -c
		finish2  = optional + 1  // merge with or without .sat, or .add
		sel2     = 4 * 4         // .hxy
		sel4     = 8 * 8 * 8 * 8 // .bxyzw
		mask2    = 1<<2 - 1
		mask4    = 1<<4 - 1
		cmps     = 6
		add      = 2 // merge or .add
	)
	want := map[Kind][5]uint64{ // by number of lanes
		Add: {1: types3 * optional * selector * selector * finish, 2: types3 * finish2 * mask2 * sel2 * sel2, 4: types3 * finish2 * mask4 * sel4 * sel4},
		Shl: {1: types2 * optional * 2 * selector * selector * finish},
		Mad: {1: types3 * optional * 3 * selector * selector * (negation + 1)},
		Set: {1: types2 * cmps * selector * selector * finish, 2: types2 * cmps * add * mask2 * sel2 * sel2, 4: types2 * cmps * add * mask4 * sel4 * sel4},
	}
	for _, k := range []Kind{Sub, Avrg, Absdiff, Min, Max} {
		want[k] = want[Add]
	}
	want[Shr] = want[Shl]
	for _, op := range Ops() {
		if got, want := Count(op), want[op.Kind()][op.Lanes()]; got != want {
			t.Errorf("%v: %d forms, the closed formula gives %d", op, got, want)
		}
	}
}

// TestUnique enumerates all scalar and dual half-word forms: none appears twice,
// and each is found again under its number.
func TestUnique(t *testing.T) {
	for _, op := range Ops() {
		if op.Lanes() == 4 {
			continue // too many: TestSample
		}
		seen := make(map[Form]bool, Count(op))
		i := uint64(0)
		for f := range Forms(op) {
			if seen[f] {
				t.Fatalf("%v appears twice", f)
			}
			seen[f] = true
			if At(op, i) != f {
				t.Fatalf("form %d of %v is %v and %v", i, op, f, At(op, i))
			}
			i++
		}
		if i != Count(op) {
			t.Errorf("%v: %d forms enumerated, %d counted", op, i, Count(op))
		}
	}
}

// TestSample checks that numbers and forms are each other's inverse where there
// are too many to enumerate, and that no two rows share a form.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 0
	for f := range Sample(rng) {
		owners := 0
		for _, r := range RowsOf(f.Op) {
			if i, ok := r.Index(f); ok {
				owners++
				if r.At(i) != f {
					t.Fatalf("%v has number %d, which is %v", f, i, r.At(i))
				}
			}
		}
		if owners != 1 {
			t.Fatalf("%v belongs to %d syntax lines", f, owners)
		}
		if n++; n == 20_000 {
			break
		}
	}
}

func TestSpell(t *testing.T) {
	for _, c := range []struct {
		form Form
		want string
	}{
		{Form{Op: Vadd4, DType: S32, AType: S32, BType: S32, Sat: true, Mask: 0xf, ALane: 0x3210, BLane: 0x7654},
			"vadd4.s32.s32.s32.sat d, a, b, c;"},
		{Form{Op: Vadd4, BType: S32, Second: SecondAdd, Mask: 3, ALane: 0x3210, BLane: 0x4444},
			"vadd4.u32.u32.s32.add d.b10, a, b.b4444, c;"},
		{Form{Op: Vset2, Cmp: Ne, Mask: 2, ALane: 0x33, BLane: 0x32}, "vset2.u32.u32.ne d.h1, a.h33, b, c;"},
		{Form{Op: Vmad, AType: S32, Scale: Shr7, Sat: true, NegB: true, BSel: H1}, "vmad.u32.s32.u32.sat.shr7 d, a, -b.h1, c;"},
		{Form{Op: Vmad, PlusOne: true}, "vmad.u32.u32.u32.po d, a, b, c;"},
		{Form{Op: Vshl, Mode: Wrap, DSel: B3}, "vshl.u32.u32.u32.wrap d.b3, a, b, c;"},
		{Form{Op: Vset, Cmp: Lt, AType: S32}, "vset.s32.u32.lt d, a, b;"},
		{Form{Op: Vset, DType: S32, Cmp: Lt}, ""},
		{Form{Op: Vadd, DSel: B0, Second: SecondAdd}, ""},
		{Form{Op: Vmad, NegA: true, NegC: true}, ""},
	} {
		if got := c.form.String(); got != "" && got != c.want || c.want != "" && got == "" || c.form.Valid() != (c.want != "") {
			t.Errorf("%+v is spelled %q, want %q", c.form, got, c.want)
		}
	}
}

// BenchmarkReadGrammar is what every start of the program pays.
func BenchmarkReadGrammar(b *testing.B) {
	for b.Loop() {
		if _, err := readGrammar(grammarText); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSpell(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := SampleOp(Vadd4, rng)
	for b.Loop() {
		_ = f.String()
	}
}
