package prove

import (
	"context"
	"fmt"

	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Equality is whether two values of a program are the same for all operands.
type Equality struct {
	Verdict  Verdict
	Method   Method
	Operands []uint32 // of Refuted: those for which they differ
	X, Y     uint64   // what both are for them
	Why      string   // of Unknown
}

// String is one line.
func (e Equality) String() string {
	switch e.Verdict {
	case Refuted:
		return fmt.Sprintf("refuted by %08x: %x and %x (%v)", e.Operands, e.X, e.Y, e.Method)
	case Unknown:
		return "unknown: " + e.Why
	}
	return fmt.Sprintf("proved (%v)", e.Method)
}

// freeInputs are the operands of [Equal].
var freeInputs = func() (all [6]*term.Term) {
	for n := range all {
		if all[n] = term.Free(fmt.Sprintf("x%d", n)); n < len(operandNames) {
			all[n] = term.Operand(n)
		}
	}
	return all
}()

// Equal decides whether two values of a program, words or wide ones, are the same for all operands, of which there may be six.
// Selects may be on any mask. The result of the program, and whether values are needed, does not matter. Of the options, those of the solver count.
func Equal(ctx context.Context, p *word.Program, x, y word.Value, o Options) Equality {
	if p.Insts[x].Op.Wide() != p.Insts[y].Op.Wide() {
		return Equality{Why: "one is wide, the other is not"}
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Solver == nil {
		return Equality{Why: ErrNoSolver.Error()}
	}
	p = needed(p, x, y)
	var e Equality
	for _, multiply := range []multiplication{byHalves, exactly} {
		q := equalQuery(p, x, y, multiply)
		answer := o.Solver.askOnce(ctx, q.String(), q.names(), o.Timeout)
		switch {
		case answer.err != nil:
			e = Equality{Why: answer.err.Error()}
		case !answer.sat:
			return Equality{Verdict: Proved, Method: SMT}
		default:
			e = Equality{Verdict: Refuted, Method: SMT, Operands: answer.values}
			values := p.Values(answer.values...)
			if e.X, e.Y = values[x], values[y]; e.X != e.Y {
				return e
			}
			e = Equality{Why: fmt.Sprintf("the solver's counterexample %08x is none: program.go of package prove does not say what operations do", answer.values)}
		}
	}
	return e
}

// needed returns the program with a constant in the place of each value that two do not depend on.
func needed(p *word.Program, x, y word.Value) *word.Program {
	need := make([]bool, len(p.Insts))
	need[x], need[y] = true, true
	q := &word.Program{Insts: append([]word.Inst(nil), p.Insts...)}
	for n := len(p.Insts) - 1; n >= 0; n-- {
		i := &q.Insts[n]
		if !need[n] {
			*i = word.Inst{Op: word.Const}
			continue
		}
		for _, v := range i.Args() {
			need[v] = true
		}
	}
	return q
}

func equalQuery(p *word.Program, x, y word.Value, multiply multiplication) *query {
	q := &query{multiply: multiply, inputs: freeInputs[:]}
	q.line("; unsat: two values are the same for all operands")
	q.begin()
	values := q.values(p)
	q.goal(term.Differ(values[x], values[y]))
	return q
}

// halves writes a product of two words as the sum of the products of their halves, which it is by the law of distribution. Those are
// a function of which is known the greatest value. What holds for every such function holds for the product.
func (q *query) halves(x, y *term.Term) *term.Term {
	total := term.Number(0, 64)
	for m, p := range halvesOf(x) {
		for n, r := range halvesOf(y) {
			if p == nil || r == nil {
				continue
			}
			factors := []*term.Term{p, r}
			if p.String() > r.String() { // products commute
				factors = []*term.Term{r, p}
			}
			product := term.Apply(32, "half", factors...)
			q.assert(term.Apply(0, "bvule", product, term.Word(0xffff*0xffff)), "the greatest product of halves")
			total = term.Add(total, term.Same("bvshl", term.Extend(product, false, 64), term.Number(int64(16*(m+n)), 64)))
		}
	}
	return total
}

// halvesOf returns the low and the high half of a word, nil where it is seen to be 0.
func halvesOf(x *term.Term) (halves [2]*term.Term) {
	of := x
	if x.Name != "" && len(x.Args) > 0 {
		of = x.Args[0]
	}
	is := func(t *term.Term, k uint64) bool { return t.Number != nil && t.Number.Uint64() == k }
	switch {
	case of.Function == "bvand" && is(of.Args[0], 0xffff):
		halves[0] = term.Slice(of.Args[1], 0, 16)
		return halves
	case of.Function == "bvand" && is(of.Args[1], 0xffff):
		halves[0] = term.Slice(of.Args[0], 0, 16)
		return halves
	case of.Function == "bvlshr" && is(of.Args[1], 16):
		halves[0] = term.Slice(of.Args[0], 16, 16)
		return halves
	}
	return [2]*term.Term{term.Slice(x, 0, 16), term.Slice(x, 16, 16)}
}
