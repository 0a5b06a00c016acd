package packed

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Truth is a comparison of each lane.
type Truth struct {
	V    word.Value
	Full bool // each lane is all ones or all zeros; else only the top bits of the lanes mean something
	Not  bool // a set bit means false
	any  bool // any bit of a lane that is set means so; full is false
}

// Greater compares x > y.
func (b *Builder) Greater(w builder.Lanes, signed bool, x, y word.Value) Truth {
	if w == 32 {
		op := word.CmpLtU
		if signed {
			op = word.CmpLtS
		}
		return Truth{V: b.Do(op, y, x), Full: true}
	}
	if v, ok := b.Native(w, greaterOps.Of(signed), x, y); ok {
		return Truth{V: v, Full: true}
	}
	// The top bit of (x + (2^w - 1 - y)) >> 1 is the carry of the sum, which
	// there is if x > y. Flipping both changes only the AND of HalfSum.
	odd := w.Each(1)
	differ := b.AndNot(b.Con(^odd), b.Xor(x, y)) // of x and ^y
	if signed {
		x, y = b.Flip(w, x), b.Flip(w, y)
	}
	return Truth{V: b.Do(word.Add, b.AndNot(x, y), b.ShrU(differ, 1))}
}

// ByExtremes compares the lanes x > y, or x == y, on a target that has the minimum of
// lanes but no comparison: lanes are alike where the larger one is y, or where their XOR is 0.
func (b *Builder) ByExtremes(w builder.Lanes, equality, signed bool, x, y word.Value) Truth {
	if equality {
		return Truth{V: b.Xor(x, y), any: true, Not: true}
	}
	return Truth{V: b.Xor(b.Larger(w, signed, x, y), y), any: true}
}

// Equal compares x == y.
func (b *Builder) Equal(w builder.Lanes, x, y word.Value) Truth {
	if v, ok := b.Native(w, EqualOps, x, y); ok {
		return Truth{V: v, Full: true}
	}
	// Subtracting 1 clears the top bit only where the bits below it are all 0.
	differ := b.Xor(x, y)
	low := b.Do(word.Sub, b.Or(differ, b.Con(w.Top())), b.Con(w.Each(1)))
	return Truth{V: b.Or(low, differ), Not: true}
}

// Spread copies the top bit of each lane over the lane.
func (b *Builder) Spread(w builder.Lanes, x word.Value) word.Value {
	if w == 32 {
		return b.ShrS(x, 31)
	}
	if i := b.Inst(x); i.Op == word.Xor {
		if k, ok := b.Constant(i.Arg[1]); ok && k&w.Top() == w.Top() {
			return b.Not(b.Spread(w, i.Arg[0]))
		}
	}
	if b.Caps.Has(word.PermS) {
		picks := [4]builder.Pick{}
		for i := range picks {
			picks[i] = builder.SignOf(x, i|(int(w)/8-1))
		}
		return b.Bytes(picks)
	}
	if v, ok := b.Native(w, greaterOps.Of(true), b.Con(0), x); ok {
		return v
	}
	return b.Do(word.Mul, b.AndCon(b.ShrU(x, uint32(w-1)), w.Each(1)), b.Con(1<<w-1))
}

// Mask returns the comparison as lanes of all ones or zeros, not looking at t.not.
func (b *Builder) Mask(w builder.Lanes, t Truth) word.Value {
	if t.Full {
		return t.V
	}
	if t.any {
		return b.Do(word.Mul, b.Smaller(w, false, t.V, b.Con(w.Each(1))), b.Con(1<<w-1))
	}
	return b.Spread(w, t.V)
}

// Selected returns x where the comparison is true, y where it is false.
func (b *Builder) Selected(w builder.Lanes, t Truth, x, y word.Value) word.Value {
	if t.Not {
		x, y = y, x
	}
	if w == 32 {
		if !t.Full {
			t.V = b.Do(word.CmpLtS, t.V, b.Con(0))
		}
		return b.Do(word.Select, t.V, x, y)
	}
	mask := b.Mask(w, t)
	return b.Or(b.And(x, mask), b.AndNot(y, mask))
}

// ZeroOrOne returns the comparison as a number in each lane.
func (b *Builder) ZeroOrOne(w builder.Lanes, t Truth) word.Value {
	one := b.Con(w.Each(1))
	if w == 32 && t.Full && b.Caps.PTX {
		return b.Selected(w, t, one, b.Con(0))
	}
	if w == 32 && t.Not && !t.Full && b.Caps.PTX { // the shift and the sum are one instruction
		return b.Do(word.Add, b.ShrS(t.V, 31), one)
	}
	v := t.V
	if t.any {
		v = b.Smaller(w, false, v, one)
		if t.Not {
			v = b.Xor(v, one)
		}
		return v
	}
	if !t.Full || w == 32 && !t.Not {
		v = b.ShrU(v, uint32(w-1))
	}
	if t.Not {
		return b.AndNot(one, v)
	}
	return b.And(v, one)
}
