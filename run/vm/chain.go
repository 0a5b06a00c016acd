package vm

import (
	"container/heap"
	"slices"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/run/engine"
)

// Operations between which nothing can go wrong are executed as chains of package engine. What
// the links are depends on which columns are uniform when the chain is come to: that
// is found out once for each case that occurs, and kept as a plan (chain_plan.go).

// linkPart is a link of an operation: some are a few links one after the other, of
// which only the last writes the operation's destination.
type linkPart struct {
	op      engine.LinkOp
	d       register
	sources []register
}

// Registers below noRegister stand for intermediate values of an operation.
const firstTemporary register = -2

// maxTemporaries is the number of columns for intermediate values, and maxParts that of
// links that an operation may be. What is longer is faster as a kernel of package engine,
// which keeps intermediate values in machine registers.
const (
	maxTemporaries = 8
	maxParts       = 8
)

// link says that the operation added last is a link of the given name, if there is one.
func (b *builder) link(name, shape string, d register, sources ...register) {
	if op, ok := b.kernel.module.engine.Link(name, shape); ok {
		last := &b.operations[len(b.operations)-1]
		last.links = []linkPart{{op, d, sources}}
	}
}

// linkCaps are the operations that video instructions in chains may be made of: those of the
// engine, and those that chains have, among them sums of distances, but not products.
func linkCaps(e *engine.Engine) []word.Caps {
	links := word.Portable
	for op := word.Add8; op <= word.SadU8; op++ {
		if _, ok := e.Link(op.String(), "i:iii"[:2+op.Args()]); ok {
			links = links.With("links", op)
		}
	}
	if _, ok := e.Link("prmt.b32", "i:iii"); ok {
		links = links.With("links", word.Perm, word.PermS)
	}
	return []word.Caps{links, e.Caps()}
}

// linkPrograms says that the operation added last is one of some programs over operands: the shortest, if
// that is few links, and chains have them all.
func (b *builder) linkPrograms(all []*word.Program, d register, operands [3]register) {
	p := slices.MinFunc(all, func(p, q *word.Program) int { return p.Cost() - q.Cost() })
	if p.Cost() > maxParts {
		return
	}
	e := b.kernel.module.engine
	where := make([]register, len(p.Insts))
	var parts []linkPart
	next := firstTemporary
	for v := range p.Insts {
		i := &p.Insts[v]
		switch i.Op {
		case word.Input:
			where[v] = operands[i.Imm]
			continue
		case word.Const:
			where[v] = b.constant(narrow, i.Imm)
			continue
		}
		var sources []register
		for _, argument := range i.Arg[:i.Op.Args()] {
			sources = append(sources, where[argument])
		}
		name := i.Op.String()
		if i.Op.HasImm() {
			sources = append(sources, b.constant(narrow, i.Imm))
		}
		if i.Op == word.Perm || i.Op == word.PermS {
			name = "prmt.b32"
		}
		op, ok := e.Link(name, "i:iii"[:2+len(sources)])
		if !ok || i.Op.Wide() || i.Op.TakesWide() {
			return
		}
		where[v] = next
		next--
		parts = append(parts, linkPart{op, where[v], sources})
	}
	if len(parts) == 0 || where[p.Result] != parts[len(parts)-1].d {
		return // no more than a move
	}
	parts[len(parts)-1].d = d
	b.operations[len(b.operations)-1].links = parts
}

// gatherLinks changes the order of a block's operations so that those with links
// follow one another, as far as the values they exchange allow. All others stay in their
// order.
func gatherLinks(operations []operation) []operation {
	if !slices.ContainsFunc(operations, func(op operation) bool { return op.linked() }) {
		return operations
	}
	before, after := dependencies(operations)
	ordered := make([]operation, 0, len(operations))
	var ready intHeap // those with links that come after none that is not done
	take := func(i int) {
		ordered = append(ordered, operations[i])
		for _, j := range after[i] {
			if before[j]--; before[j] == 0 && operations[j].linked() {
				heap.Push(&ready, j)
			}
		}
	}
	for i := range operations {
		if before[i] == 0 && operations[i].linked() {
			ready = append(ready, i) // in order, as a heap is
		}
	}
	next := 0 // the first of the others that is not done
	for len(ordered) < len(operations) {
		for len(ready) > 0 {
			take(heap.Pop(&ready).(int))
		}
		for ; next < len(operations); next++ {
			if operations[next].linked() {
				continue
			}
			if before[next] > 0 {
				break
			}
			take(next)
		}
	}
	return ordered
}

