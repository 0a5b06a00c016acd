package lower

// demanded returns for each value the bits that the result depends on: a byte
// that is merged into c depends on nothing above it.
func demanded(p *Program) []uint32 {
	demand := make([]uint32, len(p.Insts))
	demand[p.Result] = 0xffffffff
	for n := p.Result; n >= 0; n-- {
		if demand[n] == 0 {
			continue
		}
		i := &p.Insts[n]
		for k, v := range i.args() {
			demand[v] |= p.demandOf(i, k, demand[n])
		}
	}
	return demand
}

// demandOf returns the bits of argument k that the given bits of an
// instruction's result depend on.
func (p *Program) demandOf(i *Inst, k int, bits uint32) uint32 {
	const all = 0xffffffff
	switch i.Op {
	case Or, Xor, Not, AndNot, Logic3:
		return bits
	case And:
		if mask, ok := p.ConstOf(i.Arg[1-k]); ok {
			return bits & mask
		}
		return bits
	case Add, Sub, Mul:
		return upTo(bits)
	case Select:
		if k > 0 {
			return bits
		}
	case Shl, ShrU, ShrS:
		n, ok := p.ConstOf(i.Arg[1])
		switch {
		case !ok || k > 0:
			return all
		case i.Op == Shl:
			return bits >> n
		case i.Op == ShrS && bits>>(31-min(n, 31)) != 0:
			return bits<<n | 1<<31
		}
		return bits << n
	case Perm, PermS:
		return permDemand(uint32(i.Imm), k, bits)
	case DotU8, DotS8, DotU16, DotS16:
		if k == 0 {
			return dotDemand(i)
		}
		return upTo(bits)
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
func dotDemand(i *Inst) uint32 {
	w := lanes(8)
	if i.Op == DotU16 || i.Op == DotS16 {
		w = 16
	}
	bits := uint32(0)
	for k := range w.count() {
		if i.Imm>>(8*k)&0xff != 0 {
			bits |= (1<<w - 1) << (int(w) * k)
		}
	}
	return bits
}

// trimmed makes the program again, without the masks and extensions that only
// settle bits nobody looks at.
func (b *builder) trimmed(p *Program) *Program {
	demand := demanded(p)
	b.clear()
	moved := make([]Value, len(p.Insts))
	for n := range p.Insts {
		i := p.Insts[n]
		for k, v := range i.args() {
			i.Arg[k] = moved[v]
		}
		if v, ok := b.enough(&i, demand[n]); ok {
			moved[n] = v
		} else if i.Op.Args() == 0 {
			moved[n] = b.emit(i)
		} else {
			moved[n] = b.doImm(i.Op, i.Imm, i.Arg[:i.Op.Args()]...)
		}
	}
	return &Program{Insts: b.insts, Result: moved[p.Result]}
}

// enough returns an argument of an instruction that equals its result in all
// demanded bits.
func (b *builder) enough(i *Inst, demand uint32) (Value, bool) {
	switch i.Op {
	case And:
		if mask, ok := b.constant(i.Arg[1]); ok && demand&b.maybe[i.Arg[0]]&^mask == 0 {
			return i.Arg[0], true
		}
	case Perm, PermS:
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
	case ShrU, ShrS:
		inner := b.insts[i.Arg[0]]
		n, ok := b.constant(i.Arg[1])
		if ok && inner.Op == Shl && b.is(inner.Arg[1], n) && demand>>(32-n) == 0 {
			return inner.Arg[0], true
		}
	}
	return 0, false
}
