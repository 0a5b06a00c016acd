package builder

import "github.com/vop-ptx/vop/rewrite/word"

// Pick says where a byte of a word comes from.
type Pick struct {
	Src  word.Value
	N    uint8 // byte number n of src
	Sign bool  // eight copies of the top bit of that byte
	Zero bool  // 0; the other fields are 0
}

// ZeroByte is a byte that is 0.
var ZeroByte = Pick{Zero: true}

// ByteOf picks byte n of a value.
func ByteOf(src word.Value, n int) Pick { return Pick{Src: src, N: uint8(n)} }

// SignOf picks the sign of byte n of a value.
func SignOf(src word.Value, n int) Pick { return Pick{Src: src, N: uint8(n), Sign: true} }

// PartOf picks a byte (width 8) or half (16) or word of a value, at bit shift,
// extended to a word.
func PartOf(src word.Value, shift, width int, signed bool) [4]Pick {
	var word [4]Pick
	first, size := shift/8, width/8
	for i := range word {
		switch {
		case i < size:
			word[i] = ByteOf(src, first+i)
		case signed:
			word[i] = SignOf(src, first+size-1)
		default:
			word[i] = ZeroByte
		}
	}
	return word
}

// origin follows a picked byte to the value it was taken from, or to zero.
func (b *Builder) origin(p Pick) Pick {
	for !p.Zero {
		if top := b.maybe[p.Src] >> (8 * p.N) & 0xff; top == 0 || p.Sign && top < 0x80 {
			return ZeroByte
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
func (b *Builder) before(p Pick) (Pick, bool) {
	i := &b.insts[p.Src]
	k, ok := uint32(0), false
	if i.Op.Args() == 2 && !i.Op.TakesWide() {
		k, ok = b.Constant(i.Arg[1])
	}
	n := int(p.N)
	switch i.Op {
	case word.Perm, word.PermS:
		number := int(i.Imm>>(4*n)) & 15
		return Pick{Src: i.Arg[number>>2&1], N: uint8(number & 3), Sign: p.Sign || number&8 != 0}, true
	case word.And:
		if ok && k>>(8*n)&0xff == 0xff || ok && p.Sign && k>>(8*n)&0x80 != 0 {
			return Pick{Src: i.Arg[0], N: p.N, Sign: p.Sign}, true
		}
	case word.Shl:
		if ok && k%8 == 0 { // bytes shifted in are known zeros
			return Pick{Src: i.Arg[0], N: p.N - uint8(k/8), Sign: p.Sign}, true
		}
	case word.ShrU:
		if ok && k%8 == 0 {
			return Pick{Src: i.Arg[0], N: p.N + uint8(k/8), Sign: p.Sign}, true
		}
	case word.ShrS:
		if ok && k%8 == 0 && n+int(k/8) <= 3 {
			return Pick{Src: i.Arg[0], N: p.N + uint8(k/8), Sign: p.Sign}, true
		}
		if ok && (k == 31 || k%8 == 0) {
			return SignOf(i.Arg[0], 3), true
		}
	}
	return p, false
}

// laneOf returns where a lane of size bytes, starting at byte n of v, comes from;
// ok is false if its bytes are not side by side in one value.
func (b *Builder) laneOf(v word.Value, n, size int) (first Pick, ok bool) {
	first = b.origin(ByteOf(v, n))
	if first.Sign || int(first.N)%size != 0 {
		return first, false
	}
	for i := 1; i < size; i++ {
		next := b.origin(ByteOf(v, n+i))
		want := Pick{Src: first.Src, N: first.N + uint8(i), Zero: first.Zero}
		if first.Zero {
			want.N = 0
		}
		if next != want {
			return Pick{Src: v}, false
		}
	}
	return first, true
}

// Signed picks the sign of a byte.
func (p Pick) Signed() Pick {
	p.Sign = !p.Zero
	return p
}
