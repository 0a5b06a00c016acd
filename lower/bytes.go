package lower

// pick says where a byte of a word comes from.
type pick struct {
	src  Value
	n    uint8 // byte number n of src
	sign bool  // eight copies of the top bit of that byte
	zero bool  // 0; the other fields are 0
}

var zeroByte = pick{zero: true}

// byteOf picks byte n of a value.
func byteOf(src Value, n int) pick { return pick{src: src, n: uint8(n)} }

// signOf picks the sign of byte n of a value.
func signOf(src Value, n int) pick { return pick{src: src, n: uint8(n), sign: true} }

// partOf picks a byte (width 8) or half (16) or word of a value, at bit shift,
// extended to a word.
func partOf(src Value, shift, width int, signed bool) [4]pick {
	var word [4]pick
	first, size := shift/8, width/8
	for i := range word {
		switch {
		case i < size:
			word[i] = byteOf(src, first+i)
		case signed:
			word[i] = signOf(src, first+size-1)
		default:
			word[i] = zeroByte
		}
	}
	return word
}

// origin follows a picked byte to the value it was taken from, or to zero.
func (b *builder) origin(p pick) pick {
	for !p.zero {
		if top := b.maybe[p.src] >> (8 * p.n) & 0xff; top == 0 || p.sign && top < 0x80 {
			return zeroByte
		}
		q, ok := b.before(p)
		if !ok {
			return p
		}
		p = q
	}
	return p
}

// before takes one step of origin.
func (b *builder) before(p pick) (pick, bool) {
	i := &b.insts[p.src]
	k, ok := uint32(0), false
	if i.Op.Args() == 2 && !i.Op.TakesWide() {
		k, ok = b.constant(i.Arg[1])
	}
	n := int(p.n)
	switch i.Op {
	case Perm, PermS:
		number := int(i.Imm>>(4*n)) & 15
		return pick{src: i.Arg[number>>2&1], n: uint8(number & 3), sign: p.sign || number&8 != 0}, true
	case And:
		if ok && k>>(8*n)&0xff == 0xff || ok && p.sign && k>>(8*n)&0x80 != 0 {
			return pick{src: i.Arg[0], n: p.n, sign: p.sign}, true
		}
	case Shl:
		if ok && k%8 == 0 { // bytes shifted in are known zeros
			return pick{src: i.Arg[0], n: p.n - uint8(k/8), sign: p.sign}, true
		}
	case ShrU:
		if ok && k%8 == 0 {
			return pick{src: i.Arg[0], n: p.n + uint8(k/8), sign: p.sign}, true
		}
	case ShrS:
		if ok && k%8 == 0 && n+int(k/8) <= 3 {
			return pick{src: i.Arg[0], n: p.n + uint8(k/8), sign: p.sign}, true
		}
		if ok && (k == 31 || k%8 == 0) {
			return signOf(i.Arg[0], 3), true
		}
	}
	return p, false
}

// laneOf returns where a lane of size bytes, starting at byte n of v, comes from;
// ok is false if its bytes are not side by side in one value.
func (b *builder) laneOf(v Value, n, size int) (first pick, ok bool) {
	first = b.origin(byteOf(v, n))
	if first.sign || int(first.n)%size != 0 {
		return first, false
	}
	for i := 1; i < size; i++ {
		next := b.origin(byteOf(v, n+i))
		want := pick{src: first.src, n: first.n + uint8(i), zero: first.zero}
		if first.zero {
			want.n = 0
		}
		if next != want {
			return pick{src: v}, false
		}
	}
	return first, true
}

// simplifyPerm rewrites a permutation from the origins of its bytes.
func (b *builder) simplifyPerm(i Inst) (Value, bool) {
	var word [4]pick
	for k := range word {
		number := int(i.Imm>>(4*k)) & 15
		word[k] = pick{src: i.Arg[number>>2&1], n: uint8(number & 3), sign: number&8 != 0}
	}
	return b.bytes(word), true
}

// bytes makes a word of four bytes.
func (b *builder) bytes(word [4]pick) Value {
	traced := word
	for i := range traced {
		traced[i] = b.origin(traced[i])
	}
	for _, w := range [][4]pick{traced, word} {
		if sources, ok := b.sources(w); ok {
			return b.arrange(w, sources)
		}
	}
	if !b.caps.Has(Perm) {
		return b.assemble(traced)
	}
	for {
		word = b.paired(word)
		if sources, ok := b.sources(word); ok {
			return b.arrange(word, sources)
		}
	}
}

// paired puts the bytes of the first two sources of a word into one value, each
// in its place.
func (b *builder) paired(word [4]pick) [4]pick {
	var first []Value
	var pair [4]pick
	for i, p := range word {
		if !p.zero && len(first) < 2 && (len(first) == 0 || first[0] != p.src) {
			first = append(first, p.src)
		}
		pair[i] = byteOf(first[0], i) // of no account where it is not overwritten
	}
	taken := [4]bool{}
	for i, p := range word {
		if !p.zero && (p.src == first[0] || p.src == first[1]) {
			pair[i], taken[i] = p, true
		}
	}
	v := b.arrange(pair, first)
	for i := range word {
		if taken[i] {
			word[i] = byteOf(v, i)
		}
	}
	return word
}

// sources returns the values that a word's bytes come from, constants left out;
// ok is false if there are more than one permutation reads.
func (b *builder) sources(word [4]pick) (sources []Value, ok bool) {
	constants := false
	for _, p := range word {
		if p.zero {
			continue
		}
		if _, ok := b.constant(p.src); ok {
			constants = true
			continue
		}
		known := false
		for _, s := range sources {
			known = known || s == p.src
		}
		if !known {
			sources = append(sources, p.src)
		}
	}
	return sources, len(sources) <= 1 || len(sources) == 2 && !constants
}

