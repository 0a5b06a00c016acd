package builder

import "github.com/vop-ptx/vop/rewrite/word"

// The plain operations, with constants as numbers where they usually are.

// And returns x & y.
func (b *Builder) And(x, y word.Value) word.Value { return b.Do(word.And, x, y) }

// Or returns x | y.
func (b *Builder) Or(x, y word.Value) word.Value { return b.Do(word.Or, x, y) }

// Xor returns x ^ y.
func (b *Builder) Xor(x, y word.Value) word.Value { return b.Do(word.Xor, x, y) }

// Not returns ^x.
func (b *Builder) Not(x word.Value) word.Value { return b.Do(word.Not, x) }

// AndNot returns x &^ y.
func (b *Builder) AndNot(x, y word.Value) word.Value { return b.Do(word.AndNot, x, y) }

// AndCon returns x & mask.
func (b *Builder) AndCon(x word.Value, mask uint32) word.Value {
	return b.Do(word.And, x, b.Con(mask))
}

// XorCon returns x ^ mask.
func (b *Builder) XorCon(x word.Value, mask uint32) word.Value {
	return b.Do(word.Xor, x, b.Con(mask))
}

// Shl returns x << n.
func (b *Builder) Shl(x word.Value, n uint32) word.Value { return b.Do(word.Shl, x, b.Con(n)) }

// ShrU returns x >> n of a word without a sign.
func (b *Builder) ShrU(x word.Value, n uint32) word.Value { return b.Do(word.ShrU, x, b.Con(n)) }

// ShrS returns x >> n of a signed word.
func (b *Builder) ShrS(x word.Value, n uint32) word.Value { return b.Do(word.ShrS, x, b.Con(n)) }

// Halved returns the high and the low word of a wide value.
func (b *Builder) Halved(v word.Value) (high, low word.Value) {
	return b.Do(word.Lo, b.DoImm(word.ShrWideU, 32, v)), b.Do(word.Lo, v)
}

// None is the value of what there is not.
const None word.Value = -1
