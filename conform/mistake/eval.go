package mistake

import "github.com/vop-ptx/vop/isa"

// Eval returns what an implementation with the given mistakes writes to d. The form must be valid.
func Eval(m *Set, f isa.Form, a, b, c uint32) uint32 {
	if m.Has(OperandsSwapped) {
		a, b = b, a
	}
	switch {
	case f.Op == isa.Vmad:
		return mad(m, f, a, b, c)
	case f.Op.SIMD():
		return simd(m, f, a, b, c)
	}
	return scalar(m, f, a, b, c)
}

// side says which of the two operands a stage is about: mistakes in b follow those in a.
type side = Mistake

const (
	sideA side = iota
	sideB
)

// typeOf returns the type as which an operand is extended.
func typeOf(m *Set, s side, own, other, dtype isa.Type, whole bool) isa.Type {
	switch {
	case m.Has(AZeroExtended + s):
		return isa.U32
	case m.Has(ASignExtended + s):
		return isa.S32
	case m.Has(AByDType + s):
		return dtype
	case m.Has(AByOther + s):
		return other
	case whole && m.Has(AWordZeroExtended+s), !whole && m.Has(APartZeroExtended+s):
		return isa.U32
	case whole && m.Has(AWordSignExtended+s), !whole && m.Has(APartSignExtended+s):
		return isa.S32
	}
	return own
}

// place is a byte, half-word or word of a register.
type place struct{ shift, bits int }

func placeOf(p isa.Part) place { return place{p.Shift(), p.Bits()} }

// selected returns the place that a selector reads.
func selected(m *Set, s side, sel isa.Part) place {
	if sel == isa.Word || m.Has(ASelectorIgnored+s) {
		return place{0, 32}
	}
	p := placeOf(sel)
	if p.bits == 8 {
		switch {
		case m.Has(ABytesReversed + s):
			p.shift = 24 - p.shift
		case m.Has(AByteNext + s):
			p.shift = (p.shift + 8) & 31
		}
	} else if m.Has(AHalvesSwapped + s) {
		p.shift = 16 - p.shift
	}
	switch {
	case m.Has(ALowestPart + s):
		p.shift = 0
	case p.bits == 16 && m.Has(AHalfAsByte+s):
		p.bits = 8
	case p.bits == 8 && m.Has(AByteAsHalf+s):
		p.bits = 16
	}
	return p
}

// extend extends the lowest bits of x as its type says.
func extend(x uint32, typ isa.Type, bits int) int64 {
	if typ == isa.S32 {
		return int64(int32(x<<(32-bits)) >> (32 - bits))
	}
	return int64(x << (32 - bits) >> (32 - bits))
}

// wrapped keeps the lowest bits of x, as a number of the type.
func wrapped(x int64, typ isa.Type, bits int) int64 { return extend(uint32(x), typ, bits) }

// operand is stage 1 of a scalar instruction.
func operand(m *Set, s side, x uint32, typ isa.Type, sel isa.Part) int64 {
	p := selected(m, s, sel)
	return extend(x>>p.shift, typ, p.bits)
}

func scalar(m *Set, f isa.Form, a, b, c uint32) uint32 {
	asel, bsel := f.ASel, f.BSel
	if m.Has(SelectorsSwapped) {
		asel, bsel = bsel, asel
	}
	ta := operand(m, sideA, a, typeOf(m, sideA, f.AType, f.BType, f.DType, asel == isa.Word), asel)
	var exact int64
	if f.Mode != isa.NoMode {
		exact = shift(m, f, ta, operand(m, sideB, b, isa.U32, bsel), a)
	} else {
		tb := operand(m, sideB, b, typeOf(m, sideB, f.BType, f.AType, f.DType, bsel == isa.Word), bsel)
		exact = operation(m, f, ta, tb, 32)
	}
	t := intermediate(m, f, exact)
	after := m.Has(SatAfterSecond) && f.Second != isa.NoSecond
	if !after {
		t = saturate(m, f, t)
	}
	t = second(m, f, t, exact, a, b, c)
	if after {
		t = saturate(m, f, t)
	}
	return merge(m, f, t, a, b, c)
}

