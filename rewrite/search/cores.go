package search

import (
	"fmt"
	"math/rand/v2"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Cores returns the SIMD forms without .add on all lanes, with the default selectors: one of those that
// compute the same.
func Cores() (cores []isa.Form) {
	known := map[string]bool{}
	types := []isa.Type{isa.U32, isa.S32}
	for _, op := range isa.Ops() {
		if !op.SIMD() {
			continue
		}
		f := isa.Form{Op: op, Mask: isa.FullMask(op)}
		f.ALane, f.BLane = isa.DefaultLanes(op)
		for _, f.DType = range types {
			for _, f.AType = range types {
				for _, f.BType = range types {
					for _, f.Sat = range []bool{false, true} {
						for f.Cmp = range isa.Ge + 1 {
							if !f.Valid() {
								continue
							}
							if s := signature(f); !known[s] {
								known[s] = true
								cores = append(cores, f)
							}
						}
					}
				}
			}
		}
	}
	return cores
}

// signature tells forms apart by what they compute of a few hundred operands.
func signature(f isa.Form) string {
	var values []uint32
	for _, x := range operands(Problem{Operands: 2}) {
		values = append(values, sem.Eval(f, x[0], x[1], 0))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		values = append(values, sem.Eval(f, rng.Uint32(), rng.Uint32(), 0))
	}
	return fmt.Sprint(f.Op.Lanes(), values)
}
