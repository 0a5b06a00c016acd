package builder

import "github.com/vop-ptx/vop/rewrite/word"

// Builder makes a Program. Every instruction is simplified as it is added
// (rules.go) and equal ones are shared, so the stages may be written plainly.
//
// Where there are several good ways to compute something, and which is best
// depends on what surrounds it, a stage asks Choose. The program is then built
// once for every answer, and the cheapest is kept (see Cheapest).
type Builder struct {
	Caps     word.Caps // of the target: to be read
	operands Operands
	insts    []word.Inst
	maybe    []uint32 // bits that may be 1 in each word value; all ones for wide ones
	shared   shared

	live   []bool       // for needed
	spare  []word.Inst  // for fused
	values []word.Value // for what numbers values anew

	answers []int // to the calls of Choose, in order
	limits  []int // how many answers each call had
	asked   int
}

// Choose returns one of 0 to n-1.
func (b *Builder) Choose(n int) int {
	if b.asked == len(b.answers) {
		b.answers = append(b.answers, 0)
		b.limits = append(b.limits, n)
	}
	b.asked++
	return b.answers[b.asked-1]
}

// Clear forgets what has been built.
func (b *Builder) Clear() {
	b.insts, b.maybe, b.asked = b.insts[:0], b.maybe[:0], 0
	b.shared.clear()
}

// maxTries bounds how many programs are built for one form. It is far above
// what the stages ask for.
const maxTries = 256

// Cheapest builds a program with every combination of answers to Choose and
// returns the one of the lowest cost; of equal ones the first.
func (b *Builder) Cheapest(build func() word.Value) *word.Program {
	var best *word.Program
	bestCost := 0
	b.Ways(build, func(p *word.Program) {
		if cost := b.Caps.Cost(p); best == nil || cost < bestCost {
			best, bestCost = p, cost
		}
	})
	return best
}

// Ways builds a program with every combination of answers to Choose.
func (b *Builder) Ways(build func() word.Value, each func(p *word.Program)) {
	for range maxTries {
		b.Clear()
		each(b.finish(build()))
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
func (b *Builder) finish(result word.Value) *word.Program {
	p := b.trimmed(b.needed(b.insts, result))
	if !b.Caps.Has(word.Logic3) {
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
func (b *Builder) needed(insts []word.Inst, result word.Value) *word.Program {
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
	moved := b.ValuesOf(len(insts))
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

// Built returns the program of a result as it has been built.
func (b *Builder) Built(result word.Value) *word.Program { return b.needed(b.insts, result) }

// ValuesOf returns room for n values, until it is called again.
func (b *Builder) ValuesOf(n int) []word.Value {
	if cap(b.values) < n {
		b.values = make([]word.Value, 2*n)
	}
	return b.values[:n]
}

// Emit appends an instruction, unless there is an equal one already.
func (b *Builder) Emit(i word.Inst) word.Value {
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

// Input returns operand n, or what is known about it.
func (b *Builder) Input(n int) word.Value {
	operand := &b.operands[n]
	if operand.Constant {
		return b.Con(operand.Value)
	}
	return b.Emit(word.Inst{Op: word.Input, Imm: uint64(operand.Same)})
}

// Con returns a constant.
func (b *Builder) Con(x uint32) word.Value { return b.Emit(word.Inst{Op: word.Const, Imm: uint64(x)}) }

// WideCon returns a wide constant.
func (b *Builder) WideCon(x uint64) word.Value { return b.Emit(word.Inst{Op: word.WideConst, Imm: x}) }

// Inst returns the instruction of a value, to be read.
func (b *Builder) Inst(v word.Value) *word.Inst { return &b.insts[v] }

// MayBe returns the bits of a word that may be 1.
func (b *Builder) MayBe(v word.Value) uint32 { return b.maybe[v] }

// Constant returns the constant that v is, if it is one.
func (b *Builder) Constant(v word.Value) (uint32, bool) {
	i := &b.insts[v]
	return uint32(i.Imm), i.Op == word.Const
}

// Is reports whether v is the given constant.
func (b *Builder) Is(v word.Value, x uint32) bool {
	k, ok := b.Constant(v)
	return ok && k == x
}

// IsWideZero reports whether v is the wide constant 0.
func (b *Builder) IsWideZero(v word.Value) bool {
	return b.insts[v] == word.Inst{Op: word.WideConst}
}

// Do computes op on its arguments.
func (b *Builder) Do(op word.Op, args ...word.Value) word.Value { return b.DoImm(op, 0, args...) }

// DoImm computes op, which has an immediate, on its arguments.
func (b *Builder) DoImm(op word.Op, imm uint64, args ...word.Value) word.Value {
	i := word.Inst{Op: op, Imm: imm}
	copy(i.Arg[:], args)
	if op.Commutes() && b.Later(i.Arg[0], i.Arg[1]) {
		i.Arg[0], i.Arg[1] = i.Arg[1], i.Arg[0]
	}
	if v, ok := b.Fold(&i); ok {
		return v
	}
	if v, ok := b.simplify(i); ok {
		return v
	}
	return b.Emit(i)
}

// Later orders the arguments of operations that commute: constants last.
func (b *Builder) Later(x, y word.Value) bool {
	_, xConst := b.Constant(x)
	_, yConst := b.Constant(y)
	if xConst != yConst {
		return xConst
	}
	return x > y
}

// Fold computes an instruction whose arguments are all constants.
func (b *Builder) Fold(i *word.Inst) (word.Value, bool) {
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
		return b.WideCon(r), true
	}
	return b.Con(uint32(r)), true
}
