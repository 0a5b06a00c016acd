package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// watch looks at what a machine executes, for a launch that asks for checks or counts. The steps
// of such a launch are bound inside others that tell the watch; those of any other launch are not,
// so that it costs them nothing.
type watch struct {
	checker *checker // or nil
	counter *counter // or nil
}

// newWatch returns the watch of a machine, nil if its launch asks for nothing.
func newWatch(l *launch, m *machine) *watch {
	if !l.grid.Check && l.grid.Stats == nil {
		return nil
	}
	w := &watch{}
	if l.grid.Check {
		w.checker = newChecker(l, m)
	}
	if l.grid.Stats != nil {
		w.counter = newCounter()
	}
	return w
}

// begin prepares for a CTA.
func (w *watch) begin(m *machine) {
	if w.checker != nil {
		w.checker.begin(m)
	}
}

// memoryStep is a step that accesses memory.
type memoryStep interface {
	accessed() *access
	// addressFor is the address that a thread accesses, offset included.
	addressFor(thread int) uint64
	// clear gives the destinations of a thread whose access is not made the value 0.
	clear(thread int)
}

func (s *load[W, A]) accessed() *access   { return &s.access }
func (s *store[W, A]) accessed() *access  { return &s.access }
func (s *update[W, A]) accessed() *access { return &s.access }

func (s *load[W, A]) addressFor(thread int) uint64 {
	return uint64(s.address.all()[thread] + A(s.offset))
}

func (s *store[W, A]) addressFor(thread int) uint64 {
	return uint64(s.address.all()[thread] + A(s.offset))
}

func (s *update[W, A]) addressFor(thread int) uint64 {
	return uint64(s.address.all()[thread] + A(s.offset))
}

func (s *load[W, A]) clear(thread int) {
	for _, d := range s.d {
		if d != nil {
			d.update()[thread] = 0
		}
	}
}

func (s *store[W, A]) clear(thread int)  {}
func (s *update[W, A]) clear(thread int) { s.d.update()[thread] = 0 }

// site is an instruction in a frame.
type site struct {
	frame *frame
	at    int // index in check.Function.Body; -1 of the return at its end
}

func (s site) inst() *check.Inst { return &s.frame.fn.decl.Body[s.at] }

// watchedStep is a step that the watch is told of.
type watchedStep struct {
	step
	site
	op       *operation
	last     bool       // is the last operation of its instruction
	guard    *predicate // of the instruction, or nil
	guardNot bool
	executed engine.Mask // the threads at work for which the guard holds
	valid    engine.Mask // those whose access is a good one
	memory   memoryStep  // or nil
}

// bind puts the steps and the control of a block, just bound, under the watch.
func (w *watch) bind(f *frame, b *block, m *machine, bound *boundBlock) {
	steps := bound.steps
	last := map[int]int{} // the last operation of each instruction
	for i := range b.operations {
		last[b.operations[i].at] = i
	}
	bound.steps, bound.at = nil, nil
	next := b.begin
	add := func(s *watchedStep) {
		s.executed, s.valid = make(engine.Mask, m.maskWords), make(engine.Mask, m.maskWords)
		bound.steps, bound.at = append(bound.steps, s), append(bound.at, int32(s.at))
	}
	// Instructions without an operation are executed, too.
	skipTo := func(at int) {
		for ; next < at; next++ {
			if _, ok := last[next]; !ok {
				add(w.withoutOperation(f, next))
			}
		}
		next = max(next, at+1)
	}
	for i := range steps {
		op := &b.operations[i]
		skipTo(op.at)
		s := &watchedStep{step: steps[i], site: site{f, op.at}, op: op}
		// What takes the result of a call or a bar.red is in the block behind it, and belongs to an instruction
		// that has been counted.
		s.last = last[op.at] == i && op.at >= b.begin && (b.control == nil || b.control.at != op.at)
		inner := steps[i]
		if g, ok := inner.(*guarded); ok {
			inner = g.step
		}
		// What only prepares a value runs without the guard, but no thread that fails it reads anything.
		if in := s.inst(); in.Guard >= 0 {
			s.guard, s.guardNot = f.predicate(register(in.Guard)), in.GuardNot
		}
		s.memory, _ = inner.(memoryStep)
		add(s)
	}
	if b.control != nil {
		skipTo(min(b.control.at, b.end))
		bound.control = &watchedControl{control: bound.control, site: site{f, b.control.at}, transfer: b.control, executed: make(engine.Mask, m.maskWords)}
	} else {
		skipTo(b.end)
	}
}

