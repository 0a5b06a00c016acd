package lower

// simplify returns a value equal to an instruction that is cheaper than the
// instruction itself, if a rule knows one. Constants are the last argument of
// operations that commute.
func (b *builder) simplify(i Inst) (Value, bool) {
	x, y := i.Arg[0], i.Arg[1]
	if v, ok := b.sameArguments(i.Op, x, y, i.Arg[2]); ok {
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
	case Xor, AndNot, Sub, CmpLtU, CmpLtS, Sub8, Sub16, SubSatS, SubSatU8, SubSatU16, SubSatS8, SubSatS16,
		CmpGtU8, CmpGtU16, CmpGtS8, CmpGtS16, AbsDiffU8, AbsDiffS8:
		return b.con(0), true
	case CmpEq, CmpEq8, CmpEq16:
		return b.con(0xffffffff), true
	case SadU, SadS, SadU8, SadS8:
		return z, true
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

func (b *builder) simplifySum(op Op, x, y Value) (Value, bool) {
	inner := b.insts[x]
	k, yConst := b.constant(y)
	switch {
	case op == Add && b.is(y, 0):
		return x, true
	case op == Add && !yConst && b.startsAtZero(x):
		return b.accumulateOn(inner, y), true
	case op == Add && b.startsAtZero(y):
		return b.accumulateOn(b.insts[y], x), true
	case op == Add && yConst && inner.Op == Add:
		if inside, ok := b.constant(inner.Arg[1]); ok {
			return b.do(Add, inner.Arg[0], b.con(k+inside)), true
		}
	case op == Add && yConst && inner.Op == Sub:
		if inside, ok := b.constant(inner.Arg[0]); ok {
			return b.do(Sub, b.con(k+inside), inner.Arg[1]), true
		}
	case op == Sub && yConst:
		return b.do(Add, x, b.con(-k)), true
	case op == Add && b.isNegation(y):
		return b.do(Sub, x, b.insts[y].Arg[1]), true
	case op == Add && b.isNegation(x):
		return b.do(Sub, y, inner.Arg[1]), true
	case op == Sub && b.isNegation(y):
		return b.do(Add, x, b.insts[y].Arg[1]), true
	case op == Add && !yConst && b.canDot(x, false):
		return b.dotted(x, false, y), true
	case op == Add && !yConst && b.canDot(y, false):
		return b.dotted(y, false, x), true
	case op == Sub && b.canDot(y, true):
		return b.dotted(y, true, x), true
	case op == Mul && b.is(y, 0):
		return y, true
	case op == Mul && b.is(y, 1):
		return x, true
	case op == Mul && yConst && k&(k-1) == 0:
		n := uint32(0)
		for k>>n != 1 {
			n++
		}
		return b.shl(x, n), true
	}
	return 0, false
}

// startsAtZero reports whether v accumulates on the constant 0.
func (b *builder) startsAtZero(v Value) bool {
	i := &b.insts[v]
	switch i.Op {
	case SadU, SadS, SadU8, SadS8:
		return b.is(i.Arg[2], 0)
	case DotU8, DotS8, DotU16, DotS16:
		return b.is(i.Arg[1], 0)
	}
	return false
}

// accumulateOn repeats an instruction that accumulates, on another start.
func (b *builder) accumulateOn(i Inst, start Value) Value {
	i.Arg[i.Op.Args()-1] = start
	return b.doImm(i.Op, i.Imm, i.Arg[:i.Op.Args()]...)
}

// extract is a byte or half of a value, extended to a word.
type extract struct {
	src    Value
	shift  int // in bits
	width  lanes
	signed bool
}

// extractOf returns of what other value v is a byte or half.
func (b *builder) extractOf(v Value) (extract, bool) {
	var word [4]pick
	for i := range word {
		word[i] = b.origin(byteOf(v, i))
	}
	for _, width := range []lanes{8, 16} {
		p := word[0]
		if p.zero || p.sign || int(p.n)*8%int(width) != 0 {
			continue
		}
		for _, signed := range []bool{false, true} {
			if p.src != v && word == partOf(p.src, 8*int(p.n), int(width), signed) {
				return extract{p.src, 8 * int(p.n), width, signed}, true
			}
		}
	}
	return extract{}, false
}

// canDot reports whether v is a byte or half that a Dot of the target extracts and adds
// or subtracts at once.
func (b *builder) canDot(v Value, subtract bool) bool {
	if b.caps.DotIsLong {
		return false
	}
	e, ok := b.extractOf(v)
	if !ok {
		return false
	}
	op := dotOps.of(e.signed).at(e.width)
	return b.caps.Has(op) && !(subtract && op == DotS8 && b.caps.NonNegativeDotS8)
}

// dotted returns acc + v, or acc - v.
func (b *builder) dotted(v Value, subtract bool, acc Value) Value {
	e, _ := b.extractOf(v)
	weight := uint64(1)
	if subtract {
		weight = 0xff
	}
	return b.doImm(dotOps.of(e.signed).at(e.width), weight<<(8*(e.shift/int(e.width))), e.src, acc)
}

// simplifySad takes the difference of two bytes in their words: the other
// bytes are made equal, and add nothing.
func (b *builder) simplifySad(op Op, x, y, acc Value) (Value, bool) {
	p, ok := b.extractOf(x)
	q, ok2 := b.extractOf(y)
	packedOp := SadU8
	if op == SadS {
		packedOp = SadS8
	}
	if !ok || !ok2 || p.width != 8 || q.width != 8 || p.signed != q.signed || p.signed != (op == SadS) || !b.caps.Has(packedOp) {
		return 0, false
	}
	var word [4]pick
	for i := range word {
		word[i] = byteOf(p.src, i)
	}
	word[p.shift/8] = byteOf(q.src, q.shift/8)
	return b.do(packedOp, p.src, b.bytes(word), acc), true
}

// isNegation reports whether v is 0 - something.
func (b *builder) isNegation(v Value) bool {
	return b.insts[v].Op == Sub && b.is(b.insts[v].Arg[0], 0)
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
		SubSatU8, SubSatU16, SubSatS8, SubSatS16, MaxU8, MaxU16, AbsDiffU8, AddSatS, SubSatS:
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

// simplifyDot leaves out dots of nothing and takes bytes and halves from where
// they come from: a weighted sum does not mind their order.
func (b *builder) simplifyDot(i Inst) (Value, bool) {
	x, acc := i.Arg[0], i.Arg[1]
	if k, ok := b.constant(x); ok {
		return b.do(Add, acc, b.con(uint32(i.Op.Apply(uint64(k), 0, 0, i.Imm)))), true
	}
	if inner := b.insts[x]; i.Op == DotU8 && i.Imm == 0x01010101 {
		switch {
		case inner.Op == AbsDiffU8 && b.caps.Has(SadU8):
			return b.do(SadU8, inner.Arg[0], inner.Arg[1], acc), true
		case inner.Op == AbsDiffS8 && b.caps.Has(SadS8):
			return b.do(SadS8, inner.Arg[0], inner.Arg[1], acc), true
		}
	}
	step := 1 // bytes in a lane
	if i.Op == DotU16 || i.Op == DotS16 {
		step = 2
	}
	source, weights := x, [4]int32{}
	found := false
	for k := range 4 / step {
		weight := lane(uint32(i.Imm), k, 8, true)
		from, ok := b.laneOf(x, k*step, step)
		if weight == 0 || from.zero {
			continue
		}
		if !ok || found && from.src != source {
			return 0, false
		}
		source, found = from.src, true
		weights[int(from.n)/step] += weight
	}
	if !found {
		return acc, true
	}
	imm := uint32(0)
	for k, weight := range weights {
		if weight != int32(int8(weight)) || weight < 0 && i.Op == DotS8 && b.caps.NonNegativeDotS8 {
			return 0, false
		}
		imm |= uint32(uint8(weight)) << (8 * k)
	}
	if source == x && imm == uint32(i.Imm) {
		return 0, false
	}
	return b.doImm(i.Op, uint64(imm), source, acc), true
}

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
