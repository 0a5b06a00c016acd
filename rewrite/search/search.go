package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop/rewrite/word"
)

// A Problem is a function of two operands, a and b, or of three.
type Problem struct {
	Operands int
	Value    func(a, b, c uint32) uint32
	Space    Space // what programs are made of
}

// Outcome is what a search found.
type Outcome struct {
	// Program is the first program that computes the function on all test vectors and that accept takes, or nil.
	Program *word.Program
	// Length is the number of machine instructions of Program, or the length up to which there is none.
	Length int
	// Candidates is the number of programs that were right on the vectors of the search.
	Candidates int
}

// Shortest goes through all programs of 1, 2 ... most instructions and returns the first that is
// right on many operands and that accept takes: that is where it is proved. It ends early,
// with what is known so far, if ctx does.
func Shortest(ctx context.Context, p Problem, most int, accept func(*word.Program) bool) Outcome {
	tests := operands(p)
	var out Outcome
	for n, tries := 1, 0; n <= most; {
		wrong := failures{patient: tries == maxTries}
		s := start(p, tests)
		s.found = func(list []instruction) bool {
			out.Candidates++
			q := program(p.Space.Constants, p.Operands, list)
			failed := wrongOn(p, q, tests)
			if len(failed) == 0 && accept(q) {
				out.Program = q
				return true
			}
			return wrong.add(failed) && len(failed) > 0
		}
		s.search(ctx, n)
		switch {
		case out.Program != nil:
			out.Length = n
			return out
		case ctx.Err() != nil:
			return out
		case wrong.tooMany():
			wrong.reorder(tests)
			tries++
		default:
			out.Length = n
			n, tries = n+1, 0
		}
	}
	return out
}

// start returns the state before the first instruction.
func start(p Problem, tests [][3]uint32) *state {
	s := &state{space: p.Space, operands: p.Operands}
	for _, k := range p.Space.Constants {
		var v vec
		for n := range v {
			v[n] = k
		}
		s.values = append(s.values, v)
	}
	for n := range p.Operands {
		var v vec
		for k := range v {
			v[k] = tests[k][n]
		}
		s.values = append(s.values, v)
	}
	for k := range s.target {
		s.target[k] = p.Value(tests[k][0], tests[k][1], tests[k][2])
	}
	s.base = len(s.values)
	return s
}

// wrongOn returns the numbers of the test vectors on which a program is wrong.
func wrongOn(p Problem, q *word.Program, tests [][3]uint32) (failed []int) {
	for n, x := range tests {
		if q.Eval(x[0], x[1], x[2]) != p.Value(x[0], x[1], x[2]) {
			failed = append(failed, n)
		}
	}
	return failed
}

// failures are candidates that were right on the vectors of the search and wrong on others.
type failures struct {
	failed  [][]int // the test vectors that each is wrong on
	patient bool    // any number is borne
}

const (
	manyFailures = 500 // say that the vectors of the search tell too little
	maxTries     = 8   // with other vectors
)

// add remembers a failure and reports whether there are too many.
func (f *failures) add(failed []int) bool {
	if len(f.failed) < manyFailures {
		f.failed = append(f.failed, failed)
	}
	return f.tooMany()
}

func (f *failures) tooMany() bool { return !f.patient && len(f.failed) == manyFailures }

// reorder puts test vectors to the front that together show most of the failures.
func (f *failures) reorder(tests [][3]uint32) {
	left := f.failed
	for at := range vectors / 2 {
		counts := make([]int, len(tests))
		best := len(tests) - 1
		for _, failed := range left {
			for _, n := range failed {
				if counts[n]++; counts[n] > counts[best] {
					best = n
				}
			}
		}
		var rest [][]int
		for _, failed := range left {
			if !slices.Contains(failed, best) {
				rest = append(rest, failed)
			}
		}
		left = rest
		// It takes the place of a vector at the front, which takes one behind.
		to := vectors - 1 - at
		tests[to], tests[best] = tests[best], tests[to]
	}
}

// operands returns the test vectors. The first few, on which all programs are computed, are drawn
// at random, with lanes that are equal or neighbours; the others also have lanes at the ends of their ranges.
func operands(p Problem) [][3]uint32 {
	rng := rand.New(rand.NewPCG(13, 12))
	edges := []uint32{0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff}
	var tests [][3]uint32
	for n := range 400 {
		x := [3]uint32{rng.Uint32(), rng.Uint32(), rng.Uint32()}
		for at := 0; at < 32; at += 8 {
			lane := uint32(0xff) << at
			switch rng.IntN(6) {
			case 0: // equal, or nearly
				x[1] = x[1]&^lane | (x[0]+uint32(rng.IntN(3)-1)<<at)&lane
			case 1:
				x[1] = x[1]&^lane | x[0]&lane
			case 2, 3:
				if n >= vectors {
					k := rng.IntN(3)
					x[k] = x[k]&^lane | edges[rng.IntN(len(edges))]<<at
				}
			}
		}
		switch {
		case p.Operands < 3:
			x[2] = 0
		case n >= vectors: // words near 0 and near the ends of their range, which parts are held against
			for k := range x {
				if shift := 8 * rng.IntN(4); rng.IntN(2) == 0 {
					x[k] >>= shift
				} else {
					x[k] = uint32(int32(x[k]) >> shift)
				}
				x[k] ^= []uint32{0, 0, 0, 1 << 31, 1<<31 - 1}[rng.IntN(5)]
			}
		}
		tests = append(tests, x)
	}
	return tests
}
