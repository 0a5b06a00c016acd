package readback

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"
)

// TestBuilderKeepsValues builds random programs, and computes each value beside it.
func TestBuilderKeepsValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(97, 18))
	constants := []uint64{0, 1, 2, 31, 32, 0xff, 0xffff, 0x80000000, 0xffffffff}
	for range 300 {
		b := NewBuilder()
		inputs := [3]uint32{rng.Uint32(), rng.Uint32(), rng.Uint32()}
		var words, wides, masks []word.Value
		want := map[word.Value]uint64{}
		keep := func(list *[]word.Value, v word.Value, x uint64) {
			if before, ok := want[v]; ok && before != x {
				t.Fatalf("v%d is %#x and %#x in\n%v", v, before, x, &b.Program)
			}
			want[v] = x
			*list = append(*list, v)
		}
		for n, x := range inputs {
			keep(&words, b.Input(n), uint64(x))
		}
		for _, c := range constants {
			keep(&words, b.Const(uint32(c)), c)
			keep(&wides, b.WideConst(c), c)
		}
		keep(&masks, b.Apply(word.CmpLtU, 0, words[0], words[1]), uint64(word.Ones(inputs[0] < inputs[1])))
		pick := func(list []word.Value) word.Value { return list[rng.IntN(len(list))] }
		ops := word.Ops()
		for range 200 {
			op := ops[rng.IntN(len(ops))]
			if op.Args() == 0 {
				continue
			}
			from := words
			if op.TakesWide() {
				from = wides
			}
			args := []word.Value{pick(from), pick(from), pick(from)}[:op.Args()]
			if op == word.Select {
				args[0] = pick(masks)
			}
			imm := uint64(0)
			if op.HasImm() {
				imm = rng.Uint64() & op.MaxImm()
			}
			if op == word.Perm {
				imm &= 0x7777
			}
			var x [3]uint64
			for k, v := range args {
				x[k] = want[v]
			}
			v, is := b.Apply(op, imm, args...), op.Apply(x[0], x[1], x[2], imm)
			switch {
			case op.Wide():
				keep(&wides, v, is)
			case op == word.CmpEq || op == word.CmpLtU || op == word.CmpLtS:
				keep(&masks, v, is)
			}
			if !op.Wide() {
				keep(&words, v, is)
			}
			if low, high := pick(words), pick(words); rng.IntN(4) == 0 {
				keep(&wides, b.Join(low, high), want[high]<<32|want[low])
				wide := pick(wides)
				keep(&words, b.high(wide), want[wide]>>32)
				other := pick(wides)
				keep(&masks, b.less(wide, other, false), uint64(word.Ones(want[wide] < want[other])))
				keep(&masks, b.less(wide, other, true), uint64(word.Ones(int64(want[wide]) < int64(want[other]))))
			}
		}
		for v, x := range want { // what was written down is what was meant
			if got := b.Program.Values(inputs[:]...)[v]; got != x {
				t.Fatalf("v%d is %#x, want %#x in\n%v", v, got, x, &b.Program)
			}
		}
	}
}
