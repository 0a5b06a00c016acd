package stage

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Equality without a predicate: 1 shifted right by what is 0 only where two parts are equal is 1 only then, as more than 31 places leave nothing;
// and the smaller of that and 1 is 0 only then, as it is a number without a sign.

// EqualityOf returns 1 or 0 for .eq or .ne of what differs by a word.
func (b *Builder) EqualityOf(cmp isa.Cmp, differ word.Value) word.Value {
	v, _ := b.equalityAt(cmp, differ, 0)
	return v
}

// EqualityInPlace compares two parts where they stand, by the bits that differ there, for .eq or .ne. The 1 or 0 is in bit at. ok is false unless they
// stand in the same place and have one type.
func (b *Builder) EqualityInPlace(cmp isa.Cmp, p, q Place) (v word.Value, at int, ok bool) {
	if p.Width == 32 || p.Signed != q.Signed || p.Shift != q.Shift || p.Width != q.Width {
		return 0, 0, false
	}
	v, at = b.equalityAt(cmp, b.AndCon(b.Xor(p.V, q.V), (1<<p.Width-1)<<p.Shift), p.Shift)
	return v, at, true
}

// equalityAt is EqualityOf words that have no bits below bit lowest; the 1 or 0 is in bit at.
func (b *Builder) equalityAt(cmp isa.Cmp, differ word.Value, lowest int) (v word.Value, at int) {
	if cmp == isa.Eq {
		return b.Do(word.ShrU, b.Con(1), differ), 0
	}
	return b.Do(word.MinU, differ, b.Con(1<<lowest)), lowest
}
