package lower

// bitsOf returns the bits that may be 1 in the result of an instruction.
func (b *builder) bitsOf(i Inst) uint32 {
	if i.Op.TakesWide() || i.Op.Wide() {
		return 0xffffffff
	}
	x, y := b.maybe, i.Arg
	k, yConst := uint32(0), false
	if i.Op.Args() > 1 {
		k, yConst = b.constant(i.Arg[1])
	}
	switch i.Op {
	case Const:
		return uint32(i.Imm)
	case And:
		return x[y[0]] & x[y[1]]
	case AndNot:
		return x[y[0]]
	case Or, Xor:
		return x[y[0]] | x[y[1]]
	case Select:
		return x[y[1]] | x[y[2]]
	case MinU:
		return upTo(min(x[y[0]], x[y[1]]))
	case MaxU:
		return upTo(max(x[y[0]], x[y[1]]))
	case Add:
		if sum := uint64(x[y[0]]) + uint64(x[y[1]]); sum < 1<<32 {
			return upTo(uint32(sum))
		}
	case Mul:
		if product := uint64(x[y[0]]) * uint64(x[y[1]]); product < 1<<32 {
			return upTo(uint32(product))
		}
	case Shl:
		if yConst {
			return x[y[0]] << k
		}
	case ShrU:
		if yConst {
			return x[y[0]] >> k
		}
		return upTo(x[y[0]])
	case ShrS:
		if yConst {
			return uint32(int32(x[y[0]]) >> k)
		}
	case Perm, PermS:
		return perm(x[y[0]], x[y[1]], uint32(i.Imm))
	case MaxS, MinS:
		if bits := x[y[0]] | x[y[1]]; bits>>31 == 0 {
			return upTo(bits)
		}
		if i.Op == MaxS && (x[y[0]]>>31 == 0 || x[y[1]]>>31 == 0) {
			return 1<<31 - 1
		}
	}
	return 0xffffffff
}

// upTo returns the bits that numbers up to x have.
func upTo(x uint32) uint32 {
	for _, n := range []uint32{1, 2, 4, 8, 16} {
		x |= x >> n
	}
	return x
}
