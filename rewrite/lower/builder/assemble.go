package builder

import "github.com/vop-ptx/vop/rewrite/word"

// assemble makes a word with shifts and masks: the bytes that move by the same
// distance move together.
func (b *Builder) assemble(picks [4]Pick) word.Value {
	if v, ok := b.extended(picks); ok {
		return v
	}
	if v, ok := b.repeated(picks); ok {
		return v
	}
	type move struct {
		src      word.Value
		distance int // bytes to the left
		sign     bool
	}
	var moves []move
	masks := map[move]uint32{}
	for i, p := range picks {
		if p.Zero {
			continue
		}
		m := move{p.Src, i - int(p.N), p.Sign}
		if p.Sign {
			m.distance = 3 - int(p.N) // to the top, from where the sign fills the picks
		}
		if masks[m] == 0 {
			moves = append(moves, m)
		}
		masks[m] |= 0xff << (8 * i)
	}
	result := b.Con(0)
	for _, m := range moves {
		v := m.src
		if m.distance >= 0 {
			v = b.Shl(v, uint32(8*m.distance))
		} else {
			v = b.ShrU(v, uint32(-8*m.distance))
		}
		if m.sign {
			v = b.ShrS(v, 31)
		}
		result = b.Or(result, b.AndCon(v, masks[m]))
	}
	return result
}

// extended makes a byte or half of a value, sign-extended, with two shifts.
func (b *Builder) extended(picks [4]Pick) (word.Value, bool) {
	for _, width := range []int{8, 16} {
		p := picks[0]
		if p.Zero || int(p.N)+width/8 > 4 {
			continue
		}
		if picks == PartOf(p.Src, 8*int(p.N), width, true) {
			return b.ShrS(b.Shl(p.Src, uint32(32-width-8*int(p.N))), uint32(32-width)), true
		}
	}
	return 0, false
}

// repeated makes copies of one byte or half with a multiplication.
func (b *Builder) repeated(picks [4]Pick) (word.Value, bool) {
	for _, p := range picks {
		if p.Zero || p.Sign || p.Src != picks[0].Src {
			return 0, false
		}
	}
	for _, w := range []Lanes{8, 16} {
		width := int(w)
		part := PartOf(picks[0].Src, 8*int(picks[0].N), width, false)
		same := true
		for i := range picks {
			same = same && picks[i] == part[i%(width/8)]
		}
		if same {
			return b.Do(word.Mul, b.Bytes(part), b.Con(w.Each(1))), true
		}
	}
	return 0, false
}
