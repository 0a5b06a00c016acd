package ssa

import (
	"slices"
	"strconv"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Emitter adds instructions to a block. It folds what is constant and finds what the block has
// computed before, unless it is literal.
type Emitter struct {
	*simt.Function
	Block   simt.BlockID // the current one
	At      int32        // the instruction of the text that those added come from, an index in check.Function.Body; or -1
	Literal bool         // every operation of the text becomes an instruction, for whoever watches
	known   *scope       // what the block has computed, and those that dominate it
	idom    []simt.BlockID
	scopes  []*scope    // by block; nil where there is one block only
	memory  []simt.Inst // where the instructions of a block are written before it is known how many there are
	lists   []simt.ID   // what Defs and Args are cut from
}

// NewEmitter returns an emitter of instructions for a function, which is not literal.
func NewEmitter(f *simt.Function) Emitter { return Emitter{Function: f, At: -1} }

// FindAcross lets computations be found in the blocks that dominate one, whose immediate dominators are given; before, each block
// stands for itself.
func (e *Emitter) FindAcross(idom []simt.BlockID) { e.idom, e.scopes = idom, make([]*scope, len(idom)) }

// computed identifies a computation: its operation, and what it is of.
type computed [5]simt.ID

// scope is what a block has computed, and what those have that dominate it.
type scope struct {
	values map[computed]simt.ID
	outer  *scope
}

// reach is how many blocks back a computation is looked for.
const reach = 16

// find returns the value of a computation, if it has been computed.
func (s *scope) find(c computed) (v simt.ID, ok bool) {
	for n := 0; s != nil && n < reach; s, n = s.outer, n+1 {
		if v, ok = s.values[c]; ok {
			return v, true
		}
	}
	return 0, false
}

// Enter goes on in another block, of about so many instructions. What a loop has computed is not used behind it: lanes leave
// it in different turns.
func (e *Emitter) Enter(b simt.BlockID, size int) {
	e.Block = b
	e.Blocks[b].Insts = slices.Grow(e.memory[:0], size)
	e.known = &scope{values: make(map[computed]simt.ID, size+size/4)}
	if e.scopes == nil {
		return
	}
	if d := e.idom[b]; d != simt.NoBlock && e.InLoop(b, e.Blocks[d].Loop) {
		e.known.outer = e.scopes[d]
	}
	e.scopes[b] = e.known
}

// Leave ends the block that has been entered: it gets memory of its own.
func (e *Emitter) Leave() {
	b := &e.Blocks[e.Block]
	b.Insts, e.memory = slices.Clone(b.Insts), b.Insts
}

// List returns a copy of a few IDs.
func (e *Emitter) List(ids ...simt.ID) []simt.ID {
	if len(ids) == 0 {
		return nil
	}
	if len(e.lists)+len(ids) > cap(e.lists) {
		e.lists = make([]simt.ID, 0, max(256, len(ids)))
	}
	n := len(e.lists)
	e.lists = append(e.lists, ids...)
	return e.lists[n:len(e.lists):len(e.lists)]
}

// Result makes a value that an instruction of the current block defines.
func (e *Emitter) Result(t simt.Type) simt.ID {
	return e.Define(t, e.Block)
}

// Add appends an instruction to the current block.
func (e *Emitter) Add(i simt.Inst) {
	i.At = e.At
	b := &e.Blocks[e.Block]
	b.Insts = append(b.Insts, i)
}

// Compute returns the value of an operation. The types of args are those of its shape.
func (e *Emitter) Compute(o op.Op, args ...simt.ID) simt.ID {
	shape := o.Shape()
	if !e.Literal {
		args = e.needed(o, args)
		if v, ok := e.folded(o, shape, args); ok {
			return v
		}
	}
	key := computed{simt.ID(o)}
	of := key[1 : 1+copy(key[1:], args)]
	if !e.Literal {
		if commutes(o) && of[0] > of[1] {
			of[0], of[1] = of[1], of[0]
		}
		if v, ok := e.known.find(key); ok {
			return v
		}
	}
	d := e.Result(simt.LetterType(shape[0]))
	e.Add(simt.Inst{Kind: simt.Compute, Op: o, Defs: e.List(d), Args: e.List(of...)})
	if !e.Literal {
		e.known.values[key] = d
	}
	return d
}

// Named is compute for an operation's name, which must exist.
func (e *Emitter) Named(name string, args ...simt.ID) simt.ID {
	return e.Compute(op.Must(name), args...)
}

// folded returns the value of an operation that need not be computed.
func (e *Emitter) folded(o op.Op, shape string, args []simt.ID) (v simt.ID, ok bool) {
	constant := true
	var bits [4]uint64
	for i, a := range args {
		k, is := e.ConstOf(a)
		bits[i], constant = k, constant && is
	}
	if constant {
		return e.Constant(simt.LetterType(shape[0]), op.Fold(o, bits[:len(args)]...)), true
	}
	return e.identity(o, args)
}

// the operations that identity knows, by what they are.
var (
	moves      = operations("mov.32", "mov.64", "mov.pred")
	selections = operations("selp.32", "selp.64", "selp.pred")
	// zeroNeutral are the operations whose second operand, if it is 0, leaves the first as it is.
	zeroNeutral = operations("add.u32", "add.s32", "add.u64", "add.s64", "sub.u32", "sub.s32", "sub.u64", "sub.s64",
		"or.b32", "or.b64", "xor.b32", "xor.b64", "or.pred", "xor.pred", "shl.b32", "shl.b64", "shr.u32", "shr.s32", "shr.u64", "shr.s64")
	zeroAbsorbing = operations("and.b32", "and.b64", "and.pred", "mul.lo.u32", "mul.lo.s32", "mul.lo.u64", "mul.lo.s64")
	sums32        = operations("add.u32", "add.s32")
	dotProducts   = operations("dp4a.u32.u32", "dp4a.u32.s32", "dp4a.s32.u32", "dp4a.s32.s32")
	// samesCancel are the operations that give 0 of a value and itself, and samesStay those that give the value.
	samesCancel = operations("sub.u32", "sub.s32", "sub.u64", "sub.s64", "xor.b16", "xor.b32", "xor.b64", "xor.pred")
	samesStay   = operations("and.b32", "and.b64", "and.pred", "or.b32", "or.b64", "or.pred", "min.u32", "min.s32", "max.u32", "max.s32", "min.u64", "min.s64", "max.u64", "max.s64")
	// samesDiffer are the comparisons that do not hold between a value and itself, and samesEqual those that do.
	samesDiffer = compares("ne", "lt", "gt")
	samesEqual  = compares("eq", "le", "ge")
	// shiftsOut are the shifts that leave 0 of a value, by how far.
	shiftsOut   = shifts(16, 32, 64)
	onesNeutral = operations("and.b32", "and.b64", "and.pred")
	commutative = operations("add.u16", "add.s16", "add.u32", "add.s32", "add.u64", "add.s64", "mul.lo.u16", "mul.lo.s16", "mul.lo.u32", "mul.lo.s32", "mul.lo.u64", "mul.lo.s64",
		"mul.wide.u32", "mul.wide.s32", "mul.wide.u16", "mul.wide.s16", "mul.hi.u32", "mul.hi.s32", "mul.hi.u64", "mul.hi.s64",
		"and.b16", "and.b32", "and.b64", "or.b16", "or.b32", "or.b64", "xor.b16", "xor.b32", "xor.b64", "and.pred", "or.pred", "xor.pred",
		"min.u32", "min.s32", "max.u32", "max.s32", "min.u64", "min.s64", "max.u64", "max.s64", "setp.eq.u32", "setp.ne.u32", "setp.eq.s32", "setp.ne.s32")
)

// nearby is how many instructions back the operand of a sum is looked for.
const nearby = 8

// accumulated returns the sum of a dot product that nothing is added to yet, and of another value.
func (e *Emitter) accumulated(product, other simt.ID) (v simt.ID, ok bool) {
	insts := e.Blocks[e.Block].Insts
	for n := len(insts) - 1; n >= 0 && n >= len(insts)-nearby; n-- {
		i := &insts[n]
		if i.Kind != simt.Compute || i.Defs[0] != product {
			continue
		}
		if !dotProducts[i.Op] {
			return 0, false
		}
		if bits, constant := e.ConstOf(i.Args[2]); !constant || bits != 0 {
			return 0, false
		}
		return e.Compute(i.Op, i.Args[0], i.Args[1], other), true
	}
	return 0, false
}

// operations returns by operation whether it has one of some names.
func operations(names ...string) []bool {
	all := make([]bool, op.All())
	for _, name := range names {
		all[op.Must(name)] = true
	}
	return all
}

// compares returns by operation whether it compares integers so.
func compares(relations ...string) []bool {
	var names []string
	for _, relation := range relations {
		for _, t := range []string{"u16", "s16", "u32", "s32", "u64", "s64"} {
			names = append(names, "setp."+relation+"."+t)
		}
	}
	return operations(names...)
}

// shifts returns by operation how far it shifts out all of a value of so many bits, 0 of what is no shift.
func shifts(widths ...int) []uint64 {
	all := make([]uint64, op.All())
	for _, width := range widths {
		for _, name := range []string{"shl.b", "shr.u"} {
			all[op.Must(name+strconv.Itoa(width))] = uint64(width)
		}
	}
	return all
}

func commutes(o op.Op) bool { return commutative[o] }

// identity returns what an operation gives that leaves an operand as it is, or does not depend on one.
func (e *Emitter) identity(o op.Op, args []simt.ID) (v simt.ID, ok bool) {
	switch {
	case moves[o]:
		return args[0], true
	case selections[o]:
		if k, ok := e.ConstOf(args[2]); ok {
			return args[1-k&1], true
		}
		return args[0], args[0] == args[1]
	}
	if sums32[o] {
		for i, a := range args {
			if v, ok := e.accumulated(a, args[1-i]); ok {
				return v, true
			}
		}
	}
	if commutes(o) {
		if _, ok := e.ConstOf(args[0]); ok {
			args = []simt.ID{args[1], args[0]}
		}
	}
	if len(args) < 2 {
		return 0, false
	}
	if args[0] == args[1] {
		switch {
		case samesCancel[o]:
			return e.Constant(e.Values[args[0]].Type, 0), true
		case samesStay[o]:
			return args[0], true
		case samesDiffer[o]:
			return e.Constant(simt.Pred, 0), true
		case samesEqual[o]:
			return e.Constant(simt.Pred, 1), true
		}
	}
	switch k, constant := e.ConstOf(args[1]); {
	case !constant:
	case shiftsOut[o] > 0 && k >= shiftsOut[o]:
		return e.Constant(e.Values[args[0]].Type, 0), true
	case k == 0 && zeroNeutral[o]:
		return args[0], true
	case k == 0 && zeroAbsorbing[o]:
		return args[1], true
	case onesNeutral[o] && k == e.Values[args[1]].Type.Ones():
		return args[0], true
	}
	return 0, false
}
