package stage

import (
	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// overflow says what the top bits of x, y and of their raw sum tell about the sum: three
// tables as for Logic3.
type overflow struct {
	Over, Under uint8
	top         uint8 // the top bit of the clamped sum
}

// Overflows finds the tables by going through the eight cases. The raw sum is the
// plain one of words (w = 32), or for shorter lanes the one whose top bit is the
// carry of the bits below (a sum) or the missing borrow (a difference).
func Overflows(w builder.Lanes, x, y Term, signed bool) overflow {
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
		case y.Neg:
			carry = 1 - rawTop
		}
		multiple := func(t Term, top int) int { // in units of 2^(w-1)
			if t.Signed {
				return -top
			}
			return top
		}
		number := multiple(x, xTop) + multiple(y, yTop) + carry
		if y.Neg {
			number = multiple(x, xTop) - multiple(y, yTop) - carry
		}
		bit := uint8(1) << row
		top := number&1 != 0
		if start := targetStart(signed); number > start+1 {
			o.Over |= bit
			top = !signed
		} else if number < start {
			o.Under |= bit
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
func (b *Builder) saturatedByFlags(w builder.Lanes, x, y Term, signed bool) word.Value {
	o := Overflows(w, x, y, signed)
	if w == 32 {
		return b.SaturatedWord(o, x, y, signed)
	}
	top := w.Top()
	var raw word.Value
	if y.Neg {
		raw = b.Do(word.Sub, b.Or(x.V, b.Con(top)), b.AndCon(y.V, ^top))
	} else {
		raw = b.Do(word.Add, b.AndCon(x.V, ^top), b.AndCon(y.V, ^top))
	}
	exceeded := b.Spread(w, b.Table(o.Over|o.Under, x.V, y.V, raw))
	if !signed && o.Over == 0 {
		return b.AndNot(b.Sum(w, []Term{x, y}), exceeded)
	}
	if !signed && o.Under == 0 {
		return b.Or(b.Sum(w, []Term{x, y}), exceeded)
	}
	var low word.Value // right below the top bit
	switch {
	case o.Under == 0:
		low = b.Or(raw, exceeded)
	case o.Over == 0:
		low = b.AndNot(raw, exceeded)
	default:
		fill, inverted := b.OverSign(o, x.V, y.V, raw)
		fill = b.Spread(w, fill)
		if inverted {
			fill = b.Not(fill)
		}
		low = b.Or(b.And(exceeded, fill), b.AndNot(raw, exceeded))
	}
	return b.Or(b.AndCon(low, ^top), b.AndCon(b.Table(o.top, x.V, y.V, raw), top))
}

// SaturatedWord is saturatedByFlags for whole words.
func (b *Builder) SaturatedWord(o overflow, x, y Term, signed bool) word.Value {
	raw := b.Sum(32, []Term{x, y})
	if !signed && o.Under == 0 && x.Lo >= 0 && y.Lo >= 0 && !y.Neg && b.Caps.PTX {
		if b.Inst(x.V).Op.Products().Width > 0 { // which need not be known by itself
			x = y
		}
		return b.Do(word.Select, b.Do(word.CmpLtU, raw, x.V), b.Con(0xffffffff), raw) // a carry
	}
	flag := b.Table(o.Over|o.Under, x.V, y.V, raw)
	limits := uint32(0) // what over, all ones, and under, all zeros, are XORed with
	if signed {
		limits = 1 << 31
	}
	switch {
	case o.Over|o.Under == 0:
		return raw
	case !signed && o.Over == 0:
		return b.AndNot(raw, b.ShrS(flag, 31))
	case !signed && o.Under == 0:
		return b.Or(raw, b.ShrS(flag, 31))
	case o.Over == 0:
		return b.Do(word.Select, b.Do(word.CmpLtS, flag, b.Con(0)), b.Con(limits), raw)
	case o.Under == 0:
		return b.Do(word.Select, b.Do(word.CmpLtS, flag, b.Con(0)), b.Con(^limits), raw)
	}
	fill, inverted := b.OverSign(o, x.V, y.V, raw)
	limit := b.LimitBySign(fill, signed, !inverted)
	return b.Do(word.Select, b.Do(word.CmpLtS, flag, b.Con(0)), limit, raw)
}

// LimitBySign returns the highest number of a word where the top bit of v is as over says, and the
// lowest one where it is not. They are neighbours, modulo 2^32, and ptxas shifts and adds at once.
func (b *Builder) LimitBySign(v word.Value, signed, over bool) word.Value {
	lowest := uint32(0)
	if signed {
		lowest = 1 << 31
	}
	if over {
		return b.Do(word.Add, b.ShrS(v, 31), b.Con(lowest))
	}
	return b.Do(word.Add, b.ShrU(v, 31), b.Con(lowest-1))
}

// OverSign returns a value whose top bits are 1 where the sum is too large and 0
// where it is too small, or the inverse.
func (b *Builder) OverSign(o overflow, x, y, raw word.Value) (v word.Value, inverted bool) {
	for n, v := range []word.Value{raw, x, y} {
		t := []uint8{builder.TableZ, builder.TableX, builder.TableY}[n]
		if o.Over&^t == 0 && o.Under&t == 0 {
			return v, false
		}
		if o.Over&t == 0 && o.Under&^t == 0 {
			return v, true
		}
	}
	return b.Table(o.Over, x, y, raw), false
}

// hasTop reports whether the top bit of a term's lanes may be 0, or 1.
func (t Term) hasTop(w builder.Lanes, top int) bool {
	half := int64(1) << (w - 1) // a signed number below 0, or an unsigned one from here on, has it
	switch {
	case t.Signed && top == 1:
		return t.Lo < 0
	case t.Signed:
		return t.Hi >= 0
	case top == 1:
		return t.Hi >= half
	}
	return t.Lo < half
}
