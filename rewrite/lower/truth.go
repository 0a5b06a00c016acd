package lower

import "github.com/vop-ptx/vop/rewrite/word"

// truth is a comparison of each lane.
type truth struct {
	v    word.Value
	full bool // each lane is all ones or all zeros; else only the top bits of the lanes mean something
	not  bool // a set bit means false
	any  bool // any bit of a lane that is set means so; full is false
}

// greater compares x > y.
func (b *builder) greater(w lanes, signed bool, x, y word.Value) truth {
	if w == 32 {
		op := word.CmpLtU
		if signed {
			op = word.CmpLtS
		}
		return truth{v: b.do(op, y, x), full: true}
	}
	if v, ok := b.native(w, greaterOps.of(signed), x, y); ok {
		return truth{v: v, full: true}
	}
	// The top bit of (x + (2^w - 1 - y)) >> 1 is the carry of the sum, which
	// there is if x > y. Flipping both changes only the AND of halfSum.
	odd := w.each(1)
	differ := b.andNot(b.con(^odd), b.xor(x, y)) // of x and ^y
	if signed {
		x, y = b.flip(w, x), b.flip(w, y)
	}
	return truth{v: b.do(word.Add, b.andNot(x, y), b.shrU(differ, 1))}
}

// byExtremes compares the lanes x > y, or x == y, on a target that has the minimum of
// lanes but no comparison: lanes are alike where the larger one is y, or where their XOR is 0.
func (b *builder) byExtremes(w lanes, equality, signed bool, x, y word.Value) truth {
	if equality {
		return truth{v: b.xor(x, y), any: true, not: true}
	}
	return truth{v: b.xor(b.larger(w, signed, x, y), y), any: true}
}

// equal compares x == y.
func (b *builder) equal(w lanes, x, y word.Value) truth {
	if v, ok := b.native(w, equalOps, x, y); ok {
		return truth{v: v, full: true}
	}
	// Subtracting 1 clears the top bit only where the bits below it are all 0.
	differ := b.xor(x, y)
	low := b.do(word.Sub, b.or(differ, b.con(w.top())), b.con(w.each(1)))
	return truth{v: b.or(low, differ), not: true}
}

// spread copies the top bit of each lane over the lane.
func (b *builder) spread(w lanes, x word.Value) word.Value {
	if w == 32 {
		return b.shrS(x, 31)
	}
	if i := b.insts[x]; i.Op == word.Xor {
		if k, ok := b.constant(i.Arg[1]); ok && k&w.top() == w.top() {
			return b.not(b.spread(w, i.Arg[0]))
		}
	}
	if b.caps.Has(word.PermS) {
		picks := [4]pick{}
		for i := range picks {
			picks[i] = signOf(x, i|(int(w)/8-1))
		}
		return b.bytes(picks)
	}
	if v, ok := b.native(w, greaterOps.of(true), b.con(0), x); ok {
		return v
	}
	return b.do(word.Mul, b.andCon(b.shrU(x, uint32(w-1)), w.each(1)), b.con(1<<w-1))
}

// mask returns the comparison as lanes of all ones or zeros, not looking at t.not.
func (b *builder) mask(w lanes, t truth) word.Value {
	if t.full {
		return t.v
	}
	if t.any {
		return b.do(word.Mul, b.smaller(w, false, t.v, b.con(w.each(1))), b.con(1<<w-1))
	}
	return b.spread(w, t.v)
}

// selected returns x where the comparison is true, y where it is false.
func (b *builder) selected(w lanes, t truth, x, y word.Value) word.Value {
	if t.not {
		x, y = y, x
	}
	if w == 32 {
		if !t.full {
			t.v = b.do(word.CmpLtS, t.v, b.con(0))
		}
		return b.do(word.Select, t.v, x, y)
	}
	mask := b.mask(w, t)
	return b.or(b.and(x, mask), b.andNot(y, mask))
}

// zeroOrOne returns the comparison as a number in each lane.
func (b *builder) zeroOrOne(w lanes, t truth) word.Value {
	one := b.con(w.each(1))
	if w == 32 && t.full && b.caps.PTX {
		return b.selected(w, t, one, b.con(0))
	}
	if w == 32 && t.not && !t.full && b.caps.PTX { // the shift and the sum are one instruction
		return b.do(word.Add, b.shrS(t.v, 31), one)
	}
	v := t.v
	if t.any {
		v = b.smaller(w, false, v, one)
		if t.not {
			v = b.xor(v, one)
		}
		return v
	}
	if !t.full || w == 32 && !t.not {
		v = b.shrU(v, uint32(w-1))
	}
	if t.not {
		return b.andNot(one, v)
	}
	return b.and(v, one)
}
