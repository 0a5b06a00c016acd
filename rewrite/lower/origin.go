package lower

import "github.com/vop-ptx/vop/rewrite/word"

// pick says where a byte of a word comes from.
type pick struct {
	src  word.Value
	n    uint8 // byte number n of src
	sign bool  // eight copies of the top bit of that byte
	zero bool  // 0; the other fields are 0
}

var zeroByte = pick{zero: true}

// byteOf picks byte n of a value.
func byteOf(src word.Value, n int) pick { return pick{src: src, n: uint8(n)} }

// signOf picks the sign of byte n of a value.
func signOf(src word.Value, n int) pick { return pick{src: src, n: uint8(n), sign: true} }

// partOf picks a byte (width 8) or half (16) or word of a value, at bit shift,
// extended to a word.
func partOf(src word.Value, shift, width int, signed bool) [4]pick {
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
	case word.Perm, word.PermS:
		number := int(i.Imm>>(4*n)) & 15
		return pick{src: i.Arg[number>>2&1], n: uint8(number & 3), sign: p.sign || number&8 != 0}, true
	case word.And:
		if ok && k>>(8*n)&0xff == 0xff || ok && p.sign && k>>(8*n)&0x80 != 0 {
			return pick{src: i.Arg[0], n: p.n, sign: p.sign}, true
		}
	case word.Shl:
		if ok && k%8 == 0 { // bytes shifted in are known zeros
			return pick{src: i.Arg[0], n: p.n - uint8(k/8), sign: p.sign}, true
		}
	case word.ShrU:
		if ok && k%8 == 0 {
			return pick{src: i.Arg[0], n: p.n + uint8(k/8), sign: p.sign}, true
		}
	case word.ShrS:
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
func (b *builder) laneOf(v word.Value, n, size int) (first pick, ok bool) {
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
