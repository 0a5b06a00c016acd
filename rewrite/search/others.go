package search

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Others returns forms of the scalar instructions that [Scalars] leaves out: shifts, comparisons, and products without .sat and without a scale, with
// the same selections of parts.
func Others() (forms []isa.Form) {
	types := []isa.Type{isa.U32, isa.S32}
	sources := [][2]isa.Part{{isa.Word, isa.Word}, {isa.B1, isa.Word}, {isa.Word, isa.B1}, {isa.B2, isa.B0}, {isa.B1, isa.B3}, {isa.H0, isa.H1}, {isa.H1, isa.B2}}
	destinations := []isa.Form{{DSel: isa.Word}, {DSel: isa.Word, Second: isa.SecondAdd}, {DSel: isa.Word, Second: isa.SecondMin}, {DSel: isa.B1}, {DSel: isa.H1}}
	for _, op := range []isa.Op{isa.Vshl, isa.Vshr, isa.Vset, isa.Vmad} {
		for _, source := range sources {
			for _, f := range destinations {
				f.Op, f.ASel, f.BSel = op, source[0], source[1]
				for _, f.DType = range types {
					for _, f.AType = range types {
						for _, f.BType = range types {
							forms = append(forms, variants(f)...)
						}
					}
				}
			}
		}
	}
	return forms
}

// variants returns a form with every mode of a shift, with .sat and without, with every comparison, and with what is negated or added in a product.
func variants(f isa.Form) (forms []isa.Form) {
	add := func() {
		if f.Valid() {
			forms = append(forms, f)
		}
	}
	switch f.Op.Kind() {
	case isa.Shl, isa.Shr:
		for _, f.Mode = range []isa.Mode{isa.Clamp, isa.Wrap} {
			for _, f.Sat = range []bool{false, true} {
				add()
			}
		}
	case isa.Set:
		for f.Cmp = range isa.Ge + 1 {
			add()
		}
	case isa.Mad:
		add()
		f.PlusOne = true
		add()
	}
	return forms
}

// SpaceOf returns the space for a scalar form on a target: that of [ScalarSpace], for a shift with shifts and funnel shifts by a value, for a comparison with shifts of a
// constant by a value, and for vmad with products. It lacks wide products: one instruction gives both words of these, and an instruction of the search gives one.
func SpaceOf(f isa.Form, caps word.Caps) Space {
	s := ScalarSpace(f, caps)
	switch f.Op.Kind() {
	case isa.Shl, isa.Shr:
		s.Variable, s.Wrap = []word.Op{word.Shl, word.ShrU, word.ShrS}, f.Mode == isa.Wrap
		for _, op := range []word.Op{word.FunnelL, word.FunnelR} {
			if caps.Has(op) {
				s.Variable = append(s.Variable, op)
			}
		}
		if f.ASel != isa.Word && f.BSel != isa.Word {
			addNew(&s.Perms, withBelow(f.ASel, f.BSel))
		}
	case isa.Set:
		s.Variable = []word.Op{word.Shl, word.ShrU}
	case isa.Mad:
		s.Products, s.Compare = true, false
		for _, parts := range [][2]isa.Part{{f.ASel, f.BSel}, {f.BSel, f.ASel}} {
			if from, to := parts[0], parts[1]; from != isa.Word && to != isa.Word {
				addNew(&s.Perms, alone(from, to.Shift()/8))
				addNew(&s.Perms, alone(from, to.Shift()/16)) // the byte that dp2a multiplies a half by
			}
		}
		for op := word.DotU8U8; op <= word.DotS16S8; op++ {
			if caps.Has(op) {
				s.Ternary = append(s.Ternary, op)
			}
		}
	default:
		return s
	}
	addNew(&s.Constants, 1)
	return s
}

// alone returns the selector that puts a part at byte to of a word that is else 0.
func alone(part isa.Part, to int) uint32 {
	selector := uint32(0)
	for i := range 4 {
		number := 4
		if at := i - to; at >= 0 && at < part.Bits()/8 {
			number = part.Shift()/8 + at
		}
		selector |= uint32(number) << (4 * i)
	}
	return selector
}

// withBelow returns the selector that puts a part of x on top, and the lowest byte of a part of y everywhere below.
func withBelow(x, y isa.Part) uint32 {
	selector, size := uint32(0), x.Bits()/8
	for i := range 4 {
		number := 4 + y.Shift()/8
		if at := i - (4 - size); at >= 0 {
			number = x.Shift()/8 + at
		}
		selector |= uint32(number) << (4 * i)
	}
	return selector
}
