package lower

// simplify returns a value equal to an instruction that is cheaper than the
// instruction itself, if a rule knows one. Constants are the last argument of
// operations that commute.
func (b *builder) simplify(i Inst) (Value, bool) {
	x, y := i.Arg[0], i.Arg[1]
	if v, ok := b.sameArguments(i.Op, x, y, i.Arg[2]); ok {
		return v, true
	}
	if v, ok := b.absorbed(i.Op, x, y); ok {
		return v, true
	}
	switch i.Op {
	case And, Or, Xor, Not, AndNot:
		return b.simplifyLogic(i.Op, x, y)
	case Logic3:
		return b.simplifyLogic3(i)
	case Add, Sub, Mul:
		return b.simplifySum(i.Op, x, y)
	case Shl, ShrU, ShrS:
		return b.simplifyShift(i.Op, x, y)
	case MinU, MaxU, MinS, MaxS:
		return b.simplifyMinMax(i.Op, x, y)
	case Select:
		if k, ok := b.constant(x); ok {
			return i.Arg[1+(^k&1)], true
		}
	case Perm, PermS:
		return b.simplifyPerm(i)
	case DotU8, DotS8, DotU16, DotS16:
		return b.simplifyDot(i)
	case SadU, SadS:
		return b.simplifySad(i.Op, x, y, i.Arg[2])
	case AddWide, SubWide:
		if b.insts[y] == (Inst{Op: WideConst}) {
			return x, true
		}
	case ShlWide:
		if b.insts[y] == (Inst{Op: WideConst}) {
			return x, true
		}
	case ShrWideU, ShrWideS:
		if i.Imm == 0 {
			return x, true
		}
	case Lo:
		if wide := b.insts[x]; wide.Op == WideU || wide.Op == WideS || wide.Op == MulWideU && b.is(wide.Arg[1], 1) {
			return wide.Arg[0], true
		}
	default:
		return b.simplifyPacked(i.Op, x, y)
	}
	return 0, false
}

// sameArguments simplifies operations on one value twice.
func (b *builder) sameArguments(op Op, x, y, z Value) (Value, bool) {
	if op == Select && y == z {
		return y, true
	}
	if x != y || op.Args() < 2 {
		return 0, false
	}
	switch op {
	case And, Or, MinU, MaxU, MinS, MaxS, MinU8, MinU16, MaxU8, MaxU16, MinS8, MinS16, MaxS8, MaxS16, AvgU8, AvgU16,
		MinWideU, MinWideS, MaxWideS:
		return x, true
	case Xor, AndNot, Sub, CmpLtU, CmpLtS, Sub8, Sub16, SubSatU8, SubSatU16, SubSatS8, SubSatS16,
		CmpGtU8, CmpGtU16, CmpGtS8, CmpGtS16, AbsDiffU8, AbsDiffS8:
		return b.con(0), true
	case CmpEq, CmpEq8, CmpEq16:
		return b.con(0xffffffff), true
	case SadU, SadS, SadU8, SadS8:
		return z, true
	}
	return 0, false
}

// inverses are the pairs of minimum and maximum.
var inverses = map[Op]Op{
	MinU: MaxU, MaxU: MinU, MinS: MaxS, MaxS: MinS,
	MinU8: MaxU8, MaxU8: MinU8, MinS8: MaxS8, MaxS8: MinS8,
	MinU16: MaxU16, MaxU16: MinU16, MinS16: MaxS16, MaxS16: MinS16,
}

// absorbed returns x of max(x, min(x, y)), and the like.
func (b *builder) absorbed(op Op, x, y Value) (Value, bool) {
	inverse, ok := inverses[op]
	if !ok {
		return 0, false
	}
	for _, v := range [][2]Value{{x, y}, {y, x}} {
		if inner := &b.insts[v[1]]; inner.Op == inverse && (inner.Arg[0] == v[0] || inner.Arg[1] == v[0]) {
			return v[0], true
		}
	}
	return 0, false
}