// operation is stage 2 but for the shifts. bits is the width of the lane, 32 of a scalar instruction.
func operation(m *Set, f isa.Form, ta, tb int64, bits int) int64 {
	switch f.Op.Kind() {
	case isa.Add:
		if m.Has(AddSubtracts) {
			return carried(m, f, ta-tb, bits)
		}
		return carried(m, f, ta+tb, bits)
	case isa.Sub:
		switch {
		case m.Has(SubAdds):
			return carried(m, f, ta+tb, bits)
		case m.Has(SubReversed):
			return carried(m, f, tb-ta, bits)
		}
		return carried(m, f, ta-tb, bits)
	case isa.Absdiff:
		return absdiff(m, ta-tb, bits)
	case isa.Min:
		return minMax(m, ta, tb, m.Has(MinIsMax), bits)
	case isa.Max:
		return minMax(m, ta, tb, !m.Has(MaxIsMin), bits)
	case isa.Avrg:
		return average(m, f, ta+tb, bits)
	}
	if !compare(m, ta, tb, f.Cmp) {
		return 0
	}
	if m.Has(SetAllOnes) {
		return 1<<bits - 1
	}
	return 1
}

func carried(m *Set, f isa.Form, sum int64, bits int) int64 {
	if m.Has(CarryIn) {
		sum++
	}
	if m.Has(CarryLost) {
		return wrapped(sum, f.DType, bits)
	}
	return sum
}

func absdiff(m *Set, difference int64, bits int) int64 {
	if m.Has(AbsOfWrapped) {
		difference = wrapped(difference, isa.S32, bits)
	}
	switch {
	case m.Has(AbsLost):
		return difference
	case m.Has(AbsNegative):
		return -max(difference, -difference)
	}
	return max(difference, -difference)
}

func minMax(m *Set, ta, tb int64, greater bool, bits int) int64 {
	less := ta < tb
	switch {
	case m.Has(MinMaxUnsigned):
		less = wrapped(ta, isa.U32, bits) < wrapped(tb, isa.U32, bits)
	case m.Has(MinMaxSigned):
		less = wrapped(ta, isa.S32, bits) < wrapped(tb, isa.S32, bits)
	}
	if less == greater {
		return tb
	}
	return ta
}

func average(m *Set, f isa.Form, sum int64, bits int) int64 {
	if m.Has(AverageNarrow) {
		sum = wrapped(sum, f.DType, bits)
	}
	switch {
	case m.Has(AverageFloors):
		return sum >> 1
	case m.Has(AverageTruncates):
		return sum / 2
	case sum >= 0 || m.Has(AverageRoundsUp):
		return (sum + 1) >> 1
	}
	return sum >> 1
}

// comparisons are the mistakes that take one comparison for another.
var comparisons = []struct {
	mistake Mistake
	cmp, as isa.Cmp
}{
	{EqAsNe, isa.Eq, isa.Ne}, {NeAsEq, isa.Ne, isa.Eq}, {LtAsLe, isa.Lt, isa.Le}, {LeAsLt, isa.Le, isa.Lt},
	{GtAsGe, isa.Gt, isa.Ge}, {GeAsGt, isa.Ge, isa.Gt}, {LtAsGt, isa.Lt, isa.Gt}, {GtAsLt, isa.Gt, isa.Lt},
	{LeAsGe, isa.Le, isa.Ge}, {GeAsLe, isa.Ge, isa.Le},
}

func compare(m *Set, ta, tb int64, cmp isa.Cmp) bool {
	for _, c := range comparisons {
		if c.cmp == cmp && m.Has(c.mistake) {
			cmp = c.as
			break
		}
	}
	switch {
	case m.Has(CompareUnsigned):
		ta, tb = int64(uint32(ta)), int64(uint32(tb))
	case m.Has(CompareSigned):
		ta, tb = int64(int32(ta)), int64(int32(tb))
	}
	switch cmp {
	case isa.Eq:
		return ta == tb
	case isa.Ne:
		return ta != tb
	case isa.Lt:
		return ta < tb
	case isa.Le:
		return ta <= tb
	case isa.Gt:
		return ta > tb
	}
	return ta >= tb
}

