package normal

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/vop-ptx/vop/rewrite/word"
)

// A weighedSum is a word to which lanes are added by one or more operations: how often each.
type weighedSum struct {
	start word32bits
	lanes []weighedLane // by operation and text
}

// A weighedLane is a lane, as text, in a word of zeros, and how often it is added. The operation says how long it is and whether
// it has a sign.
type weighedLane struct {
	op     word.Op
	lane   string
	weight int
}

// dot writes a sum of weighted lanes. Sums of sums are one: lanes of one origin and type together, in a fixed order.
func (n *normalizer) dot(i *word.Inst, args [3]*word32bits, lanes int) word32bits {
	sum := weighedSum{start: *args[1]}
	if inner, ok := n.sums[args[1][0].node]; ok && *args[1] == wordOf(args[1][0].node) {
		sum.start, sum.lanes = inner.start, slices.Clone(inner.lanes)
	}
	size := 32 / lanes
	for k := range lanes {
		lane := constantWord(0)
		copy(lane[:size], args[0][k*size:(k+1)*size])
		if lane == constantWord(0) {
			continue
		}
		sum.add(weighedLane{i.Op, n.text(&lane), int(int8(i.Imm >> (8 * k)))})
	}
	node := int16(constantBit)
	w := sum.start
	for _, op := range []word.Op{word.DotU8, word.DotS8, word.DotU16, word.DotS16} {
		if terms := sum.of(op); terms != "" {
			node = n.node(op.String() + " " + n.text(&w) + " [" + terms + "]")
			w = wordOf(node)
		}
	}
	if node != constantBit {
		n.sums[node] = sum
	}
	return w
}

// add adds a lane, which may be there already.
func (s *weighedSum) add(lane weighedLane) {
	at, found := slices.BinarySearchFunc(s.lanes, lane, func(p, q weighedLane) int {
		return cmp.Or(cmp.Compare(p.op, q.op), cmp.Compare(p.lane, q.lane))
	})
	if found {
		s.lanes[at].weight += lane.weight
	} else {
		s.lanes = slices.Insert(s.lanes, at, lane)
	}
}

// of writes the lanes that are added by an operation, in order, without those that cancel.
func (s *weighedSum) of(op word.Op) string {
	var terms []byte
	for _, lane := range s.lanes {
		if lane.op != op || lane.weight == 0 {
			continue
		}
		if len(terms) > 0 {
			terms = append(terms, ' ')
		}
		terms = append(append(append(terms, '{'), lane.lane...), ' ')
		terms = append(strconv.AppendInt(terms, int64(lane.weight), 10), '}')
	}
	return string(terms)
}
