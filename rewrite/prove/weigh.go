package prove

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/rewrite/word"
)

// A weighedSum is a word to which lanes are added by one or more operations: how often each, by the operation that says how long a
// lane is and whether it has a sign.
type weighedSum struct {
	start   word32bits
	weights map[weighedLane]int
}

// A weighedLane is a lane, as text, in a word of zeros.
type weighedLane struct {
	op   word.Op
	lane string
}

// dot writes a sum of weighted lanes. Sums of sums are one: lanes of one origin and type together, in a fixed order.
func (n *normalizer) dot(i *word.Inst, args [3]*word32bits, lanes int) word32bits {
	sum := weighedSum{*args[1], map[weighedLane]int{}}
	if inner, ok := n.sums[*args[1]]; ok {
		sum.start = inner.start
		for lane, weight := range inner.weights {
			sum.weights[lane] = weight
		}
	}
	size := 32 / lanes
	for k := range lanes {
		lane := constantWord(0)
		copy(lane[:size], args[0][k*size:(k+1)*size])
		if x, constant := lane.number(); constant && x == 0 {
			continue
		}
		sum.weights[weighedLane{i.Op, n.text(&lane)}] += int(int8(i.Imm >> (8 * k)))
	}
	w := sum.start
	for _, op := range []word.Op{word.DotU8, word.DotS8, word.DotU16, word.DotS16} {
		if terms := sum.of(op); len(terms) > 0 {
			w = n.whole(fmt.Sprintf("%v %s %v", op, n.text(&w), terms))
		}
	}
	if w != sum.start {
		n.sums[w] = sum
	}
	return w
}

// weighedTerm is a lane and how often it is added.
type weighedTerm struct {
	lane   string
	weight int
}

// of returns the lanes that are added by an operation, in order, without those that cancel.
func (s *weighedSum) of(op word.Op) (terms []weighedTerm) {
	for lane, weight := range s.weights {
		if lane.op == op && weight != 0 {
			terms = append(terms, weighedTerm{lane.lane, weight})
		}
	}
	slices.SortFunc(terms, func(p, q weighedTerm) int { return cmp.Compare(p.lane, q.lane) })
	return terms
}
