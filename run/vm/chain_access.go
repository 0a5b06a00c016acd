package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// Accesses to memory are links, too: as long as all threads stay in the allocation that the first
// one was in the last time, nothing but the chain need be run. When one does not, the
// chain stops, the access is made as a step of its own, and the chain goes on with
// the allocation that the step found.

// accessPart is the access to one element, of one or of a vector.
type accessPart struct {
	access  *access
	element uint64        // its place in the access, in bytes
	all     engine.LinkOp // gather or scatter
	one     engine.LinkOp // load of one value, if uniform
	value   register
	address register
}

// linkAccess says that the operation added last is accesses in chains, if the engine has them. Words are
// those of values and addresses, "32.64"; elements that nobody wants are noRegister.
func (b *builder) linkAccess(a access, values []register, address register, words string) {
	e := b.kernel.module.engine
	name := accessName(b.inst.lastType()) + "." + words
	kind := "gather."
	if a.writes {
		kind = "scatter."
	}
	all, ok := e.LinkAccess(kind + name)
	one, ok2 := e.LinkAccess("one." + name)
	if !ok || !ok2 || a.space == check.Local {
		return
	}
	var parts []accessPart
	for k, r := range values {
		if r == address && !a.writes {
			return // a thread's address must still be there if another's access cannot be made
		}
		if r != noRegister {
			parts = append(parts, accessPart{&a, uint64(k) * a.size, all, one, r, address})
		}
	}
	b.operations[len(b.operations)-1].accesses = parts
}

// boundAccess is an accessPart bound to columns.
type boundAccess struct {
	accessPart
	step    step // that makes all accesses of the operation
	at      int  // index in check.Function.Body
	next    int  // the link behind the last access of the operation
	memory  memoryStep
	value   place
	address place
}

// bindAccesses adds the links of an operation's accesses.
func (c *chain) bindAccesses(op *operation, guard *place, m *machine) {
	if op.accesses == nil {
		return
	}
	s := c.frame.step(op, m)
	next := len(c.links) + len(op.accesses)
	for _, part := range op.accesses {
		a := &boundAccess{accessPart: part, step: s, at: op.at, next: next, memory: accessOf(s),
			value: c.frame.placeOf(part.value, m), address: c.source(part.address, m)}
		l := boundLink{d: a.value, private: c.frame.private(op), guard: guard, guardNot: op.guardNot, access: a}
		l.sources = append(l.sources, a.address)
		if part.access.writes {
			l.sources = append(l.sources, c.source(part.value, m))
		}
		c.links = append(c.links, l)
	}
}

// accessOf returns the step that accesses memory, guarded or not.
func accessOf(s step) memoryStep {
	if g, ok := s.(*guarded); ok {
		s = g.step
	}
	return s.(memoryStep)
}

// memoryStep is a step that accesses memory.
type memoryStep interface {
	// addressFor is the address that a thread accesses, offset included.
	addressFor(thread int) uint64
}

func (s *load[W, A]) addressFor(thread int) uint64 {
	return uint64(s.address.all()[thread] + A(s.offset))
}

func (s *store[W, A]) addressFor(thread int) uint64 {
	return uint64(s.address.all()[thread] + A(s.offset))
}

func (s *update[W, A]) addressFor(thread int) uint64 {
	return uint64(s.address.all()[thread] + A(s.offset))
}

// stop is where a plan's chain may stop.
type stop struct {
	link    int // in the plan's chain
	access  *boundAccess
	effects []effect // of the links before
	// prepare computes the addresses that the chain has left to its accesses, or is nil.
	prepare *engine.Chain
}

// stopAt returns the stop at a link of the plan's chain.
func (p *chainPlan) stopAt(link int) *stop {
	n := 0
	for p.stops[n].link != link {
		n++
	}
	return &p.stops[n]
}

// perform makes all accesses of an operation, at one of which a chain has stopped. It returns false
// if they failed.
func (a *boundAccess) perform(m *machine, s *stop) bool {
	apply(s.effects)
	if s.prepare != nil {
		s.prepare.Run(&m.chains.spans, 0)
	}
	return a.step.run(m)
}

