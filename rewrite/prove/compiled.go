package prove

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove/term"
)

// finishCompiled is what the reading isa.SM86 has instead of the manual's last stages
// of the scalar instructions but vmad: docs/rulings.md, rules Q1 to Q10. exact is the result of
// the operation, tmp its 34 bits.
func (q *query) finishCompiled(f isa.Form, exact, tmp *term.Term) *term.Term {
	shift, part := f.Mode != isa.NoMode, f.DSel != isa.Word
	if f.Sat {
		tmp = q.define("saturated", saturateCompiled(f, tmp, shift, part))
	}
	switch f.Second {
	case isa.SecondAdd:
		return q.define("d", term.Add(term.Slice(tmp, 0, 32), term.Operand(2)))
	case isa.SecondMin, isa.SecondMax:
		return q.define("d", q.secondCompiled(f, exact, tmp, shift))
	}
	from := 0
	if f.DSel == isa.H1 {
		from = 16 // rule Q1
	}
	return q.define("d", merge(term.Slice(tmp, from, f.DSel.Bits()), f.DSel))
}

func saturateCompiled(f isa.Form, tmp *term.Term, shift, part bool) *term.Term {
	zero := term.Number(0, tmp.Width)
	switch {
	case shift && part: // rule Q8
		return clamp(tmp, f.DType, 32)
	case part: // rule Q3
		_, most := rangeOf(f.DType, f.DSel.Bits())
		high := term.Number(most, tmp.Width)
		return term.Choose(term.Below(tmp, high), tmp, high)
	case !shift && !f.DType.Signed(): // rule Q4
		return term.Larger(tmp, zero)
	}
	return clamp(tmp, f.DType, f.DSel.Bits())
}

// secondCompiled is .min and .max.
func (q *query) secondCompiled(f isa.Form, exact, tmp *term.Term, shift bool) *term.Term {
	typ := f.DType
	if f.Op.Kind() == isa.Set { // rule Q7
		typ = f.AType
	}
	lowWord := func(t *term.Term) *term.Term { return term.Extend(term.Slice(t, 0, 32), true, t.Width) }
	switch {
	case f.Op.Kind() == isa.Add, f.Op.Kind() == isa.Sub, shift && f.Sat: // rule Q9
		tmp = lowWord(tmp)
	case shift: // rule Q10
		tmp = term.Extend(term.Slice(exact, 0, 64), true, tmp.Width)
	}
	t := q.define("t", tmp)
	tc := q.define("tc", term.Extend(term.Operand(2), typ.Signed(), tmp.Width))
	less := term.LessThan(t, tc)
	if !typ.Signed() {
		less = term.Below(t, tc) // rule Q5: a sign is taken for high bits
	}
	first, other := t, tc
	if f.Second == isa.SecondMax {
		first, other = tc, t
	}
	return term.Slice(term.Choose(less, first, other), 0, 32)
}
