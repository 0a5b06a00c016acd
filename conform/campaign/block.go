package campaign

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Engine makes what evaluates a form on arrays of equal length.
type Engine func(f isa.Form, r isa.Reading) (func(dst, a, b, c []uint32) error, error)

// Block is the line of a block.
type Block struct {
	Block       int          `json:"block"`
	Evaluations uint64       `json:"evaluations"`
	Sum         string       `json:"sum"` // of all operands and values
	Differences uint64       `json:"differences"`
	First       []Difference `json:"first,omitempty"` // some of them
}

// Difference is an evaluation on which the engine and the reference differ.
type Difference struct {
	Form string `json:"form"`
	A    string `json:"a"`
	B    string `json:"b"`
	C    string `json:"c"`
	Got  string `json:"got"`
	Want string `json:"want"`
}

// maxFirst bounds the differences that a line shows.
const maxFirst = 3

// batch is the length of the arrays; drawn is how many operand triples of one are drawn for it.
const (
	batch = 1024
	drawn = batch / 4
)

// Compute evaluates a block.
func (p Plan) Compute(ctx context.Context, engine Engine, block int) (Block, error) {
	result := Block{Block: block}
	sum := uint64(0)
	r := p.reading()
	var a, b, c, dst [batch]uint32
	for i := block * BlockForms; i < min((block+1)*BlockForms, p.Forms); i++ {
		f := p.form(i)
		apply, err := engine(f, r)
		if err != nil {
			return result, fmt.Errorf("%v: %w", f, err)
		}
		rng := rand.New(rand.NewPCG(p.Seed^0x6f70, uint64(i)))
		for left := p.PerForm; left > 0; left -= batch {
			if ctx.Err() != nil {
				return result, context.Cause(ctx)
			}
			n := min(left, batch)
			for j := range n {
				if j < drawn {
					a[j], b[j], c[j] = conform.Operands(rng, f)
				} else { // the same words in other company: drawing takes longer than all else
					a[j], b[j], c[j] = a[j%drawn], b[(j+j/drawn)%drawn], c[(j+17*(j/drawn))%drawn]
				}
			}
			if err := apply(dst[:n], a[:n], b[:n], c[:n]); err != nil {
				return result, fmt.Errorf("%v: %w", f, err)
			}
			for j := range n {
				want := sem.EvalAs(r, f, a[j], b[j], c[j])
				sum = mix(sum, uint64(a[j])<<32|uint64(b[j]))
				sum = mix(sum, uint64(c[j])<<32|uint64(want))
				if dst[j] == want {
					continue
				}
				result.Differences++
				if len(result.First) < maxFirst {
					hex := func(x uint32) string { return fmt.Sprintf("%08x", x) }
					result.First = append(result.First, Difference{f.String(), hex(a[j]), hex(b[j]), hex(c[j]), hex(dst[j]), hex(want)})
				}
			}
			result.Evaluations += uint64(n)
		}
	}
	result.Sum = fmt.Sprintf("%016x", sum)
	return result, nil
}

// mix adds a word to a sum in which the order counts.
func mix(sum, word uint64) uint64 {
	return bits.RotateLeft64((sum^word)*0x9e3779b97f4a7c15, 29)
}
