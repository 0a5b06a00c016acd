package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// selected lowers a SIMD form: the cheapest of its cores with the selected lanes in their places.
func selected(f isa.Form, caps word.Caps, facts Facts) *word.Program {
	b := &builder{caps: caps, facts: facts, shared: map[word.Inst]word.Value{}}
	var best *word.Program
	bestCost := 0
	for _, core := range Cores(f, caps, b.selectsTheSame(f)) {
		b.clear()
		x, y := b.lanesOf(f, f.ALane, 0), b.lanesOf(f, f.BLane, 1)
		p := needed(&word.Program{Insts: b.insts, Result: b.substituted(core, [2][4]pick{x, y})})
		if cost := caps.Cost(p); best == nil || cost < bestCost {
			best, bestCost = p, cost
		}
	}
	return best
}

// Substituted returns a core with bytes of a and b in the place of x and y: byte i of x is byte
// bytes[0][i] of the pair a, b (0 to 7), and byte i of y is byte bytes[1][i]. This is how every SIMD form
// gets its selectors; package prove holds it against its own way to do so.
func Substituted(core *word.Program, bytes [2][4]int, caps word.Caps) *word.Program {
	b := &builder{caps: caps, shared: map[word.Inst]word.Value{}}
	operands := [2]word.Value{b.input(0), b.input(1)}
	var picks [2][4]pick
	for n := range picks {
		for i, from := range bytes[n] {
			picks[n][i] = byteOf(operands[from/4], from%4)
		}
	}
	return needed(&word.Program{Insts: b.insts, Result: b.substituted(core, picks)})
}

// selectsTheSame reports whether a form selects the same lanes for x and y, of those that are in the mask.
func (b *builder) selectsTheSame(f isa.Form) bool {
	same := true
	x, y := b.lanesOf(f, f.ALane, 0), b.lanesOf(f, f.BLane, 1)
	for i := range x {
		same = same && (x[i] == y[i] || !f.Mask.Has(i*8/f.Op.LaneBits()))
	}
	return same
}

// lanesOf is stage 1: the bytes of the lanes that a selector takes from a and b. Lanes that
// are not in the mask are of no account, so if the others stand in their own places in one
// operand, it is that operand. own is the operand (0 is a) to prefer.
func (b *builder) lanesOf(f isa.Form, sel isa.Lanes, own int) (picks [4]pick) {
	operands := [2]word.Value{b.input(0), b.input(1)}
	lanes, size := f.Op.Lanes(), f.Op.LaneBits()/8
	for _, n := range []int{own, 1 - own} {
		inPlace := true
		for i := range lanes {
			from := sel.Lane(i)
			inPlace = inPlace && (!f.Mask.Has(i) || operands[from/lanes] == operands[n] && from%lanes == i)
		}
		if inPlace {
			return wordOf(operands[n])
		}
	}
	for i := range lanes {
		if f.Mask.Has(i) { // lanes that do not matter may be taken from where others are
			picks = wordOf(operands[sel.Lane(i)/lanes])
			break
		}
	}
	for i := range picks {
		if lane := i / size; f.Mask.Has(lane) {
			from := sel.Lane(lane)
			picks[i] = byteOf(operands[from/lanes], from%lanes*size+i%size)
		}
	}
	return picks
}

// wordOf picks all bytes of a value, each in its place.
func wordOf(v word.Value) (picks [4]pick) {
	for i := range picks {
		picks[i] = byteOf(v, i)
	}
	return picks
}

// substituted repeats the instructions of a core with the bytes of x and y taken from elsewhere. What only moves
// bytes of x and y moves them from where they are from at once; sums of lanes do not mind their
// order; and where two values have become the same, that is used. All else is copied.
func (b *builder) substituted(core *word.Program, xy [2][4]pick) word.Value {
	values := make([]word.Value, len(core.Insts))
	moved := make([]*[4]pick, len(core.Insts)) // of values that are only bytes of x and y
	for n := range core.Insts {
		i := core.Insts[n]
		args := i.Arg
		for k, v := range i.Args() {
			i.Arg[k] = values[v]
		}
		switch {
		case i.Op == word.Input && i.Imm < 2:
			moved[n] = &xy[i.Imm]
		case i.Op.Args() > 0:
			moved[n] = movedBytes(core, n, moved)
		}
		switch {
		case moved[n] != nil:
			values[n] = b.bytes(*moved[n])
		case i.Op == word.Input:
			values[n] = b.input(int(i.Imm))
		case isDot(i.Op) && moved[args[0]] != nil:
			values[n] = b.doImm(i.Op, i.Imm, i.Arg[:2]...)
		default:
			values[n] = b.copied(i)
		}
	}
	return values[core.Result]
}

func isDot(op word.Op) bool {
	return op == word.DotU8 || op == word.DotS8 || op == word.DotU16 || op == word.DotS16
}

// copied adds an instruction as it is, but where its arguments have become the same.
func (b *builder) copied(i word.Inst) word.Value {
	if i.Op == word.Select {
		if k, ok := b.constant(i.Arg[0]); ok {
			return i.Arg[1+(^k&1)]
		}
	}
	if v, ok := b.sameArguments(i.Op, i.Arg[0], i.Arg[1], i.Arg[2]); ok {
		return v
	}
	if i.Op.Commutes() && b.later(i.Arg[0], i.Arg[1]) {
		i.Arg[0], i.Arg[1] = i.Arg[1], i.Arg[0]
	}
	return b.emit(i)
}

// movedBytes returns the bytes of instruction n, if it only moves whole bytes of what is moved already.
func movedBytes(p *word.Program, n int, moved []*[4]pick) *[4]pick {
	i := &p.Insts[n]
	x := moved[i.Arg[0]]
	if x == nil {
		return nil
	}
	var picks [4]pick
	k, constant := p.ConstOf(i.Arg[1])
	switch i.Op {
	case word.And:
		for at := range picks {
			switch k >> (8 * at) & 0xff {
			case 0:
				picks[at] = zeroByte
			case 0xff:
				picks[at] = x[at]
			default:
				return nil
			}
		}
		return only(constant, &picks)
	case word.Shl, word.ShrU, word.ShrS:
		if k == 31 && i.Op == word.ShrS {
			return only(constant, &[4]pick{x[3].signed(), x[3].signed(), x[3].signed(), x[3].signed()})
		}
		if k%8 != 0 || k > 24 {
			return nil
		}
		for at := range picks {
			from := at + int(k/8)
			if i.Op == word.Shl {
				from = at - int(k/8)
			}
			switch {
			case from >= 0 && from < 4:
				picks[at] = x[from]
			case i.Op == word.ShrS:
				picks[at] = x[3].signed()
			default:
				picks[at] = zeroByte
			}
		}
		return only(constant, &picks)
	case word.Perm, word.PermS:
		for at := range picks {
			number := i.Imm >> (4 * at) & 15
			from := x
			if number&4 != 0 {
				from = moved[i.Arg[1]]
				if constant && k == 0 {
					from = &[4]pick{zeroByte, zeroByte, zeroByte, zeroByte}
				}
			}
			if from == nil {
				return nil
			}
			picks[at] = from[number&3]
			if number&8 != 0 {
				picks[at] = picks[at].signed()
			}
		}
		return &picks
	}
	return nil
}

func only(condition bool, picks *[4]pick) *[4]pick {
	if !condition {
		return nil
	}
	return picks
}

// signed picks the sign of a byte.
func (p pick) signed() pick {
	p.sign = !p.zero
	return p
}
