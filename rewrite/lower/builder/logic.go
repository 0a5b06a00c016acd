package builder

import (
	"sync"

	"github.com/vop-ptx/vop/rewrite/word"
)

// The tables of the arguments of a three-input function, as lop3 numbers them:
// the table of any function is the function of these.
const (
	TableX = 0xf0
	TableY = 0xcc
	TableZ = 0xaa
)

// Table computes a three-input function, given by its table, bit by bit.
func (b *Builder) Table(table uint8, x, y, z word.Value) word.Value {
	if b.Caps.Has(word.Logic3) {
		return b.DoImm(word.Logic3, uint64(table), x, y, z)
	}
	return b.formula(table, [3]word.Value{x, y, z})
}

// formula computes a three-input function with two-input operations.
func (b *Builder) formula(table uint8, args [3]word.Value) word.Value {
	switch table {
	case 0:
		return b.Con(0)
	case 0xff:
		return b.Con(0xffffffff)
	case TableX:
		return args[0]
	case TableY:
		return args[1]
	case TableZ:
		return args[2]
	}
	f := formulas()[table]
	x := b.formula(f.x, args)
	if f.op == word.Not {
		return b.Not(x)
	}
	return b.Do(f.op, x, b.formula(f.y, args))
}

// formulas gives for every three-input function the last operation of a
// shortest formula, and the tables of that operation's arguments.
var formulas = sync.OnceValue(func() (best [256]struct {
	op   word.Op
	x, y uint8
}) {
	const unknown = 100
	var cost [256]int
	for t := range cost {
		cost[t] = unknown
	}
	for _, t := range []uint8{0, 0xff, TableX, TableY, TableZ} {
		cost[t] = 0
	}
	for changed := true; changed; {
		changed = false
		try := func(t uint8, op word.Op, x, y uint8, c int) {
			if c < cost[t] {
				cost[t] = c
				best[t].op, best[t].x, best[t].y = op, x, y
				changed = true
			}
		}
		for x := range cost {
			if cost[x] == unknown {
				continue
			}
			p := uint8(x)
			try(^p, word.Not, p, 0, cost[x]+1)
			for y := range cost {
				if cost[y] == unknown {
					continue
				}
				q, c := uint8(y), cost[x]+cost[y]+1
				try(p&q, word.And, p, q, c)
				try(p|q, word.Or, p, q, c)
				try(p^q, word.Xor, p, q, c)
				try(p&^q, word.AndNot, p, q, c)
			}
		}
	}
	return best
})

// A cut computes a logic value from at most three others, its leaves.
type cut struct {
	leaves [3]word.Value
	n      int8  // how many leaves there are
	table  uint8 // over the leaves as x, y and z
}

// leafTables are the tables of the leaves of a cut.
var leafTables = [3]uint8{TableX, TableY, TableZ}

// isLogic reports whether an operation works bit by bit.
func isLogic(op word.Op) bool {
	switch op {
	case word.And, word.Or, word.Xor, word.Not, word.AndNot, word.Logic3:
		return true
	}
	return false
}

// fused replaces trees of logic operations by three-input ones. For each
// value it knows all cuts, and takes the one that needs the fewest operations
// if what it reads is shared evenly among its readers (area flow, as in mapping
// logic onto the look-up tables of FPGAs).
func (b *Builder) fused(p *word.Program) *word.Program {
	p = b.needed(p.Insts, p.Result)
	uses := p.Uses()
	cuts := make([][]cut, len(p.Insts))
	best := make([]cut, len(p.Insts))
	flow := make([]float64, len(p.Insts))
	for v := range p.Insts {
		i := &p.Insts[v]
		if !isLogic(i.Op) {
			continue
		}
		cuts[v] = cutsOf(i, cuts)
		for k, c := range cuts[v] {
			cost := 1.0
			if c.isLeaf() || c.n == 0 {
				cost = 0
			}
			for _, leaf := range c.leaves[:c.n] {
				cost += flow[leaf]
			}
			cost /= float64(uses[v])
			if k == 0 || cost < flow[v] {
				flow[v], best[v] = cost, c
			}
		}
	}
	insts := b.spare[:0]
	moved := b.ValuesOf(len(p.Insts))
	for v := range p.Insts {
		i := p.Insts[v]
		moved[v] = word.Value(v)
		if isLogic(i.Op) {
			i = best[v].inst()
			if best[v].isLeaf() {
				moved[v] = moved[best[v].leaves[0]]
			}
		}
		for k, arg := range i.Args() {
			i.Arg[k] = moved[arg]
		}
		insts = append(insts, i)
	}
	b.spare = insts
	return b.needed(insts, moved[p.Result])
}

