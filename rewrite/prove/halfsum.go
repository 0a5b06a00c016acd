package prove

import (
	"context"
	"math/rand/v2"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove/term"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// Minima and maxima are added as half of a sum: c + (u0 + u1 + ...) >> 1, where the u of each
// lane are twice the manual's term. Then the whole sum is twice the sum of those terms, modulo
// 2^32; they are so small that it is so as a number, and the shift halves it exactly. So does the high word of its product with -2^31, as
// a number with a sign, which is minus the half.

// halved returns what the program halves and adds to c, or subtracts from it if factor is -1, and whether it is a number with a sign.
func halved(p *word.Program) (twice word.Value, factor int, signed, ok bool) {
	last := &p.Insts[p.Result]
	if product, start, v, ok := highSum(p, p.Result); ok && start == 0 && p.Insts[product].Op == word.MulWideS && isOperandC(p, v) {
		for k, twice := range p.Insts[product].Args() {
			if n, ok := p.ConstOf(p.Insts[product].Arg[1-k]); ok && n == 1<<31 {
				return twice, -1, true, true
			}
		}
	}
	if last.Op != word.Add {
		return 0, 0, false, false
	}
	for k, v := range last.Args() {
		shift := &p.Insts[v]
		if !isOperandC(p, last.Arg[1-k]) || shift.Op != word.ShrU && shift.Op != word.ShrS {
			continue
		}
		if n, ok := p.ConstOf(shift.Arg[1]); ok && n == 1 {
			return shift.Arg[0], 1, shift.Op == word.ShrS, true
		}
	}
	return 0, 0, false, false
}

// isOperandC reports whether a value is operand c.
func isOperandC(p *word.Program, v word.Value) bool {
	return p.Insts[v] == word.Inst{Op: word.Input, Imm: 2}
}

// byHalfSum proves a form of four lanes with .add whose program halves a sum. decided is
// false if it is no such program.
func byHalfSum(ctx context.Context, f isa.Form, p *word.Program, o Options) (r Result, decided bool) {
	lanes := lanesOf(f)
	twice, factor, signed, ok := halved(p)
	if !ok || f.Op.Lanes() != 4 {
		return Result{}, false
	}
	var s sum
	s.split(p, twice, factor)
	if s.steps > stepLimit || len(s.plus)+len(s.minus) > leafLimit || s.c != 0 || s.constant != 0 {
		return Result{}, false
	}
	reads := readsC(p)
	if reads[twice] {
		return Result{}, false
	}
	groups, ok := groupHalves(o, lanes, s, p, false)
	if !ok {
		groups, ok = groupHalves(o, lanes, s, p, true)
	}
	if !ok {
		return Result{}, false
	}
	method := Certified
	for _, g := range groups {
		answer := o.ask(ctx, g.question(p, o, signed))
		if answer.err != nil || answer.sat {
			return Result{}, false // a wrong guess, perhaps: the whole question decides
		}
		method = min(method, answer.method(Sums))
	}
	return Result{Verdict: Proved, Method: method}, true
}

// group says that some leaves are together twice the term of a lane, or 0 if there is no lane.
type group struct {
	part
	none bool // no lane
}

// termLimit is above the size of any term of a lane of a byte.
const termLimit = 1 << 20

// question asks for operands for which the group is wrong, or the lane's term too large, or below 0 if the sum is halved as one without a sign.
func (g *group) question(p *word.Program, o Options, signed bool) *query {
	q := &query{reading: o.Reading, facts: o.Facts}
	q.begin()
	q.assume()
	q.assert(term.Equal(term.Operand(2), term.Word(0)), "c is added elsewhere")
	want := term.Word(0)
	small := want
	if !g.none {
		want = q.manual(g.lane)
		small = want
		want = term.Add(want, want)
	}
	values := q.values(p)
	got := term.Word(0)
	for _, l := range g.plus {
		got = term.Add(got, l.term(values))
	}
	for _, l := range g.minus {
		got = term.Sub(got, l.term(values))
	}
	least := term.Word(0)
	if signed {
		least = term.Number(-termLimit, 32)
	}
	q.goal(term.Either(term.Differ(want, got), term.Either(term.LessThan(small, least), term.LessThan(term.Number(termLimit, 32), small))))
	return q
}

// groupHalves finds the leaves of every lane: those whose sum is twice the lane's term in all
// trials. Leaves that are always 0 belong to none. With threes, three leaves are tried before two: a byte that is taken
// twice is twice itself, but also twice its maximum with its number as a signed one.
func groupHalves(o Options, lanes []isa.Form, s sum, p *word.Program, threes bool) (groups []group, ok bool) {
	leaves := append(append([]leaf(nil), s.plus...), s.minus...)
	numbers := make([][trials]uint32, len(leaves))
	wanted := make([][trials]uint32, len(lanes))
	rng := rand.New(rand.NewPCG(1, 2))
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
			wanted[n][k] = 2 * sem.EvalAs(o.Reading, lane, a, b, 0)
		}
	}
	used := make([]bool, len(leaves))
	zero := [trials]uint32{}
	for n := range leaves {
		if numbers[n] == zero {
			used[n] = true
			g := group{none: true}
			g.take(leaves, n, len(s.plus))
			groups = append(groups, g)
		}
	}
	for n, lane := range lanes {
		found, ok := someOf(wanted[n], numbers, used, threes)
		if !ok {
			found, ok = someOf(wanted[n], numbers, used, !threes)
		}
		if !ok {
			return nil, false
		}
		g := group{part: part{lane: lane}}
		for _, m := range found {
			used[m] = true
			g.take(leaves, m, len(s.plus))
		}
		groups = append(groups, g)
	}
	for _, u := range used {
		if !u {
			return nil, false
		}
	}
	return groups, true
}

// someOf finds three, or two, of the numbers that are not used and add up to what is wanted: two
// where a lane is compared with itself, so that its distance is 0 and stands by itself.
func someOf(wanted [trials]uint32, numbers [][trials]uint32, used []bool, three bool) (found []int, ok bool) {
	adds := func(x, y, z *[trials]uint32) bool {
		for n := range wanted {
			if wanted[n] != x[n]+y[n]+z[n] {
				return false
			}
		}
		return true
	}
	for i := range numbers {
		for j := range i {
			if used[i] || used[j] {
				continue
			}
			if !three && adds(&numbers[i], &numbers[j], new([trials]uint32)) {
				return []int{j, i}, true
			}
			for k := range j {
				if three && !used[k] && adds(&numbers[i], &numbers[j], &numbers[k]) {
					return []int{k, j, i}, true
				}
			}
		}
	}
	return nil, false
}
