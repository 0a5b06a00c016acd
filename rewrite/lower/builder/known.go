package builder

import "github.com/vop-ptx/vop/rewrite/word"

// bitsOf returns the bits that may be 1 in the result of an instruction.
func (b *Builder) bitsOf(i word.Inst) uint32 {
	if i.Op.TakesWide() || i.Op.Wide() {
		return 0xffffffff
	}
	x, y := b.maybe, i.Arg
	k, yConst := uint32(0), false
	if i.Op.Args() > 1 {
		k, yConst = b.Constant(i.Arg[1])
	}
	switch i.Op {
	case word.Const:
		return uint32(i.Imm)
	case word.And:
		return x[y[0]] & x[y[1]]
	case word.AndNot:
		return x[y[0]]
	case word.Or, word.Xor:
		return x[y[0]] | x[y[1]]
	case word.Select:
		return x[y[1]] | x[y[2]]
	case word.MinU:
		return UpTo(min(x[y[0]], x[y[1]]))
	case word.MaxU:
		return UpTo(max(x[y[0]], x[y[1]]))
	case word.Add:
		if sum := uint64(x[y[0]]) + uint64(x[y[1]]); sum < 1<<32 {
			return UpTo(uint32(sum))
		}
	case word.Mul:
		if product := uint64(x[y[0]]) * uint64(x[y[1]]); product < 1<<32 {
			return UpTo(uint32(product))
		}
	case word.Shl:
		if yConst {
			return x[y[0]] << k
		}
	case word.ShrU:
		if yConst {
			return x[y[0]] >> k
		}
		return UpTo(x[y[0]])
	case word.ShrS:
		if yConst {
			return uint32(int32(x[y[0]]) >> k)
		}
	case word.Perm, word.PermS:
		return uint32(i.Op.Apply(uint64(x[y[0]]), uint64(x[y[1]]), 0, i.Imm))
	case word.MaxS, word.MinS:
		if bits := x[y[0]] | x[y[1]]; bits>>31 == 0 {
			return UpTo(bits)
		}
		if i.Op == word.MaxS && (x[y[0]]>>31 == 0 || x[y[1]]>>31 == 0) {
			return 1<<31 - 1
		}
	}
	return 0xffffffff
}

// UpTo returns the bits that numbers up to x have.
func UpTo(x uint32) uint32 {
	for _, n := range []uint32{1, 2, 4, 8, 16} {
		x |= x >> n
	}
	return x
}
