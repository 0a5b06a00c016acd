package lower

import (
	"slices"

	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// A Selection says where the words x and y of a core are from: byte i of x is byte number s[0][i] of the pair a, b
// (0 to 3 are a's, 4 to 7 b's), byte i of y is byte s[1][i].
type Selection [2][4]int

// selected lowers a SIMD form: the cheapest of its cores with the selected bytes in their places.
func selected(f isa.Form, caps word.Caps, facts Facts) *word.Program {
	s := SelectionOf(f, facts)
	var best *word.Program
	bestCost := 0
	b := &builder{caps: caps, facts: facts}
	for _, core := range Cores(f, caps, s.sameIn(f)) {
		p := s.substituted(b, core)
		if cost := caps.Cost(p); best == nil || cost < bestCost {
			best, bestCost = p, cost
		}
	}
	return best
}

// Substituted returns a core with selected bytes of a and b in the place of x and y. This is how every SIMD form
// gets its selectors; package prove holds it against its own way to do so.
func (s Selection) Substituted(core *word.Program, caps word.Caps) *word.Program {
	return s.substituted(&builder{caps: caps}, core)
}

// Gathered is Substituted with sums of lanes gathered by registers (gather.go), also where that is longer.
func (s Selection) Gathered(core *word.Program, caps word.Caps) *word.Program {
	return s.substitutedAs(&builder{caps: caps}, core, true)
}

// substituted takes the cheaper way to add lanes.
func (s Selection) substituted(b *builder, core *word.Program) *word.Program {
	p := s.substitutedAs(b, core, false)
	if !b.caps.PTX || !slices.ContainsFunc(core.Insts, addsLanes) {
		return p
	}
	if gathered := s.substitutedAs(b, core, true); b.caps.Cost(gathered) < b.caps.Cost(p) {
		return gathered
	}
	return p
}

// substitutedAs is substituted with sums of lanes as they are, or gathered by registers.
func (s Selection) substitutedAs(b *builder, core *word.Program, gather bool) *word.Program {
	b.clear()
	var picks [2]picked
	for n := range picks {
		for i, from := range s[n] {
			picks[n][i] = byteOf(b.input(from/4), from%4)
		}
	}
	result := b.substituted(core, picks, gather)
	return b.needed(b.insts, result)
}

// SelectionOf is stage 1 of a SIMD form: the bytes that its selectors take. Bytes of lanes that are not in the mask are of no account.
func SelectionOf(f isa.Form, facts Facts) (s Selection) {
	for n, sel := range []isa.Lanes{f.ALane, f.BLane} {
		s[n] = bytesOf(f, sel, n, facts.SameAB)
	}
	return s
}

// sameIn reports whether x and y have the same bytes in the lanes of a form's mask.
func (s Selection) sameIn(f isa.Form) bool {
	for i := range s[0] {
		if s[0][i] != s[1][i] && f.Mask.Has(i*8/f.Op.LaneBits()) {
			return false
		}
	}
	return true
}

// bytesOf returns the bytes of the lanes that a selector takes. If those in the mask stand
// in their own places in one operand, it is that operand; own is the operand to prefer. With sameAB all are a's.
func bytesOf(f isa.Form, sel isa.Lanes, own int, sameAB bool) (bytes [4]int) {
	lanes, size := f.Op.Lanes(), f.Op.LaneBits()/8
	lane := func(i int) int { // in the pair
		if sameAB {
			return sel.Lane(i) % lanes
		}
		return sel.Lane(i)
	}
	any, inPlace := -1, [2]bool{true, true} // a lane in the mask; whether all are in their places in an operand
	for i := range lanes {
		if f.Mask.Has(i) {
			from := lane(i)
			if any < 0 {
				any = from
			}
			for n := range inPlace {
				inPlace[n] = inPlace[n] && from == i+n*lanes
			}
		}
	}
	other := any / lanes // the operand for lanes that do not matter
	switch {
	case inPlace[own]:
		other = own
	case inPlace[1-own]:
		other = 1 - own
	}
	for i := range bytes {
		bytes[i] = 4*other + i
		if to := i / size; f.Mask.Has(to) {
			bytes[i] = lane(to)*size + i%size
		}
	}
	return bytes
}

// picked is a word of picked bytes.
type picked [4]pick

// isUnsigned reports whether there are such bytes, and no signs among them.
func (p *picked) isUnsigned() bool {
	return p != nil && !p[0].sign && !p[1].sign && !p[2].sign && !p[3].sign
}

// substituted repeats the instructions of a core with the bytes of x and y taken from elsewhere. What only moves
// bytes of x and y moves them from where they are from at once; sums of lanes do not mind their
// order; and where two values have become the same, that is used. All else is copied.
func (b *builder) substituted(core *word.Program, xy [2]picked, gather bool) word.Value {
	var room [64]*picked
	values := b.valuesOf(len(core.Insts))
	moved := append(room[:0], make([]*picked, len(core.Insts))...) // of values that are only bytes of x and y
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
		case addsLanes(i) && moved[args[0]].isUnsigned():
			sum, ok := none, false
			if gather {
				sum, ok = b.gathers(i, moved[args[0]], i.Arg[1])
			}
			if !ok {
				sum = b.doImm(i.Op, i.Imm, i.Arg[:2]...)
			}
			values[n] = sum
		default:
			values[n] = b.copied(i)
		}
	}
	return values[core.Result]
}

// addsLanes reports whether an instruction adds lanes, or subtracts lanes, each once, or adds them twice: package prove
// tries those with all bytes, so that no others may be done otherwise than by copying.
func addsLanes(i word.Inst) bool {
	if i.Op.Weighs() == 0 {
		return false
	}
	each := uint64(0) // the weight of all lanes that have one
	for k := range 4 {
		switch weight := i.Imm >> (8 * k) & 0xff; {
		case weight == 0:
		case weight != 1 && weight != 2 && weight != 0xff, each != 0 && weight != each:
			return false
		default:
			each = weight
		}
	}
	return each != 0
}

// copied adds an instruction as it is, but where its arguments have become the same, or constants.
func (b *builder) copied(i word.Inst) word.Value {
	if v, ok := b.fold(&i); ok {
		return v
	}
	if (i.Op == word.Add || i.Op == word.Sub) && b.is(i.Arg[1], 0) {
		return i.Arg[0]
	}
	if i.Op == word.Add && b.is(i.Arg[0], 0) {
		return i.Arg[1]
	}
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
func movedBytes(p *word.Program, n int, moved []*picked) *picked {
	i := &p.Insts[n]
	x := moved[i.Arg[0]]
	if x == nil {
		return nil
	}
	var picks picked
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
			return only(constant, &picked{x[3].signed(), x[3].signed(), x[3].signed(), x[3].signed()})
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
					from = &picked{zeroByte, zeroByte, zeroByte, zeroByte}
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

func only(condition bool, picks *picked) *picked {
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
