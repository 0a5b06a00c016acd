package prove

import (
	"context"
	"maps"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// What vadd and vsub with .add compute is c and lanes of a and b, each added or subtracted. Where the lowering adds those of one register together
// (lower/substitute/gather.go), lanes that come twice have a weight, or none, and no term of the program is one of the manual's. So the
// lanes are counted on both sides.

// An operandLane is a lane of an operand, extended.
type operandLane struct {
	operand, at, bits int
	signed            bool
}

// leaf returns the lane as a term of a sum.
func (l operandLane) leaf() leaf {
	return leaf{term: func([]*term.Term) *term.Term {
		return term.Extend(term.Slice(term.Operand(l.operand), l.at, l.bits), l.signed, 32)
	}}
}

// byLanes proves a sum of lanes by counting them. That the manual's terms are these lanes is asked of the solver. decided is false if
// the program, or the form, is no such sum.
func byLanes(ctx context.Context, f isa.Form, p *word.Program, o Options) (r Result, decided bool) {
	kind := f.Op.Kind()
	if !f.Op.SIMD() || f.Second != isa.SecondAdd || f.Sat || kind != isa.Add && kind != isa.Sub {
		return Result{}, false
	}
	got, ok := countLanes(p)
	if !ok {
		return Result{}, false
	}
	width := f.Op.LaneBits()
	lane := func(from int, t isa.Type) operandLane {
		operand := from / f.Op.Lanes()
		if o.Facts.SameAB {
			operand = 0
		}
		return operandLane{operand, from % f.Op.Lanes() * width, width, t.Signed()}
	}
	want := map[operandLane]int{}
	method := Certified
	for _, one := range lanesOf(f) {
		i := 0
		for !one.Mask.Has(i) {
			i++
		}
		x, y := lane(one.ALane.Lane(i), one.AType), lane(one.BLane.Lane(i), one.BType)
		claim := part{lane: one, plus: []leaf{x.leaf(), y.leaf()}}
		count(want, x, 1)
		if kind == isa.Sub {
			claim = part{lane: one, plus: []leaf{x.leaf()}, minus: []leaf{y.leaf()}}
			count(want, y, -1)
		} else {
			count(want, y, 1)
		}
		answer := o.ask(ctx, claim.query(p, o))
		if answer.err != nil || answer.sat {
			return Result{}, false
		}
		method = min(method, answer.method(Sums))
	}
	if !maps.Equal(got, want) {
		return Result{}, false
	}
	return Result{Verdict: Proved, Method: method}, true
}

// count adds a lane n times; what is there no times is not in the map.
func count(lanes map[operandLane]int, l operandLane, n int) {
	if lanes[l] += n; lanes[l] == 0 {
		delete(lanes, l)
	}
}

// countLanes takes a program's result apart. ok is false if it is more than c and lanes of a and b.
func countLanes(p *word.Program) (lanes map[operandLane]int, ok bool) {
	s, ok := sumOf(p)
	if !ok || s.constant != 0 {
		return nil, false
	}
	lanes = map[operandLane]int{}
	for n, leaves := range [][]leaf{s.plus, s.minus} {
		for _, l := range leaves {
			if l.bits == 0 || p.Insts[l.of[0]].Op != word.Input {
				return nil, false
			}
			count(lanes, operandLane{int(p.Insts[l.of[0]].Imm), l.at, l.bits, l.signed}, 1-2*n)
		}
	}
	return lanes, true
}