// intHeap is a heap of numbers, the least first.
type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// linked reports whether an operation can be part of a chain.
func (op *operation) linked() bool { return op.links != nil || op.accesses != nil }

// allMemory stands for all memory, and whatever else operations have to do with besides registers.
const allMemory register = -1 << 30

// dependencies returns for each operation which others must come after it, and how often it is itself among those:
// it comes after what writes its sources, and what reads or writes its destinations.
func dependencies(operations []operation) (before []int, after [][]int) {
	before, after = make([]int, len(operations)), make([][]int, len(operations))
	writer := map[register]int{}
	readers := map[register][]int{}
	order := func(first, second int) {
		before[second]++
		after[first] = append(after[first], second)
	}
	for i := range operations {
		op := &operations[i]
		for _, r := range slices.Concat(op.uses, []register{op.guard}) {
			if r == noRegister {
				continue
			}
			if w, ok := writer[r]; ok {
				order(w, i)
			}
			readers[r] = append(readers[r], i)
		}
		defs := op.defs
		if !op.pure {
			defs = append(slices.Clone(defs), allMemory)
		}
		for _, r := range defs {
			if w, ok := writer[r]; ok && w != i {
				order(w, i)
			}
			for _, reader := range readers[r] {
				if reader != i {
					order(reader, i)
				}
			}
			writer[r], readers[r] = i, nil
		}
	}
	return before, after
}

// maxTracked is the number of columns whose status a plan's key has room for.
const maxTracked = 32

// chainable returns how many operations, from the first on, can be one chain.
func chainable(operations []operation, m *machine) int {
	registers := map[register]bool{}
	for n := range operations {
		op := &operations[n]
		if !op.linked() {
			return n
		}
		for _, r := range slices.Concat(op.uses, op.defs, []register{op.guard}) {
			registers[r] = true
		}
		if len(registers) > maxTracked {
			return n
		}
	}
	return len(operations)
}

// chainRoom is what chains of a machine have in common.
type chainRoom struct {
	spans       engine.Spans
	active      engine.Mask
	guard       engine.Mask
	value       [3]place // of an operation before those of active threads are taken over, by class
	temporaries [maxTemporaries]place
}

// place is a column as chains see it.
type place struct {
	class  class
	status *status
	at     engine.Place
}

func newChainRoom(m *machine) chainRoom {
	room := chainRoom{
		active: make(engine.Mask, m.maskWords),
		guard:  make(engine.Mask, m.maskWords),
		value: [3]place{
			narrow: {narrow, &status{}, engine.PlaceOf(m.scratch32)},
			wide:   {wide, &status{}, engine.PlaceOf(m.scratch64)},
			flag:   {flag, &status{}, engine.PlaceOf(m.scratchMask)},
		},
	}
	for i := range room.temporaries {
		room.temporaries[i] = place{narrow, &status{}, engine.PlaceOf(engine.Columns[uint32](m.lanes))}
	}
	all := uint64(m.lanes)
	room.spans = engine.Spans{engine.First: {0, engine.LinkGroup}, engine.Every: {0, all}, engine.EveryBit: {0, uint64(m.maskWords) * 64}}
	return room
}

// placeOf returns the column of a register.
func (f *frame) placeOf(r register, m *machine) place {
	if r <= firstTemporary {
		return m.chains.temporaries[firstTemporary-r]
	}
	switch c := f.columns[r].(type) {
	case *column[uint32]:
		return place{narrow, &c.status, engine.PlaceOf(c.values)}
	case *column[uint64]:
		return place{wide, &c.status, engine.PlaceOf(c.values)}
	default:
		p := f.predicate(r)
		return place{flag, &p.status, engine.PlaceOf(p.bits)}
	}
}

