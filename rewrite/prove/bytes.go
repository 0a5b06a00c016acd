package prove

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/word"
)

// byteSet is a set of operand bytes: bit 4n+i is byte i of operand n, 0 being a.
type byteSet uint16

func byteAt(operand, i int) byteSet { return 1 << (4*operand + i) }

// origins are the operand bytes that each bit of a word can depend on.
type origins [32]byteSet

// union returns everything that bits from to to-1 depend on.
func (o *origins) union(from, to int) (all byteSet) {
	for _, s := range o[from:to] {
		all |= s
	}
	return all
}

// traced returns what each bit of a program's result can depend on. It looks at
// the structure of the program alone: a sum is taken to carry everywhere it could, so the set
// may be too large, never too small. ok is false if the program has wide values, which
// are not traced.
func traced(p *word.Program) (result origins, ok bool) {
	values := make([]origins, len(p.Insts))
	for n := range p.Insts {
		i := &p.Insts[n]
		if i.Op.Wide() || i.Op.TakesWide() {
			return result, false
		}
		values[n] = traceInst(p, i, values)
	}
	return values[p.Result], true
}

func traceInst(p *word.Program, i *word.Inst, values []origins) (o origins) {
	var x, y, z *origins
	for k, to := range []**origins{&x, &y, &z}[:i.Op.Args()] {
		*to = &values[i.Arg[k]]
	}
	constant := func(k int) (uint32, bool) { return p.ConstOf(i.Arg[k]) }
	switch i.Op {
	case word.Input:
		for bit := range o {
			o[bit] = byteAt(int(i.Imm), bit/8)
		}
		return o
	case word.Const:
		return o
	case word.And, word.Or, word.Xor, word.Not, word.AndNot, word.Logic3, word.Select:
		for _, arg := range []*origins{x, y, z}[:i.Op.Args()] {
			for bit := range o {
				o[bit] |= arg[bit]
			}
		}
		if i.Op == word.Select {
			// The mask is a comparison: all its bits are one.
			return o
		}
		if k, ok := constant(min(1, i.Op.Args()-1)); ok && i.Op == word.And {
			for bit := range o {
				if k>>bit&1 == 0 {
					o[bit] = 0
				}
			}
		}
		if k, ok := constant(0); ok && i.Op == word.AndNot {
			for bit := range o {
				if k>>bit&1 == 0 {
					o[bit] = 0
				}
			}
		}
		return o
	case word.Shl, word.ShrU, word.ShrS:
		if n, ok := constant(1); ok {
			return shifted(i.Op, x, int(min(n, 32)))
		}
	case word.Perm, word.PermS:
		for bit := range o {
			number := int(i.Imm>>(4*(bit/8))) & 15
			from, at := x, 8*(number&3)+bit%8
			if number&4 != 0 {
				from = y
			}
			if number&8 != 0 {
				at = 8*(number&3) + 7
			}
			o[bit] = from[at]
		}
		return o
	}
	width := packedWidth(i.Op)
	for first := 0; first < 32; first += width {
		all := byteSet(0)
		for _, arg := range []*origins{x, y, z}[:i.Op.Args()] {
			all |= arg.union(first, first+width)
		}
		for bit := first; bit < first+width; bit++ {
			o[bit] = all
		}
	}
	return o
}

// shifted traces a shift by a constant.
func shifted(op word.Op, x *origins, n int) (o origins) {
	for bit := range o {
		from := bit + n
		if op == word.Shl {
			from = bit - n
		}
		switch {
		case from >= 0 && from < 32:
			o[bit] = x[from]
		case op == word.ShrS:
			o[bit] = x[31]
		}
	}
	return o
}

// packedWidth returns the width of the lanes that an operation keeps apart, 32 if
// it keeps none apart.
func packedWidth(op word.Op) int {
	switch op {
	case word.Add8, word.Sub8, word.AddSatU8, word.AddSatS8, word.SubSatU8, word.SubSatS8,
		word.MinU8, word.MaxU8, word.MinS8, word.MaxS8, word.AvgU8,
		word.CmpEq8, word.CmpGtU8, word.CmpGtS8, word.AbsDiffU8, word.AbsDiffS8:
		return 8
	case word.Add16, word.Sub16, word.AddSatU16, word.AddSatS16, word.SubSatU16, word.SubSatS16,
		word.MinU16, word.MaxU16, word.MinS16, word.MaxS16, word.AvgU16,
		word.CmpEq16, word.CmpGtU16, word.CmpGtS16:
		return 16
	}
	return 32
}

// meant returns the operand bytes that each byte of d depends on by the manual's
// own structure: lanes, selectors, masks and merges.
func meant(f isa.Form) (bytes [4]byteSet) {
	for i := range bytes {
		bytes[i] = byteAt(2, i)
	}
	if f.Second != isa.NoSecond || f.Op == isa.Vmad {
		all := meantPart(0, f.ASel) | meantPart(1, f.BSel)
		if f.Op.SIMD() {
			all = 0xff
		}
		for i := range bytes {
			bytes[i] = all | 0xf00
		}
		return bytes
	}
	if !f.Op.SIMD() {
		first, size := f.DSel.Shift()/8, f.DSel.Bits()/8
		for i := first; i < first+size; i++ {
			bytes[i] = meantPart(0, f.ASel) | meantPart(1, f.BSel)
		}
		return bytes
	}
	size := f.Op.LaneBits() / 8
	for i := range bytes {
		if lane := i / size; f.Mask.Has(lane) {
			bytes[i] = 0
			for _, sel := range []isa.Lanes{f.ALane, f.BLane} {
				for k := range size {
					from := sel.Lane(lane)*size + k // in the pair a, b
					bytes[i] |= byteAt(from/4, from%4)
				}
			}
		}
	}
	return bytes
}

func meantPart(operand int, sel isa.Part) (s byteSet) {
	for i := range sel.Bits() / 8 {
		s |= byteAt(operand, sel.Shift()/8+i)
	}
	return s
}
