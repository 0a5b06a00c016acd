package vm

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// unsetRegisters knows the registers of a frame that threads have not written yet: the threads, by
// register. Of most registers it is known when the function is built that they are always written first;
// they have no mask.
type unsetRegisters []engine.Mask

// unsetIn returns what is known of a frame.
func (c *checker) unsetIn(m *machine, f *frame) unsetRegisters {
	u, ok := c.registers[f]
	if !ok {
		u = make(unsetRegisters, len(f.fn.registers))
		for r, may := range f.fn.mayBeUnset() {
			if may {
				u[r] = make(engine.Mask, m.maskWords)
			}
		}
		u.begin()
		c.registers[f] = u
	}
	return u
}

// begin says that no register has been written.
func (u unsetRegisters) begin() {
	for _, mask := range u {
		for i := range mask {
			mask[i] = ^uint64(0)
		}
	}
}

// mayBeUnset returns the registers that may be read before they are written, and those that
// they are moved to.
func (fn *function) mayBeUnset() []bool {
	may := make([]bool, len(fn.registers))
	for r := range fn.registers {
		may[r] = fn.registers[r].unset
	}
	moves := map[register][]*operation{} // by what they move
	for i := range fn.blocks {
		for j := range fn.blocks[i].operations {
			op := &fn.blocks[i].operations[j]
			if fn.moves(op) {
				for _, r := range op.uses {
					moves[r] = append(moves[r], op)
				}
			}
		}
	}
	var pending []register
	for r := range may {
		if may[r] {
			pending = append(pending, register(r))
		}
	}
	for len(pending) > 0 {
		r := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, op := range moves[r] {
			for _, d := range op.defs {
				if !may[d] {
					may[d] = true
					pending = append(pending, d)
				}
			}
		}
	}
	return may
}

// moves reports whether an operation only moves values: compilers move registers that are unset
// where nobody will read what they are moved to.
func (fn *function) moves(op *operation) bool { return fn.decl.Body[op.at].Tree.Name.Text == "mov" }

// nameOf returns a register as the text writes it.
func (fn *function) nameOf(r register) string {
	declared := fn.decl.Registers
	if int(r) < len(declared) {
		return declared[r].Name
	}
	of, _ := slices.BinarySearch(fn.elements, r+1)
	if of--; of < 0 || int(r-fn.elements[of]) >= declared[of].Vec-1 {
		return "the condition code"
	}
	return declared[of].Name + "." + string("yzw"[r-fn.elements[of]])
}

// use reports the threads that read a register without having written it.
func (c *checker) use(m *machine, s site, unset unsetRegisters, r register, threads engine.Mask) {
	mask := unset[r]
	if mask == nil {
		return
	}
	found := make(engine.Mask, len(mask))
	for i := range found {
		found[i] = mask[i] & threads[i]
	}
	if isEmpty(found) {
		return
	}
	exclude(mask, found)
	f := &Fault{Kind: UnsetRegister, Detail: s.frame.fn.nameOf(r) + " is read, and has not been written", thread: first(found)}
	c.report(m, s, f, count(found))
}

// operation checks what an operation reads, and notes what it writes.
func (u unsetRegisters) operation(c *checker, m *machine, s *watchedStep) {
	if s.frame.fn.moves(s.op) {
		u.move(s)
		return
	}
	uses := s.op.uses
	if s.inst().Tree.Name.Text == "shfl" {
		uses = uses[1:] // gcc broadcasts registers that only one thread of a warp has set
	}
	for _, r := range uses {
		c.use(m, s.site, u, r, s.executed)
	}
	for _, d := range s.op.defs {
		if u[d] != nil {
			exclude(u[d], s.executed)
		}
	}
}

// move makes the destinations unset where a source is.
func (u unsetRegisters) move(s *watchedStep) {
	for _, d := range s.op.defs {
		mask := u[d]
		for i := range mask {
			var unset uint64
			for _, r := range s.op.uses {
				if u[r] != nil {
					unset |= u[r][i]
				}
			}
			mask[i] = mask[i]&^s.executed[i] | unset&s.executed[i]
		}
	}
}