// shift is stage 2 of vshl and vshr.
func shift(m *Set, f isa.Form, ta, tb int64, a uint32) int64 {
	switch {
	case m.Has(AmountByte):
		tb &= 0xff
	case m.Has(AmountSigned) && tb>>(f.BSel.Bits()-1)&1 != 0:
		tb = 0
	}
	switch {
	case f.Mode == isa.Clamp && m.Has(ClampModulo32), f.Mode == isa.Wrap && !m.Has(WrapClamps) && !m.Has(WrapModulo64):
		tb &= 31
	case f.Mode == isa.Clamp && m.Has(ClampModulo64), f.Mode == isa.Wrap && m.Has(WrapModulo64):
		tb = min(tb&63, 40) // 40: nothing is left of 34 bits
	case f.Mode == isa.Clamp && m.Has(ClampAt31):
		tb = min(tb, 31)
	default:
		tb = min(tb, 32)
	}
	if tb == 32 && m.Has(ShiftBy32None) {
		tb = 0
	}
	left := f.Op == isa.Vshl
	if left && m.Has(ShlAsShr) || !left && m.Has(ShrAsShl) {
		left = !left
	}
	if m.Has(ShiftBeforeSelect) && f.ASel != isa.Word {
		word := uint64(a) << tb
		if !left {
			word = uint64(a) >> tb
		}
		return extend(uint32(word)>>f.ASel.Shift(), f.AType, f.ASel.Bits())
	}
	switch {
	case left:
		return ta << tb
	case m.Has(ShrLogical):
		return int64(uint32(ta)) >> tb
	case m.Has(ShrArithmetic):
		return int64(int32(ta)) >> tb
	}
	return ta >> tb
}

// intermediate is the end of stage 2: how many bits its result has.
func intermediate(m *Set, f isa.Form, exact int64) int64 {
	switch {
	case m.Has(IntermediateUnbounded):
		return exact
	case m.Has(Intermediate33):
		return exact << 31 >> 31
	case m.Has(IntermediateWraps):
		return wrapped(exact, f.DType, 32)
	}
	return exact << 30 >> 30
}

// ends returns the range of a signed or unsigned number, as the mistakes make it.
func ends(m *Set, signed bool, bits int) (low, high int64) {
	switch {
	case m.Has(SatAsUnsigned):
		signed = false
	case m.Has(SatAsSigned):
		signed = true
	}
	switch {
	case m.Has(SatWholeRange):
		bits = 32
	case bits == 16 && m.Has(SatHalfAsByte):
		bits = 8
	case bits == 8 && m.Has(SatByteAsHalf):
		bits = 16
	}
	low, high = 0, 1<<bits-1
	if signed {
		low, high = -1<<(bits-1), 1<<(bits-1)-1
		if m.Has(SatSymmetric) {
			low++
		}
		if m.Has(SatLowerZero) {
			low = 0
		}
	}
	if m.Has(SatUpperLess) {
		high--
	}
	return low, high
}

// clamp is CLAMP, as the mistakes make it.
func clamp(m *Set, t, low, high int64) int64 {
	if t < low && !m.Has(SatNoLower) {
		return low
	}
	if t > high && !m.Has(SatNoUpper) {
		return high
	}
	return t
}

// saturates reports whether there is a stage 3.
func saturates(m *Set, f isa.Form) bool {
	return (f.Sat || m.Has(SatAlways) && f.Op.Kind() != isa.Set) && !m.Has(SatIgnored)
}

// saturate is stage 3 of a scalar instruction but vmad.
func saturate(m *Set, f isa.Form, t int64) int64 {
	if !saturates(m, f) {
		return t
	}
	typ := f.DType
	if m.Has(SatByA) {
		typ = f.AType
	}
	bits := f.DSel.Bits()
	if f.Mode != isa.NoMode && m.Has(SatShiftWhole) {
		bits = 32
	}
	low, high := ends(m, typ.Signed(), bits)
	if f.Mode == isa.NoMode {
		if m.Has(SatOfUnsigned) && f.DSel != isa.Word {
			return int64(min(uint64(t), uint64(high)))
		}
		if m.Has(SatNoUpperU32) && f.DSel == isa.Word && !typ.Signed() {
			return max(t, low)
		}
	}
	return clamp(m, t, low, high)
}

