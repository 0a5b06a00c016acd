package vm

import (
	"slices"

	"github.com/vop-ptx/vop/run/engine"
)

// A plan is the links of a chain for one case of what is known of its columns. What it makes of that
// knowledge holds as long as nothing but its links writes the columns. A chain that stops lets
// a step make the access, and the step knows its own: so the plan ends there, and the
// rest of the chain is planned anew, by what the step has left behind.

// chainStart is a link that a chain is run from.
type chainStart struct {
	tracked []*status       // of the columns that the links from here on find
	plans   [2][]*chainPlan // by whether the region is full, those of late first
}

// chainPlan is the chain from a start on, for one case of columns being uniform.
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

// maxPlans bounds the plans that a chain keeps for each start.
const maxPlans = 8

func (c *chain) run(m *machine) bool {
	room := &m.chains
	room.spans[engine.AtWork] = [2]uint64{uint64(m.low), uint64(m.high)}
	for from := 0; from < len(c.links); {
		p := c.planFrom(from, m)
		if p.active {
			copy(room.active, m.active)
		}
		stopped := p.chain.Run(&room.spans, 0)
		if stopped < 0 {
			apply(p.effects)
			return true
		}
		s := p.stopAt(stopped)
		if !s.access.perform(m, s) {
			m.failedAt = s.access.at
			return false
		}
		c.setWindows(s.access, m)
		from = s.access.next
	}
	return true
}

// apply makes known what links have done to columns.
func apply(effects []effect) {
	for _, e := range effects {
		*e.to = e.status
	}
}

// planFrom returns the plan from a link on for the present status of the columns.
func (c *chain) planFrom(from int, m *machine) *chainPlan {
	start := c.starts[from]
	if start == nil {
		start = &chainStart{tracked: c.trackedFrom(from)}
		c.starts[from] = start
	}
	key := uint64(0)
	for _, s := range start.tracked {
		key <<= 2
		if s.uniform {
			key |= 1
		}
		if s.filled {
			key |= 2
		}
	}
	plans := &start.plans[bit(m.full)]
	for _, p := range *plans {
		if p.key == key {
			return p
		}
	}
	p := c.plan(from, start, m, key)
	*plans = append([]*chainPlan{p}, (*plans)[:min(len(*plans), maxPlans-1)]...)
	return p
}

// trackedFrom returns the status of each column that the links from one on find: those they read, or
// change for some threads only, before they write them.
func (c *chain) trackedFrom(from int) (tracked []*status) {
	known := map[*status]bool{}
	for i := from; i < len(c.links); i++ {
		l := &c.links[i]
		found := l.sources
		if l.guard != nil {
			found = append(slices.Clip(found), *l.guard)
		}
		if !l.private {
			found = append(slices.Clip(found), l.d)
		}
		for _, p := range found {
			if !known[p.status] && !c.constants[p.status] {
				known[p.status] = true
				tracked = append(tracked, p.status)
			}
		}
		known[l.d.status] = true
	}
	return tracked
}

// plan makes the chain from a link on for the present status of the columns, which have the given key.
func (c *chain) plan(from int, start *chainStart, m *machine, key uint64) *chainPlan {
	p := &planner{chainPlan: chainPlan{key: key}, machine: m, present: map[*status]status{}, sums: map[*status]*sum{}}
	for s := range c.constants {
		p.present[s] = *s
	}
	for _, s := range start.tracked {
		p.present[s] = *s
	}
	for i := from; i < len(c.links); i++ {
		p.add(&c.links[i])
	}
	p.effects = p.effectsNow()
	p.chain.End(p.engine())
	return &p.chainPlan
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
	if c.class == narrow {
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
	case narrow:
		p.link("blend.32", "i:ip", engine.AtWork, d, value, threads)
	case wide:
		p.link("blend.64", "l:lp", engine.AtWork, d, value, threads)
	case flag:
		p.link("xor.pred", "p:pp", engine.AtWork, value, value, d)
		p.link("and.pred", "p:pp", engine.AtWork, value, value, threads)
		p.link("xor.pred", "p:pp", engine.AtWork, d, d, value)
	}
}