// cutsOf returns the cuts of a logic instruction: its arguments are taken as
// they are, or replaced by what they are computed from.
func cutsOf(i *word.Inst, known [][]cut) []cut {
	var all []cut
	var combine func(k int, chosen [3]cut)
	combine = func(k int, chosen [3]cut) {
		if k == i.Op.Args() {
			if c, ok := join(i, chosen); ok {
				all = append(all, c)
			}
			return
		}
		arg := i.Arg[k]
		chosen[k] = cut{[3]word.Value{arg}, 1, TableX}
		combine(k+1, chosen)
		for _, c := range known[arg] {
			chosen[k] = c
			combine(k+1, chosen)
		}
	}
	combine(0, [3]cut{})
	return all
}

// join makes the cut of an instruction from one cut of each argument; ok is
// false if it has more than three leaves.
func join(i *word.Inst, args [3]cut) (c cut, ok bool) {
	var tables [3]uint8 // of the arguments, over the leaves of c
	for k := range i.Op.Args() {
		var places [3]int
		for n, leaf := range args[k].leaves[:args[k].n] {
			place := -1
			for at, have := range c.leaves[:c.n] {
				if have == leaf {
					place = at
				}
			}
			if place < 0 {
				if c.n == 3 {
					return cut{}, false
				}
				place = int(c.n)
				c.leaves[place] = leaf
				c.n++
			}
			places[n] = place
		}
		t := [3]uint64{}
		for n := range args[k].n {
			t[n] = uint64(leafTables[places[n]])
		}
		tables[k] = uint8(word.Logic3.Apply(t[0], t[1], t[2], uint64(args[k].table)))
	}
	c.table = uint8(i.Op.Apply(uint64(tables[0]), uint64(tables[1]), uint64(tables[2]), i.Imm))
	return c.reduced(), true
}

// reduced returns the cut without leaves that its function does not depend on.
func (c cut) reduced() cut {
	for n := range c.n {
		t := leafTables[n]
		shift := []int{4, 2, 1}[n]
		if (c.table&t)>>shift == c.table&^t {
			var leaves [3]word.Value
			var args [3]uint64 // old leaves over the new ones
			for old, at := int8(0), 0; old < c.n; old++ {
				if old != n {
					leaves[at], args[old] = c.leaves[old], uint64(leafTables[at])
					at++
				}
			}
			return cut{leaves, c.n - 1, uint8(word.Logic3.Apply(args[0], args[1], args[2], uint64(c.table)))}.reduced()
		}
	}
	return c
}

// isLeaf reports whether the cut is one of its leaves, unchanged.
func (c cut) isLeaf() bool { return c.n == 1 && c.table == TableX }

// simpleOp returns the two-input operation that a cut of at most two leaves is,
// with the leaves in order; NoOp if it is none, or a constant, or a leaf itself.
func simpleOp(c cut) word.Op {
	switch {
	case c.n == 1 && c.table == 0xff&^TableX:
		return word.Not
	case c.n != 2:
		return word.NoOp
	}
	switch c.table {
	case TableX & TableY:
		return word.And
	case TableX | TableY:
		return word.Or
	case TableX ^ TableY:
		return word.Xor
	case TableX &^ TableY:
		return word.AndNot
	}
	return word.NoOp
}

// inst returns the instruction that computes a cut.
func (c cut) inst() word.Inst {
	var i word.Inst
	copy(i.Arg[:], c.leaves[:c.n])
	if op := simpleOp(c); op != word.NoOp {
		i.Op = op
		return i
	}
	if c.n == 2 && c.table == TableY&(0xff&^TableX) {
		return word.Inst{Op: word.AndNot, Arg: [3]word.Value{c.leaves[1], c.leaves[0]}}
	}
	if c.n == 0 {
		return word.Inst{Op: word.Const, Imm: uint64(word.Ones(c.table != 0))}
	}
	for n := c.n; n < 3; n++ {
		i.Arg[n] = c.leaves[0] // the table does not look at it
	}
	i.Op, i.Imm = word.Logic3, uint64(c.table)
	return i
}
