package vm

import (
	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/engine"
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
	if a.size == 2 && !a.writes {
		// The engine's gather of half-words is not right for every pattern of addresses:
		// TestRandomKernels, seed 31, shows it. Steps of their own read half-words.
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
	memory  memoryStep
	value   place
	address place
}

// stop is where a plan's chain may stop.
type stop struct {
	link    int
	access  *boundAccess
	effects []effect
	// prepare computes addresses that the chain has not, or is nil.
	prepare *engine.Chain
}

// addAccess adds the access to an element.
func (p *planner) addAccess(l *boundLink) {
	a, room := l.access, &p.machine.chains
	direct := l.guard == nil && (p.machine.full || l.private)
	s := stop{access: a}
	address, addend := a.address, engine.Place{}
	sum := p.sums[a.address.status]
	// A generic address may be in local memory, where each thread has a value of its own.
	sameValue := p.present[a.address.status].uniform && !a.access.writes && a.access.space != check.Generic
	if sum == nil && sameValue && direct {
		s.effects = p.effectsNow()
		p.write(a.value)
		s.link = p.chain.AddAccess(a.one, engine.First, a.value.at, address.at, engine.PlaceOf(room.active), addend)
		p.set(a.value, status{uniform: true})
	} else {
		if sum != nil {
			address, addend = sum.column, sum.uniform.at
			if sum.left--; sum.left == 0 {
				delete(p.sums, a.address.status)
			}
			s.prepare = &engine.Chain{}
			p.addSum(s.prepare, sum)
			s.prepare.End(p.engine())
		} else {
			p.fill(address)
		}
		if a.access.writes || !direct {
			p.fill(a.value)
		}
		threads := p.threads(l)
		s.effects = p.effectsNow()
		if !a.access.writes {
			p.write(a.value)
		}
		s.link = p.chain.AddAccess(a.all, engine.AtWork, a.value.at, address.at, threads.at, addend)
		if !a.access.writes {
			p.set(a.value, status{})
		}
	}
	p.stops = append(p.stops, s)
}

// goOn makes the access at which the chain has stopped, and returns the link to go on with. It returns
// false if the access failed.
func (p *chainPlan) goOn(m *machine, link int) (next int, ok bool) {
	n := 0
	for p.stops[n].link != link {
		n++
	}
	s := &p.stops[n]
	for _, e := range s.effects {
		*e.to = e.status
	}
	if s.prepare != nil {
		s.prepare.Run(&m.chains.spans, 0)
	}
	a := s.access
	if !a.step.run(m) {
		return 0, false
	}
	address := a.memory.addressFor(m.first)
	if w, ok := m.window(a.access, address); ok && !a.access.isLocal(address) {
		for i := range p.stops {
			if part := &p.stops[i]; part.access.step == a.step {
				p.chain.SetWindow(part.link, w, part.access.element)
			}
		}
	}
	return link + 1, true
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
	if s.uniform.class == word {
		name, shape = "fill.32", "i:i"
	}
	fill, _ := p.engine().Link(name, shape)
	c.Add(fill, engine.Every, s.uniform.at, s.uniform.at)
	c.Add(s.op, engine.AtWork, s.d.at, s.column.at, s.uniform.at)
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
