package builder

import "github.com/vop-ptx/vop/rewrite/word"

func (b *Builder) simplifySum(op word.Op, x, y word.Value) (word.Value, bool) {
	inner := b.insts[x]
	k, yConst := b.Constant(y)
	switch {
	case op == word.Add && b.Is(y, 0):
		return x, true
	case op == word.Add && !yConst && b.startsAtZero(x):
		return b.accumulateOn(inner, y), true
	case op == word.Add && b.startsAtZero(y):
		return b.accumulateOn(b.insts[y], x), true
	case op == word.Add && yConst && inner.Op.Products().Width > 0:
		if start, ok := b.Constant(inner.Arg[2]); ok {
			return b.accumulateOn(inner, b.Con(start+k)), true
		}
	case op == word.Add && yConst && inner.Op == word.Add:
		if inside, ok := b.Constant(inner.Arg[1]); ok {
			return b.Do(word.Add, inner.Arg[0], b.Con(k+inside)), true
		}
	case op == word.Add && yConst && inner.Op == word.Sub:
		if inside, ok := b.Constant(inner.Arg[0]); ok {
			return b.Do(word.Sub, b.Con(k+inside), inner.Arg[1]), true
		}
	case op == word.Sub && yConst:
		return b.Do(word.Add, x, b.Con(-k)), true
	case op == word.Add && b.isNegation(y):
		return b.Do(word.Sub, x, b.insts[y].Arg[1]), true
	case op == word.Add && b.isNegation(x):
		return b.Do(word.Sub, y, inner.Arg[1]), true
	case op == word.Sub && b.isNegation(y):
		return b.Do(word.Add, x, b.insts[y].Arg[1]), true
	case op == word.Add && !yConst && b.CanDot(x, false):
		return b.Dotted(x, false, y), true
	case op == word.Add && !yConst && b.CanDot(y, false):
		return b.Dotted(y, false, x), true
	case op == word.Add && b.isHighOfProduct(x):
		return b.addedToHigh(x, y), true
	case op == word.Add && b.isHighOfProduct(y):
		return b.addedToHigh(y, x), true
	case op == word.Sub && b.CanDot(y, true):
		return b.Dotted(y, true, x), true
	case op == word.Mul && b.Is(y, 0):
		return y, true
	case op == word.Mul && b.Is(y, 1):
		return x, true
	case op == word.Mul && yConst && k&(k-1) == 0:
		n := uint32(0)
		for k>>n != 1 {
			n++
		}
		return b.Shl(x, n), true
	}
	return 0, false
}

// isHighOfProduct reports whether v is the high word of a wide product and a constant of one word.
func (b *Builder) isHighOfProduct(v word.Value) bool {
	high := b.insts[v]
	if !b.Caps.PTX || high.Op != word.Lo {
		return false
	}
	shift := b.insts[high.Arg[0]]
	if shift.Op != word.ShrWideU || shift.Imm != 32 {
		return false
	}
	sum := b.insts[shift.Arg[0]]
	if sum.Op != word.AddWide {
		return false
	}
	product, start := b.wideProductAndConstant(sum)
	return product != None && start>>32 == 0
}

// wideProductAndConstant returns what a wide sum adds; the product is none where it is something else.
func (b *Builder) wideProductAndConstant(sum word.Inst) (product word.Value, start uint64) {
	for n, v := range sum.Args() {
		k, other := b.insts[v], sum.Arg[1-n]
		if op := b.insts[other].Op; k.Op == word.WideConst && (op == word.MulWideS || op == word.MulWideU) {
			return other, k.Imm
		}
	}
	return None, 0
}

// addedToHigh adds a word to what isHighOfProduct says: it is the high word of what the product is added to, and comes with it.
func (b *Builder) addedToHigh(high, v word.Value) word.Value {
	shift := b.insts[b.insts[high].Arg[0]]
	product, start := b.wideProductAndConstant(b.insts[shift.Arg[0]])
	pair := b.Do(word.AddWide, b.WideCon(start), b.Do(word.ShlWide, b.Do(word.WideU, v), b.WideCon(32)))
	sum, _ := b.Halved(b.Do(word.AddWide, product, pair))
	return sum
}

// startsAtZero reports whether v accumulates on the constant 0.
func (b *Builder) startsAtZero(v word.Value) bool {
	i := &b.insts[v]
	switch i.Op {
	case word.SadU, word.SadS, word.SadU8, word.SadS8:
		return b.Is(i.Arg[2], 0)
	case word.DotU8, word.DotS8, word.DotU16, word.DotS16:
		return b.Is(i.Arg[1], 0)
	}
	return i.Op.Products().Width > 0 && b.Is(i.Arg[2], 0)
}

// accumulateOn repeats an instruction that accumulates, on another start.
func (b *Builder) accumulateOn(i word.Inst, start word.Value) word.Value {
	i.Arg[i.Op.Args()-1] = start
	return b.DoImm(i.Op, i.Imm, i.Arg[:i.Op.Args()]...)
}

// isNegation reports whether v is 0 - something.
func (b *Builder) isNegation(v word.Value) bool {
	return b.insts[v].Op == word.Sub && b.Is(b.insts[v].Arg[0], 0)
}

// simplifyDot leaves out dots of nothing and takes bytes and halves from where
// they come from: a weighted sum does not mind their order.
func (b *Builder) simplifyDot(i word.Inst) (word.Value, bool) {
	x, acc := i.Arg[0], i.Arg[1]
	if k, ok := b.Constant(x); ok {
		return b.Do(word.Add, acc, b.Con(uint32(i.Op.Apply(uint64(k), 0, 0, i.Imm)))), true
	}
	if inner := b.insts[x]; i.Op == word.DotU8 && i.Imm == 0x01010101 {
		switch {
		case inner.Op == word.AbsDiffU8 && b.Caps.Has(word.SadU8):
			return b.Do(word.SadU8, inner.Arg[0], inner.Arg[1], acc), true
		case inner.Op == word.AbsDiffS8 && b.Caps.Has(word.SadS8):
			return b.Do(word.SadS8, inner.Arg[0], inner.Arg[1], acc), true
		}
	}
	step := 1 // bytes in a lane
	if i.Op == word.DotU16 || i.Op == word.DotS16 {
		step = 2
	}
	source, weights := x, [4]int32{}
	found := false
	for k := range 4 / step {
		weight := word.Lane(uint32(i.Imm), k, 8, true)
		from, ok := b.laneOf(x, k*step, step)
		if weight == 0 || from.Zero {
			continue
		}
		if !ok || found && from.Src != source {
			return 0, false
		}
		source, found = from.Src, true
		weights[int(from.N)/step] += weight
	}
	if !found {
		return acc, true
	}
	imm := uint32(0)
	for k, weight := range weights {
		if weight != int32(int8(weight)) || weight < 0 && i.Op == word.DotS8 && b.Caps.NonNegativeDotS8 {
			return 0, false
		}
		imm |= uint32(uint8(weight)) << (8 * k)
	}
	if source == x && imm == uint32(i.Imm) {
		return 0, false
	}
	return b.DoImm(i.Op, uint64(imm), source, acc), true
}
