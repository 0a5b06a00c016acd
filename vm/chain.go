package vm

import (
	"slices"

	"github.com/vop-ptx/vop/engine"
	"github.com/vop-ptx/vop/lower"
)

// Operations between which nothing can go wrong are executed as chains of package engine. What
// the links are depends on which columns are uniform when the chain is come to: that
// is found out once for each case that occurs, and kept as a plan.

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
func linkCaps(e *engine.Engine) []lower.Caps {
	links := lower.Portable
	for op := lower.Add8; op <= lower.SadU8; op++ {
		if _, ok := e.Link(op.String(), "i:iii"[:2+op.Args()]); ok {
			links = links.With("links", op)
		}
	}
	if _, ok := e.Link("prmt.b32", "i:iii"); ok {
		links = links.With("links", lower.Perm, lower.PermS)
	}
	return []lower.Caps{links, e.Caps()}
}

// linkPrograms says that the operation added last is one of some programs over operands: the shortest, if
// that is few links, and chains have them all.
func (b *builder) linkPrograms(all []*lower.Program, d register, operands [3]register) {
	p := slices.MinFunc(all, func(p, q *lower.Program) int { return p.Cost() - q.Cost() })
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
		case lower.Input:
			where[v] = operands[i.Imm]
			continue
		case lower.Const:
			where[v] = b.constant(word, i.Imm)
			continue
		}
		var sources []register
		for _, argument := range i.Arg[:i.Op.Args()] {
			sources = append(sources, where[argument])
		}
		name := i.Op.String()
		if i.Op.HasImm() {
			sources = append(sources, b.constant(word, i.Imm))
		}
		if i.Op == lower.Perm || i.Op == lower.PermS {
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
	before := dependencies(operations)
	done := make([]bool, len(operations))
	ready := func(i int) bool {
		return !done[i] && !slices.ContainsFunc(before[i], func(j int) bool { return !done[j] })
	}
	ordered := make([]operation, 0, len(operations))
	take := func(i int) {
		done[i] = true
		ordered = append(ordered, operations[i])
	}
	next := 0 // the first of the others that is not done
	for len(ordered) < len(operations) {
		for i := range operations {
			if operations[i].linked() && ready(i) {
				take(i)
			}
		}
		for ; next < len(operations); next++ {
			if operations[next].linked() {
				continue
			}
			if !ready(next) {
				break
			}
			take(next)
		}
	}
	return ordered
}

// linked reports whether an operation can be part of a chain.
func (op *operation) linked() bool { return op.links != nil || op.accesses != nil }

// allMemory stands for all memory, and whatever else operations have to do with besides registers.
const allMemory register = -1 << 30

// dependencies returns for each operation those that it must come after: what
// writes its sources, and what reads or writes its destinations.
func dependencies(operations []operation) [][]int {
	before := make([][]int, len(operations))
	writer := map[register]int{}
	readers := map[register][]int{}
	for i := range operations {
		op := &operations[i]
		for _, r := range slices.Concat(op.uses, []register{op.guard}) {
			if r == noRegister {
				continue
			}
			if w, ok := writer[r]; ok {
				before[i] = append(before[i], w)
			}
			readers[r] = append(readers[r], i)
		}
		defs := op.defs
		if !op.pure {
			defs = append(slices.Clone(defs), allMemory)
		}
		for _, r := range defs {
			if w, ok := writer[r]; ok {
				before[i] = append(before[i], w)
			}
			for _, reader := range readers[r] {
				if reader != i {
					before[i] = append(before[i], reader)
				}
			}
			writer[r], readers[r] = i, nil
		}
	}
	return before
}

// maxTracked is the number of columns whose status a plan's key has room for.
const maxTracked = 32

