package vm

import "github.com/vop-ptx/vop/run/engine"

// control is the end of a block. It moves the path on, to p.block, and returns true;
// or it returns false because the path has ended or waits, or because of m.fault.
type control interface {
	run(m *machine, p *path) (onward bool)
}

// jump goes to one block.
type jump struct{ to int }

func (c jump) run(m *machine, p *path) bool {
	p.block = c.to
	return true
}

// branch goes to one block where its predicate holds and to another where not.
type branch struct {
	p           *predicate
	not         bool
	taken, next int
	meet        int
	set         engine.Mask // threads that take the branch
}

func (c *branch) run(m *machine, p *path) bool {
	flip := -bit(c.not)
	var some, others uint64
	for i, active := range p.mask {
		c.set[i] = active & (c.p.bits[i] ^ flip)
		some |= c.set[i]
		others |= active &^ c.set[i]
	}
	switch {
	case some == 0:
		p.block = c.next
	case others == 0:
		p.block = c.taken
	default:
		m.split(p, c.set, c.taken, c.next, c.meet)
	}
	return true
}

// split sends the threads of a set, some but not all of the path's, to one
// block and keeps the path for the others.
func (m *machine) split(p *path, set engine.Mask, taken, next, meet int) {
	p.join = m.meetingAt(p, meet)
	if j := p.join; j != nil && j.frame == p.frame && j.block == taken {
		include(j.arrived, set)
	} else {
		m.runnable = append(m.runnable, m.newPath(p.frame, taken, set, j))
	}
	exclude(p.mask, set)
	p.block = next
	m.enter(p.mask)
}

// leave ends the threads of the kernel, or returns from the function, for those whose
// predicate holds; p is nil if that is all.
type leave struct {
	exits bool // ends the threads even in a function
	p     *predicate
	not   bool
	next  int
	set   engine.Mask
}

func bindLeave(f *frame, b *block) control { return &leave{} }

func (c *leave) run(m *machine, p *path) bool {
	if c.p == nil {
		c.take(m, p, p.mask)
		m.freePath(p)
		return false
	}
	flip := -bit(c.not)
	for i, active := range p.mask {
		c.set[i] = active & (c.p.bits[i] ^ flip)
	}
	if !isEmpty(c.set) {
		exclude(p.mask, c.set)
		c.take(m, p, c.set)
		if isEmpty(p.mask) {
			m.freePath(p)
			return false
		}
		m.enter(p.mask)
	}
	p.block = c.next
	return true
}

// take takes threads out of the path.
func (c *leave) take(m *machine, p *path, threads engine.Mask) {
	if p.frame.back != nil && !c.exits {
		m.goBack(p, threads)
		return
	}
	m.end(p, threads)
}
