package prove

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
)

// manual defines the stages of a form as the manual's pseudo-code has them, and returns d.
func (q *query) manual(f isa.Form) *term {
	switch {
	case f.Op.SIMD():
		return q.simd(f)
	case f.Op.Kind() == isa.Mad:
		return q.mad(f)
	}
	return q.scalar(f)
}

// The widths in which stages are computed: enough for every exact result.
const (
	scalarBits = 40 // two 33-bit values, added
	shiftBits  = 72 // a 33-bit value shifted left by 32
)

// partSelectSignExtend is 9.7.18.1, stage 1.
func partSelectSignExtend(x *term, typ isa.Type, sel isa.Part, width int) *term {
	return extend(slice(x, sel.Shift(), sel.Bits()), typ.Signed(), width)
}

// rangeOf returns the range of numbers of the given type and width.
func rangeOf(typ isa.Type, bits int) (low, high int64) {
	if typ.Signed() {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// clamp is CLAMP( x, high, low ).
func clamp(x *term, typ isa.Type, bits int) *term {
	low, high := rangeOf(typ, bits)
	return larger(number(low, x.width), smaller(x, number(high, x.width)))
}

// scalar is 9.7.18.1.1, .2 and .4.
func (q *query) scalar(f isa.Form) *term {
	width := scalarBits
	shift := f.Op.Kind() == isa.Shl || f.Op.Kind() == isa.Shr
	if shift {
		width = shiftBits
	}
	ta := q.define("ta", partSelectSignExtend(operand(0), f.AType, f.ASel, width))
	btype := f.BType
	if shift {
		btype = isa.U32
	}
	tb := q.define("tb", partSelectSignExtend(operand(1), btype, f.BSel, width))
	switch f.Mode {
	case isa.Clamp:
		tb = q.define("amount", choose(lessThan(number(32, width), tb), number(32, width), tb))
	case isa.Wrap:
		tb = q.define("amount", and(tb, number(0x1f, width)))
	}
	exact := q.define("exact", scalarOperation(f, ta, tb))
	tmp := q.define("tmp", extend(slice(exact, 0, 34), true, width)) // .s34, ruling R1
	if q.reading == isa.SM86 {
		return q.finishCompiled(f, exact, tmp)
	}
	if f.Sat {
		tmp = q.define("saturated", clamp(tmp, f.DType, f.DSel.Bits()))
	}
	tc := q.define("tc", extend(operand(2), f.DType.Signed(), width))
	switch f.Second {
	case isa.SecondAdd:
		tmp = add(tmp, tc)
	case isa.SecondMin:
		tmp = smaller(tmp, tc)
	case isa.SecondMax:
		tmp = larger(tmp, tc)
	}
	return q.define("d", merge(slice(tmp, 0, f.DSel.Bits()), f.DSel))
}

func scalarOperation(f isa.Form, ta, tb *term) *term {
	switch f.Op.Kind() {
	case isa.Add:
		return add(ta, tb)
	case isa.Sub:
		return sub(ta, tb)
	case isa.Absdiff:
		return magnitude(sub(ta, tb))
	case isa.Min:
		return smaller(ta, tb)
	case isa.Max:
		return larger(ta, tb)
	case isa.Shl:
		return same("bvshl", ta, tb)
	case isa.Shr:
		return same("bvashr", ta, tb)
	}
	return choose(compareTerms(f.Cmp, ta, tb), number(1, ta.width), number(0, ta.width))
}

func compareTerms(cmp isa.Cmp, x, y *term) *term {
	switch cmp {
	case isa.Eq:
		return equal(x, y)
	case isa.Ne:
		return differ(x, y)
	case isa.Lt:
		return lessThan(x, y)
	case isa.Le:
		return atMost(x, y)
	case isa.Gt:
		return lessThan(y, x)
	}
	return atMost(y, x)
}

// merge is optMerge, with c the third operand; t is as wide as the part.
func merge(t *term, dsel isa.Part) *term {
	if dsel == isa.Word {
		return t
	}
	var parts []*term
	if dsel.Shift() > 0 {
		parts = append(parts, slice(operand(2), 0, dsel.Shift()))
	}
	parts = append(parts, t)
	if above := dsel.Shift() + dsel.Bits(); above < 32 {
		parts = append(parts, slice(operand(2), above, 32-above))
	}
	return join(parts...)
}

// simd is 9.7.18.2.1 to .4.
func (q *query) simd(f isa.Form) *term {
	n, bits := f.Op.Lanes(), f.Op.LaneBits()
	width := bits + 4
	pair := q.define("pair", join(operand(0), operand(1)))
	c := operand(2)
	lanes := make([]*term, n)
	for i := range n {
		if !f.Mask.Has(i) {
			lanes[i] = slice(c, i*bits, bits)
			continue
		}
		va := q.define(fmt.Sprintf("Va%d", i), extend(slice(pair, f.ALane.Lane(i)*bits, bits), f.AType.Signed(), width))
		vb := q.define(fmt.Sprintf("Vb%d", i), extend(slice(pair, f.BLane.Lane(i)*bits, bits), f.BType.Signed(), width))
		t := q.define(fmt.Sprintf("t%d", i), simdOperation(f, va, vb))
		if f.Sat {
			t = q.define(fmt.Sprintf("s%d", i), clamp(t, f.DType, bits))
		}
		lanes[i] = t
	}
	if f.Second == isa.SecondAdd {
		d := c
		for i, t := range lanes {
			if f.Mask.Has(i) {
				d = add(d, extend(t, true, 32))
			}
		}
		return q.define("d", d)
	}
	for i := range lanes {
		lanes[i] = slice(lanes[i], 0, bits)
	}
	return q.define("d", join(lanes...))
}

func simdOperation(f isa.Form, va, vb *term) *term {
	one, zero := number(1, va.width), number(0, va.width)
	switch f.Op.Kind() {
	case isa.Add:
		return add(va, vb)
	case isa.Sub:
		return sub(va, vb)
	case isa.Absdiff:
		return magnitude(sub(va, vb))
	case isa.Min:
		return smaller(va, vb)
	case isa.Max:
		return larger(va, vb)
	case isa.Set:
		return choose(compareTerms(f.Cmp, va, vb), one, zero)
	}
	sum := add(va, vb)
	return choose(atMost(zero, sum), same("bvashr", add(sum, one), one), same("bvashr", sum, one))
}
