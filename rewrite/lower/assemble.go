package lower

import "github.com/vop-ptx/vop/rewrite/word"

// assemble makes a word with shifts and masks: the bytes that move by the same
// distance move together.
func (b *builder) assemble(picks [4]pick) word.Value {
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
		if p.zero {
			continue
		}
		m := move{p.src, i - int(p.n), p.sign}
		if p.sign {
			m.distance = 3 - int(p.n) // to the top, from where the sign fills the picks
		}
		if masks[m] == 0 {
			moves = append(moves, m)
		}
		masks[m] |= 0xff << (8 * i)
	}
	result := b.con(0)
	for _, m := range moves {
		v := m.src
		if m.distance >= 0 {
			v = b.shl(v, uint32(8*m.distance))
		} else {
			v = b.shrU(v, uint32(-8*m.distance))
		}
		if m.sign {
			v = b.shrS(v, 31)
		}
		result = b.or(result, b.andCon(v, masks[m]))
	}
	return result
}

// extended makes a byte or half of a value, sign-extended, with two shifts.
func (b *builder) extended(picks [4]pick) (word.Value, bool) {
	for _, width := range []int{8, 16} {
		p := picks[0]
		if p.zero || int(p.n)+width/8 > 4 {
			continue
		}
		if picks == partOf(p.src, 8*int(p.n), width, true) {
			return b.shrS(b.shl(p.src, uint32(32-width-8*int(p.n))), uint32(32-width)), true
		}
	}
	return 0, false
}

// repeated makes copies of one byte or half with a multiplication.
func (b *builder) repeated(picks [4]pick) (word.Value, bool) {
	for _, p := range picks {
		if p.zero || p.sign || p.src != picks[0].src {
			return 0, false
		}
	}
	for _, w := range []lanes{8, 16} {
		width := int(w)
		part := partOf(picks[0].src, 8*int(picks[0].n), width, false)
		same := true
		for i := range picks {
			same = same && picks[i] == part[i%(width/8)]
		}
		if same {
			return b.do(word.Mul, b.bytes(part), b.con(w.each(1))), true
		}
	}
	return 0, false
}
