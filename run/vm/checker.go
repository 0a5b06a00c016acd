package vm

import (
	"fmt"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// checker finds mistakes in what a machine executes. After a mistake the launch goes on, as if
// the access had not been made or the value had been set, so that a second mistake
// is found in the same launch.
type checker struct {
	reports   *reports
	registers map[*frame]unsetRegisters
	shared    *sharedMemory
	local     []uint8 // as machine.local: which of the 4 bytes of a word have been written
}

func newChecker(l *launch, m *machine) *checker {
	return &checker{reports: &l.reports, registers: map[*frame]unsetRegisters{}, shared: newSharedMemory(len(m.shared), m.lanes/32)}
}

// begin prepares for a CTA.
func (c *checker) begin(m *machine) {
	c.shared.begin()
	clear(c.local)
	c.unsetIn(m, m.root).begin()
}

// report enters a fault of threads of the present CTA.
func (c *checker) report(m *machine, s site, f *Fault, threads int) {
	f.locate(m, s.frame, s.at)
	c.reports.add(m, f, threads)
}

// step checks and runs a step.
func (c *checker) step(m *machine, s *watchedStep) bool {
	unset := c.unsetIn(m, s.frame)
	if s.op.guard != noRegister {
		c.use(m, s.site, unset, s.op.guard, m.active)
	}
	if isEmpty(s.executed) {
		return true
	}
	unset.operation(c, m, s)
	if s.memory == nil {
		ok := s.step.run(m)
		c.afterwards(m, s)
		return ok
	}
	copy(s.valid, s.executed)
	c.access(m, s)
	if covers(s.valid, s.executed) {
		return s.step.run(m)
	}
	if !isEmpty(s.valid) {
		outer := m.region
		m.enter(s.valid)
		ok := s.step.run(m)
		m.region = outer
		if !ok {
			return false
		}
	}
	for t := range m.threads {
		if contains(s.executed, t) && !contains(s.valid, t) {
			s.memory.clear(t)
		}
	}
	return true
}

// access checks the accesses of all threads of a step, and takes those out of s.valid that must not
// be made.
func (c *checker) access(m *machine, s *watchedStep) {
	a := s.memory.accessed()
	var bad, unset, race finding
	for t := m.next(m.low); t < m.high; t = m.next(t + 1) {
		if !contains(s.executed, t) {
			continue
		}
		address := s.memory.addressFor(t)
		to, ok := m.resolve(a, address)
		if !ok {
			s.valid[t/64] &^= 1 << (t % 64)
			if bad.threads++; bad.threads == 1 {
				m.accessFault(a, t, address)
				bad.fault, m.fault = m.fault, nil
			}
			continue
		}
		if missing := c.memory(m, a, t, to); missing >= 0 {
			if unset.threads++; unset.threads == 1 {
				unset.fault = c.unsetFault(m, a, t, address, to, missing)
			}
		}
		if to.space == check.Shared {
			if f := c.shared.access(m, s, t, to.offset, int(a.span)); f != nil {
				if race.threads++; race.threads == 1 {
					f.Address = address
					race.fault = f
				}
			}
		}
	}
	for _, f := range []finding{bad, unset, race} {
		if f.threads > 0 {
			c.report(m, s.site, f.fault, f.threads)
		}
	}
}

// finding is a fault of some threads in one step; that of the first of them is kept.
type finding struct {
	fault   *Fault
	threads int
}

// control checks and runs the end of a block.
func (c *checker) control(m *machine, p *path, s *watchedControl) bool {
	unset := c.unsetIn(m, s.frame)
	for _, r := range s.transfer.uses {
		c.use(m, s.site, unset, r, p.mask)
	}
	switch inner := s.control.(type) {
	case *synchronisation:
		if id := int(inner.id.all()[m.first]); id < len(m.barriers) {
			c.shared.arrive(&m.barriers[id], p.mask)
		}
	case *indirectCall:
		ok := inner.run(m, p)
		if ok {
			c.enter(m, inner.chosen, p)
		}
		return ok
	case *call:
		ok := inner.run(m, p)
		if ok {
			c.enter(m, inner, p)
		}
		return ok
	}
	return s.control.run(m, p)
}

// released is told of the threads that a barrier lets go.
func (c *checker) released(m *machine, b *barrier) {
	c.shared.release(b)
	if b.count != 0 || len(b.waiting) == 0 {
		return
	}
	p := b.waiting[0]
	f := &Fault{Kind: PartialBarrier, thread: first(p.mask)}
	for _, q := range b.waiting[1:] {
		if q.waitsAt != p.waitsAt {
			are := "1 thread is"
			if n := count(p.mask); n > 1 {
				are = fmt.Sprintf("%d threads are", n)
			}
			f.Detail = fmt.Sprintf("%s at this barrier, %d (from thread %v on) at that of line %d",
				are, count(q.mask), m.launch.grid.Block.at(first(q.mask)), m.lineBefore(q))
			break
		}
	}
	if here := count(b.arrived); f.Detail == "" && here < m.threads {
		ended := make(engine.Mask, m.maskWords)
		fillTo(ended, m.threads)
		exclude(ended, b.arrived)
		others := "the others (from thread %v on) have ended"
		if m.threads-here == 1 {
			others = "thread %v has ended"
		}
		f.Detail = fmt.Sprintf("%d of %d threads have reached it; "+others, here, m.threads, m.launch.grid.Block.at(first(ended)))
	}
	if f.Detail != "" {
		c.report(m, site{p.frame, p.waitsAt}, f, 1)
	}
}