// setWindows lets the plans of the chain make an operation's accesses where the first thread has
// just made its own.
func (c *chain) setWindows(a *boundAccess, m *machine) {
	address := a.memory.addressFor(m.first)
	w, ok := m.window(a.access, address)
	if !ok || a.access.isLocal(address) {
		return
	}
	for _, start := range c.starts {
		if start == nil {
			continue
		}
		for _, plans := range start.plans {
			for _, p := range plans {
				for i := range p.stops {
					if part := p.stops[i].access; part.step == a.step {
						p.chain.SetWindow(p.stops[i].link, w, part.element)
					}
				}
			}
		}
	}
}

// addAccess adds the access to an element.
func (p *planner) addAccess(l *boundLink) {
	a, room := l.access, &p.machine.chains
	direct := l.guard == nil && (p.machine.full || l.private)
	if !a.access.writes {
		p.write(a.value) // before its stop: some threads may have loaded when the chain stops
	}
	s := stop{access: a, prepare: p.sumsNow()}
	address, addend := a.address, engine.Place{}
	sum := p.sums[a.address.status]
	// A generic address may be in local memory, where each thread has a value of its own.
	sameValue := p.present[a.address.status].uniform && !a.access.writes && a.access.space != check.Generic
	if sum == nil && sameValue && direct {
		s.effects = p.effectsNow()
		s.link = p.chain.AddAccess(a.one, engine.First, a.value.at, address.at, engine.PlaceOf(room.active), addend)
		p.set(a.value, status{uniform: true})
		p.stops = append(p.stops, s)
		return
	}
	if sum != nil {
		address, addend = sum.column, sum.uniform.at
		if sum.left--; sum.left == 0 {
			delete(p.sums, a.address.status)
		}
	} else {
		p.fill(address)
	}
	if a.access.writes || !direct {
		p.fill(a.value)
	}
	threads := p.threads(l)
	s.effects = p.effectsNow()
	s.link = p.chain.AddAccess(a.all, engine.AtWork, a.value.at, address.at, threads.at, addend)
	if !a.access.writes {
		p.set(a.value, status{})
	}
	p.stops = append(p.stops, s)
}

// sum is an address that is the sum of a column and of a number that is the same for all threads. Nobody
// else wants it, and accesses do the sum themselves.
type sum struct {
	op              engine.LinkOp
	d               place
	column, uniform place
	left            int // accesses that are still to be made
}

// addSum adds the link that computes a sum.
func (p *planner) addSum(c *engine.Chain, s *sum) {
	name := "fill.64"
	shape := "l:l"
	if s.uniform.class == narrow {
		name, shape = "fill.32", "i:i"
	}
	fill, _ := p.engine().Link(name, shape)
	c.Add(fill, engine.Every, s.uniform.at, s.uniform.at)
	c.Add(s.op, engine.AtWork, s.d.at, s.column.at, s.uniform.at)
}

// sumsNow returns the chain that computes all sums that have not been computed, nil if there is none.
func (p *planner) sumsNow() *engine.Chain {
	if len(p.sums) == 0 {
		return nil
	}
	c := &engine.Chain{}
	for _, s := range p.sums {
		p.addSum(c, s)
	}
	c.End(p.engine())
	return c
}

// postpone reports whether a link is a sum that accesses do themselves.
func (p *planner) postpone(l *boundLink) bool {
	if l.addressOf == 0 || l.guard != nil {
		return false
	}
	x, y := l.sources[0], l.sources[1]
	if p.present[x.status].uniform {
		x, y = y, x
	}
	if p.present[x.status].uniform || !p.present[y.status].uniform || x.status == l.d.status || y.status == l.d.status {
		return false
	}
	p.write(l.d)
	p.set(l.d, status{})
	p.sums[l.d.status] = &sum{l.op, l.d, x, y, l.addressOf}
	return true
}

// write is told of columns that are about to be written: sums of them must be computed before.
func (p *planner) write(d place) {
	delete(p.sums, d.status)
	for key, s := range p.sums {
		if s.column.status == d.status || s.uniform.status == d.status {
			p.addSum(&p.chain, s)
			delete(p.sums, key)
		}
	}
}