// second is stage 4, the second operation. exact is the result of stage 2 with all its bits.
func second(m *Set, f isa.Form, t, exact int64, a, b, c uint32) int64 {
	if f.Second == isa.NoSecond || m.Has(SecondIgnored) {
		return t
	}
	switch {
	case m.Has(SecondCZero):
		c = 0
	case m.Has(SecondFromA):
		c = a
	case m.Has(SecondFromB):
		c = b
	}
	typ := f.DType
	switch {
	case m.Has(SecondCUnsigned):
		typ = isa.U32
	case m.Has(SecondCSigned):
		typ = isa.S32
	case m.Has(SecondCByA), m.Has(SetCByA) && f.Op == isa.Vset:
		typ = f.AType
	}
	tc := extend(c, typ, 32)
	if f.Second == isa.SecondAdd {
		if m.Has(SecondAddSubtracts) {
			return t - tc
		}
		return t + tc
	}
	greater := f.Second == isa.SecondMax
	if !greater && m.Has(SecondMinIsMax) || greater && m.Has(SecondMaxIsMin) {
		greater = !greater
	}
	t = compared(m, f, t, exact)
	less := t < tc
	if m.Has(SecondCompareUnsigned) && !typ.Signed() {
		less = uint64(t) < uint64(tc)
	}
	if less == greater {
		return tc
	}
	return t
}

// compared returns the result of stage 3 as .min and .max look at it.
func compared(m *Set, f isa.Form, t, exact int64) int64 {
	if m.Has(SecondWraps) {
		return wrapped(t, f.DType, 32)
	}
	added := f.Op == isa.Vadd || f.Op == isa.Vsub
	shifted := f.Mode != isa.NoMode
	if m.Has(SecondSignedWord) && (added || shifted && f.Sat) {
		return int64(int32(t))
	}
	if m.Has(SecondAllBits) && shifted && !f.Sat {
		return exact
	}
	return t
}

// destination returns the place of d that a scalar result is merged into.
func destination(m *Set, f isa.Form) place {
	p := placeOf(f.DSel)
	if p.bits == 8 {
		switch {
		case m.Has(MergeBytesReversed):
			p.shift = 24 - p.shift
		case m.Has(MergeNext):
			p.shift = (p.shift + 8) & 31
		case m.Has(MergeByteAsHalf):
			p.bits = 16
		}
	} else {
		switch {
		case m.Has(MergeHalvesSwapped):
			p.shift = 16 - p.shift
		case m.Has(MergeHalfAsByte):
			p.bits = 8
		}
	}
	if m.Has(MergeAtBottom) {
		p.shift = 0
	}
	return p
}

// into returns the word that results are merged into.
func into(m *Set, a, b, c uint32) uint32 {
	switch {
	case m.Has(MergeFromA):
		return a
	case m.Has(MergeFromB):
		return b
	case m.Has(MergeIntoZero):
		return 0
	}
	return c
}

// merge is stage 4, the merge of a scalar instruction.
func merge(m *Set, f isa.Form, t int64, a, b, c uint32) uint32 {
	if f.DSel == isa.Word || m.Has(MergeWholeWord) {
		return uint32(t)
	}
	word := into(m, a, b, c)
	if f.DSel == isa.H1 && m.Has(MergeUpperHalf) {
		return uint32(t)&0xffff0000 | word&0xffff
	}
	p := destination(m, f)
	mask := uint32(uint64(1)<<p.bits-1) << p.shift
	value := uint32(t) << p.shift
	switch {
	case m.Has(MergeSpills):
		return word&^mask | value
	case m.Has(MergeOrs):
		return word | value&mask
	}
	return word&^mask | value&mask
}
