package prove

import (
	"iter"
	"math/rand/v2"

	"github.com/vop-ptx/vop/isa"
)

// Classes yields one form of every class, the same ones each time. The forms of a class
// have the same operation, types, modifiers, negations and second operation, and
//
//   - scalar: parts of the same widths selected from a and b and merged into d;
//   - SIMD: the same kind of mask (all lanes, one lane, some lanes) and the same kind
//     of selection (the default, a and b exchanged, both sources one operand, one lane
//     for all, any).
//
// Which form stands for its class is drawn at random.
func Classes() iter.Seq[isa.Form] {
	return func(yield func(isa.Form) bool) {
		rng := rand.New(rand.NewPCG(9718, 1))
		for _, op := range isa.Ops() {
			forms := scalarClasses
			if op.SIMD() {
				forms = simdClasses
			}
			for f := range forms(op, rng) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// scalarClasses draws one form of every class of a scalar op.
func scalarClasses(op isa.Op, rng *rand.Rand) iter.Seq[isa.Form] {
	return func(yield func(isa.Form) bool) {
		for f := range isa.Forms(op) {
			if f.ASel != standsFor(f.ASel) || f.BSel != standsFor(f.BSel) || f.DSel != standsFor(f.DSel) {
				continue
			}
			f.ASel, f.BSel, f.DSel = anyOf(f.ASel, rng), anyOf(f.BSel, rng), anyOf(f.DSel, rng)
			if !yield(f) {
				return
			}
		}
	}
}

// standsFor returns the part that stands for those of its width.
func standsFor(sel isa.Part) isa.Part {
	switch sel.Bits() {
	case 8:
		return isa.B0
	case 16:
		return isa.H0
	}
	return isa.Word
}

// anyOf draws a part of the same width.
func anyOf(sel isa.Part, rng *rand.Rand) isa.Part {
	switch sel.Bits() {
	case 8:
		return isa.B0 + isa.Part(rng.IntN(4))
	case 16:
		return isa.H0 + isa.Part(rng.IntN(2))
	}
	return isa.Word
}

// simdClasses draws one form of every class of a SIMD op.
func simdClasses(op isa.Op, rng *rand.Rand) iter.Seq[isa.Form] {
	n := op.Lanes()
	one := func() isa.Mask { return 1 << rng.IntN(n) }
	some := func() isa.Mask { return isa.FullMask(op) &^ (1 << rng.IntN(n)) }
	all := func() isa.Mask { return isa.FullMask(op) }
	anyLanes := func() (l isa.Lanes) {
		for range n {
			l = l<<4 | isa.Lanes(rng.IntN(2*n))
		}
		return l
	}
	broadcast := func() (l isa.Lanes) {
		lane := isa.Lanes(rng.IntN(2 * n))
		for range n {
			l = l<<4 | lane
		}
		return l
	}
	return func(yield func(isa.Form) bool) {
		for f := range plainSIMD(op) {
			a, b := isa.DefaultLanes(op)
			for _, mask := range []func() isa.Mask{all, one, some} {
				for _, lanes := range [][2]isa.Lanes{{a, b}, {b, a}, {a, a}, {a, broadcast()}, {anyLanes(), b}, {a, anyLanes()}, {anyLanes(), anyLanes()}} {
					f.Mask, f.ALane, f.BLane = mask(), lanes[0], lanes[1]
					if !yield(f) {
						return
					}
				}
			}
		}
	}
}

// plainSIMD yields the forms of a SIMD op with the default selectors and mask.
func plainSIMD(op isa.Op) iter.Seq[isa.Form] {
	types := []isa.Type{isa.U32, isa.S32}
	return func(yield func(isa.Form) bool) {
		f := isa.Form{Op: op, Mask: isa.FullMask(op)}
		f.ALane, f.BLane = isa.DefaultLanes(op)
		for _, f.DType = range types {
			for _, f.AType = range types {
				for _, f.BType = range types {
					for _, f.Sat = range []bool{false, true} {
						for _, f.Second = range []isa.Second{isa.NoSecond, isa.SecondAdd} {
							for f.Cmp = range isa.Ge + 1 {
								if f.Valid() && !yield(f) {
									return
								}
							}
						}
					}
				}
			}
		}
	}
}

// Complete yields every scalar form, every form of two lanes, and those of four lanes
// with the default selectors: some 280,000. (There are 42 thousand million of four
// lanes.)
func Complete() iter.Seq[isa.Form] {
	return func(yield func(isa.Form) bool) {
		for _, op := range isa.Ops() {
			forms := isa.Forms(op)
			if op.Lanes() == 4 {
				forms = defaultSelectors(op)
			}
			for f := range forms {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// defaultSelectors yields the forms of a SIMD op with the default selectors and every mask.
func defaultSelectors(op isa.Op) iter.Seq[isa.Form] {
	return func(yield func(isa.Form) bool) {
		for f := range plainSIMD(op) {
			for f.Mask = 1; f.Mask <= isa.FullMask(op); f.Mask++ {
				if !yield(f) {
					return
				}
			}
		}
	}
}
