package isa

import (
	"iter"
	"math/rand/v2"
	"sync"
)

// Sections returns the manual's sections 9.7.18.1.1 to 9.7.18.2.4, in order.
// The caller must not change them.
func Sections() []*Section { return table() }

var byOp = sync.OnceValue(func() (rows [numOps][]*Row) {
	for _, s := range table() {
		for _, r := range s.Rows {
			rows[r.Op] = append(rows[r.Op], r)
		}
	}
	return rows
})

// RowsOf returns the syntax lines of an op, in the manual's order.
func RowsOf(op Op) []*Row { return byOp()[op] }

// SectionOf returns the section that defines an op.
func SectionOf(op Op) *Section { return byOp()[op][0].Section }

// Count returns the number of forms of an op.
func Count(op Op) uint64 {
	n := uint64(0)
	for _, r := range RowsOf(op) {
		n += r.Count()
	}
	return n
}

// At returns form number i of an op, 0 <= i < Count(op).
func At(op Op, i uint64) Form {
	for _, r := range RowsOf(op) {
		if n := r.Count(); i >= n {
			i -= n
			continue
		}
		return r.At(i)
	}
	panic("isa: At: index out of range")
}

// Forms yields every form of an op, in the order of their numbers. There are
// 7,840 of vadd and 6,039,797,760 of vadd4: see [Sample] for fewer.
func Forms(op Op) iter.Seq[Form] {
	return func(yield func(Form) bool) {
		for _, r := range RowsOf(op) {
			for i := range r.Count() {
				if !yield(r.At(i)) {
					return
				}
			}
		}
	}
}

// Sample yields forms drawn at random for ever: first the op, then the syntax
// line, then every choice evenly, so that rare forms are drawn as often as
// common ones. SIMD selectors and masks are the default ones every second time, as
// real code mostly leaves them out.
func Sample(rng *rand.Rand) iter.Seq[Form] {
	return func(yield func(Form) bool) {
		for {
			op := Op(1 + rng.IntN(numOps-1))
			if !yield(SampleOp(op, rng)) {
				return
			}
		}
	}
}

// SampleOp draws one form of an op, as [Sample] does.
func SampleOp(op Op, rng *rand.Rand) Form {
	rows := RowsOf(op)
	r := rows[rng.IntN(len(rows))]
	f := r.At(rng.Uint64N(r.Count()))
	if op.SIMD() {
		a, b := DefaultLanes(op)
		if rng.IntN(2) == 0 {
			f.ALane = a
		}
		if rng.IntN(2) == 0 {
			f.BLane = b
		}
		if rng.IntN(2) == 0 {
			f.Mask = FullMask(op)
		}
	}
	return f
}