// chainable returns how many operations, from the first on, can be one chain.
func chainable(operations []operation, m *machine) int {
	if m.watch != nil {
		return 0 // which looks at every operation
	}
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
			word: {word, &status{}, engine.PlaceOf(m.scratch32)},
			wide: {wide, &status{}, engine.PlaceOf(m.scratch64)},
			flag: {flag, &status{}, engine.PlaceOf(m.scratchMask)},
		},
	}
	for i := range room.temporaries {
		room.temporaries[i] = place{word, &status{}, engine.PlaceOf(engine.Columns[uint32](m.lanes))}
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
		return place{word, &c.status, engine.PlaceOf(c.values)}
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
	constants []*status       // of columns that are always the same
	tracked   []*status       // of the other columns that the chain finds
	plans     [2][]*chainPlan // by whether the region is full, those of late first
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

// chainPlan is the chain for one case of columns being uniform.
type chainPlan struct {
	key     uint64
	chain   engine.Chain
	effects []effect
	stops   []stop
	active  bool // whether links look at which threads are active
}

// effect is what becomes known of a column.
type effect struct {
	to     *status
	status status
}

// chain binds operations of a block, all with links.
func (f *frame) chain(b *block, uses *blockUses, from, to int, m *machine) *chain {
	c := &chain{frame: f}
	operations := b.operations[from:to]
	addresses := uses.addressesOnly(operations)
	known := map[*status]bool{}
	track := func(p place) {
		if !known[p.status] {
			known[p.status] = true
			c.tracked = append(c.tracked, p.status)
		}
	}
	for i := range operations {
		op := &operations[i]
		for n, part := range op.accesses {
			l := boundLink{d: f.placeOf(part.value, m), private: f.private(op), access: &boundAccess{
				accessPart: part, at: op.at, value: f.placeOf(part.value, m), address: f.placeOf(part.address, m),
			}}
			if n == 0 {
				l.access.step = f.step(op, m)
			} else {
				l.access.step = c.links[len(c.links)-1].access.step
			}
			l.access.memory = accessOf(l.access.step)
			sources := []register{part.address}
			if part.access.writes {
				sources = append(sources, part.value)
			}
			for _, r := range sources {
				if f.fn.registers[r].constant() {
					fillConstant(f.columns[r])
					c.constants = append(c.constants, f.placeOf(r, m).status)
					known[f.placeOf(r, m).status] = true
				}
				track(f.placeOf(r, m))
			}
			if op.guard != noRegister {
				guard := f.placeOf(op.guard, m)
				track(guard)
				l.guard, l.guardNot = &guard, op.guardNot
			}
			if !l.private {
				track(l.d)
			}
			known[l.d.status] = true
			c.links = append(c.links, l)
		}
		for n, part := range op.links {
			l := boundLink{op: part.op, d: f.placeOf(part.d, m), private: true, addressOf: addresses[part.d]}
			for _, r := range part.sources {
				source := f.placeOf(r, m)
				if r >= 0 && f.fn.registers[r].constant() {
					fillConstant(f.columns[r])
					known[source.status] = true
					c.constants = append(c.constants, source.status)
				}
				track(source)
				l.sources = append(l.sources, source)
			}
			if n == len(op.links)-1 {
				l.private = f.fn.registers[part.d].private && op.guard == noRegister
				if op.guard != noRegister {
					guard := f.placeOf(op.guard, m)
					track(guard)
					l.guard, l.guardNot = &guard, op.guardNot
				}
			}
			if !l.private {
				track(l.d)
			}
			known[l.d.status] = true
			c.links = append(c.links, l)
		}
	}
	return c
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

func (c *chain) run(m *machine) bool {
	key := uint64(0)
	for _, s := range c.tracked {
		key <<= 2
		if s.uniform {
			key |= 1
		}
		if s.filled {
			key |= 2
		}
	}
	plans := &c.plans[bit(m.full)]
	var p *chainPlan
	for _, other := range *plans {
		if other.key == key {
			p = other
			break
		}
	}
	if p == nil {
		p = c.plan(m, key)
		*plans = append([]*chainPlan{p}, (*plans)[:min(len(*plans), maxPlans-1)]...)
	}
	room := &m.chains
	room.spans[engine.AtWork] = [2]uint64{uint64(m.low), uint64(m.high)}
	if p.active {
		copy(room.active, m.active)
	}
	for stopped := p.chain.Run(&room.spans, 0); stopped >= 0; {
		next, ok := p.goOn(m, stopped)
		if !ok {
			return c.fail(m, p, stopped)
		}
		stopped = p.chain.Run(&room.spans, next)
	}
	for _, e := range p.effects {
		*e.to = e.status
	}
	return true
}

// maxPlans bounds the plans that a chain keeps.
const maxPlans = 8

// plan makes the chain for the present status of the columns, which have the given key.
func (c *chain) plan(m *machine, key uint64) *chainPlan {
	p := &planner{chainPlan: chainPlan{key: key}, machine: m, present: map[*status]status{}, sums: map[*status]*sum{}}
	for _, s := range slices.Concat(c.constants, c.tracked) {
		p.present[s] = *s
	}
	for i := range c.links {
		p.add(&c.links[i])
	}
	p.effects = p.effectsNow()
	p.chain.End(p.engine())
	return &p.chainPlan
}

// fail says where the access was that has failed.
func (c *chain) fail(m *machine, p *chainPlan, stopped int) bool {
	for i := range p.stops {
		if p.stops[i].link == stopped {
			m.failedAt = p.stops[i].access.at
		}
	}
	return false
}

// blockUses is what the operations of a block do with registers.
type blockUses struct {
	reads map[register]int  // how often they are read
	sums  map[register]bool // whether they are written once, by a sum
}

// usesOf counts them, once for all chains of the block.
func (f *frame) usesOf(b *block) *blockUses {
	u := &blockUses{map[register]int{}, map[register]bool{}}
	for i := range b.operations {
		op := &b.operations[i]
		for _, r := range op.uses {
			u.reads[r]++
		}
		for _, r := range op.defs {
			_, twice := u.sums[r]
			u.sums[r] = !twice && len(op.links) == 1 && f.isSum(op.links[0].op) && f.fn.registers[r].private
		}
	}
	return u
}

// addressesOnly returns the registers that are computed once, as a sum, and read only as addresses by
// some operations of the block, with the number of accesses.
func (u *blockUses) addressesOnly(operations []operation) map[register]int {
	accesses := map[register]int{}
	here := map[register]int{}
	for i := range operations {
		for n := range operations[i].accesses {
			a := &operations[i].accesses[n]
			accesses[a.address]++
			if n == 0 && (!a.access.writes || a.value != a.address) {
				here[a.address]++
			}
		}
	}
	for r := range accesses {
		if !u.sums[r] || u.reads[r] != here[r] {
			delete(accesses, r)
		}
	}
	return accesses
}

// isSum reports whether a link is an addition of addresses.
func (f *frame) isSum(op engine.LinkOp) bool { return op == f.sums[0] || op == f.sums[1] }

// accessOf returns the step that accesses memory, guarded or not.
func accessOf(s step) memoryStep {
	if g, ok := s.(*guarded); ok {
		s = g.step
	}
	return s.(memoryStep)
}

// planner makes a plan.
type planner struct {
	chainPlan
	machine *machine
	present map[*status]status // of columns, after the links so far
	order   []*status          // columns whose status changes
	sums    map[*status]*sum   // that have not been computed, by their columns
}

func (p *planner) engine() *engine.Engine { return p.machine.launch.kernel.module.engine }

// effectsNow returns what the links so far do to what is known of columns.
func (p *planner) effectsNow() (effects []effect) {
	for _, s := range p.order {
		effects = append(effects, effect{s, p.present[s]})
	}
	return effects
}

// set changes the status of a column.
func (p *planner) set(of place, to status) {
	if !slices.Contains(p.order, of.status) {
		p.order = append(p.order, of.status)
	}
	p.present[of.status] = to
}

// link adds a link that every level with chains has.
func (p *planner) link(name, shape string, s engine.Span, d place, sources ...place) {
	op, ok := p.engine().Link(name, shape)
	if !ok {
		panic("vm: there is no link " + name)
	}
	p.addLink(op, s, d, sources...)
}

func (p *planner) addLink(op engine.LinkOp, s engine.Span, d place, sources ...place) {
	at := make([]engine.Place, len(sources))
	for i := range sources {
		at[i] = sources[i].at
	}
	p.chain.Add(op, s, d.at, at...)
}

// add adds an operation. If its sources are uniform it is done once, and otherwise for
// all threads at work; if others need what they have in the destination,
// those at work take over the new value in the end.
func (p *planner) add(l *boundLink) {
	if l.access != nil {
		p.addAccess(l)
		return
	}
	d := l.d
	direct := l.guard == nil && (p.machine.full || l.private)
	if direct && p.uniform(l.sources) {
		p.write(d)
		switch {
		case d.class != flag:
			p.addLink(l.op, engine.First, d, l.sources...)
		case !slices.ContainsFunc(l.sources, func(s place) bool { return s.class != flag }):
			p.addLink(l.op, engine.EveryBit, d, l.sources...)
		default:
			value := p.machine.chains.value[flag]
			p.addLink(l.op, engine.First, value, l.sources...)
			p.link("spread", "p:p", engine.EveryBit, d, value)
		}
		p.set(d, status{uniform: true})
		return
	}
	if direct && p.postpone(l) {
		return
	}
	for _, s := range l.sources {
		p.fill(s)
	}
	p.write(d)
	if direct {
		p.addLink(l.op, engine.AtWork, d, l.sources...)
		p.set(d, status{})
		return
	}
	value := p.machine.chains.value[d.class]
	p.addLink(l.op, engine.AtWork, value, l.sources...)
	p.merge(d, value, p.threads(l))
	p.set(d, status{})
}

// uniform reports whether all columns are.
func (p *planner) uniform(all []place) bool {
	return !slices.ContainsFunc(all, func(s place) bool { return !p.present[s.status].uniform })
}

// fill writes the values of all threads to a uniform column.
func (p *planner) fill(c place) {
	s := p.present[c.status]
	if c.class == flag || !s.uniform || s.filled {
		return
	}
	if c.class == word {
		p.link("fill.32", "i:i", engine.Every, c, c)
	} else {
		p.link("fill.64", "l:l", engine.Every, c, c)
	}
	p.set(c, status{uniform: true, filled: true})
}

// threads returns the mask of those that execute an operation.
func (p *planner) threads(l *boundLink) place {
	p.active = true
	active := place{flag, nil, engine.PlaceOf(p.machine.chains.active)}
	if l.guard == nil {
		return active
	}
	guard := place{flag, nil, engine.PlaceOf(p.machine.chains.guard)}
	name := "and.pred"
	if l.guardNot {
		name = "andnot.pred"
	}
	p.link(name, "p:pp", engine.AtWork, guard, active, *l.guard)
	return guard
}

// merge takes over the values of some threads.
func (p *planner) merge(d, value, threads place) {
	p.fill(d)
	switch d.class {
	case word:
		p.link("blend.32", "i:ip", engine.AtWork, d, value, threads)
	case wide:
		p.link("blend.64", "l:lp", engine.AtWork, d, value, threads)
	case flag:
		p.link("xor.pred", "p:pp", engine.AtWork, value, value, d)
		p.link("and.pred", "p:pp", engine.AtWork, value, value, threads)
		p.link("xor.pred", "p:pp", engine.AtWork, d, d, value)
	}
}
