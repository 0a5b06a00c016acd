package lower

import "github.com/vop-ptx/vop/rewrite/word"

// overflow says what the top bits of x, y and of their raw sum tell about the sum: three
// tables as for Logic3.
type overflow struct {
	over, under uint8
	top         uint8 // the top bit of the clamped sum
}

// overflows finds the tables by going through the eight cases. The raw sum is the
// plain one of words (w = 32), or for shorter lanes the one whose top bit is the
// carry of the bits below (a sum) or the missing borrow (a difference).
func overflows(w lanes, x, y term, signed bool) overflow {
	var o overflow
	for row := range 8 {
		xTop, yTop, rawTop := row>>2, row>>1&1, row&1
		if !x.hasTop(w, xTop) || !y.hasTop(w, yTop) {
			continue // of no account
		}
		carry := rawTop
		switch {
		case w == 32:
			carry = rawTop ^ xTop ^ yTop
		case y.neg:
			carry = 1 - rawTop
		}
		multiple := func(t term, top int) int { // in units of 2^(w-1)
			if t.signed {
				return -top
			}
			return top
		}
		number := multiple(x, xTop) + multiple(y, yTop) + carry
		if y.neg {
			number = multiple(x, xTop) - multiple(y, yTop) - carry
		}
		bit := uint8(1) << row
		top := number&1 != 0
		if start := targetStart(signed); number > start+1 {
			o.over |= bit
			top = !signed
		} else if number < start {
			o.under |= bit
			top = signed
		}
		if top {
			o.top |= bit
		}
	}
	return o
}

// saturatedByFlags computes the sum modulo 2^w and puts the limit where the top bits
// show that it is exceeded.
func (b *builder) saturatedByFlags(w lanes, x, y term, signed bool) word.Value {
	o := overflows(w, x, y, signed)
	if w == 32 {
		return b.saturatedWord(o, x, y, signed)
	}
	top := w.top()
	var raw word.Value
	if y.neg {
		raw = b.do(word.Sub, b.or(x.v, b.con(top)), b.andCon(y.v, ^top))
	} else {
		raw = b.do(word.Add, b.andCon(x.v, ^top), b.andCon(y.v, ^top))
	}
	exceeded := b.spread(w, b.table(o.over|o.under, x.v, y.v, raw))
	if !signed && o.over == 0 {
		return b.andNot(b.sum(w, []term{x, y}), exceeded)
	}
	if !signed && o.under == 0 {
		return b.or(b.sum(w, []term{x, y}), exceeded)
	}
	var low word.Value // right below the top bit
	switch {
	case o.under == 0:
		low = b.or(raw, exceeded)
	case o.over == 0:
		low = b.andNot(raw, exceeded)
	default:
		fill, inverted := b.overSign(o, x.v, y.v, raw)
		fill = b.spread(w, fill)
		if inverted {
			fill = b.not(fill)
		}
		low = b.or(b.and(exceeded, fill), b.andNot(raw, exceeded))
	}
	return b.or(b.andCon(low, ^top), b.andCon(b.table(o.top, x.v, y.v, raw), top))
}

// saturatedWord is saturatedByFlags for whole words.
func (b *builder) saturatedWord(o overflow, x, y term, signed bool) word.Value {
	raw := b.sum(32, []term{x, y})
	if !signed && o.under == 0 && x.lo >= 0 && y.lo >= 0 && !y.neg && b.caps.PTX {
		if b.insts[x.v].Op.Products().Width > 0 { // which need not be known by itself
			x = y
		}
		return b.do(word.Select, b.do(word.CmpLtU, raw, x.v), b.con(0xffffffff), raw) // a carry
	}
	flag := b.table(o.over|o.under, x.v, y.v, raw)
	limits := uint32(0) // what over, all ones, and under, all zeros, are XORed with
	if signed {
		limits = 1 << 31
	}
	switch {
	case o.over|o.under == 0:
		return raw
	case !signed && o.over == 0:
		return b.andNot(raw, b.shrS(flag, 31))
	case !signed && o.under == 0:
		return b.or(raw, b.shrS(flag, 31))
	case o.over == 0:
		return b.do(word.Select, b.do(word.CmpLtS, flag, b.con(0)), b.con(limits), raw)
	case o.under == 0:
		return b.do(word.Select, b.do(word.CmpLtS, flag, b.con(0)), b.con(^limits), raw)
	}
	fill, inverted := b.overSign(o, x.v, y.v, raw)
	limit := b.limitBySign(fill, signed, !inverted)
	return b.do(word.Select, b.do(word.CmpLtS, flag, b.con(0)), limit, raw)
}

// limitBySign returns the highest number of a word where the top bit of v is as over says, and the
// lowest one where it is not. They are neighbours, modulo 2^32, and ptxas shifts and adds at once.
func (b *builder) limitBySign(v word.Value, signed, over bool) word.Value {
	lowest := uint32(0)
	if signed {
		lowest = 1 << 31
	}
	if over {
		return b.do(word.Add, b.shrS(v, 31), b.con(lowest))
	}
	return b.do(word.Add, b.shrU(v, 31), b.con(lowest-1))
}

// overSign returns a value whose top bits are 1 where the sum is too large and 0
// where it is too small, or the inverse.
func (b *builder) overSign(o overflow, x, y, raw word.Value) (v word.Value, inverted bool) {
	for n, v := range []word.Value{raw, x, y} {
		t := []uint8{tableZ, tableX, tableY}[n]
		if o.over&^t == 0 && o.under&t == 0 {
			return v, false
		}
		if o.over&t == 0 && o.under&^t == 0 {
			return v, true
		}
	}
	return b.table(o.over, x, y, raw), false
}

// hasTop reports whether the top bit of a term's lanes may be 0, or 1.
func (t term) hasTop(w lanes, top int) bool {
	half := int64(1) << (w - 1) // a signed number below 0, or an unsigned one from here on, has it
	switch {
	case t.signed && top == 1:
		return t.lo < 0
	case t.signed:
		return t.hi >= 0
	case top == 1:
		return t.hi >= half
	}
	return t.lo < half
}
