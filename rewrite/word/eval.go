package word

import "math/bits"

// Eval runs the program on one triple of operands and returns d. It is the
// plain reading of each [Op]'s definition, for tests and for the prover; package
// level has fast ones.
func (p *Program) Eval(a, b, c uint32) uint32 {
	var room [64]uint64
	values := room[:]
	if len(p.Insts) > len(room) {
		values = make([]uint64, len(p.Insts))
	}
	p.evaluate(values, []uint32{a, b, c})
	return uint32(values[p.Result])
}

// Values returns what each instruction gives for operands, of which there are as many as the program reads.
func (p *Program) Values(operands ...uint32) []uint64 {
	values := make([]uint64, len(p.Insts))
	p.evaluate(values, operands)
	return values
}

func (p *Program) evaluate(values []uint64, operands []uint32) {
	for n := range p.Insts {
		i := &p.Insts[n]
		if i.Op == Input {
			values[n] = uint64(operands[i.Imm])
			continue
		}
		values[n] = i.Op.Apply(values[i.Arg[0]], values[i.Arg[1]], values[i.Arg[2]], i.Imm)
	}
}

// Apply computes one operation other than Input. Words are the low halves of
// x, y, z and of the result; arguments that the operation does not have are not
// looked at.
func (op Op) Apply(x, y, z, imm uint64) uint64 {
	if op.Wide() || op.TakesWide() {
		return op.applyWide(x, y, imm)
	}
	return uint64(op.applyWord(uint32(x), uint32(y), uint32(z), uint32(imm)))
}

func (op Op) applyWord(x, y, z, imm uint32) uint32 {
	switch op {
	case Const:
		return imm
	case And:
		return x & y
	case Or:
		return x | y
	case Xor:
		return x ^ y
	case Not:
		return ^x
	case AndNot:
		return x &^ y
	case Logic3:
		return logic3(x, y, z, imm)
	case Add:
		return x + y
	case Sub:
		return x - y
	case Mul:
		return x * y
	case Shl:
		return x << y
	case ShrU:
		return x >> y
	case ShrS:
		return uint32(int32(x) >> y)
	case MinU:
		return min(x, y)
	case MaxU:
		return max(x, y)
	case MinS:
		return uint32(min(int32(x), int32(y)))
	case MaxS:
		return uint32(max(int32(x), int32(y)))
	case CmpEq:
		return Ones(x == y)
	case CmpLtU:
		return Ones(x < y)
	case CmpLtS:
		return Ones(int32(x) < int32(y))
	case Select:
		return x&y | z&^x
	case SadU:
		return z + max(x, y) - min(x, y)
	case SadS:
		return z + uint32(max(int32(x), int32(y))-min(int32(x), int32(y)))
	case Perm, PermS:
		return perm(x, y, imm)
	case PackSatS8, PackSatU8:
		lo, hi := int64(int32(x)), int64(int32(y))
		return clamp(lo, 8, op == PackSatS8) | clamp(hi, 8, op == PackSatS8)<<8 | z<<16
	case PackSatS16, PackSatU16:
		lo, hi := int64(int32(x)), int64(int32(y))
		return clamp(lo, 16, op == PackSatS16) | clamp(hi, 16, op == PackSatS16)<<16
	case SadU8:
		return z + sum(packed(AbsDiffU8, x, y), 8, false, 0x01010101)
	case SadS8:
		return z + sum(packed(AbsDiffS8, x, y), 8, false, 0x01010101)
	case FunnelL:
		return uint32((uint64(y)<<32 | uint64(x)) << min(z, 32) >> 32)
	case FunnelR:
		return uint32((uint64(y)<<32 | uint64(x)) >> min(z, 32))
	case DotU8, DotS8:
		return y + sum(x, 8, op == DotS8, imm)
	case DotU16, DotS16:
		return y + sum(x, 16, op == DotS16, imm)
	}
	if lanes := op.Products(); lanes.Width > 0 {
		return z + lanes.sum(x, y)
	}
	return packed(op, x, y)
}

// Ones returns the mask of a truth value: ffffffff or 0.
func Ones(b bool) uint32 {
	if b {
		return 0xffffffff
	}
	return 0
}

// logic3 reads the table once for each of its eight rows.
func logic3(x, y, z, table uint32) uint32 {
	r := uint32(0)
	for row := range uint32(8) {
		if table>>row&1 != 0 {
			r |= matches(x, row>>2) & matches(y, row>>1) & matches(z, row)
		}
	}
	return r
}

// matches returns the bits of x that equal the lowest bit of want.
func matches(x, want uint32) uint32 { return x ^ (want&1 - 1) }

// perm is PTX prmt in its default mode.
func perm(x, y, selector uint32) uint32 {
	pair := uint64(y)<<32 | uint64(x)
	r := uint32(0)
	for i := range 4 {
		number := selector >> (4 * i)
		b := uint32(pair>>(8*(number&7))) & 0xff
		if number&8 != 0 {
			b = Ones(b >= 0x80) & 0xff
		}
		r |= b << (8 * i)
	}
	return r
}

