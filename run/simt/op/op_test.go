package op_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt/op"
)

// TestOfWord computes every operation of word programs by its operation here.
func TestOfWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, w := range word.Ops() {
		from := op.OfWord(w)
		if from.Op == 0 {
			if w.Args() > 0 && w != word.Select {
				t.Errorf("%v has no operation", w)
			}
			continue
		}
		shape := from.Op.Shape()
		if len(shape)-2 != len(from.Operands) || (shape[0] == 'l') != w.Wide() {
			t.Fatalf("%v is %v of shape %s with operands %s", w, from.Op, shape, from.Operands)
		}
		for range 200 {
			x, y, z := edge(rng), edge(rng), edge(rng)
			imm := uint64(0)
			if w.HasImm() {
				imm = rng.Uint64() & w.MaxImm()
				if w == word.Perm {
					imm &= 0x7777
				}
			}
			want := w.Apply(x, y, z, imm)
			var args []uint64
			for _, o := range from.Operands {
				args = append(args, map[rune]uint64{'x': x, 'y': y, 'z': z, 'k': imm}[o])
			}
			if got := op.Fold(from.Op, args...); got != want && uint32(got) != uint32(want) || w.Wide() && got != want {
				t.Fatalf("%v of %x, %x, %x with %x is %x, %v gives %x", w, x, y, z, imm, want, from.Op, got)
			}
		}
		if c, ok := op.ComparisonOf(w); ok {
			for range 200 {
				x, y := edge(rng), edge(rng)
				if got, want := op.Fold(c, x, y), w.Apply(x, y, 0, 0)&1; got != want {
					t.Errorf("%v of %x and %x is %d, want %d", c, x, y, got, want)
				}
			}
		}
	}
}

func edge(rng *rand.Rand) uint64 {
	switch rng.IntN(4) {
	case 0:
		return uint64(rng.IntN(70))
	case 1:
		return []uint64{0x80000000, 0x7fffffff, 0xffffffff, 0x80808080, 0x8000000000000000, ^uint64(0)}[rng.IntN(6)]
	}
	return rng.Uint64()
}

// TestShapes tells each operation's shape by its letters.
func TestShapes(t *testing.T) {
	if op.All() < 500 {
		t.Fatalf("there are only %d operations", op.All())
	}
	for o := op.Op(1); o < op.All(); o++ {
		if s := o.Shape(); s[1] != ':' || strings.Trim(s, "ilp:") != "" {
			t.Errorf("%v has shape %q", o, s)
		}
		if found, ok := op.Find(o.String()); !ok || found != o {
			t.Errorf("%v is not found by its name", o)
		}
	}
}
