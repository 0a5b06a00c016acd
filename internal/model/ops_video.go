package model

import (
	"math/rand/v2"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// video returns a random video instruction.
func video(rng *rand.Rand, reading isa.Reading) *Op {
	ops := isa.Ops()
	f := isa.SampleOp(ops[rng.IntN(len(ops))], rng)
	op := &Op{name: f.Mnemonic(), text: f.Spell("$", "$", "$", "$"), dst: []Class{B32}}
	op.text = strings.TrimSuffix(op.text, ";")
	parts := strings.Split(op.text, "$")
	for i := 2; i < len(parts); i++ {
		op.src = append(op.src, B32)
		// The SIMD ones take registers only. A part of a number, and its negation, are not what compilers write.
		simd := strings.ContainsAny(op.name, "24")
		op.only = append(op.only, simd || strings.HasPrefix(parts[i], ".") || strings.HasSuffix(parts[i-1], "-"))
	}
	op.eval = func(d, s []uint64) {
		var v [3]uint32
		for i := range s {
			v[i] = uint32(s[i])
		}
		d[0] = uint64(sem.EvalAs(reading, f, v[0], v[1], v[2]))
	}
	return op
}
