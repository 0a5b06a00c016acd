package conform

import (
	"cmp"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop/conform/mistake"
	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Tagged is a vector and what it separates.
type Tagged struct {
	Vector
	// Separates names the rulings (R1 ...) and causes (Q1 ...) that this vector decides: with one of
	// them read otherwise, the value would be another. It is found by evaluating the other readings.
	Separates []string
}

// Tag finds what a vector separates.
func Tag(v Vector) Tagged {
	var names []string
	manual := mistake.Set{}
	for _, m := range mistake.Concerning(v.Form) {
		name := m.Ruling(v.Form)
		if name == "" || name[0] == 'Q' || slices.Contains(names, name) {
			continue
		}
		if other := manual.Toggled(m); mistake.Eval(&other, v.Form, v.A, v.B, v.C) != v.Want[sem.ISA] {
			names = append(names, name)
		}
	}
	sorting.Stable(names, byNumber)
	if !v.Form.Op.SIMD() {
		for _, rule := range sem.Causes(v.Form, v.A, v.B, v.C) {
			names = append(names, rule.Name)
		}
	}
	return Tagged{v, names}
}

// byNumber puts R2 before R10.
func byNumber(x, y string) int {
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
}

// candidates is how many operand triples are drawn for each vector that is wanted, and never fewer than so many.
const (
	candidates    = 6
	minCandidates = 48
)

// Pick returns vectors of a form: operands that tell as many as possible of the mistakes from the truth,
// each in few vectors. The same seed gives the same vectors.
func Pick(f isa.Form, count int, seed uint64) []Tagged {
	rng := rand.New(rand.NewPCG(seed, number(f)))
	pool := pool(f, max(minCandidates, candidates*count), rng)
	told := make([][]uint64, len(pool))
	for i, v := range pool {
		told[i] = tells(v)
	}
	var picked []Tagged
	open := make([]uint64, len(told[0]))
	reopen := func() {
		for i := range open {
			open[i] = ^uint64(0)
		}
	}
	reopen()
	fresh := true
	taken := make([]bool, len(pool))
	for len(picked) < count {
		best, gain := -1, -1
		for i := range pool {
			if !taken[i] {
				if n := common(open, told[i]); n > gain {
					best, gain = i, n
				}
			}
		}
		if gain == 0 && !fresh { // all are told: once more from the start, by other vectors
			reopen()
			fresh = true
			continue
		}
		fresh = false
		taken[best] = true
		for i := range open {
			open[i] &^= told[best][i]
		}
		picked = append(picked, Tag(pool[best]))
	}
	return picked
}

func common(open, told []uint64) (n int) {
	for i := range open {
		n += bits.OnesCount64(open[i] & told[i])
	}
	return n
}

// pool returns different vectors of a form to pick from: those on which the readings differ, and drawn ones.
func pool(f isa.Form, n int, rng *rand.Rand) []Vector {
	vectors := make([]Vector, 0, n)
	seen := map[[3]uint32]bool{}
	add := func(a, b, c uint32) {
		if !f.ReadsC() {
			c = 0
		}
		if triple := [3]uint32{a, b, c}; !seen[triple] {
			seen[triple] = true
			vectors = append(vectors, Of(f, a, b, c))
		}
	}
	for _, d := range sem.Differences(f) {
		add(d.A, d.B, d.C)
	}
	for tries := 0; len(vectors) < n && tries < 4*n; tries++ {
		add(Operands(rng, f))
	}
	for len(vectors) < n {
		add(rng.Uint32(), rng.Uint32(), rng.Uint32())
	}
	return vectors
}

// tells returns the mistakes that a vector tells from the truth, as bits: those in the manual, and of
// scalar forms also those in the reading sm_86.
func tells(v Vector) []uint64 {
	concerning := mistake.Concerning(v.Form)
	bases := []mistake.Set{{}, mistake.Compiled()}
	if v.Form.Op.SIMD() {
		bases = bases[:1]
	}
	set := make([]uint64, (len(bases)*len(concerning)+63)/64)
	for r, base := range bases {
		for i, m := range concerning {
			if other := base.Toggled(m); mistake.Eval(&other, v.Form, v.A, v.B, v.C) != v.Want[r] {
				at := r*len(concerning) + i
				set[at/64] |= 1 << (at % 64)
			}
		}
	}
	return set
}

// number returns a number of a form, by which its vectors are drawn whatever others are asked for.
func number(f isa.Form) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for _, b := range []byte(f.String()) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// Select yields vectors of each form of a list, as [Pick] gives them.
func Select(forms []isa.Form, perForm int, seed uint64) iter.Seq[Tagged] {
	return func(yield func(Tagged) bool) {
		for _, f := range forms {
			for _, v := range Pick(f, perForm, seed) {
				if !yield(v) {
					return
				}
			}
		}
	}
}
