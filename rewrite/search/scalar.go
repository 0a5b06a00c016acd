package search

import (
	"slices"

	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Scalars returns forms of the scalar instructions but shifts, comparisons and products: every combination of operation, types, .sat and second
// operation, with some selections of parts: words, bytes and halves at the bottom, in the middle and on top.
func Scalars() (forms []isa.Form) {
	types := []isa.Type{isa.U32, isa.S32}
	sources := [][2]isa.Part{{isa.Word, isa.Word}, {isa.B1, isa.Word}, {isa.B2, isa.B0}, {isa.B1, isa.B3}, {isa.H0, isa.H1}, {isa.H0, isa.B2}}
	destinations := []isa.Form{{DSel: isa.Word}, {DSel: isa.Word, Second: isa.SecondAdd}, {DSel: isa.Word, Second: isa.SecondMin}, {DSel: isa.B1}, {DSel: isa.H1}}
	for _, op := range isa.Ops() {
		if op.SIMD() || !slices.Contains([]isa.Kind{isa.Add, isa.Sub, isa.Absdiff, isa.Min, isa.Max}, op.Kind()) {
			continue
		}
		for _, source := range sources {
			for _, f := range destinations {
				f.Op, f.ASel, f.BSel = op, source[0], source[1]
				for _, f.DType = range types {
					for _, f.AType = range types {
						for _, f.BType = range types {
							for _, f.Sat = range []bool{false, true} {
								if f.Valid() {
									forms = append(forms, f)
								}
							}
						}
					}
				}
			}
		}
	}
	return forms
}

// ScalarSpace returns the space for a scalar form on a target: what extracts its parts, raises them to the top of a word, puts one in the
// place of another, and merges them into c; sums by dp4a and dp2a; minima, maxima, distances, packing and comparisons.
func ScalarSpace(f isa.Form, caps word.Caps) Space {
	s := Space{Constants: []uint32{0xffffffff, 0x7fffffff, 0x80000000, 0}, PlainLogic: true, Compare: true}
	if f.Sat && f.DSel != isa.Word { // the limits
		highest := uint32(1)<<f.DSel.Bits() - 1
		if f.DType.Signed() {
			highest >>= 1
			s.Constants = append(s.Constants, ^highest)
		}
		s.Constants = append(s.Constants, highest)
	}
	s.Shifts = []uint32{31}
	for _, part := range []isa.Part{f.ASel, f.BSel, f.DSel} {
		if part == isa.Word {
			continue
		}
		for _, n := range []int{part.Shift(), 32 - part.Bits(), 32 - part.Bits() - part.Shift()} {
			if n != 0 {
				addNew(&s.Shifts, uint32(n))
			}
		}
		s.addExtracts(part, caps)
	}
	for _, from := range []isa.Part{f.ASel, f.BSel, f.DSel} {
		for _, to := range []isa.Part{f.ASel, f.BSel, f.DSel} {
			if from != isa.Word && to != isa.Word {
				addNew(&s.Perms, inserted(from.Shift()/8, to))
			}
		}
	}
	if f.DSel != isa.Word {
		addNew(&s.Perms, inserted(0, f.DSel))
		addNew(&s.Perms, inserted((32-f.DSel.Bits())/8, f.DSel))
	}
	for _, op := range []word.Op{word.SadU, word.SadS, word.SadU8, word.SadS8, word.PackSatS8, word.PackSatU8, word.PackSatS16, word.PackSatU16} {
		if caps.Has(op) {
			s.Ternary = append(s.Ternary, op)
		}
	}
	return s.with(caps, word.MinU, word.MaxU, word.MinS, word.MaxS)
}

// addExtracts adds what extends a part to a word, and what adds it to one or subtracts it.
func (s *Space) addExtracts(part isa.Part, caps word.Caps) {
	first, size := uint32(part.Shift()/8), uint32(part.Bits()/8)
	for _, above := range []uint32{4, 8 + first + size - 1} { // 0, or copies of the sign
		selector := uint32(0)
		for i := range uint32(4) {
			if i < size {
				selector |= (first + i) << (4 * i)
			} else {
				selector |= above << (4 * i)
			}
		}
		addNew(&s.Perms, selector)
	}
	ops := []word.Op{word.DotU8, word.DotS8}
	if size == 2 {
		ops = []word.Op{word.DotU16, word.DotS16}
	}
	for _, op := range ops {
		for _, weight := range []uint32{1, 0xff} {
			if caps.Has(op) {
				addNew(&s.Weights, Weight{op, weight << (8 * (first / size))})
			}
		}
	}
}

// inserted returns the selector that puts bytes of y, from one on, in the place of a part of x.
func inserted(from int, to isa.Part) uint32 {
	selector := uint32(0)
	for i := range 4 {
		number := i
		if at := i - to.Shift()/8; at >= 0 && at < to.Bits()/8 {
			number = 4 + (from+at)&3
		}
		selector |= uint32(number) << (4 * i)
	}
	return selector
}

// addNew appends what a list has not got.
func addNew[T comparable](list *[]T, x T) {
	if !slices.Contains(*list, x) {
		*list = append(*list, x)
	}
}
