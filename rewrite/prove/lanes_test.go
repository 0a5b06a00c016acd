package prove

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
)

// TestLanesAreCounted changes the weights, the operands and the kinds of sums of selected lanes, which must then have other lanes.
func TestLanesAreCounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	counted, changed := 0, 0
	for f := range isa.Sample(rng) {
		if kind := f.Op.Kind(); !f.Op.SIMD() || f.Second != isa.SecondAdd || kind != isa.Add && kind != isa.Sub {
			continue
		}
		p := lower.Form(f, lower.SM80)
		want, ok := countLanes(p)
		if !ok {
			continue
		}
		if counted++; counted == 200 {
			break
		}
		for n := range p.Insts {
			i := p.Insts[n]
			if i.Op.Weighs() == 0 {
				continue
			}
			wrong := *p
			wrong.Insts = append([]word.Inst(nil), p.Insts...)
			switch rng.IntN(2) {
			case 0:
				wrong.Insts[n].Imm ^= 1 << (8 * rng.IntN(i.Op.Weighs()))
			default:
				wrong.Insts[n].Op = map[word.Op]word.Op{
					word.DotU8: word.DotS8, word.DotS8: word.DotU8, word.DotU16: word.DotS16, word.DotS16: word.DotU16,
				}[i.Op]
			}
			got, ok := countLanes(&wrong)
			if ok && maps.Equal(got, want) {
				t.Fatalf("%v: the lanes of\n%vare said to be those of\n%v", f, &wrong, p)
			}
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("only %d programs were changed", changed)
	}
}

// TestHighSums: the terms of a high word add up to it, for products and words drawn at random.
func TestHighSums(t *testing.T) {
	f, err := conform.ParseForm("vavrg2.s32.u32.s32.add d, a, b, c;")
	if err != nil {
		t.Fatal(err)
	}
	p := lower.Form(f, lower.SM80)
	product, start, v, ok := highSum(p, p.Result)
	if !ok {
		t.Fatalf("no high word of a sum:\n%v", p)
	}
	rng := rand.New(rand.NewPCG(42, 1))
	for range 1000 {
		values := p.Values(rng.Uint32(), rng.Uint32(), rng.Uint32())
		high := highLeaf(product, start)
		if got, want := high.number(values)+uint32(values[v]), uint32(values[p.Result]); got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	}
	wrong := word.Program{Insts: append([]word.Inst(nil), p.Insts...), Result: p.Result}
	for n := range wrong.Insts {
		if i := &wrong.Insts[n]; i.Op == word.ShrWideU {
			i.Imm = 31
		}
	}
	if _, _, _, ok := highSum(&wrong, wrong.Result); ok {
		t.Errorf("the middle of a sum is taken for its high word:\n%v", &wrong)
	}
}
