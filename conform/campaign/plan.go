package campaign

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
)

// Plan is what the result of a campaign depends on.
type Plan struct {
	Campaign string `json:"campaign"` // "vop-campaign"
	Version  int    `json:"version"`
	Seed     uint64 `json:"seed"`
	Forms    int    `json:"forms"`    // how many
	PerForm  int    `json:"per_form"` // evaluations of each
	Reading  string `json:"reading"`
}

// NewPlan returns a plan.
func NewPlan(seed uint64, forms, perForm int, r isa.Reading) Plan {
	return Plan{"vop-campaign", 1, seed, forms, perForm, r.String()}
}

// AllForms is a number of forms with which a plan has every scalar form, and a fourth as many SIMD forms.
func AllForms() int { return scalarForms() * 5 / 4 }

// Limits of a plan, and of how many shards it can be cut into.
const (
	MaxForms   = 1 << 30
	MaxPerForm = 1 << 30
	MaxShards  = 1 << 20
)

// Valid returns an error if the plan is none that this version can carry out.
func (p Plan) Valid() error {
	switch _, err := isa.ParseReading(p.Reading); {
	case p.Campaign != "vop-campaign" || p.Version != 1:
		return fmt.Errorf("not the plan of a campaign of version 1")
	case err != nil:
		return err
	case p.Forms < 1 || p.Forms > MaxForms:
		return fmt.Errorf("%d forms: want 1 to %d", p.Forms, MaxForms)
	case p.PerForm < 1 || p.PerForm > MaxPerForm:
		return fmt.Errorf("%d evaluations of each form: want 1 to %d", p.PerForm, MaxPerForm)
	}
	return nil
}

// reading returns the plan's reading.
func (p Plan) reading() isa.Reading {
	r, _ := isa.ParseReading(p.Reading)
	return r
}

// BlockForms is how many forms a block has; the last may have fewer.
const BlockForms = 64

// Blocks returns the number of blocks.
func (p Plan) Blocks() int { return (p.Forms + BlockForms - 1) / BlockForms }

// Evaluations returns how many evaluations a block has.
func (p Plan) Evaluations(block int) uint64 {
	forms := min((block+1)*BlockForms, p.Forms) - block*BlockForms
	return uint64(forms) * uint64(p.PerForm)
}

// Shard is a part of a campaign: the blocks I, I+N, I+2N ...
type Shard struct{ I, N int }

// ParseShard reads "I/N", 0 <= I < N.
func ParseShard(text string) (Shard, error) {
	first, second, ok := strings.Cut(text, "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(second)
	if !ok || errI != nil || errN != nil || i < 0 || i >= n || n > MaxShards {
		return Shard{}, fmt.Errorf("shard %q: want I/N with I from 0 to N-1, such as 0/4", text)
	}
	return Shard{i, n}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Blocks returns the numbers of a shard's blocks.
func (s Shard) Blocks(p Plan) (blocks []int) {
	for b := s.I; b < p.Blocks(); b += s.N {
		blocks = append(blocks, b)
	}
	return blocks
}

// scalarForms is the number of scalar forms.
var scalarForms = sync.OnceValue(func() int {
	n := uint64(0)
	for _, op := range isa.Ops() {
		if !op.SIMD() {
			n += isa.Count(op)
		}
	}
	return int(n)
})

// form returns form number i. Of five, four are scalar, until there are no more; the others are drawn from the billions
// of SIMD forms. The scalar ones come scattered, so that few forms are of all instructions, too.
func (p Plan) form(i int) isa.Form {
	if k := i - i/5; i%5 != 4 && k < scalarForms() {
		const step = 1_000_003 // a prime that does not divide the number of scalar forms
		k = int(uint64(k) * step % uint64(scalarForms()))
		for _, op := range isa.Ops() {
			if op.SIMD() {
				continue
			}
			if n := int(isa.Count(op)); k >= n {
				k -= n
				continue
			}
			return isa.At(op, uint64(k))
		}
	}
	rng := rand.New(rand.NewPCG(p.Seed, uint64(i)))
	for {
		if op := isa.Ops()[rng.IntN(len(isa.Ops()))]; op.SIMD() {
			return isa.SampleOp(op, rng)
		}
	}
}
