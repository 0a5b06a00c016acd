package vm

import "github.com/vop-ptx/vop/run/engine"

// column is a register of a CTA: a value for each thread.
type column[W engine.Word] struct {
	// values has one element per thread, and some more at the end that
	// fill the last warp.
	values []W
	status
}

// status is what is known of a column.
type status struct {
	// uniform says that all threads have the same value, that of the first. Those of the others
	// need not stand in a column of words or wide values, unless filled says so. In one of
	// predicates they do.
	uniform, filled bool
}

// setUniform says that values[0], just written, is the value of all threads.
func (c *column[W]) setUniform() { c.uniform, c.filled = true, false }

// set gives all threads one value.
func (c *column[W]) set(value W) {
	c.values[0] = value
	c.setUniform()
}

// all returns the values of all threads.
func (c *column[W]) all() []W {
	if c.uniform && !c.filled {
		engine.Fill(c.values, c.values[0])
		c.filled = true
	}
	return c.values
}

// read returns the values of the threads at work.
func (c *column[W]) read(m *machine) []W { return c.all()[m.low:m.high] }

// write returns where the values of the threads at work are to be written, all of
// them. Sources are read before it is called, since one of them may be the same column.
// After writing, commit must be called.
//
// A private column is one whose other threads' values nobody will read:
// it is written directly even if not all threads are at work.
func (c *column[W]) write(m *machine, private bool) []W {
	if m.full || private {
		c.uniform = false
		return c.values[m.low:m.high]
	}
	return scratch[W](m)[m.low:m.high]
}

// commit takes over what was written to the slice that write returned.
func (c *column[W]) commit(m *machine, private bool, written []W) {
	if m.full || private {
		return
	}
	engine.Blend(c.update()[m.low:m.high], written, m.active[m.low/64:])
}

// update returns the values of all threads, of which some are about to be changed.
func (c *column[W]) update() []W {
	values := c.all()
	c.uniform = false
	return values
}

// predicate is a predicate register of a CTA: a bit for each thread.
type predicate struct {
	bits engine.Mask
	status
}

func (p *predicate) set(value bool) {
	for i := range p.bits {
		p.bits[i] = -bit(value)
	}
	p.uniform = true
}

// holds is the value of a uniform predicate.
func (p *predicate) holds() bool { return p.bits[0]&1 != 0 }

func (p *predicate) read(m *machine) engine.Mask { return p.bits[m.low/64 : (m.high+63)/64] }

// write and commit are those of a column.
func (p *predicate) write(m *machine, private bool) engine.Mask {
	if m.full || private {
		p.uniform = false
		return p.read(m)
	}
	return m.scratchMask[m.low/64 : (m.high+63)/64]
}

func (p *predicate) commit(m *machine, private bool, written engine.Mask) {
	if m.full || private {
		return
	}
	p.merge(m, written)
}

// merge takes over the bits of the threads at work.
func (p *predicate) merge(m *machine, written engine.Mask) {
	p.uniform = false
	active := m.active[m.low/64:]
	bits := p.read(m)
	for i := range bits {
		bits[i] ^= (bits[i] ^ written[i]) & active[i]
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