// withoutOperation is the step of an instruction that does nothing here.
func (w *watch) withoutOperation(f *frame, at int) *watchedStep {
	in := &f.fn.decl.Body[at]
	op := &operation{at: at, guard: noRegister}
	s := &watchedStep{step: idle{}, site: site{f, at}, op: op, last: true}
	if in.Guard >= 0 {
		op.guard, op.guardNot = register(in.Guard), in.GuardNot
		s.guard, s.guardNot = f.predicate(op.guard), op.guardNot
	}
	return s
}

// idle is a step that does nothing.
type idle struct{}

func (idle) run(m *machine) bool { return true }

func (s *watchedStep) run(m *machine) bool {
	copy(s.executed, m.active)
	if s.guard != nil {
		flip := -bit(s.guardNot)
		for i := range s.executed {
			s.executed[i] &= s.guard.bits[i] ^ flip
		}
	}
	w := m.watch
	if w.counter != nil && s.last {
		w.counter.step(m, s)
	}
	if w.checker == nil {
		return s.step.run(m)
	}
	return w.checker.step(m, s)
}

// watchedControl is the end of a block that the watch is told of.
type watchedControl struct {
	control
	site
	transfer *transfer
	executed engine.Mask
}

func (c *watchedControl) run(m *machine, p *path) bool {
	w := m.watch
	if w.counter != nil && c.at >= 0 {
		w.counter.control(m, p, c)
	}
	if w.checker == nil {
		return c.control.run(m, p)
	}
	return w.checker.control(m, p, c)
}

// threads returns the threads of the path that execute the instruction itself, and those of them
// that it takes elsewhere. A guard of another instruction than bra, ret and exit is a branch around it, whose
// threads do not count.
func (c *watchedControl) threads(m *machine, p *path) (executed, taken engine.Mask) {
	copy(c.executed, p.mask)
	switch control := c.control.(type) {
	case jump:
		if c.inst().Tree.Name.Text != "bra" { // the begin of a block
			return nil, nil
		}
	case *indirectCall:
		control.group(m, p, c.executed)
	case *branch:
		if c.inst().Tree.Name.Text != "bra" {
			return nil, nil
		}
		return p.mask, control.where(c.executed)
	case *leave:
		if control.p != nil {
			flip := -bit(control.not)
			for i := range c.executed {
				c.executed[i] &= control.p.bits[i] ^ flip
			}
		}
	}
	return c.executed, c.executed
}

// where takes those threads out of a set that do not take the branch.
func (c *branch) where(set engine.Mask) engine.Mask {
	flip := -bit(c.not)
	for i := range set {
		set[i] &= c.p.bits[i] ^ flip
	}
	return set
}

// target is where an access goes.
type target struct {
	space  check.Space // Shared, Local, Param or Global
	buffer *Buffer     // of Global
	offset int
}

// resolve returns where a thread's access goes, and whether it is a good one.
func (m *machine) resolve(a *access, address uint64) (to target, ok bool) {
	if a.isLocal(address) {
		at := a.localOffset(address)
		return target{check.Local, nil, int(at)}, m.insideLocal(at, a.span)
	}
	if _, ok := m.inside(a, address, 1); !ok {
		return to, false
	}
	switch {
	case a.space == check.Shared:
		return target{check.Shared, nil, int(address)}, true
	case a.space == check.Generic && address-sharedWindow < windowSize:
		return target{check.Shared, nil, int(address - sharedWindow)}, true
	case a.space == check.Param:
		return target{check.Param, nil, int(address)}, true
	case a.space == check.Generic && address-paramWindow < windowSize:
		return target{check.Param, nil, int(address - paramWindow)}, true
	}
	b := find(m.launch.allocations, address)
	return target{check.Global, b, int(address - b.address)}, true
}
