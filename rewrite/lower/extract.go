package lower

import "github.com/vop-ptx/vop/rewrite/word"

// extract is a byte or half of a value, extended to a word.
type extract struct {
	src    word.Value
	shift  int // in bits
	width  lanes
	signed bool
}

// extractOf returns of what other value v is a byte or half.
func (b *builder) extractOf(v word.Value) (extract, bool) {
	var word [4]pick
	for i := range word {
		word[i] = b.origin(byteOf(v, i))
	}
	for _, width := range []lanes{8, 16} {
		p := word[0]
		if p.zero || p.sign || int(p.n)*8%int(width) != 0 {
			continue
		}
		for _, signed := range []bool{false, true} {
			if p.src != v && word == partOf(p.src, 8*int(p.n), int(width), signed) {
				return extract{p.src, 8 * int(p.n), width, signed}, true
			}
		}
	}
	return extract{}, false
}

// canDot reports whether v is a byte or half that a Dot of the target extracts and adds
// or subtracts at once.
func (b *builder) canDot(v word.Value, subtract bool) bool {
	if b.caps.DotIsLong {
		return false
	}
	e, ok := b.extractOf(v)
	if !ok {
		return false
	}
	op := dotOps.of(e.signed).at(e.width)
	return b.caps.Has(op) && !(subtract && op == word.DotS8 && b.caps.NonNegativeDotS8)
}

// dotted returns acc + v, or acc - v.
func (b *builder) dotted(v word.Value, subtract bool, acc word.Value) word.Value {
	e, _ := b.extractOf(v)
	weight := uint64(1)
	if subtract {
		weight = 0xff
	}
	return b.doImm(dotOps.of(e.signed).at(e.width), weight<<(8*(e.shift/int(e.width))), e.src, acc)
}

// simplifySad takes the difference of two bytes in their words: the other
// bytes are made equal, and add nothing.
func (b *builder) simplifySad(op word.Op, x, y, acc word.Value) (word.Value, bool) {
	p, ok := b.extractOf(x)
	q, ok2 := b.extractOf(y)
	packedOp := word.SadU8
	if op == word.SadS {
		packedOp = word.SadS8
	}
	if !ok || !ok2 || p.width != 8 || q.width != 8 || p.signed != q.signed || p.signed != (op == word.SadS) || !b.caps.Has(packedOp) {
		return 0, false
	}
	var word [4]pick
	for i := range word {
		word[i] = byteOf(p.src, i)
	}
	word[p.shift/8] = byteOf(q.src, q.shift/8)
	return b.do(packedOp, p.src, b.bytes(word), acc), true
}