// arrange makes a word of the bytes of at most two values. It prefers what is
// cheapest everywhere: the value itself, a mask, a shift; then a permutation.
func (b *builder) arrange(word [4]pick, sources []Value) Value {
	switch len(sources) {
	case 0:
		return b.con(b.constantBytes(word, nil))
	case 1:
		if v, ok := b.masked(word, sources[0]); ok {
			return v
		}
		if v, ok := b.shifted(word, sources[0]); ok {
			return v
		}
	case 2:
		if !b.caps.Has(PermS) && b.caps.Has(Logic3) && inPlace(word) {
			return b.assemble(word)
		}
	}
	signs, zeros := false, false
	for _, p := range word {
		signs = signs || p.sign
		zeros = zeros || p.zero
	}
	if !b.caps.Has(Perm) || signs && !b.caps.Has(PermS) {
		return b.assemble(word)
	}
	if len(sources) == 2 && zeros {
		mask := uint32(0)
		for i, p := range word {
			if p.zero {
				word[i] = byteOf(sources[0], i)
			} else {
				mask |= 0xff << (8 * i)
			}
		}
		return b.andCon(b.arrange(word, sources), mask)
	}
	perm := Inst{Op: Perm, Arg: [3]Value{sources[0]}}
	if len(sources) == 2 {
		perm.Arg[1] = sources[1]
	} else {
		perm.Arg[1] = b.con(b.constantBytes(word, sources))
	}
	for i, p := range word {
		number := uint64(p.n)
		switch {
		case p.zero || len(sources) == 1 && p.src != sources[0]:
			number = 4 + uint64(i)
		case p.src != sources[0]:
			number += 4
		}
		if p.sign {
			number += 8
			perm.Op = PermS
		}
		perm.Imm |= number << (4 * i)
	}
	return b.emit(perm)
}

// constantBytes returns the word with the bytes that come from constants, each in
// its place, and 0 for those that come from the sources.
func (b *builder) constantBytes(word [4]pick, sources []Value) uint32 {
	r := uint32(0)
	for i, p := range word {
		if k, ok := b.constant(p.src); ok && !p.zero {
			v := k >> (8 * p.n) & 0xff
			if p.sign {
				v = ones(v >= 0x80) & 0xff
			}
			r |= v << (8 * i)
		}
	}
	return r
}

// inPlace reports whether every byte keeps its place.
func inPlace(word [4]pick) bool {
	for i, p := range word {
		if !p.zero && (p.sign || int(p.n) != i) {
			return false
		}
	}
	return true
}

// masked makes a word of bytes that keep their place, the others being 0.
func (b *builder) masked(word [4]pick, src Value) (Value, bool) {
	mask := uint32(0)
	for i, p := range word {
		if p.zero {
			continue
		}
		if p.src != src || p.sign || int(p.n) != i {
			return 0, false
		}
		mask |= 0xff << (8 * i)
	}
	return b.andCon(src, mask), true
}

// shifted makes a word that is a value shifted by whole bytes.
func (b *builder) shifted(word [4]pick, src Value) (Value, bool) {
	shift := func(op Op, n int) bool { // whether the word is src shifted by n bytes
		for i, p := range word {
			from := i + n
			if op == Shl {
				from = i - n
			}
			want := pick{src: src, n: uint8(from)}
			switch {
			case from > 3 && op == ShrS:
				want = signOf(src, 3)
			case from < 0 || from > 3:
				want = zeroByte
			}
			if p != want && !(p.zero && !want.zero && b.maybe[src]>>(8*want.n)&0xff == 0) {
				return false
			}
		}
		return true
	}
	for n := 1; n < 4; n++ {
		for _, op := range []Op{Shl, ShrU, ShrS} {
			if shift(op, n) {
				return b.do(op, src, b.con(uint32(8*n))), true
			}
		}
	}
	if word == [4]pick{signOf(src, 3), signOf(src, 3), signOf(src, 3), signOf(src, 3)} {
		return b.shrS(src, 31), true
	}
	return 0, false
}

// assemble makes a word with shifts and masks: the bytes that move by the same
// distance move together.
func (b *builder) assemble(word [4]pick) Value {
	if v, ok := b.extended(word); ok {
		return v
	}
	if v, ok := b.repeated(word); ok {
		return v
	}
	type move struct {
		src      Value
		distance int // bytes to the left
		sign     bool
	}
	var moves []move
	masks := map[move]uint32{}
	for i, p := range word {
		if p.zero {
			continue
		}
		m := move{p.src, i - int(p.n), p.sign}
		if p.sign {
			m.distance = 3 - int(p.n) // to the top, from where the sign fills the word
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
func (b *builder) extended(word [4]pick) (Value, bool) {
	for _, width := range []int{8, 16} {
		p := word[0]
		if p.zero || int(p.n)+width/8 > 4 {
			continue
		}
		if word == partOf(p.src, 8*int(p.n), width, true) {
			return b.shrS(b.shl(p.src, uint32(32-width-8*int(p.n))), uint32(32-width)), true
		}
	}
	return 0, false
}

// repeated makes copies of one byte or half with a multiplication.
func (b *builder) repeated(word [4]pick) (Value, bool) {
	for _, p := range word {
		if p.zero || p.sign || p.src != word[0].src {
			return 0, false
		}
	}
	for _, w := range []lanes{8, 16} {
		width := int(w)
		part := partOf(word[0].src, 8*int(word[0].n), width, false)
		same := true
		for i := range word {
			same = same && word[i] == part[i%(width/8)]
		}
		if same {
			return b.do(Mul, b.bytes(part), b.con(w.each(1))), true
		}
	}
	return 0, false
}
