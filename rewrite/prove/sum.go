package prove

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// Sums of many terms in different orders are what solvers are worst at. The
// forms with .add are therefore proven term by term: the manual's d is c + t0 + t1
// + ..., the program's result is, by the structure of its last operations, c plus a constant and
// its own terms. For each ti the terms that make it up are found by trying operands,
// and that they do, for all operands, is asked of the solver. The rest is the
// algebra of integers modulo 2^32.

// leaf is one term of a program's sum: a word computed from values of the program.
type leaf struct {
	of     []word.Value // what it is computed from
	number func(values []uint64) uint32
	term   func(values []*term.Term) *term.Term

	// Of a lane of a value: where it stands, how long it is (0 if the leaf is something else), and whether it has a sign.
	at, bits int
	signed   bool
}

// sum is a program's result as a sum.
type sum struct {
	plus, minus []leaf
	constant    uint32
	c           uint32 // how often operand c is added
	steps       int    // taken to split it
}

// The limits of a sum, so that no program makes the search long.
const (
	leafLimit = 16
	stepLimit = 1000
)

// sumOf takes a program's result apart. ok is false if it is not a short sum of c and
// of leaves that do not depend on c.
func sumOf(p *word.Program) (s sum, ok bool) {
	s.split(p, p.Result, 1)
	if s.steps > stepLimit || len(s.plus)+len(s.minus) > leafLimit || s.c != 1 {
		return s, false
	}
	reads := readsC(p)
	for _, l := range slices.Concat(s.plus, s.minus) {
		for _, v := range l.of {
			if reads[v] {
				return s, false
			}
		}
	}
	return s, true
}

// readsC tells for each value whether it is computed from operand c.
func readsC(p *word.Program) []bool {
	reads := make([]bool, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		reads[n] = i.Op == word.Input && i.Imm == 2
		for _, v := range i.Arg[:i.Op.Args()] {
			reads[n] = reads[n] || reads[v]
		}
	}
	return reads
}

// split adds factor times value v to the sum.
func (s *sum) split(p *word.Program, v word.Value, factor int) {
	if s.steps++; s.steps > stepLimit {
		return
	}
	i := &p.Insts[v]
	x, y, z := i.Arg[0], i.Arg[1], i.Arg[2]
	switch i.Op {
	case word.Const:
		s.constant += uint32(factor) * uint32(i.Imm)
	case word.Input:
		if i.Imm == 2 {
			s.c += uint32(factor)
			return
		}
		s.add(wholeLeaf(v), factor)
	case word.Add:
		s.split(p, x, factor)
		s.split(p, y, factor)
	case word.Sub:
		s.split(p, x, factor)
		s.split(p, y, -factor)
	case word.DotU8, word.DotS8, word.DotU16, word.DotS16:
		bits := 8
		if i.Op == word.DotU16 || i.Op == word.DotS16 {
			bits = 16
		}
		for k := range 32 / bits {
			weight := int(int8(i.Imm >> (8 * k)))
			s.add(laneLeaf(x, k*bits, bits, i.Op == word.DotS8 || i.Op == word.DotS16), factor*weight)
		}
		s.split(p, y, factor)
	case word.SadU8, word.SadS8:
		for at := 0; at < 32; at += 8 {
			s.add(apartLeaf(x, y, at, 8, i.Op == word.SadS8), factor)
		}
		s.split(p, z, factor)
	case word.SadU, word.SadS:
		s.add(apartLeaf(x, y, 0, 32, i.Op == word.SadS), factor)
		s.split(p, z, factor)
	default:
		if product, start, v, ok := highSum(p, v); ok {
			s.add(highLeaf(product, start), factor)
			s.split(p, v, factor)
			return
		}
		if bytes, ok := byteSum(p, v); ok {
			for _, l := range bytes {
				s.add(l, factor)
			}
			return
		}
		s.add(wholeLeaf(v), factor)
	}
}

// add adds factor times a leaf.
func (s *sum) add(l leaf, factor int) {
	for range min(max(factor, -factor), leafLimit+1) {
		if factor > 0 {
			s.plus = append(s.plus, l)
		} else {
			s.minus = append(s.minus, l)
		}
	}
}

func wholeLeaf(v word.Value) leaf {
	return leaf{
		of:     []word.Value{v},
		number: func(values []uint64) uint32 { return uint32(values[v]) },
		term:   func(values []*term.Term) *term.Term { return values[v] },
	}
}

// laneNumber is a lane of a word, extended.
func laneNumber(x uint64, at, bits int, signed bool) int64 {
	top := uint32(x) << (32 - bits - at)
	if signed {
		return int64(int32(top) >> (32 - bits))
	}
	return int64(top >> (32 - bits))
}

func laneLeaf(v word.Value, at, bits int, signed bool) leaf {
	return leaf{
		of:     []word.Value{v},
		number: func(values []uint64) uint32 { return uint32(laneNumber(values[v], at, bits, signed)) },
		term:   func(values []*term.Term) *term.Term { return term.Extend(term.Slice(values[v], at, bits), signed, 32) },
		at:     at, bits: bits, signed: signed,
	}
}

// apartLeaf is the distance of two lanes.
func apartLeaf(x, y word.Value, at, bits int, signed bool) leaf {
	return leaf{
		of: []word.Value{x, y},
		number: func(values []uint64) uint32 {
			p, r := laneNumber(values[x], at, bits, signed), laneNumber(values[y], at, bits, signed)
			return uint32(max(p-r, r-p))
		},
		term: func(values []*term.Term) *term.Term {
			width := bits + 2
			t := term.Magnitude(term.Sub(term.Extend(term.Slice(values[x], at, bits), signed, width), term.Extend(term.Slice(values[y], at, bits), signed, width)))
			return term.Slice(term.Extend(t, false, 34), 0, 32)
		},
	}
}

