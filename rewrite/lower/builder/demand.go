package builder

import "github.com/vop-ptx/vop/rewrite/word"

// demanded returns for each value the bits that the result depends on: a byte
// that is merged into c depends on nothing above it.
func demanded(p *word.Program) []uint32 {
	demand := make([]uint32, len(p.Insts))
	demand[p.Result] = 0xffffffff
	for n := p.Result; n >= 0; n-- {
		if demand[n] == 0 {
			continue
		}
		i := &p.Insts[n]
		for k, v := range i.Args() {
			demand[v] |= demandOf(p, i, k, demand[n])
		}
	}
	return demand
}

// demandOf returns the bits of argument k that the given bits of an
// instruction's result depend on.
func demandOf(p *word.Program, i *word.Inst, k int, bits uint32) uint32 {
	const all = 0xffffffff
	switch i.Op {
	case word.Or, word.Xor, word.Not, word.AndNot, word.Logic3:
		return bits
	case word.And:
		if mask, ok := p.ConstOf(i.Arg[1-k]); ok {
			return bits & mask
		}
		return bits
	case word.Add, word.Sub, word.Mul:
		return UpTo(bits)
	case word.Select:
		if k > 0 {
			return bits
		}
	case word.Shl, word.ShrU, word.ShrS:
		n, ok := p.ConstOf(i.Arg[1])
		switch {
		case i.Op == word.Shl && !ok && k == 0:
			return UpTo(bits)
		case !ok || k > 0:
			return all
		case i.Op == word.Shl:
			return bits >> n
		case i.Op == word.ShrS && bits>>(31-min(n, 31)) != 0:
			return bits<<n | 1<<31
		}
		return bits << n
	case word.Perm, word.PermS:
		return permDemand(uint32(i.Imm), k, bits)
	case word.DotU8, word.DotS8, word.DotU16, word.DotS16:
		if k == 0 {
			return dotDemand(i)
		}
		return UpTo(bits)
	}
	return all
}

// permDemand is demandOf for permutations.
func permDemand(selector uint32, k int, bits uint32) uint32 {
	from := uint32(0)
	for i := range 4 {
		number := selector >> (4 * i)
		wanted := bits >> (8 * i) & 0xff
		if int(number>>2&1) != k || wanted == 0 {
			continue
		}
		if number&8 != 0 {
			wanted = 0x80
		}
		from |= wanted << (8 * (number & 3))
	}
	return from
}

// dotDemand returns the lanes that have a weight.
func dotDemand(i *word.Inst) uint32 {
	w := Lanes(8)
	if i.Op == word.DotU16 || i.Op == word.DotS16 {
		w = 16
	}
	bits := uint32(0)
	for k := range w.Count() {
		if i.Imm>>(8*k)&0xff != 0 {
			bits |= (1<<w - 1) << (int(w) * k)
		}
	}
	return bits
}

// trimmed makes the program again, without the masks and extensions that only
// settle bits nobody looks at.
func (b *Builder) trimmed(p *word.Program) *word.Program {
	demand := demanded(p)
	b.Clear()
	moved := b.ValuesOf(len(p.Insts))
	for n := range p.Insts {
		i := p.Insts[n]
		for k, v := range i.Args() {
			i.Arg[k] = moved[v]
		}
		if v, ok := b.enough(&i, demand[n]); ok {
			moved[n] = v
		} else if i.Op.Args() == 0 {
			moved[n] = b.Emit(i)
		} else {
			moved[n] = b.DoImm(i.Op, i.Imm, i.Arg[:i.Op.Args()]...)
		}
	}
	return &word.Program{Insts: b.insts, Result: moved[p.Result]}
}

// enough returns an argument of an instruction that equals its result in all
// demanded bits.
func (b *Builder) enough(i *word.Inst, demand uint32) (word.Value, bool) {
	switch i.Op {
	case word.And:
		if mask, ok := b.Constant(i.Arg[1]); ok && demand&b.maybe[i.Arg[0]]&^mask == 0 {
			return i.Arg[0], true
		}
	case word.Perm, word.PermS:
		for k, v := range i.Arg[:2] {
			same := true
			for at := range 4 {
				want := uint64(at + 4*k)
				same = same && (demand>>(8*at)&0xff == 0 || i.Imm>>(4*at)&15 == want)
			}
			if same {
				return v, true
			}
		}
	case word.ShrU, word.ShrS:
		inner := b.insts[i.Arg[0]]
		n, ok := b.Constant(i.Arg[1])
		if ok && inner.Op == word.Shl && b.Is(inner.Arg[1], n) && demand>>(32-n) == 0 {
			return inner.Arg[0], true
		}
	}
	return 0, false
}
