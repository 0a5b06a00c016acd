package builder

import "github.com/vop-ptx/vop/rewrite/word"

// simplify returns a value equal to an instruction that is cheaper than the
// instruction itself, if a rule knows one. Constants are the last argument of
// operations that commute.
func (b *Builder) simplify(i word.Inst) (word.Value, bool) {
	x, y := i.Arg[0], i.Arg[1]
	if v, ok := b.SameArguments(i.Op, x, y, i.Arg[2]); ok {
		return v, true
	}
	if v, ok := b.absorbed(i.Op, x, y); ok {
		return v, true
	}
	switch i.Op {
	case word.And, word.Or, word.Xor, word.Not, word.AndNot:
		return b.simplifyLogic(i.Op, x, y)
	case word.Logic3:
		return b.simplifyLogic3(i)
	case word.Add, word.Sub, word.Mul:
		return b.simplifySum(i.Op, x, y)
	case word.Shl, word.ShrU, word.ShrS:
		return b.simplifyShift(i.Op, x, y)
	case word.MinU, word.MaxU, word.MinS, word.MaxS:
		return b.simplifyMinMax(i.Op, x, y)
	case word.Select:
		if k, ok := b.Constant(x); ok {
			return i.Arg[1+(^k&1)], true
		}
	case word.Perm, word.PermS:
		return b.simplifyPerm(i)
	case word.DotU8, word.DotS8, word.DotU16, word.DotS16:
		return b.simplifyDot(i)
	case word.SadU, word.SadS:
		return b.simplifySad(i.Op, x, y, i.Arg[2])
	case word.AddWide, word.SubWide, word.ShlWide:
		if b.IsWideZero(y) {
			return x, true
		}
	case word.ShrWideU, word.ShrWideS:
		if i.Imm == 0 {
			return x, true
		}
	case word.Lo:
		if wide := b.insts[x]; wide.Op == word.WideU || wide.Op == word.WideS || wide.Op == word.MulWideU && b.Is(wide.Arg[1], 1) {
			return wide.Arg[0], true
		}
	default:
		return b.simplifyPacked(i.Op, x, y)
	}
	return 0, false
}

// SameArguments simplifies operations on one value twice.
func (b *Builder) SameArguments(op word.Op, x, y, z word.Value) (word.Value, bool) {
	if op == word.Select && y == z {
		return y, true
	}
	if x != y || op.Args() < 2 {
		return 0, false
	}
	switch op {
	case word.And, word.Or, word.MinU, word.MaxU, word.MinS, word.MaxS, word.MinU8, word.MinU16, word.MaxU8, word.MaxU16, word.MinS8, word.MinS16, word.MaxS8, word.MaxS16, word.AvgU8, word.AvgU16,
		word.MinWideU, word.MinWideS, word.MaxWideS:
		return x, true
	case word.Xor, word.AndNot, word.Sub, word.CmpLtU, word.CmpLtS, word.Sub8, word.Sub16, word.SubSatU8, word.SubSatU16, word.SubSatS8, word.SubSatS16,
		word.CmpGtU8, word.CmpGtU16, word.CmpGtS8, word.CmpGtS16, word.AbsDiffU8, word.AbsDiffS8:
		return b.Con(0), true
	case word.CmpEq, word.CmpEq8, word.CmpEq16:
		return b.Con(0xffffffff), true
	case word.SadU, word.SadS, word.SadU8, word.SadS8:
		return z, true
	}
	return 0, false
}

// inverses are the pairs of minimum and maximum.
var inverses = map[word.Op]word.Op{
	word.MinU: word.MaxU, word.MaxU: word.MinU, word.MinS: word.MaxS, word.MaxS: word.MinS,
	word.MinU8: word.MaxU8, word.MaxU8: word.MinU8, word.MinS8: word.MaxS8, word.MaxS8: word.MinS8,
	word.MinU16: word.MaxU16, word.MaxU16: word.MinU16, word.MinS16: word.MaxS16, word.MaxS16: word.MinS16,
}

// absorbed returns x of max(x, min(x, y)), and the like.
func (b *Builder) absorbed(op word.Op, x, y word.Value) (word.Value, bool) {
	inverse, ok := inverses[op]
	if !ok {
		return 0, false
	}
	for _, v := range [][2]word.Value{{x, y}, {y, x}} {
		if inner := &b.insts[v[1]]; inner.Op == inverse && (inner.Arg[0] == v[0] || inner.Arg[1] == v[0]) {
			return v[0], true
		}
	}
	return 0, false
}

