package vm

import (
	"math/bits"
	"slices"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// step counts an instruction that is not the end of a block.
func (c *counter) step(m *machine, s *watchedStep) {
	c.instruction(m, s.inst(), s.executed)
	if s.memory != nil {
		for w := range m.lanes / 32 {
			if threads := warpOf(s.executed, w); threads != 0 {
				c.request(m, s.memory, w*32, threads)
			}
		}
	}
}

// control counts the instruction at the end of a block.
func (c *counter) control(m *machine, p *path, s *watchedControl) {
	executed, taken := s.threads(m, p)
	if executed == nil {
		return
	}
	c.instruction(m, s.inst(), executed)
	name := s.inst().Tree.Name.Text
	if name != "bra" && name != "brx" {
		return
	}
	for w := range m.lanes / 32 {
		here, there := warpOf(executed, w), warpOf(taken, w)
		if here == 0 {
			continue
		}
		c.branches++
		if name == "bra" && there != 0 && there != here {
			c.divergent++
		}
	}
	if table, ok := s.control.(*jumpTable); ok {
		c.divergent += table.divergent(m, p)
	}
}

// instruction counts the threads and warps that execute an instruction.
func (c *counter) instruction(m *machine, in *check.Inst, executed engine.Mask) {
	n, ok := c.bySite[in]
	if !ok {
		opcode := newForm(in.Tree).String()
		if n, ok = c.opcodes[opcode]; !ok {
			n = &OpcodeCount{}
			c.opcodes[opcode] = n
		}
		c.bySite[in] = n
	}
	n.Threads += uint64(count(executed))
	for w := range m.lanes / 32 {
		n.Warps += bit(warpOf(executed, w) != 0)
	}
}

// request counts an access of a warp, whose first thread has the number first. The spaces that it goes to, of which there
// may be several if its addresses are generic, have a request each.
func (c *counter) request(m *machine, s memoryStep, first int, threads uint32) {
	a := s.accessed()
	for i := range c.parts {
		c.parts[i] = c.parts[i][:0]
	}
	for set := threads; set != 0; set &= set - 1 {
		n := bits.TrailingZeros32(set)
		address := s.addressFor(first + n)
		to, ok := m.resolve(a, address)
		if !ok {
			continue // the launch stops, or Check reports it
		}
		space := to.space
		if space == check.Global && to.buffer.readOnly {
			space = check.Const
		}
		c.parts[space] = append(c.parts[space], lane{n, address, to.offset})
	}
	for i, lanes := range c.parts {
		space := check.Space(i)
		if len(lanes) == 0 {
			continue
		}
		t, ok := c.memory[space]
		if !ok {
			t = &Traffic{}
			c.memory[space] = t
		}
		r := &t.Loads
		switch {
		case a.reads && a.writes:
			r = &t.Atomics
		case a.writes:
			r = &t.Stores
		}
		r.Requests++
		r.Bytes += a.span * uint64(len(lanes))
		switch space {
		case check.Global:
			t.Sectors += sectors(lanes)
		case check.Shared:
			passes, least := bankPasses(lanes, int(a.span))
			t.Passes += passes
			t.Conflict += passes - least
		}
	}
}

// lane is a thread's part of a request.
type lane struct {
	number  int
	address uint64
	offset  int // in its space
}

// sectors is the number of 32-byte sectors that lanes touch. An access is aligned, so each touches one.
func sectors(lanes []lane) uint64 {
	var seen [32]uint64
	n := 0
	for _, l := range lanes {
		if sector := l.address / 32; !slices.Contains(seen[:n], sector) {
			seen[n] = sector
			n++
		}
	}
	return uint64(n)
}

// bankPasses is the number of passes that a request to shared memory takes, and that it would take without
// conflicts. There are 32 banks of 4 bytes, side by side; a pass gets one word of each, for all lanes that want it.
// Accesses of 8 bytes are made for half the lanes at a time and those of 16 for a quarter (CUDA C++ Programming
// Guide, compute capability 5.x, shared memory).
func bankPasses(lanes []lane, span int) (passes, least uint64) {
	group := 32 / max(span/4, 1)
	for from := 0; from < 32; from += group {
		var banks [32]uint64
		words := make([]int, 0, 32)
		for _, l := range lanes {
			if l.number < from || l.number >= from+group {
				continue
			}
			for word := l.offset / 4; word*4 < l.offset+span; word++ {
				if !slices.Contains(words, word) {
					words = append(words, word)
					banks[word%32]++
				}
			}
		}
		most := uint64(0)
		for _, n := range banks {
			most = max(most, n)
		}
		passes += most
		least += min(most, 1)
	}
	return passes, least
}
