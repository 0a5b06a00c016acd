package prove

import (
	"fmt"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/prove/term"
)

// manual defines the stages of a form as the manual's pseudo-code has them, and returns d.
func (q *query) manual(f isa.Form) *term.Term {
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
func partSelectSignExtend(x *term.Term, typ isa.Type, sel isa.Part, width int) *term.Term {
	return term.Extend(term.Slice(x, sel.Shift(), sel.Bits()), typ.Signed(), width)
}

// rangeOf returns the range of numbers of the given type and width.
func rangeOf(typ isa.Type, bits int) (low, high int64) {
	if typ.Signed() {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// clamp is CLAMP( x, high, low ).
func clamp(x *term.Term, typ isa.Type, bits int) *term.Term {
	low, high := rangeOf(typ, bits)
	return term.Larger(term.Number(low, x.Width), term.Smaller(x, term.Number(high, x.Width)))
}

// scalar is 9.7.18.1.1, .2 and .4.
func (q *query) scalar(f isa.Form) *term.Term {
	width := scalarBits
	shift := f.Op.Kind() == isa.Shl || f.Op.Kind() == isa.Shr
	if shift {
		width = shiftBits
	}
	ta := q.define("ta", partSelectSignExtend(term.Operand(0), f.AType, f.ASel, width))
	btype := f.BType
	if shift {
		btype = isa.U32
	}
	tb := q.define("tb", partSelectSignExtend(term.Operand(1), btype, f.BSel, width))
	switch f.Mode {
	case isa.Clamp:
		tb = q.define("amount", term.Choose(term.LessThan(term.Number(32, width), tb), term.Number(32, width), tb))
	case isa.Wrap:
		tb = q.define("amount", term.And(tb, term.Number(0x1f, width)))
	}
	exact := q.define("exact", scalarOperation(f, ta, tb))
	tmp := q.define("tmp", term.Extend(term.Slice(exact, 0, 34), true, width)) // .s34, ruling R1
	if q.reading == isa.SM86 {
		return q.finishCompiled(f, exact, tmp)
	}
	if f.Sat {
		tmp = q.define("saturated", clamp(tmp, f.DType, f.DSel.Bits()))
	}
	tc := q.define("tc", term.Extend(term.Operand(2), f.DType.Signed(), width))
	switch f.Second {
	case isa.SecondAdd:
		tmp = term.Add(tmp, tc)
	case isa.SecondMin:
		tmp = term.Smaller(tmp, tc)
	case isa.SecondMax:
		tmp = term.Larger(tmp, tc)
	}
	return q.define("d", merge(term.Slice(tmp, 0, f.DSel.Bits()), f.DSel))
}

func scalarOperation(f isa.Form, ta, tb *term.Term) *term.Term {
	switch f.Op.Kind() {
	case isa.Add:
		return term.Add(ta, tb)
	case isa.Sub:
		return term.Sub(ta, tb)
	case isa.Absdiff:
		return term.Magnitude(term.Sub(ta, tb))
	case isa.Min:
		return term.Smaller(ta, tb)
	case isa.Max:
		return term.Larger(ta, tb)
	case isa.Shl:
		return term.Same("bvshl", ta, tb)
	case isa.Shr:
		return term.Same("bvashr", ta, tb)
	}
	return term.Choose(compareTerms(f.Cmp, ta, tb), term.Number(1, ta.Width), term.Number(0, ta.Width))
}

func compareTerms(cmp isa.Cmp, x, y *term.Term) *term.Term {
	switch cmp {
	case isa.Eq:
		return term.Equal(x, y)
	case isa.Ne:
		return term.Differ(x, y)
	case isa.Lt:
		return term.LessThan(x, y)
	case isa.Le:
		return term.AtMost(x, y)
	case isa.Gt:
		return term.LessThan(y, x)
	}
	return term.AtMost(y, x)
}

// merge is optMerge, with c the third operand; t is as wide as the part.
func merge(t *term.Term, dsel isa.Part) *term.Term {
	if dsel == isa.Word {
		return t
	}
	var parts []*term.Term
	if dsel.Shift() > 0 {
		parts = append(parts, term.Slice(term.Operand(2), 0, dsel.Shift()))
	}
	parts = append(parts, t)
	if above := dsel.Shift() + dsel.Bits(); above < 32 {
		parts = append(parts, term.Slice(term.Operand(2), above, 32-above))
	}
	return term.Join(parts...)
}

// simd is 9.7.18.2.1 to .4.
func (q *query) simd(f isa.Form) *term.Term {
	n, bits := f.Op.Lanes(), f.Op.LaneBits()
	width := bits + 4
	pair := q.define("pair", term.Join(term.Operand(0), term.Operand(1)))
	c := term.Operand(2)
	lanes := make([]*term.Term, n)
	for i := range n {
		if !f.Mask.Has(i) {
			lanes[i] = term.Slice(c, i*bits, bits)
			continue
		}
		va := q.define(fmt.Sprintf("Va%d", i), term.Extend(term.Slice(pair, f.ALane.Lane(i)*bits, bits), f.AType.Signed(), width))
		vb := q.define(fmt.Sprintf("Vb%d", i), term.Extend(term.Slice(pair, f.BLane.Lane(i)*bits, bits), f.BType.Signed(), width))
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
				d = term.Add(d, term.Extend(t, true, 32))
			}
		}
		return q.define("d", d)
	}
	for i := range lanes {
		lanes[i] = term.Slice(lanes[i], 0, bits)
	}
	return q.define("d", term.Join(lanes...))
}

func simdOperation(f isa.Form, va, vb *term.Term) *term.Term {
	one, zero := term.Number(1, va.Width), term.Number(0, va.Width)
	switch f.Op.Kind() {
	case isa.Add:
		return term.Add(va, vb)
	case isa.Sub:
		return term.Sub(va, vb)
	case isa.Absdiff:
		return term.Magnitude(term.Sub(va, vb))
	case isa.Min:
		return term.Smaller(va, vb)
	case isa.Max:
		return term.Larger(va, vb)
	case isa.Set:
		return term.Choose(compareTerms(f.Cmp, va, vb), one, zero)
	}
	sum := term.Add(va, vb)
	return term.Choose(term.AtMost(zero, sum), term.Same("bvashr", term.Add(sum, one), one), term.Same("bvashr", sum, one))
}