func (b *Builder) simplifyLogic(op word.Op, x, y word.Value) (word.Value, bool) {
	inner := b.insts[x]
	k, yConst := b.Constant(y)
	switch op {
	case word.Not:
		if inner.Op == word.Not {
			return inner.Arg[0], true
		}
		if inner.Op == word.Xor {
			if k, ok := b.Constant(inner.Arg[1]); ok {
				return b.XorCon(inner.Arg[0], ^k), true
			}
		}
	case word.And:
		switch {
		case b.maybe[x]&b.maybe[y] == 0:
			return b.Con(0), true
		case yConst && b.maybe[x]&^k == 0:
			return x, true
		case yConst && inner.Op == word.And:
			if inside, ok := b.Constant(inner.Arg[1]); ok {
				return b.AndCon(inner.Arg[0], k&inside), true
			}
		case yConst && inner.Op == word.AndNot:
			if inside, ok := b.Constant(inner.Arg[0]); ok {
				return b.Do(word.AndNot, b.Con(k&inside), inner.Arg[1]), true
			}
		case inner.Op == word.Not:
			return b.AndNot(y, inner.Arg[0]), true
		case b.insts[y].Op == word.Not:
			return b.AndNot(x, b.insts[y].Arg[0]), true
		}
	case word.Or:
		switch {
		case b.Is(y, 0):
			return x, true
		case b.Is(y, 0xffffffff):
			return y, true
		}
	case word.Xor:
		switch {
		case b.Is(y, 0):
			return x, true
		case b.Is(y, 0xffffffff):
			return b.Not(x), true
		case yConst && inner.Op == word.Not:
			return b.XorCon(inner.Arg[0], ^k), true
		case yConst && inner.Op == word.Xor:
			if inside, ok := b.Constant(inner.Arg[1]); ok {
				return b.XorCon(inner.Arg[0], k^inside), true
			}
		}
	case word.AndNot:
		switch {
		case yConst:
			return b.AndCon(x, ^k), true
		case b.maybe[x]&b.maybe[y] == 0:
			return x, true
		case b.Is(x, 0xffffffff):
			return b.Not(y), true
		case b.insts[y].Op == word.Not:
			return b.And(x, b.insts[y].Arg[0]), true
		}
	}
	return 0, false
}

// simplifyLogic3 takes a table apart where an argument repeats or is trivial;
// the rules for two arguments then apply, and fused joins what is left.
func (b *Builder) simplifyLogic3(i word.Inst) (word.Value, bool) {
	apart := i.Arg[0] == i.Arg[1] || i.Arg[1] == i.Arg[2] || i.Arg[0] == i.Arg[2]
	for _, v := range i.Arg {
		apart = apart || b.Is(v, 0) || b.Is(v, 0xffffffff)
	}
	if !apart {
		return 0, false
	}
	return b.formula(uint8(i.Imm), i.Arg), true
}

func (b *Builder) simplifyShift(op word.Op, x, y word.Value) (word.Value, bool) {
	n, ok := b.Constant(y)
	if !ok {
		if b.Is(x, 0) {
			return x, true
		}
		return 0, false
	}
	if n == 0 {
		return x, true
	}
	if op == word.ShrS && b.maybe[x]>>31 == 0 {
		return b.ShrU(x, n), true
	}
	if op == word.ShrS {
		n = min(n, 31)
	} else if n > 31 {
		return b.Con(0), true
	}
	if inner := b.insts[x]; inner.Op == op {
		if inside, ok := b.Constant(inner.Arg[1]); ok {
			return b.Do(op, inner.Arg[0], b.Con(inside+n)), true
		}
	}
	if op == word.Shl && b.maybe[x]<<n == 0 || op == word.ShrU && b.maybe[x]>>n == 0 {
		return b.Con(0), true
	}
	if k, _ := b.Constant(y); k != n {
		return b.Do(op, x, b.Con(n)), true
	}
	return 0, false
}

// simplifyMinMax uses that bounds are often already kept. Values without their
// top bit are in the same order signed and unsigned.
func (b *Builder) simplifyMinMax(op word.Op, x, y word.Value) (word.Value, bool) {
	k, ok := b.Constant(y)
	if !ok {
		return 0, false
	}
	signed := op == word.MinS || op == word.MaxS
	smaller := op == word.MinU || op == word.MinS
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
func (b *Builder) simplifyPacked(op word.Op, x, y word.Value) (word.Value, bool) {
	switch op {
	case word.Add8, word.Add16, word.Sub8, word.Sub16, word.AddSatU8, word.AddSatU16, word.AddSatS8, word.AddSatS16,
		word.SubSatU8, word.SubSatU16, word.SubSatS8, word.SubSatS16, word.MaxU8, word.MaxU16, word.AbsDiffU8:
		if b.Is(y, 0) {
			return x, true
		}
	case word.MinU8, word.MinU16:
		if b.Is(y, 0) {
			return y, true
		}
	}
	if (op == word.SubSatU8 || op == word.SubSatU16) && b.Is(x, 0) {
		return x, true
	}
	if (op == word.MinU8 || op == word.MinU16) && b.Is(y, 0xffffffff) {
		return x, true
	}
	if (op == word.CmpGtU8 || op == word.CmpGtU16) && b.Is(x, 0) {
		return x, true
	}
	return 0, false
}
