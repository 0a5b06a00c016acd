package lower

import "github.com/vop-ptx/vop/isa"

// builder makes a Program. Every instruction is simplified as it is added
// (rules.go) and equal ones are shared, so the stages may be written plainly.
//
// Where there are several good ways to compute something, and which is best
// depends on what surrounds it, a stage asks choose. The program is then built
// once for every answer, and the cheapest is kept (see cheapest).
type builder struct {
	caps    Caps
	reading isa.Reading
	facts   Facts
	insts   []Inst
	maybe   []uint32 // bits that may be 1 in each word value; all ones for wide ones
	shared  map[Inst]Value

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
	b.insts, b.maybe, b.asked = nil, nil, 0
	clear(b.shared)
}

// maxTries bounds how many programs are built for one form. It is far above
// what the stages ask for.
const maxTries = 256

// cheapest builds a program with every combination of answers to choose and
// returns the one of the lowest cost; of equal ones the first.
func cheapest(caps Caps, reading isa.Reading, facts Facts, build func(b *builder) Value) *Program {
	b := &builder{caps: caps, reading: reading, facts: facts, shared: map[Inst]Value{}}
	var best *Program
	bestCost := 0
	for range maxTries {
		b.clear()
		p := b.finish(build(b))
		if cost := caps.cost(p); best == nil || cost < bestCost {
			best, bestCost = p, cost
		}
		// The next combination, as an odometer: the last choice turns fastest.
		last := len(b.answers) - 1
		for last >= 0 && b.answers[last]+1 == b.limits[last] {
			last--
		}
		if last < 0 {
			break
		}
		b.answers[last]++
		b.answers, b.limits = b.answers[:last+1], b.limits[:last+1]
	}
	return best
}

// finish makes a Program of what has been built: three-input logic is formed
// where the target has it, and what the result does not need is left out.
func (b *builder) finish(result Value) *Program {
	p := b.trimmed(needed(&Program{Insts: b.insts, Result: result}))
	if b.caps.Has(Logic3) {
		p = fuseLogic(p)
	}
	return needed(p)
}

// needed returns the program without the instructions its result does not depend on.
func needed(p *Program) *Program {
	live := make([]bool, len(p.Insts))
	live[p.Result] = true
	n := 0
	for v := p.Result; v >= 0; v-- {
		if live[v] {
			n++
			for _, arg := range p.Insts[v].args() {
				live[arg] = true
			}
		}
	}
	q := &Program{Insts: make([]Inst, 0, n)}
	moved := make([]Value, len(p.Insts))
	for v := range p.Insts {
		if !live[v] {
			continue
		}
		i := p.Insts[v]
		for k, arg := range i.args() {
			i.Arg[k] = moved[arg]
		}
		moved[v] = Value(len(q.Insts))
		q.Insts = append(q.Insts, i)
	}
	q.Result = moved[p.Result]
	return q
}

// emit appends an instruction, unless there is an equal one already.
func (b *builder) emit(i Inst) Value {
	if v, ok := b.shared[i]; ok {
		return v
	}
	v := Value(len(b.insts))
	b.insts = append(b.insts, i)
	b.maybe = append(b.maybe, b.bitsOf(i))
	b.shared[i] = v
	return v
}

// input returns operand n, or what is known about it.
func (b *builder) input(n int) Value {
	if b.facts.SameBC && n == 2 {
		n = 1
	}
	if b.facts.SameAC && n == 2 || b.facts.SameAB && n == 1 {
		n = 0
	}
	if k := b.facts.Known[n]; k.Is {
		return b.con(k.Value)
	}
	return b.emit(Inst{Op: Input, Imm: uint64(n)})
}

// con returns a constant.
func (b *builder) con(x uint32) Value { return b.emit(Inst{Op: Const, Imm: uint64(x)}) }

// wideCon returns a wide constant.
func (b *builder) wideCon(x uint64) Value { return b.emit(Inst{Op: WideConst, Imm: x}) }

// constant returns the constant that v is, if it is one.
func (b *builder) constant(v Value) (uint32, bool) {
	i := &b.insts[v]
	return uint32(i.Imm), i.Op == Const
}

// is reports whether v is the given constant.
func (b *builder) is(v Value, x uint32) bool {
	k, ok := b.constant(v)
	return ok && k == x
}

// do computes op on its arguments.
func (b *builder) do(op Op, args ...Value) Value { return b.doImm(op, 0, args...) }

// doImm computes op, which has an immediate, on its arguments.
func (b *builder) doImm(op Op, imm uint64, args ...Value) Value {
	i := Inst{Op: op, Imm: imm}
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
func (b *builder) later(x, y Value) bool {
	_, xConst := b.constant(x)
	_, yConst := b.constant(y)
	if xConst != yConst {
		return xConst
	}
	return x > y
}

// fold computes an instruction whose arguments are all constants.
func (b *builder) fold(i *Inst) (Value, bool) {
	var x [3]uint64
	for k, v := range i.args() {
		arg := &b.insts[v]
		if arg.Op != Const && arg.Op != WideConst {
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

func (b *builder) and(x, y Value) Value    { return b.do(And, x, y) }
func (b *builder) or(x, y Value) Value     { return b.do(Or, x, y) }
func (b *builder) xor(x, y Value) Value    { return b.do(Xor, x, y) }
func (b *builder) not(x Value) Value       { return b.do(Not, x) }
func (b *builder) andNot(x, y Value) Value { return b.do(AndNot, x, y) }

func (b *builder) andCon(x Value, mask uint32) Value { return b.do(And, x, b.con(mask)) }
func (b *builder) xorCon(x Value, mask uint32) Value { return b.do(Xor, x, b.con(mask)) }
func (b *builder) shl(x Value, n uint32) Value       { return b.do(Shl, x, b.con(n)) }
func (b *builder) shrU(x Value, n uint32) Value      { return b.do(ShrU, x, b.con(n)) }
func (b *builder) shrS(x Value, n uint32) Value      { return b.do(ShrS, x, b.con(n)) }