func (b *builder) simplifyLogic(op Op, x, y Value) (Value, bool) {
	inner := b.insts[x]
	k, yConst := b.constant(y)
	switch op {
	case Not:
		if inner.Op == Not {
			return inner.Arg[0], true
		}
		if inner.Op == Xor {
			if k, ok := b.constant(inner.Arg[1]); ok {
				return b.xorCon(inner.Arg[0], ^k), true
			}
		}
	case And:
		switch {
		case b.maybe[x]&b.maybe[y] == 0:
			return b.con(0), true
		case yConst && b.maybe[x]&^k == 0:
			return x, true
		case yConst && inner.Op == And:
			if inside, ok := b.constant(inner.Arg[1]); ok {
				return b.andCon(inner.Arg[0], k&inside), true
			}
		case yConst && inner.Op == AndNot:
			if inside, ok := b.constant(inner.Arg[0]); ok {
				return b.do(AndNot, b.con(k&inside), inner.Arg[1]), true
			}
		case inner.Op == Not:
			return b.andNot(y, inner.Arg[0]), true
		case b.insts[y].Op == Not:
			return b.andNot(x, b.insts[y].Arg[0]), true
		}
	case Or:
		switch {
		case b.is(y, 0):
			return x, true
		case b.is(y, 0xffffffff):
			return y, true
		}
	case Xor:
		switch {
		case b.is(y, 0):
			return x, true
		case b.is(y, 0xffffffff):
			return b.not(x), true
		case yConst && inner.Op == Not:
			return b.xorCon(inner.Arg[0], ^k), true
		case yConst && inner.Op == Xor:
			if inside, ok := b.constant(inner.Arg[1]); ok {
				return b.xorCon(inner.Arg[0], k^inside), true
			}
		}
	case AndNot:
		switch {
		case yConst:
			return b.andCon(x, ^k), true
		case b.maybe[x]&b.maybe[y] == 0:
			return x, true
		case b.is(x, 0xffffffff):
			return b.not(y), true
		case b.insts[y].Op == Not:
			return b.and(x, b.insts[y].Arg[0]), true
		}
	}
	return 0, false
}

// simplifyLogic3 takes a table apart where an argument repeats or is trivial;
// the rules for two arguments then apply, and fuseLogic joins what is left.
func (b *builder) simplifyLogic3(i Inst) (Value, bool) {
	apart := i.Arg[0] == i.Arg[1] || i.Arg[1] == i.Arg[2] || i.Arg[0] == i.Arg[2]
	for _, v := range i.Arg {
		apart = apart || b.is(v, 0) || b.is(v, 0xffffffff)
	}
	if !apart {
		return 0, false
	}
	return b.formula(uint8(i.Imm), i.Arg), true
}

func (b *builder) simplifyShift(op Op, x, y Value) (Value, bool) {
	n, ok := b.constant(y)
	if !ok {
		if b.is(x, 0) {
			return x, true
		}
		return 0, false
	}
	if n == 0 {
		return x, true
	}
	if op == ShrS && b.maybe[x]>>31 == 0 {
		return b.shrU(x, n), true
	}
	if op == ShrS {
		n = min(n, 31)
	} else if n > 31 {
		return b.con(0), true
	}
	if inner := b.insts[x]; inner.Op == op {
		if inside, ok := b.constant(inner.Arg[1]); ok {
			return b.do(op, inner.Arg[0], b.con(inside+n)), true
		}
	}
	if op == Shl && b.maybe[x]<<n == 0 || op == ShrU && b.maybe[x]>>n == 0 {
		return b.con(0), true
	}
	if k, _ := b.constant(y); k != n {
		return b.do(op, x, b.con(n)), true
	}
	return 0, false
}

// simplifyMinMax uses that bounds are often already kept. Values without their
// top bit are in the same order signed and unsigned.
func (b *builder) simplifyMinMax(op Op, x, y Value) (Value, bool) {
	k, ok := b.constant(y)
	if !ok {
		return 0, false
	}
	signed := op == MinS || op == MaxS
	smaller := op == MinU || op == MinS
	lowest, highest := uint32(0), b.maybe[x]
	if signed && highest>>31 != 0 {
		lowest, highest = 1<<31, highest&(1<<31-1)
	}
	notAbove := func(p, q uint32) bool { // p <= q in the order of op
		if signed {
			return int32(p) <= int32(q)
		}
		return p <= q
	}
	switch {
	case smaller && notAbove(highest, k), !smaller && notAbove(k, lowest):
		return x, true
	case smaller && notAbove(k, lowest), !smaller && notAbove(highest, k):
		return y, true
	}
	return 0, false
}

// simplifyPacked knows what packed operations do with the constant 0.
func (b *builder) simplifyPacked(op Op, x, y Value) (Value, bool) {
	switch op {
	case Add8, Add16, Sub8, Sub16, AddSatU8, AddSatU16, AddSatS8, AddSatS16,
		SubSatU8, SubSatU16, SubSatS8, SubSatS16, MaxU8, MaxU16, AbsDiffU8:
		if b.is(y, 0) {
			return x, true
		}
	case MinU8, MinU16:
		if b.is(y, 0) {
			return y, true
		}
	}
	if (op == SubSatU8 || op == SubSatU16) && b.is(x, 0) {
		return x, true
	}
	if (op == MinU8 || op == MinU16) && b.is(y, 0xffffffff) {
		return x, true
	}
	if (op == CmpGtU8 || op == CmpGtU16) && b.is(x, 0) {
		return x, true
	}
	return 0, false
}
