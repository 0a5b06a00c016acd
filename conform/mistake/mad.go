package mistake

import (
	"math/bits"

	"github.com/vop-ptx/vop/isa"
)

// wide is a signed 128-bit integer.
type wide struct {
	high int64
	low  uint64
}

func widen(x int64) wide { return wide{x >> 63, uint64(x)} }

func (x wide) plus(y wide) wide {
	low, carry := bits.Add64(x.low, y.low, 0)
	return wide{x.high + y.high + int64(carry), low}
}

func (x wide) complement() wide { return wide{^x.high, ^x.low} }

func (x wide) negated() wide { return x.complement().plus(widen(1)) }

func (x wide) less(y wide) bool { return x.high < y.high || x.high == y.high && x.low < y.low }

// right shifts right, with the sign or without it.
func (x wide) right(n uint, signed bool) wide {
	low := x.low>>n | uint64(x.high)<<(64-n)
	if signed {
		return wide{x.high >> n, low}
	}
	return wide{int64(uint64(x.high) >> n), low}
}

func product(x, y int64) wide {
	negative := (x < 0) != (y < 0)
	high, low := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	p := wide{int64(high), low}
	if negative {
		return p.negated()
	}
	return p
}

// factor is a or b of vmad, extended.
func factor(m *Set, f isa.Form, s side, x uint32, own, other isa.Type, sel isa.Part) int64 {
	typ := typeOf(m, s, own, other, f.DType, sel == isa.Word)
	if m.Has(FactorsSigned) && sel == isa.Word {
		typ = isa.S32
	}
	return operand(m, s, x, typ, sel)
}

// mad is vmad: c enters before the shift and the saturation, and the type of the result is that of the operands.
func mad(m *Set, f isa.Form, a, b, c uint32) uint32 {
	asel, bsel := f.ASel, f.BSel
	if m.Has(SelectorsSwapped) {
		asel, bsel = bsel, asel
	}
	ta := factor(m, f, sideA, a, f.AType, f.BType, asel)
	tb := factor(m, f, sideB, b, f.BType, f.AType, bsel)
	negateProduct := f.NegA != f.NegB || f.NegA && m.Has(NegBothNegates)
	signed := f.AType.Signed() || f.BType.Signed() || f.NegA != f.NegB || f.NegC
	if m.Has(NegProductIgnored) {
		negateProduct = false
	}

	p := product(ta, tb)
	if m.Has(Product32) {
		p = widen(wrapped(int64(p.low), typeFor(signed), 32))
	}
	one := int64(0)
	if f.PlusOne && !m.Has(PoIgnored) {
		one = 1
		if m.Has(PoTwice) {
			one = 2
		}
	}
	if negateProduct {
		p = p.complement()
		if !m.Has(NegOnesComplement) {
			p = p.plus(widen(1))
		}
	}
	addend, added := madC(m, f, signed, c)

	shift := scale(m, f)
	arithmetic := signed
	switch {
	case m.Has(ScaleByDType):
		arithmetic = f.DType.Signed()
	case m.Has(ScaleLogical):
		arithmetic = false
	case m.Has(ScaleArithmetic):
		// The sum as a signed number of 64 bits.
		arithmetic = true
	}
	shifted := func(x wide) wide {
		if m.Has(ScaleArithmetic) && !signed && shift > 0 {
			x = widen(int64(x.low))
		}
		if m.Has(ScaleLogical) && signed && shift > 0 {
			x.high = 0
		}
		if m.Has(ScaleRounds) && shift > 0 {
			x = x.plus(widen(1 << (shift - 1)))
		}
		return x.right(shift, arithmetic)
	}

	late := int64(0)
	if m.Has(PoAfterShift) {
		one, late = 0, one
	}
	var t wide
	if m.Has(ScaleBeforeC) {
		t = shifted(p).plus(addend).plus(widen(one))
	} else {
		sum := p.plus(addend).plus(widen(one + added))
		added = 0
		if m.Has(Sum32) {
			sum = widen(wrapped(int64(sum.low), typeFor(signed), 32))
		}
		if m.Has(MadSatBeforeScale) {
			sum = madSaturate(m, f, sum, signed)
		}
		t = shifted(sum)
	}
	t = t.plus(widen(late + added))
	if f.Scale == isa.NoScale && m.Has(NoScaleZero) {
		t = wide{}
	}
	if !m.Has(MadSatBeforeScale) {
		t = madSaturate(m, f, t, signed)
	}
	return uint32(t.low)
}

func typeFor(signed bool) isa.Type {
	if signed {
		return isa.S32
	}
	return isa.U32
}

// scale returns by how many bits the sum is shifted.
func scale(m *Set, f isa.Form) uint {
	shift := f.Scale.Shift()
	switch {
	case m.Has(ScaleIgnored):
		return 0
	case shift > 0 && m.Has(ScaleSwapped):
		return 22 - shift
	case shift > 0 && m.Has(ScaleByEight):
		return shift + 1
	}
	return shift
}

// madC returns c as it is added, and the 1 that completes its negation.
func madC(m *Set, f isa.Form, signed bool, c uint32) (addend wide, one int64) {
	if m.Has(MadCIgnored) {
		return wide{}, 0
	}
	typ := typeFor(signed || m.Has(MadCSigned))
	switch {
	case m.Has(MadCByDType):
		typ = f.DType
	case m.Has(MadCUnsigned):
		typ = isa.U32
	}
	negate := f.NegC && !m.Has(NegCIgnored)
	switch {
	case negate && m.Has(NegCWide):
		// As a number of the types' sign, and then negated.
		own := typeFor(f.AType.Signed() || f.BType.Signed())
		addend = widen(-extend(c, own, 32))
	case negate:
		addend, one = widen(extend(^c, typ, 32)), 1
		if m.Has(NegOnesComplement) {
			one = 0
		}
	default:
		addend = widen(extend(c, typ, 32))
	}
	if m.Has(MadCSubtracted) {
		addend = addend.negated()
	}
	return addend, one
}

// madSaturate is .sat of vmad.
func madSaturate(m *Set, f isa.Form, t wide, signed bool) wide {
	if !saturates(m, f) {
		return t
	}
	switch {
	case m.Has(MadSatByDType):
		signed = f.DType.Signed()
	case m.Has(SatByA):
		signed = f.AType.Signed()
	}
	if m.Has(MadSatMasked) {
		t.high = 0
	}
	low, high := ends(m, signed, 32)
	if t.less(widen(low)) && !m.Has(SatNoLower) {
		return widen(low)
	}
	if widen(high).less(t) && !m.Has(SatNoUpper) {
		return widen(high)
	}
	return t
}