// lanesOf returns the forms whose values the manual adds to c: each has one lane of
// f in its mask, or no second operation.
func lanesOf(f isa.Form) (terms []isa.Form) {
	if f.Second != isa.SecondAdd {
		return nil
	}
	if !f.Op.SIMD() {
		f.Second = isa.NoSecond
		return []isa.Form{f}
	}
	for i := range f.Op.Lanes() {
		if f.Mask.Has(i) {
			one := f
			one.Mask = 1 << i
			terms = append(terms, one)
		}
	}
	return terms
}

// trials is how many operands are tried to find which terms belong together. A
// wrong guess costs a question to the solver, never a wrong proof.
const trials = 40

// bySum proves a form with .add term by term. decided is false if the program's
// result is not such a sum.
func bySum(ctx context.Context, f isa.Form, p *word.Program, o Options) (r Result, decided bool) {
	lanes := lanesOf(f)
	if lanes == nil {
		return Result{}, false
	}
	whole, ok := sumOf(p)
	if !ok {
		return Result{}, false
	}
	parts, ok := match(o, lanes, whole, p)
	if !ok {
		return Result{}, false
	}
	method := Certified
	for _, part := range parts {
		answer := o.ask(ctx, part.query(p, o))
		switch {
		case answer.err != nil:
			return Result{}, false
		case !answer.sat:
			method = min(method, answer.method(Sums))
			continue
		}
		c := compare(o.Reading, f, p, answer.a, answer.b, answer.c)
		return Result{Verdict: Refuted, Method: Sums, Counterexample: c}, c != nil
	}
	return Result{Verdict: Proved, Method: method}, true
}

// part says that a term of the manual is a sum of leaves and a constant, or where there is no lane that they add up to 0.
type part struct {
	lane        isa.Form
	plus, minus []leaf
	constant    uint32
}

// query asks for operands for which the part is wrong. c is 0: the manual adds it
// elsewhere.
func (part *part) query(p *word.Program, o Options) *query {
	q := &query{reading: o.Reading, facts: o.Facts}
	q.begin()
	q.assume()
	q.assert(term.Equal(term.Operand(2), term.Word(0)), "c is added elsewhere")
	want := term.Word(0)
	if part.lane != (isa.Form{}) {
		want = q.manual(part.lane)
	}
	values := q.values(p)
	got := term.Word(part.constant)
	for _, l := range part.plus {
		got = term.Add(got, l.term(values))
	}
	for _, l := range part.minus {
		got = term.Sub(got, l.term(values))
	}
	q.goal(term.Differ(want, got))
	return q
}

// trial returns operands that agree with the facts.
func trial(rng *rand.Rand, facts lower.Facts) (a, b uint32) {
	a, b = rng.Uint32(), rng.Uint32()
	if known := facts.Known[0]; known.Is {
		a = known.Value
	}
	if known := facts.Known[1]; known.Is {
		b = known.Value
	}
	if facts.SameAB {
		b = a
	}
	return a, b
}

// match finds for every lane one or two leaves, and a constant, that make it up. Leaves that are used for none are constants: such as the
// distance of bytes in a lane that is not in the mask, which a program has made equal. ok is false unless the constants are the program's.
func match(o Options, lanes []isa.Form, s sum, p *word.Program) (parts []part, ok bool) {
	leaves := slices.Concat(s.plus, s.minus)
	numbers := make([][trials]uint32, len(leaves)) // with their signs
	wanted := make([][trials]uint32, len(lanes))
	rng := rand.New(rand.NewPCG(1, 1))
	for k := range trials {
		a, b := trial(rng, o.Facts)
		values := p.Values(a, b, 0)
		for n, l := range leaves {
			numbers[n][k] = l.number(values)
			if n >= len(s.plus) {
				numbers[n][k] = -numbers[n][k]
			}
		}
		for n, lane := range lanes {
			wanted[n][k] = sem.EvalAs(o.Reading, lane, a, b, 0)
		}
	}
	used := make([]bool, len(leaves))
	total := s.constant
	for n, lane := range lanes {
		found := false
		for i := range leaves {
			for j := i; j < len(leaves) && !found; j++ {
				if used[i] || used[j] {
					continue
				}
				second := numbers[j]
				if i == j {
					second = [trials]uint32{}
				}
				difference, ok := constantDifference(wanted[n], numbers[i], second)
				if !ok {
					continue
				}
				one := part{lane: lane, constant: difference}
				one.take(leaves, i, len(s.plus))
				if i != j {
					one.take(leaves, j, len(s.plus))
				}
				parts = append(parts, one)
				used[i], used[j], found = true, true, true
				total -= difference
			}
		}
		if !found {
			return nil, false
		}
	}
	for n := range leaves {
		if used[n] {
			continue
		}
		difference, ok := constantDifference([trials]uint32{}, numbers[n], [trials]uint32{})
		if !ok {
			return nil, false
		}
		one := part{constant: difference}
		one.take(leaves, n, len(s.plus))
		parts = append(parts, one)
		total -= difference
	}
	return parts, total == 0
}

// take adds leaf n to the part, subtracted if it is one of those from negative on.
func (part *part) take(leaves []leaf, n, negative int) {
	if n < negative {
		part.plus = append(part.plus, leaves[n])
	} else {
		part.minus = append(part.minus, leaves[n])
	}
}

// constantDifference returns want - x - y, if it is the same in all trials.
func constantDifference(want, x, y [trials]uint32) (uint32, bool) {
	difference := want[0] - x[0] - y[0]
	for k := range want {
		if want[k]-x[k]-y[k] != difference {
			return 0, false
		}
	}
	return difference, true
}
