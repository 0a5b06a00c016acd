package prove

import (
	"math/bits"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
)

// exhaust tries all values of the operand bytes that each byte of the result depends
// on. ok is false if some byte depends on more than two of them.
//
// The four bytes of the result are looked at together. The operand bytes are put
// into two groups such that no byte of the result depends on two of one group; all bytes of a
// group get the same value, and the 65,536 pairs of values are then all pairs for
// every byte of the result.
func exhaust(f isa.Form, p *word.Program, reading isa.Reading, sameAB bool) (r Result, ok bool) {
	structure, ok := traced(p)
	if !ok {
		return Result{}, false
	}
	needs := meant(f)
	for i := range needs {
		needs[i] |= structure.union(8*i, 8*i+8)
		if sameAB { // b's bytes are a's
			needs[i] = needs[i]&^0xf0 | needs[i]>>4&0xf
		}
		if bits.OnesCount16(uint16(needs[i])) > 2 {
			return Result{}, false
		}
	}
	second, ok := twoGroups(needs)
	if !ok {
		return Result{}, false
	}
	masks := [3]uint32{groupMask(second, 0), groupMask(second, 1), groupMask(second, 2)}
	for pair := range uint32(1 << 16) {
		x, y := pair>>8*0x01010101, pair&0xff*0x01010101
		operand := func(n int) uint32 { return x&^masks[n] | y&masks[n] }
		a, b := operand(0), operand(1)
		if sameAB {
			b = a
		}
		if c := compare(reading, f, p, a, b, operand(2)); c != nil {
			return Result{Verdict: Refuted, Method: Exhaustive, Counterexample: c}, true
		}
	}
	return Result{Verdict: Proved, Method: Exhaustive}, true
}

// twoGroups returns the bytes of the second group; ok is false if there are no such
// groups. Each need of two bytes is an edge: the groups are the colours of a bipartite graph.
func twoGroups(needs [4]byteSet) (second byteSet, ok bool) {
	first := byteSet(0)
	for {
		progress := false
		for _, need := range needs {
			if bits.OnesCount16(uint16(need)) < 2 {
				continue
			}
			if need&^first == 0 || need&^second == 0 {
				return 0, false
			}
			placed := need & (first | second)
			switch bits.OnesCount16(uint16(placed)) {
			case 1:
				if placed&first != 0 {
					second |= need &^ placed
				} else {
					first |= need &^ placed
				}
				progress = true
			}
		}
		if progress {
			continue
		}
		start := byteSet(0) // a need of which no byte has a group yet
		for _, need := range needs {
			if bits.OnesCount16(uint16(need)) == 2 && need&(first|second) == 0 {
				start = need
			}
		}
		if start == 0 {
			return second, true
		}
		lowest := start & -start
		first, second = first|lowest, second|start&^lowest
	}
}

// groupMask returns the bits of an operand that belong to a set of bytes.
func groupMask(s byteSet, operand int) uint32 {
	mask := uint32(0)
	for i := range 4 {
		if s&byteAt(operand, i) != 0 {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}
