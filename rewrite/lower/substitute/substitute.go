package substitute

import (
	"slices"

	"github.com/vop-ptx/vop/rewrite/lower/builder"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Shorter returns a core with selected bytes in the place of x and y: byte i of x is byte number selection[0][i] of the
// pair a, b, and byte i of y is byte selection[1][i]. Of the ways to add lanes it takes the cheaper.
func Shorter(b *builder.Builder, core *word.Program, selection [2][4]int) *word.Program {
	p := substituteAs(b, core, selection, false)
	if !b.Caps.PTX || !slices.ContainsFunc(core.Insts, addsLanes) {
		return p
	}
	if gathered := substituteAs(b, core, selection, true); b.Caps.Cost(gathered) < b.Caps.Cost(p) {
		return gathered
	}
	return p
}

// Gathered is Shorter with sums of lanes gathered by registers (gather.go), also where that is longer.
func Gathered(b *builder.Builder, core *word.Program, selection [2][4]int) *word.Program {
	return substituteAs(b, core, selection, true)
}

// substituteAs is Shorter with sums of lanes as they are, or gathered by registers.
func substituteAs(b *builder.Builder, core *word.Program, selection [2][4]int, gather bool) *word.Program {
	b.Clear()
	var picks [2]picked
	for n := range picks {
		for i, from := range selection[n] {
			picks[n][i] = builder.ByteOf(b.Input(from/4), from%4)
		}
	}
	return b.Built(copier{b}.substituted(core, picks, gather))
}

// copier copies the instructions of cores into a builder.
type copier struct{ *builder.Builder }

// substituted repeats the instructions of a core with the bytes of x and y taken from elsewhere. What only moves
// bytes of x and y moves them from where they are from at once; sums of lanes do not mind their
// order; and where two values have become the same, that is used. All else is copied.
func (b copier) substituted(core *word.Program, xy [2]picked, gather bool) word.Value {
	var room [64]*picked
	values := b.ValuesOf(len(core.Insts))
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
			values[n] = b.Bytes(*moved[n])
		case i.Op == word.Input:
			values[n] = b.Input(int(i.Imm))
		case addsLanes(i) && moved[args[0]].isUnsigned():
			sum, ok := builder.None, false
			if gather {
				sum, ok = b.gathers(i, moved[args[0]], i.Arg[1])
			}
			if !ok {
				sum = b.DoImm(i.Op, i.Imm, i.Arg[:2]...)
			}
			values[n] = sum
		default:
			values[n] = b.copied(i)
		}
	}
	return values[core.Result]
}

// picked is a word of picked bytes.
type picked [4]builder.Pick

// isUnsigned reports whether there are such bytes, and no signs among them.
func (p *picked) isUnsigned() bool {
	return p != nil && !p[0].Sign && !p[1].Sign && !p[2].Sign && !p[3].Sign
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
func (b copier) copied(i word.Inst) word.Value {
	if v, ok := b.Fold(&i); ok {
		return v
	}
	if (i.Op == word.Add || i.Op == word.Sub) && b.Is(i.Arg[1], 0) {
		return i.Arg[0]
	}
	if i.Op == word.Add && b.Is(i.Arg[0], 0) {
		return i.Arg[1]
	}
	if i.Op == word.Select {
		if k, ok := b.Constant(i.Arg[0]); ok {
			return i.Arg[1+(^k&1)]
		}
	}
	if v, ok := b.SameArguments(i.Op, i.Arg[0], i.Arg[1], i.Arg[2]); ok {
		return v
	}
	if i.Op.Commutes() && b.Later(i.Arg[0], i.Arg[1]) {
		i.Arg[0], i.Arg[1] = i.Arg[1], i.Arg[0]
	}
	return b.Emit(i)
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
				picks[at] = builder.ZeroByte
			case 0xff:
				picks[at] = x[at]
			default:
				return nil
			}
		}
		return only(constant, &picks)
	case word.Shl, word.ShrU, word.ShrS:
		if k == 31 && i.Op == word.ShrS {
			return only(constant, &picked{x[3].Signed(), x[3].Signed(), x[3].Signed(), x[3].Signed()})
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
				picks[at] = x[3].Signed()
			default:
				picks[at] = builder.ZeroByte
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
					from = &picked{builder.ZeroByte, builder.ZeroByte, builder.ZeroByte, builder.ZeroByte}
				}
			}
			if from == nil {
				return nil
			}
			picks[at] = from[number&3]
			if number&8 != 0 {
				picks[at] = picks[at].Signed()
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
