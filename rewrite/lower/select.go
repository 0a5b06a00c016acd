package lower

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/lower/substitute"
	"github.com/vop-ptx/vop/rewrite/word"
)

// A Selection says where the words x and y of a core are from: byte i of x is byte number s[0][i] of the pair a, b
// (0 to 3 are a's, 4 to 7 b's), byte i of y is byte s[1][i].
type Selection [2][4]int

// selected lowers a SIMD form: the cheapest of its cores with the selected bytes in their places.
func selected(f isa.Form, caps word.Caps, facts Facts) *word.Program {
	s := SelectionOf(f, facts)
	var best *word.Program
	bestCost := 0
	b := builder.New(caps, facts.operands())
	for _, core := range Cores(f, caps, s.sameIn(f)) {
		p := substitute.Shorter(&b, core, s)
		if cost := caps.Cost(p); best == nil || cost < bestCost {
			best, bestCost = p, cost
		}
	}
	return best
}

// Substituted returns a core with selected bytes of a and b in the place of x and y. This is how every SIMD form
// gets its selectors; package prove holds it against its own way to do so.
func (s Selection) Substituted(core *word.Program, caps word.Caps) *word.Program {
	b := builder.New(caps, builder.AnyOperands)
	return substitute.Shorter(&b, core, s)
}

// Gathered is Substituted with sums of lanes gathered by registers, also where that is longer.
func (s Selection) Gathered(core *word.Program, caps word.Caps) *word.Program {
	b := builder.New(caps, builder.AnyOperands)
	return substitute.Gathered(&b, core, s)
}

// SelectionOf is stage 1 of a SIMD form: the bytes that its selectors take. Bytes of lanes that are not in the mask are of no account.
func SelectionOf(f isa.Form, facts Facts) (s Selection) {
	for n, sel := range []isa.Lanes{f.ALane, f.BLane} {
		s[n] = bytesOf(f, sel, n, facts.SameAB)
	}
	return s
}

// sameIn reports whether x and y have the same bytes in the lanes of a form's mask.
func (s Selection) sameIn(f isa.Form) bool {
	for i := range s[0] {
		if s[0][i] != s[1][i] && f.Mask.Has(i*8/f.Op.LaneBits()) {
			return false
		}
	}
	return true
}

// bytesOf returns the bytes of the lanes that a selector takes. If those in the mask stand
// in their own places in one operand, it is that operand; own is the operand to prefer. With sameAB all are a's.
func bytesOf(f isa.Form, sel isa.Lanes, own int, sameAB bool) (bytes [4]int) {
	lanes, size := f.Op.Lanes(), f.Op.LaneBits()/8
	lane := func(i int) int { // in the pair
		if sameAB {
			return sel.Lane(i) % lanes
		}
		return sel.Lane(i)
	}
	any, inPlace := -1, [2]bool{true, true} // a lane in the mask; whether all are in their places in an operand
	for i := range lanes {
		if f.Mask.Has(i) {
			from := lane(i)
			if any < 0 {
				any = from
			}
			for n := range inPlace {
				inPlace[n] = inPlace[n] && from == i+n*lanes
			}
		}
	}
	other := any / lanes // the operand for lanes that do not matter
	switch {
	case inPlace[own]:
		other = own
	case inPlace[1-own]:
		other = 1 - own
	}
	for i := range bytes {
		bytes[i] = 4*other + i
		if to := i / size; f.Mask.Has(to) {
			bytes[i] = lane(to)*size + i%size
		}
	}
	return bytes
}
