package lower

import (
	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// builder makes a Program. Every instruction is simplified as it is added
// (rules.go) and equal ones are shared, so the stages may be written plainly.
//
// Where there are several good ways to compute something, and which is best
// depends on what surrounds it, a stage asks choose. The program is then built
// once for every answer, and the cheapest is kept (see cheapest).
type builder struct {
	caps    word.Caps
	reading isa.Reading
	facts   Facts
	insts   []word.Inst
	maybe   []uint32 // bits that may be 1 in each word value; all ones for wide ones
	shared  shared

	live   []bool       // for needed
	spare  []word.Inst  // for fused
	values []word.Value // for what numbers values anew

	answers []int // to the calls of choose, in order
	limits  []int // how many answers each call had
	asked   int
}

// choose returns one of 0 to n-1.
func (b *builder) choose(n int) int {
	if b.asked == len(b.answers) {
		b.answers = append(b.answers, 0)
		b.limits = append(b.limits, n)
	}
	b.asked++
	return b.answers[b.asked-1]
}

// clear forgets what has been built.
func (b *builder) clear() {
	b.insts, b.maybe, b.asked = b.insts[:0], b.maybe[:0], 0
	b.shared.clear()
}

// maxTries bounds how many programs are built for one form. It is far above
// what the stages ask for.
const maxTries = 256

// cheapest builds a program with every combination of answers to choose and
// returns the one of the lowest cost; of equal ones the first.
func cheapest(caps word.Caps, reading isa.Reading, facts Facts, build func(b *builder) word.Value) *word.Program {
	b := &builder{caps: caps, reading: reading, facts: facts}
	var best *word.Program
	bestCost := 0
	b.ways(build, func(p *word.Program) {
		if cost := caps.Cost(p); best == nil || cost < bestCost {
			best, bestCost = p, cost
		}
	})
	return best
}

// ways builds a program with every combination of answers to choose.
func (b *builder) ways(build func(b *builder) word.Value, each func(p *word.Program)) {
	for range maxTries {
		b.clear()
		each(b.finish(build(b)))
		// The next combination, as an odometer: the last choice turns fastest.
		last := len(b.answers) - 1
		for last >= 0 && b.answers[last]+1 == b.limits[last] {
			last--
		}
		if last < 0 {
			return
		}
		b.answers[last]++
		b.answers, b.limits = b.answers[:last+1], b.limits[:last+1]
	}
}

// finish makes a Program of what has been built: three-input logic is formed
// where the target has it, and what the result does not need is left out. The program shares
// no memory with the builder, which builds the next one in its own.
func (b *builder) finish(result word.Value) *word.Program {
	p := b.trimmed(b.needed(b.insts, result))
	if !b.caps.Has(word.Logic3) {
		return b.needed(p.Insts, p.Result)
	}
	p = b.fused(p)
	for range maxFusions { // trees of logic may turn out to be constants, of which others are computed
		if !computesConstants(p) {
			break
		}
		p = b.fused(b.trimmed(p))
	}
	return p
}

// maxFusions bounds how often logic is fused anew.
const maxFusions = 4

// computesConstants reports whether all arguments of an operation are constants.
func computesConstants(p *word.Program) bool {
	for n := range p.Insts {
		varies := p.Insts[n].Op.Args() == 0
		for _, v := range p.Insts[n].Args() {
			op := p.Insts[v].Op
			varies = varies || op != word.Const && op != word.WideConst
		}
		if !varies {
			return true
		}
	}
	return false
}

// needed returns a program of the instructions that a result depends on.
func (b *builder) needed(insts []word.Inst, result word.Value) *word.Program {
	live := append(b.live[:0], make([]bool, len(insts))...)
	b.live = live
	live[result] = true
	n := 0
	for v := result; v >= 0; v-- {
		if live[v] {
			n++
			for _, arg := range insts[v].Args() {
				live[arg] = true
			}
		}
	}
	q := &word.Program{Insts: make([]word.Inst, 0, n)}
	moved := b.valuesOf(len(insts))
	for v, i := range insts {
		if !live[v] {
			continue
		}
		for k, arg := range i.Args() {
			i.Arg[k] = moved[arg]
		}
		moved[v] = word.Value(len(q.Insts))
		q.Insts = append(q.Insts, i)
	}
	q.Result = moved[result]
	return q
}

// valuesOf returns room for n values, until it is called again.
func (b *builder) valuesOf(n int) []word.Value {
	if cap(b.values) < n {
		b.values = make([]word.Value, 2*n)
	}
	return b.values[:n]
}

// emit appends an instruction, unless there is an equal one already.
func (b *builder) emit(i word.Inst) word.Value {
	at := b.shared.find(b.insts, &i)
	if at.value >= 0 {
		return at.value
	}
	v := word.Value(len(b.insts))
	b.insts = append(b.insts, i)
	b.maybe = append(b.maybe, b.bitsOf(i))
	b.shared.add(at, v)
	return v
}

// input returns operand n, or what is known about it.
func (b *builder) input(n int) word.Value {
	if b.facts.SameBC && n == 2 {
		n = 1
	}
	if b.facts.SameAC && n == 2 || b.facts.SameAB && n == 1 {
		n = 0
	}
	if k := b.facts.Known[n]; k.Is {
		return b.con(k.Value)
	}
	return b.emit(word.Inst{Op: word.Input, Imm: uint64(n)})
}

// con returns a constant.
func (b *builder) con(x uint32) word.Value { return b.emit(word.Inst{Op: word.Const, Imm: uint64(x)}) }

// wideCon returns a wide constant.
func (b *builder) wideCon(x uint64) word.Value { return b.emit(word.Inst{Op: word.WideConst, Imm: x}) }

// constant returns the constant that v is, if it is one.
func (b *builder) constant(v word.Value) (uint32, bool) {
	i := &b.insts[v]
	return uint32(i.Imm), i.Op == word.Const
}

// is reports whether v is the given constant.
func (b *builder) is(v word.Value, x uint32) bool {
	k, ok := b.constant(v)
	return ok && k == x
}

// do computes op on its arguments.
func (b *builder) do(op word.Op, args ...word.Value) word.Value { return b.doImm(op, 0, args...) }

// doImm computes op, which has an immediate, on its arguments.
func (b *builder) doImm(op word.Op, imm uint64, args ...word.Value) word.Value {
	i := word.Inst{Op: op, Imm: imm}
	copy(i.Arg[:], args)
	if op.Commutes() && b.later(i.Arg[0], i.Arg[1]) {
		i.Arg[0], i.Arg[1] = i.Arg[1], i.Arg[0]
	}
	if v, ok := b.fold(&i); ok {
		return v
	}
	if v, ok := b.simplify(i); ok {
		return v
	}
	return b.emit(i)
}

// later orders the arguments of operations that commute: constants last.
func (b *builder) later(x, y word.Value) bool {
	_, xConst := b.constant(x)
	_, yConst := b.constant(y)
	if xConst != yConst {
		return xConst
	}
	return x > y
}

// fold computes an instruction whose arguments are all constants.
func (b *builder) fold(i *word.Inst) (word.Value, bool) {
	var x [3]uint64
	for k, v := range i.Args() {
		arg := &b.insts[v]
		if arg.Op != word.Const && arg.Op != word.WideConst {
			return 0, false
		}
		x[k] = arg.Imm
	}
	r := i.Op.Apply(x[0], x[1], x[2], i.Imm)
	if i.Op.Wide() {
		return b.wideCon(r), true
	}
	return b.con(uint32(r)), true
}

// The plain operations, with constants as numbers where they usually are.

func (b *builder) and(x, y word.Value) word.Value    { return b.do(word.And, x, y) }
func (b *builder) or(x, y word.Value) word.Value     { return b.do(word.Or, x, y) }
func (b *builder) xor(x, y word.Value) word.Value    { return b.do(word.Xor, x, y) }
func (b *builder) not(x word.Value) word.Value       { return b.do(word.Not, x) }
func (b *builder) andNot(x, y word.Value) word.Value { return b.do(word.AndNot, x, y) }

func (b *builder) andCon(x word.Value, mask uint32) word.Value { return b.do(word.And, x, b.con(mask)) }
func (b *builder) xorCon(x word.Value, mask uint32) word.Value { return b.do(word.Xor, x, b.con(mask)) }
func (b *builder) shl(x word.Value, n uint32) word.Value       { return b.do(word.Shl, x, b.con(n)) }
func (b *builder) shrU(x word.Value, n uint32) word.Value      { return b.do(word.ShrU, x, b.con(n)) }
func (b *builder) shrS(x word.Value, n uint32) word.Value      { return b.do(word.ShrS, x, b.con(n)) }
