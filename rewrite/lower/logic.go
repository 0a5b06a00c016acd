package lower

import "sync"

// The tables of the arguments of a three-input function, as lop3 numbers them:
// the table of any function is the function of these.
const (
	tableX = 0xf0
	tableY = 0xcc
	tableZ = 0xaa
)

// table computes a three-input function, given by its table, bit by bit.
func (b *builder) table(table uint8, x, y, z Value) Value {
	if b.caps.Has(Logic3) {
		return b.doImm(Logic3, uint64(table), x, y, z)
	}
	return b.formula(table, [3]Value{x, y, z})
}

// formula computes a three-input function with two-input operations.
func (b *builder) formula(table uint8, args [3]Value) Value {
	switch table {
	case 0:
		return b.con(0)
	case 0xff:
		return b.con(0xffffffff)
	case tableX:
		return args[0]
	case tableY:
		return args[1]
	case tableZ:
		return args[2]
	}
	f := formulas()[table]
	x := b.formula(f.x, args)
	if f.op == Not {
		return b.not(x)
	}
	return b.do(f.op, x, b.formula(f.y, args))
}

// formulas gives for every three-input function the last operation of a
// shortest formula, and the tables of that operation's arguments.
var formulas = sync.OnceValue(func() (best [256]struct {
	op   Op
	x, y uint8
}) {
	const unknown = 100
	var cost [256]int
	for t := range cost {
		cost[t] = unknown
	}
	for _, t := range []uint8{0, 0xff, tableX, tableY, tableZ} {
		cost[t] = 0
	}
	for changed := true; changed; {
		changed = false
		try := func(t uint8, op Op, x, y uint8, c int) {
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
			try(^p, Not, p, 0, cost[x]+1)
			for y := range cost {
				if cost[y] == unknown {
					continue
				}
				q, c := uint8(y), cost[x]+cost[y]+1
				try(p&q, And, p, q, c)
				try(p|q, Or, p, q, c)
				try(p^q, Xor, p, q, c)
				try(p&^q, AndNot, p, q, c)
			}
		}
	}
	return best
})

// A cut computes a logic value from at most three others, its leaves.
type cut struct {
	leaves []Value
	table  uint8 // over the leaves as x, y and z
}

// leafTables are the tables of the leaves of a cut.
var leafTables = [3]uint8{tableX, tableY, tableZ}

// isLogic reports whether an operation works bit by bit.
func isLogic(op Op) bool {
	switch op {
	case And, Or, Xor, Not, AndNot, Logic3:
		return true
	}
	return false
}

// fuseLogic replaces trees of logic operations by three-input ones. For each
// value it knows all cuts, and takes the one that needs the fewest operations
// if what it reads is shared evenly among its readers (area flow, as in mapping
// logic onto the look-up tables of FPGAs).
func fuseLogic(p *Program) *Program {
	p = needed(p)
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
			if c.isLeaf() || len(c.leaves) == 0 {
				cost = 0
			}
			for _, leaf := range c.leaves {
				cost += flow[leaf]
			}
			cost /= float64(uses[v])
			if k == 0 || cost < flow[v] {
				flow[v], best[v] = cost, c
			}
		}
	}
	q := &Program{Insts: make([]Inst, 0, len(p.Insts))}
	moved := make([]Value, len(p.Insts))
	for v := range p.Insts {
		i := p.Insts[v]
		moved[v] = Value(v)
		if isLogic(i.Op) {
			i = best[v].inst()
			if best[v].isLeaf() {
				moved[v] = moved[best[v].leaves[0]]
			}
		}
		for k, arg := range i.args() {
			i.Arg[k] = moved[arg]
		}
		q.Insts = append(q.Insts, i)
	}
	q.Result = moved[p.Result]
	return q
}

// cutsOf returns the cuts of a logic instruction: its arguments are taken as
// they are, or replaced by what they are computed from.
func cutsOf(i *Inst, known [][]cut) []cut {
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
		chosen[k] = cut{[]Value{arg}, tableX}
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
func join(i *Inst, args [3]cut) (c cut, ok bool) {
	var tables [3]uint8 // of the arguments, over the leaves of c
	for k := range i.Op.Args() {
		var places [3]int
		for n, leaf := range args[k].leaves {
			place := -1
			for at, have := range c.leaves {
				if have == leaf {
					place = at
				}
			}
			if place < 0 {
				place = len(c.leaves)
				c.leaves = append(c.leaves, leaf)
			}
			if place > 2 {
				return cut{}, false
			}
			places[n] = place
		}
		t := [3]uint32{}
		for n := range args[k].leaves {
			t[n] = uint32(leafTables[places[n]])
		}
		tables[k] = uint8(logic3(t[0], t[1], t[2], uint32(args[k].table)))
	}
	c.table = uint8(i.Op.applyWord(uint32(tables[0]), uint32(tables[1]), uint32(tables[2]), uint32(i.Imm)))
	return c.reduced(), true
}

// reduced returns the cut without leaves that its function does not depend on.
func (c cut) reduced() cut {
	for n := range c.leaves {
		t := leafTables[n]
		shift := []int{4, 2, 1}[n]
		if (c.table&t)>>shift == c.table&^t {
			leaves := append(append([]Value(nil), c.leaves[:n]...), c.leaves[n+1:]...)
			var args [3]uint32 // old leaves over the new ones
			for old, at := 0, 0; old < len(c.leaves); old++ {
				if old != n {
					args[old] = uint32(leafTables[at])
					at++
				}
			}
			return cut{leaves, uint8(logic3(args[0], args[1], args[2], uint32(c.table)))}.reduced()
		}
	}
	return c
}

// isLeaf reports whether the cut is one of its leaves, unchanged.
func (c cut) isLeaf() bool { return len(c.leaves) == 1 && c.table == tableX }

// simpleOp returns the two-input operation that a cut of at most two leaves is,
// with the leaves in order; NoOp if it is none, or a constant, or a leaf itself.
func simpleOp(c cut) Op {
	switch {
	case len(c.leaves) == 1 && c.table == 0xff&^tableX:
		return Not
	case len(c.leaves) != 2:
		return NoOp
	}
	switch c.table {
	case tableX & tableY:
		return And
	case tableX | tableY:
		return Or
	case tableX ^ tableY:
		return Xor
	case tableX &^ tableY:
		return AndNot
	}
	return NoOp
}

// inst returns the instruction that computes a cut.
func (c cut) inst() Inst {
	var i Inst
	copy(i.Arg[:], c.leaves)
	if op := simpleOp(c); op != NoOp {
		i.Op = op
		return i
	}
	if len(c.leaves) == 2 && c.table == tableY&(0xff&^tableX) {
		return Inst{Op: AndNot, Arg: [3]Value{c.leaves[1], c.leaves[0]}}
	}
	if len(c.leaves) == 0 {
		return Inst{Op: Const, Imm: uint64(ones(c.table != 0))}
	}
	for n := len(c.leaves); n < 3; n++ {
		i.Arg[n] = c.leaves[0] // the table does not look at it
	}
	i.Op, i.Imm = Logic3, uint64(c.table)
	return i
}