// memory checks whether what a thread reads has been written, and notes what it writes. It
// returns the first byte of the access that is read unset, or -1.
func (c *checker) memory(m *machine, a *access, thread int, to target) (missing int) {
	span := int(a.span)
	missing = -1
	if a.reads {
		for i := span - 1; i >= 0; i-- {
			if !c.isSet(m, thread, to, i) {
				missing = i
			}
		}
	}
	if a.writes {
		for i := range span {
			c.set(m, thread, to, i)
		}
	}
	return missing
}

// isSet reports whether a byte has been written.
func (c *checker) isSet(m *machine, thread int, to target, i int) bool {
	at := to.offset + i
	switch to.space {
	case check.Shared:
		return c.shared.written[at]
	case check.Local:
		place, bit := c.localPlace(m, thread, at)
		return *place&bit != 0
	case check.Global:
		unset := to.buffer.unset.Load()
		return unset == nil || atomic.LoadUint32(&(*unset)[at/32])>>(at%32)&1 == 0
	}
	return true
}

// set notes that a byte has been written.
func (c *checker) set(m *machine, thread int, to target, i int) {
	at := to.offset + i
	switch to.space {
	case check.Shared:
		c.shared.written[at] = true
	case check.Local:
		place, bit := c.localPlace(m, thread, at)
		*place |= bit
	case check.Global:
		if unset := to.buffer.unset.Load(); unset != nil {
			atomic.AndUint32(&(*unset)[at/32], ^(1 << (at % 32)))
		}
	}
}

// localPlace returns where the checker remembers a byte of a thread's local memory.
func (c *checker) localPlace(m *machine, thread, at int) (place *uint8, bit uint8) {
	if more := len(m.local) - len(c.local); more > 0 {
		c.local = append(c.local, make([]uint8, more)...)
	}
	return &c.local[at/4*m.lanes+thread], 1 << (at % 4)
}

// unsetFault makes the report of a thread that reads memory that has not been written.
func (c *checker) unsetFault(m *machine, a *access, thread int, address uint64, to target, missing int) *Fault {
	name, _, _, _ := m.nearest(a.space, address)
	return &Fault{
		Kind: UnsetMemory, Access: a.String(), Address: address, thread: thread,
		Detail: fmt.Sprintf("byte %d of %s has not been written", to.offset+missing, name),
	}
}

// enter prepares the frame of a function that has just been called: its registers and local memory are
// unset, but for the arguments.
func (c *checker) enter(m *machine, s *call, p *path) {
	f := p.frame
	c.unsetIn(m, f).begin()
	for t := range m.threads {
		if !contains(p.mask, t) {
			continue
		}
		for at := f.base; at < f.base+f.fn.local; at++ {
			place, bit := c.localPlace(m, t, at)
			*place &^= bit
		}
		for i := range s.in {
			c.pass(m, &s.in[i], t, s.caller, f.base+f.fn.places[s.in[i].inner], true)
		}
	}
}

// pass notes that an argument or a result has been copied between caller and callee.
func (c *checker) pass(m *machine, p *passage, thread int, caller *frame, inner int, inwards bool) {
	outer := caller.base + p.offset
	for i := range p.inner.Size {
		from, to := outer+i, inner+i
		if !inwards {
			from, to = to, from
		}
		if p.register != noRegister && !inwards {
			return
		}
		if p.register != noRegister || c.isSet(m, thread, target{space: check.Local}, from) {
			c.set(m, thread, target{space: check.Local}, to)
		}
	}
}

// afterwards notes fences, and what steps write to local memory that are not stores.
func (c *checker) afterwards(m *machine, s *watchedStep) {
	if name := s.inst().Tree.Name.Text; name == "membar" || name == "fence" {
		c.shared.fence(s.executed)
	}
	inner := s.step
	if g, ok := inner.(*guarded); ok {
		inner = g.step
	}
	for t := range m.threads {
		if !contains(s.executed, t) {
			continue
		}
		switch inner := inner.(type) {
		case *takeResults:
			base := inner.caller.base + roundUp(inner.caller.fn.local, stackAlign)
			for i := range inner.out {
				p := &inner.out[i]
				c.pass(m, p, t, inner.caller, base+inner.callee.places[p.inner], false)
			}
		case *builtinStep:
			for i := range inner.out {
				p := &inner.out[i]
				for at := range p.inner.Size {
					c.set(m, t, target{space: check.Local, offset: inner.frame.base + p.offset}, at)
				}
			}
		default:
			return
		}
	}
}