// clamp brings x into the range of an integer of the given width and returns
// that many low bits.
func clamp(x int64, width int, signed bool) uint32 {
	lowest, highest := int64(0), int64(1)<<width-1
	if signed {
		lowest, highest = -1<<(width-1), 1<<(width-1)-1
	}
	return uint32(max(min(x, highest), lowest) & (1<<width - 1))
}

// Lane returns lane i of x, of the given width, extended.
func Lane(x uint32, i, width int, signed bool) int32 {
	top := x << (32 - width*(i+1))
	if signed {
		return int32(top) >> (32 - width)
	}
	return int32(top >> (32 - width))
}

// sum adds the lanes of x times the signed bytes of weights.
func sum(x uint32, width int, signed bool, weights uint32) uint32 {
	total := int32(0)
	for i := range 32 / width {
		total += Lane(x, i, width, signed) * Lane(weights, i, 8, true)
	}
	return uint32(total)
}

// sum adds the products of the lanes of x and the bytes of y.
func (l Lanes) sum(x, y uint32) uint32 {
	total := uint32(0)
	for i := range 32 / l.Width {
		total += uint32(Lane(x, i, l.Width, l.SignedX)) * uint32(Lane(y, i, 8, l.SignedY))
	}
	return total
}

// packedOps says how a packed operation reads its lanes and what it does with them.
var packedOps = func() (table [numOps]struct {
	width  int
	signed bool
	f      func(x, y int32) int32
}) {
	set := func(op8, op16 Op, signed bool, f func(x, y, lowest, highest int32) int32) {
		for width, op := range map[int]Op{8: op8, 16: op16} {
			lowest, highest := int32(0), int32(1)<<width-1
			if signed {
				lowest, highest = -1<<(width-1), 1<<(width-1)-1
			}
			table[op].width, table[op].signed = width, signed
			table[op].f = func(x, y int32) int32 { return f(x, y, lowest, highest) }
		}
	}
	add := func(x, y, _, _ int32) int32 { return x + y }
	sub := func(x, y, _, _ int32) int32 { return x - y }
	addSat := func(x, y, lowest, highest int32) int32 { return max(min(x+y, highest), lowest) }
	subSat := func(x, y, lowest, highest int32) int32 { return max(min(x-y, highest), lowest) }
	smaller := func(x, y, _, _ int32) int32 { return min(x, y) }
	larger := func(x, y, _, _ int32) int32 { return max(x, y) }
	equal := func(x, y, _, _ int32) int32 { return int32(Ones(x == y)) }
	greater := func(x, y, _, _ int32) int32 { return int32(Ones(x > y)) }

	set(Add8, Add16, false, add)
	set(Sub8, Sub16, false, sub)
	set(AddSatU8, AddSatU16, false, addSat)
	set(AddSatS8, AddSatS16, true, addSat)
	set(SubSatU8, SubSatU16, false, subSat)
	set(SubSatS8, SubSatS16, true, subSat)
	set(MinU8, MinU16, false, smaller)
	set(MinS8, MinS16, true, smaller)
	set(MaxU8, MaxU16, false, larger)
	set(MaxS8, MaxS16, true, larger)
	set(AvgU8, AvgU16, false, func(x, y, _, _ int32) int32 { return (x + y + 1) >> 1 })
	set(CmpEq8, CmpEq16, false, equal)
	set(CmpGtU8, CmpGtU16, false, greater)
	set(CmpGtS8, CmpGtS16, true, greater)
	for _, op := range []Op{AbsDiffU8, AbsDiffS8} {
		table[op].width, table[op].signed = 8, op == AbsDiffS8
		table[op].f = func(x, y int32) int32 { return max(x-y, y-x) }
	}
	return table
}()

// packed applies a packed operation lane by lane.
func packed(op Op, x, y uint32) uint32 {
	how := &packedOps[op]
	r := uint32(0)
	for i := range 32 / how.width {
		t := how.f(Lane(x, i, how.width, how.signed), Lane(y, i, how.width, how.signed))
		r |= uint32(t) << (32 - how.width) >> (32 - how.width*(i+1))
	}
	return r
}

func (op Op) applyWide(x, y, imm uint64) uint64 {
	switch op {
	case WideConst:
		return imm
	case WideU:
		return uint64(uint32(x))
	case WideS:
		return uint64(int64(int32(x)))
	case MulWideU:
		hi, lo := bits.Mul32(uint32(x), uint32(y))
		return uint64(hi)<<32 | uint64(lo)
	case MulWideS:
		return uint64(int64(int32(x)) * int64(int32(y)))
	case AddWide:
		return x + y
	case SubWide:
		return x - y
	case ShlWide:
		return x << y
	case ShrWideU:
		return x >> imm
	case ShrWideS:
		return uint64(int64(x) >> imm)
	case MinWideU:
		return min(x, y)
	case MinWideS:
		return uint64(min(int64(x), int64(y)))
	case MaxWideS:
		return uint64(max(int64(x), int64(y)))
	case Lo:
		return uint64(uint32(x))
	}
	panic("word: Apply: " + op.String() + " computes nothing")
}
