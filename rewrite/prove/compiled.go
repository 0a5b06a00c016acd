package prove

import "github.com/vop-ptx/vop/isa"

// finishCompiled is what the reading isa.SM86 has instead of the manual's last stages
// of the scalar instructions but vmad: docs/rulings.md, rules Q1 to Q10. exact is the result of
// the operation, tmp its 34 bits.
func (q *query) finishCompiled(f isa.Form, exact, tmp *term) *term {
	shift, part := f.Mode != isa.NoMode, f.DSel != isa.Word
	if f.Sat {
		tmp = q.define("saturated", saturateCompiled(f, tmp, shift, part))
	}
	switch f.Second {
	case isa.SecondAdd:
		return q.define("d", add(slice(tmp, 0, 32), operand(2)))
	case isa.SecondMin, isa.SecondMax:
		return q.define("d", q.secondCompiled(f, exact, tmp, shift))
	}
	from := 0
	if f.DSel == isa.H1 {
		from = 16 // rule Q1
	}
	return q.define("d", merge(slice(tmp, from, f.DSel.Bits()), f.DSel))
}

func saturateCompiled(f isa.Form, tmp *term, shift, part bool) *term {
	zero := number(0, tmp.width)
	switch {
	case shift && part: // rule Q8
		return clamp(tmp, f.DType, 32)
	case part: // rule Q3
		_, most := rangeOf(f.DType, f.DSel.Bits())
		high := number(most, tmp.width)
		return choose(below(tmp, high), tmp, high)
	case !shift && !f.DType.Signed(): // rule Q4
		return larger(tmp, zero)
	}
	return clamp(tmp, f.DType, f.DSel.Bits())
}

// secondCompiled is .min and .max.
func (q *query) secondCompiled(f isa.Form, exact, tmp *term, shift bool) *term {
	typ := f.DType
	if f.Op.Kind() == isa.Set { // rule Q7
		typ = f.AType
	}
	lowWord := func(t *term) *term { return extend(slice(t, 0, 32), true, t.width) }
	switch {
	case f.Op.Kind() == isa.Add, f.Op.Kind() == isa.Sub, shift && f.Sat: // rule Q9
		tmp = lowWord(tmp)
	case shift: // rule Q10
		tmp = extend(slice(exact, 0, 64), true, tmp.width)
	}
	t := q.define("t", tmp)
	tc := q.define("tc", extend(operand(2), typ.Signed(), tmp.width))
	less := lessThan(t, tc)
	if !typ.Signed() {
		less = below(t, tc) // rule Q5: a sign is taken for high bits
	}
	first, other := t, tc
	if f.Second == isa.SecondMax {
		first, other = tc, t
	}
	return slice(choose(less, first, other), 0, 32)
}