// chain is a step that executes operations as a chain.
type chain struct {
	frame     *frame
	links     []boundLink
	constants map[*status]bool // of columns that are always the same
	// starts has what is known of running the chain from a link on, by the link's number: the first one's,
	// and of those behind accesses that could not be made by a chain. The others are nil.
	starts []*chainStart
}

// boundLink is a linkPart bound to columns.
type boundLink struct {
	op       engine.LinkOp
	d        place
	sources  []place
	guard    *place
	guardNot bool
	private  bool // written for all threads at work, whether all are or not
	// addressOf is the number of accesses in the same chain whose address the link computes, if it
	// is a sum that nothing else reads.
	addressOf int
	access    *boundAccess // or nil
}

// chain binds operations of a block, all with links.
func (f *frame) chain(b *block, from, to int, m *machine) *chain {
	c := &chain{frame: f, constants: map[*status]bool{}}
	operations := b.operations[from:to]
	addresses := f.addressesOnly(b, operations)
	for i := range operations {
		op := &operations[i]
		var guard *place
		if op.guard != noRegister {
			at := f.placeOf(op.guard, m)
			guard = &at
		}
		c.bindAccesses(op, guard, m)
		for n, part := range op.links {
			l := boundLink{op: part.op, d: f.placeOf(part.d, m), private: true, addressOf: addresses[part.d]}
			for _, r := range part.sources {
				l.sources = append(l.sources, c.source(r, m))
			}
			if n == len(op.links)-1 {
				l.private = f.fn.registers[part.d].private && guard == nil
				l.guard, l.guardNot = guard, op.guardNot
			}
			c.links = append(c.links, l)
		}
	}
	c.starts = make([]*chainStart, len(c.links))
	return c
}

// source returns the column of a register that a link reads.
func (c *chain) source(r register, m *machine) place {
	at := c.frame.placeOf(r, m)
	if r >= 0 && c.frame.fn.registers[r].constant() {
		fillConstant(c.frame.columns[r])
		c.constants[at.status] = true
	}
	return at
}

// constant reports whether a register has the same value in every launch.
func (r *registerInfo) constant() bool { return r.fixed && r.special == nil && !r.local }

// fillConstant writes a uniform column's value for all threads.
func fillConstant(column_ any) {
	switch c := column_.(type) {
	case *column[uint32]:
		c.all()
	case *column[uint64]:
		c.all()
	}
}

// addressesOnly returns the registers that are computed once, as a sum, and read only as addresses by
// some operations of a block, with the number of accesses.
func (f *frame) addressesOnly(b *block, operations []operation) map[register]int {
	accesses := map[register]int{}
	reads := map[register]int{} // by operations, each of which has one access or a few of one address
	for i := range operations {
		for n := range operations[i].accesses {
			a := &operations[i].accesses[n]
			accesses[a.address]++
			if n == 0 && (!a.access.writes || a.value != a.address) {
				reads[a.address]++
			}
		}
	}
	if len(accesses) == 0 {
		return nil
	}
	if f.sumsOf.block != b {
		f.sumsOf = f.blockSums(b)
	}
	for r := range accesses {
		if !f.sumsOf.sums[r] || f.sumsOf.uses[r] != reads[r] {
			delete(accesses, r)
		}
	}
	return accesses
}

// blockSums tells of a block, of which there may be many chains, how often operations read each register, and
// which are written once, as a sum.
type blockSums struct {
	block *block
	uses  map[register]int
	sums  map[register]bool
}

func (f *frame) blockSums(b *block) blockSums {
	found := blockSums{b, map[register]int{}, map[register]bool{}}
	for i := range b.operations {
		op := &b.operations[i]
		for _, r := range op.uses {
			found.uses[r]++
		}
		for _, r := range op.defs {
			_, twice := found.sums[r]
			found.sums[r] = !twice && len(op.links) == 1 && f.isSum(op.links[0].op) && f.fn.registers[r].private
		}
	}
	return found
}

// isSum reports whether a link is an addition of addresses.
func (f *frame) isSum(op engine.LinkOp) bool { return op == f.sums[0] || op == f.sums[1] }
