package ops

import (
	"math/rand/v2"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Video returns a random video instruction.
func Video(rng *rand.Rand, reading isa.Reading) *Op {
	ops := isa.Ops()
	f := isa.SampleOp(ops[rng.IntN(len(ops))], rng)
	op := &Op{Name: f.Mnemonic(), Text: f.Spell("$", "$", "$", "$"), Dst: []Class{B32}}
	op.Text = strings.TrimSuffix(op.Text, ";")
	parts := strings.Split(op.Text, "$")
	for i := 2; i < len(parts); i++ {
		op.Src = append(op.Src, B32)
		// The SIMD ones take registers only. A part of a number, and its negation, are not what compilers write.
		simd := strings.ContainsAny(op.Name, "24")
		op.Only = append(op.Only, simd || strings.HasPrefix(parts[i], ".") || strings.HasSuffix(parts[i-1], "-"))
	}
	op.Eval = func(d, s []uint64) {
		var v [3]uint32
		for i := range s {
			v[i] = uint32(s[i])
		}
		d[0] = uint64(sem.EvalAs(reading, f, v[0], v[1], v[2]))
	}
	return op
}
