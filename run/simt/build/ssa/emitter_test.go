package ssa

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// TestFolding builds every operation with every mixture of operands that are constants, the same or unknown,
// and holds what the emitter makes of it against the operation's loop.
func TestFolding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	folded, identical, exchanged := 0, 0, 0
	for o := op.Op(1); o < op.All(); o++ {
		letters := o.Shape()[2:]
		for range 40 {
			f := simt.NewFunction(nil)
			f.Blocks = []simt.Block{{Loop: simt.NoBlock}}
			e := NewEmitter(f)
			e.Enter(0, 0)
			if len(letters) > 1 && rng.IntN(2) == 0 {
				f.Special(simt.LetterType(letters[1]), "x1") // so that it stands before the first operand, by number
			}
			var args []simt.ID
			values := map[simt.ID]uint64{}
			for k := range len(letters) {
				typ := simt.LetterType(letters[k])
				var v simt.ID
				switch n := rng.IntN(5); {
				case k > 0 && n == 0 && letters[k-1] == letters[k]:
					v = args[k-1]
				case n < 3:
					v = f.Constant(typ, interesting(rng))
					values[v] = f.Values[v].Bits
				default:
					v = f.Special(typ, fmt.Sprint("x", k))
					values[v] = interesting(rng) & f.Values[v].Type.Ones()
				}
				args = append(args, v)
			}
			v := e.Compute(o, args...)
			compute := func(args []simt.ID) uint64 {
				var bits []uint64
				for _, a := range args {
					bits = append(bits, values[a])
				}
				return op.Fold(o, bits...)
			}
			want := compute(args)
			got, known := values[v]
			switch insts := f.Blocks[0].Insts; {
			case len(insts) > 0:
				if insts[0].Args[0] != args[0] {
					exchanged++
				}
				got = compute(insts[0].Args)
			case !known:
				folded++
				got = f.Values[v].Bits
			default:
				identical++
			}
			if got != want || f.Values[v].Type != simt.LetterType(o.Shape()[0]) {
				t.Errorf("%v of %v with %v gives %#x, not %#x", o, args, values, got, want)
				break
			}
		}
	}
	if folded < 1000 || identical < 100 || exchanged < 100 {
		t.Errorf("only %d operations are folded, %d are one of their operands, %d have theirs exchanged", folded, identical, exchanged)
	}
}

// interesting returns a number for which operations are likely to be identities.
func interesting(rng *rand.Rand) uint64 {
	switch rng.IntN(4) {
	case 0:
		return 0
	case 1:
		return []uint64{1, ^uint64(0), 1<<32 - 1, 1 << 31, 0xffff, 255}[rng.IntN(6)]
	}
	return rng.Uint64()
}
