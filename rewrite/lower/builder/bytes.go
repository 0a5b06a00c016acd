package builder

import "github.com/vop-ptx/vop/rewrite/word"

// simplifyPerm rewrites a permutation from the origins of its bytes.
func (b *Builder) simplifyPerm(i word.Inst) (word.Value, bool) {
	var picks [4]Pick
	for k := range picks {
		number := int(i.Imm>>(4*k)) & 15
		picks[k] = Pick{Src: i.Arg[number>>2&1], N: uint8(number & 3), Sign: number&8 != 0}
	}
	return b.Bytes(picks), true
}

// Bytes makes a word of four bytes.
func (b *Builder) Bytes(picks [4]Pick) word.Value {
	traced := picks
	for i := range traced {
		traced[i] = b.origin(traced[i])
	}
	for _, w := range [][4]Pick{traced, picks} {
		if sources, ok := b.sources(w); ok {
			return b.arrange(w, &sources)
		}
	}
	if !b.Caps.Has(word.Perm) {
		return b.assemble(traced)
	}
	for {
		picks = b.paired(picks)
		if sources, ok := b.sources(picks); ok {
			return b.arrange(picks, &sources)
		}
	}
}

// sourceList are the values that the bytes of a word come from, constants left out.
type sourceList struct {
	values [4]word.Value
	n      int
}

// paired puts the bytes of the first two sources of a word, constants left out, into
// one value, each in its place.
func (b *Builder) paired(picks [4]Pick) [4]Pick {
	sources, _ := b.sources(picks)
	sources.n = 2
	var pair [4]Pick
	taken := [4]bool{}
	for i, p := range picks {
		pair[i] = ByteOf(sources.values[0], i) // of no account where nothing is taken
		if !p.Zero && (p.Src == sources.values[0] || p.Src == sources.values[1]) {
			pair[i], taken[i] = p, true
		}
	}
	v := b.arrange(pair, &sources)
	for i := range picks {
		if taken[i] {
			picks[i] = ByteOf(v, i)
		}
	}
	return picks
}

// sources returns the values that a word's bytes come from, constants left out;
// ok is false if there are more than one permutation reads.
func (b *Builder) sources(picks [4]Pick) (sources sourceList, ok bool) {
	constants := false
	for _, p := range picks {
		if p.Zero {
			continue
		}
		if _, ok := b.Constant(p.Src); ok {
			constants = true
			continue
		}
		known := false
		for _, s := range sources.values[:sources.n] {
			known = known || s == p.Src
		}
		if !known {
			sources.values[sources.n] = p.Src
			sources.n++
		}
	}
	return sources, sources.n <= 1 || sources.n == 2 && !constants
}

// arrange makes a word of the bytes of at most two values. It prefers what is
// cheapest everywhere: the value itself, a mask, a shift; then a permutation.
func (b *Builder) arrange(picks [4]Pick, sources *sourceList) word.Value {
	first, second := sources.values[0], sources.values[1]
	switch sources.n {
	case 0:
		return b.Con(b.constantBytes(picks))
	case 1:
		if v, ok := b.masked(picks, first); ok {
			return v
		}
		if v, ok := b.shifted(picks, first); ok {
			return v
		}
	case 2:
		if !b.Caps.Has(word.PermS) && b.Caps.Has(word.Logic3) && inPlace(picks) {
			return b.assemble(picks)
		}
	}
	signs, zeros := false, false
	for _, p := range picks {
		signs = signs || p.Sign
		zeros = zeros || p.Zero
	}
	if !b.Caps.Has(word.Perm) || signs && !b.Caps.Has(word.PermS) {
		return b.assemble(picks)
	}
	if sources.n == 2 && zeros {
		picks, zeros = b.zerosOf(picks, sources)
	}
	if sources.n == 2 && zeros {
		mask := uint32(0)
		for i, p := range picks {
			if p.Zero {
				picks[i] = ByteOf(first, i)
			} else {
				mask |= 0xff << (8 * i)
			}
		}
		return b.AndCon(b.arrange(picks, sources), mask)
	}
	perm := word.Inst{Op: word.Perm, Arg: [3]word.Value{first}}
	if sources.n == 2 {
		perm.Arg[1] = second
	} else {
		perm.Arg[1] = b.Con(b.constantBytes(picks))
	}
	for i, p := range picks {
		number := uint64(p.N)
		switch {
		case p.Zero || sources.n == 1 && p.Src != first:
			number = 4 + uint64(i)
		case p.Src != first:
			number += 4
		}
		if p.Sign {
			number += 8
			perm.Op = word.PermS
		}
		perm.Imm |= number << (4 * i)
	}
	return b.Emit(perm)
}

// zerosOf takes the zeros of a word from a byte of its sources that is known to be 0, if there is one.
func (b *Builder) zerosOf(picks [4]Pick, sources *sourceList) (taken [4]Pick, zeros bool) {
	for _, src := range sources.values[:sources.n] {
		for n := range picks {
			if b.maybe[src]>>(8*n)&0xff != 0 {
				continue
			}
			for i := range picks {
				if picks[i].Zero {
					picks[i] = ByteOf(src, n)
				}
			}
			return picks, false
		}
	}
	return picks, true
}

// constantBytes returns the word with the bytes that come from constants, each in
// its place, and 0 for those that come from the sources.
func (b *Builder) constantBytes(picks [4]Pick) uint32 {
	r := uint32(0)
	for i, p := range picks {
		if k, ok := b.Constant(p.Src); ok && !p.Zero {
			v := k >> (8 * p.N) & 0xff
			if p.Sign {
				v = word.Ones(v >= 0x80) & 0xff
			}
			r |= v << (8 * i)
		}
	}
	return r
}

// inPlace reports whether every byte keeps its place.
func inPlace(picks [4]Pick) bool {
	for i, p := range picks {
		if !p.Zero && (p.Sign || int(p.N) != i) {
			return false
		}
	}
	return true
}

// masked makes a word of bytes that keep their place, the others being 0.
func (b *Builder) masked(picks [4]Pick, src word.Value) (word.Value, bool) {
	mask := uint32(0)
	for i, p := range picks {
		if p.Zero {
			continue
		}
		if p.Src != src || p.Sign || int(p.N) != i {
			return 0, false
		}
		mask |= 0xff << (8 * i)
	}
	return b.AndCon(src, mask), true
}

// shifted makes a word that is a value shifted by whole bytes.
func (b *Builder) shifted(picks [4]Pick, src word.Value) (word.Value, bool) {
	shift := func(op word.Op, n int) bool { // whether the bytes are src shifted by n bytes
		for i, p := range picks {
			from := i + n
			if op == word.Shl {
				from = i - n
			}
			want := Pick{Src: src, N: uint8(from)}
			switch {
			case from > 3 && op == word.ShrS:
				want = SignOf(src, 3)
			case from < 0 || from > 3:
				want = ZeroByte
			}
			if p != want && !(p.Zero && !want.Zero && b.maybe[src]>>(8*want.N)&0xff == 0) {
				return false
			}
		}
		return true
	}
	for n := 1; n < 4; n++ {
		for _, op := range []word.Op{word.Shl, word.ShrU, word.ShrS} {
			if shift(op, n) {
				return b.Do(op, src, b.Con(uint32(8*n))), true
			}
		}
	}
	if picks == [4]Pick{SignOf(src, 3), SignOf(src, 3), SignOf(src, 3), SignOf(src, 3)} {
		return b.ShrS(src, 31), true
	}
	return 0, false
}
