package mistake

import "github.com/vop-ptx/vop/isa"

func simd(m *Set, f isa.Form, a, b, c uint32) uint32 {
	n, bits := f.Op.Lanes(), f.Op.LaneBits()
	defaultA, defaultB := isa.DefaultLanes(f.Op)
	asel, bsel := f.ALane, f.BLane
	if m.Has(SelectorsSwapped) {
		asel, bsel = bsel, asel
	}
	atype := typeOf(m, sideA, f.AType, f.BType, f.DType, asel == defaultA)
	btype := typeOf(m, sideB, f.BType, f.AType, f.DType, bsel == defaultB)
	var t [4]int64
	for i := range n {
		ta := laneOf(m, sideA, a, b, asel, defaultA, i, n, atype)
		tb := laneOf(m, sideB, a, b, bsel, defaultB, i, n, btype)
		t[i] = saturateLane(m, f, operation(m, f, ta, tb, bits))
	}
	if f.Second == isa.SecondAdd && !m.Has(SecondIgnored) {
		return accumulate(m, f, t, c)
	}
	return mergeLanes(m, f, t, a, b, c)
}

// laneOf is stage 1 of one lane.
func laneOf(m *Set, s side, a, b uint32, sel, byDefault isa.Lanes, i, n int, typ isa.Type) int64 {
	if m.Has(ALanesIgnored + s) {
		sel = byDefault
	}
	if m.Has(ALanesReversed+s) && sel != byDefault {
		i = n - 1 - i
	}
	k := sel.Lane(i)
	if m.Has(ALaneNext+s) && sel != byDefault {
		k = (k + 1) % (2 * n)
	}
	if m.Has(ALanesOwn + s) {
		k = k%n + int(s)*n
	}
	if m.Has(ALanesPairSwapped+s) && sel != byDefault {
		a, b = b, a
	}
	bits := 32 / n
	pair := uint64(b)<<32 | uint64(a)
	return extend(uint32(pair>>(k*bits)), typ, bits)
}

// saturateLane is stage 3 of one lane.
func saturateLane(m *Set, f isa.Form, t int64) int64 {
	if !saturates(m, f) || f.Op.Kind() == isa.Set || f.Second != isa.NoSecond && !m.Has(SatAlways) {
		return t
	}
	typ := f.DType
	if m.Has(SatByA) {
		typ = f.AType
	}
	low, high := ends(m, typ.Signed(), f.Op.LaneBits())
	return clamp(m, t, low, high)
}

// masked reports whether a lane is in the mask.
func masked(m *Set, f isa.Form, i int) bool {
	n := f.Op.Lanes()
	if f.Second == isa.SecondAdd && m.Has(AccumulateMaskIgnored) || f.Second != isa.SecondAdd && m.Has(MaskIgnored) {
		return true
	}
	if f.Mask == isa.FullMask(f.Op) {
		return true
	}
	if m.Has(MaskReversed) {
		i = n - 1 - i
	}
	if m.Has(MaskNext) {
		i = (i + n - 1) % n
	}
	return f.Mask.Has(i) != m.Has(MaskInverted)
}

// accumulate is stage 4 of a SIMD instruction with .add.
func accumulate(m *Set, f isa.Form, t [4]int64, c uint32) uint32 {
	n, bits := f.Op.Lanes(), f.Op.LaneBits()
	if m.Has(AccumulateIgnoresC) {
		c = 0
	}
	laneWise := uint32(0)
	sum := int64(0)
	for i := range n {
		if !masked(m, f, i) {
			t[i] = 0
		}
		if m.Has(AccumulateUnsigned) {
			t[i] = wrapped(t[i], isa.U32, bits)
		}
		lane := c >> (i * bits) << (32 - bits) >> (32 - bits)
		laneWise |= (lane + uint32(t[i])) << (32 - bits) >> (32 - bits) << (i * bits)
		if m.Has(AccumulateFirstLane) && sum != 0 {
			continue
		}
		sum += t[i]
	}
	switch {
	case m.Has(AccumulateLaneWise):
		return laneWise
	case m.Has(SecondAddSubtracts):
		return uint32(sum) - c
	}
	return c + uint32(sum)
}

// mergeLanes is stage 4 of a SIMD instruction without .add.
func mergeLanes(m *Set, f isa.Form, t [4]int64, a, b, c uint32) uint32 {
	n, bits := f.Op.Lanes(), f.Op.LaneBits()
	laneMask := uint32(1)<<bits - 1
	word := into(m, a, b, c)
	if m.Has(MergeWholeWord) {
		word = 0
	}
	d, spill := uint32(0), uint32(0)
	for i := range n {
		at := i
		if m.Has(ResultsReversed) {
			at = n - 1 - i
		}
		place := laneMask << (at * bits)
		if !masked(m, f, i) {
			d |= word & place
			continue
		}
		value := uint32(t[i]) & laneMask
		spill += uint32(t[i]) << (at * bits)
		switch {
		case m.Has(LanesUnshifted):
			d |= value
		case m.Has(MergeOrs):
			d |= value<<(at*bits) | word&place
		default:
			d |= value << (at * bits)
		}
	}
	if m.Has(MergeSpills) {
		for i := range n {
			if !masked(m, f, i) {
				spill = spill&^(laneMask<<(i*bits)) | word&(laneMask<<(i*bits))
			}
		}
		return spill
	}
	return d
}
