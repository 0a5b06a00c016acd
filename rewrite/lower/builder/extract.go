package builder

import "github.com/vop-ptx/vop/rewrite/word"

// extract is a byte or half of a value, extended to a word.
type extract struct {
	Src    word.Value
	Shift  int // in bits
	Width  Lanes
	Signed bool
}

// ExtractOf returns of what other value v is a byte or half.
func (b *Builder) ExtractOf(v word.Value) (extract, bool) {
	var word [4]Pick
	for i := range word {
		word[i] = b.origin(ByteOf(v, i))
	}
	for _, width := range []Lanes{8, 16} {
		p := word[0]
		if p.Zero || p.Sign || int(p.N)*8%int(width) != 0 {
			continue
		}
		for _, signed := range []bool{false, true} {
			if p.Src != v && word == PartOf(p.Src, 8*int(p.N), int(width), signed) {
				return extract{p.Src, 8 * int(p.N), width, signed}, true
			}
		}
	}
	return extract{}, false
}

// CanDot reports whether v is a byte or half that a Dot of the target extracts and adds
// or subtracts at once.
func (b *Builder) CanDot(v word.Value, subtract bool) bool {
	if b.Caps.DotIsLong {
		return false
	}
	e, ok := b.ExtractOf(v)
	if !ok {
		return false
	}
	op := DotOps.Of(e.Signed).At(e.Width)
	return b.Caps.Has(op) && !(subtract && op == word.DotS8 && b.Caps.NonNegativeDotS8)
}

// Dotted returns acc + v, or acc - v.
func (b *Builder) Dotted(v word.Value, subtract bool, acc word.Value) word.Value {
	e, _ := b.ExtractOf(v)
	weight := uint64(1)
	if subtract {
		weight = 0xff
	}
	return b.DoImm(DotOps.Of(e.Signed).At(e.Width), weight<<(8*(e.Shift/int(e.Width))), e.Src, acc)
}

// simplifySad takes the difference of two bytes in their words: the other
// bytes are made equal, and add nothing.
func (b *Builder) simplifySad(op word.Op, x, y, acc word.Value) (word.Value, bool) {
	p, ok := b.ExtractOf(x)
	q, ok2 := b.ExtractOf(y)
	packedOp := word.SadU8
	if op == word.SadS {
		packedOp = word.SadS8
	}
	if !ok || !ok2 || p.Width != 8 || q.Width != 8 || p.Signed != q.Signed || p.Signed != (op == word.SadS) || !b.Caps.Has(packedOp) {
		return 0, false
	}
	var word [4]Pick
	for i := range word {
		word[i] = ByteOf(p.Src, i)
	}
	word[p.Shift/8] = ByteOf(q.Src, q.Shift/8)
	return b.Do(packedOp, p.Src, b.Bytes(word), acc), true
}
