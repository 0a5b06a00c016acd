package amd64

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// reservedMask is the mask register that is not allocated: loops over arrays have in it the lanes
// of their last words.
const reservedMask = 7

// vectors returns how many vector registers may be allocated.
func (c *builder) vectors() int {
	all := bits.OnesCount32(c.free[vector])
	if n := c.o.Registers; n > 0 && n < all {
		return n
	}
	return all
}

// scan is the state of linear scan: what each machine register holds, and which hold nothing.
type scan struct {
	*builder
	free [numClasses]uint32
	held [numClasses][32]vreg
	// ends are the registers by the ends of their intervals, and starts those whose intervals begin before they
	// are defined, by their beginnings.
	ends, starts []vreg
	spilled      bool
}

var errRegisters = errors.New("amd64: an instruction needs more registers than there are")

// allocate gives every virtual register a machine register: linear scan over the live intervals,
// after Poletto and Sarkar (1999). Where no register is free, the interval that ends last goes to
// the frame; then its uses are written anew, and the scan starts again.
func (c *builder) allocate() error {
	for range 20 {
		c.intervals()
		s := scan{builder: c, free: c.free}
		s.order()
		s.free[vector] = uint32(1<<c.vectors() - 1)
		spilled, err := s.run()
		if err != nil || !spilled {
			return err
		}
		c.spill()
	}
	return errRegisters
}

// order sorts the registers that begin or end elsewhere than at instructions that define or read them.
func (s *scan) order() {
	if len(s.loops) == 0 {
		return
	}
	early, seen := make([]bool, len(s.registers)), make([]bool, len(s.registers))
	for n := range s.code {
		if i := &s.code[n]; i.defines && !seen[i.args[0].v] {
			v := i.args[0].v
			seen[v] = true
			early[v] = s.registers[v].start < int32(n)
		}
	}
	for v := 1; v < len(s.registers); v++ {
		if r := &s.registers[v]; r.start >= 0 && !r.isConstant() {
			s.ends = append(s.ends, vreg(v))
			if early[v] {
				s.starts = append(s.starts, vreg(v))
			}
		}
	}
	slices.SortFunc(s.ends, func(a, b vreg) int { return int(s.registers[a].end - s.registers[b].end) })
	slices.SortFunc(s.starts, func(a, b vreg) int { return int(s.registers[a].start - s.registers[b].start) })
}

// begin frees the registers of values that have ended before an instruction, and gives those registers that begin
// with it.
func (s *scan) begin(n int32) error {
	for len(s.ends) > 0 && s.registers[s.ends[0]].end < n {
		s.drop(s.ends[0])
		s.ends = s.ends[1:]
	}
	for len(s.starts) > 0 && s.registers[s.starts[0]].start <= n {
		v := s.starts[0]
		s.starts = s.starts[1:]
		if s.registers[v].start == n && !s.holds(v) && !s.hold(v) {
			s.spilled = true
			if !s.evict(v) {
				return errRegisters
			}
		}
	}
	return nil
}

// run scans the code once. It reports whether values must be spilled.
func (s *scan) run() (spilled bool, err error) {
	for v := range s.registers {
		s.registers[v].machine = -1
	}
	for i := range s.constants {
		if k := &s.constants[i]; k.kept {
			s.hold(k.v)
		}
	}
	for n := range s.code {
		i := &s.code[n]
		if i.none() {
			continue
		}
		if err := s.begin(int32(n)); err != nil {
			return false, err
		}
		// A value that the instruction changes keeps its register, if this is its last use.
		// Otherwise it is copied before, when the other operands are still needed.
		copied := false
		if i.tie != 0 {
			t := s.register(i.tie)
			copied = t.isConstant() || t.end != int32(n)
		}
		if !copied {
			s.release(i, int32(n))
		}
		if i.defines {
			v := i.args[0].v
			switch {
			case s.holds(v): // a phi, which several instructions write
			case i.tie != 0 && !copied && s.registers[i.tie].machine >= 0:
				s.take(v, s.registers[i.tie].machine)
			case i.move && s.canTake(v, i.args[1].v):
				s.take(v, s.registers[i.args[1].v].machine)
			default:
				if !s.hold(v) {
					s.spilled = true
					if !s.evict(v) {
						return false, errRegisters
					}
				}
			}
		}
		if copied {
			s.release(i, int32(n))
		}
		if i.defines {
			if r := s.register(i.args[0].v); r.end == int32(n) {
				s.drop(i.args[0].v)
			}
		}
	}
	return s.spilled, nil
}

// release frees the registers of values that an instruction is the last to read.
func (s *scan) release(i *instr, n int32) {
	i.each(func(v vreg) {
		if r := s.register(v); r.end == n && !r.isConstant() {
			s.drop(v)
		}
	})
	for _, v := range i.uses {
		if s.register(v).end == n {
			s.drop(v)
		}
	}
}

// holds reports whether a value has its register already.
func (s *scan) holds(v vreg) bool {
	r := s.register(v)
	return r.machine >= 0 && s.held[r.class][r.machine] == v
}

// canTake reports whether a value can have the register that another one has just given up.
func (s *scan) canTake(v, from vreg) bool {
	if from == 0 || s.registers[from].isConstant() {
		return false
	}
	r := s.register(from)
	return r.class == s.registers[v].class && r.machine >= 0 && s.free[r.class]>>r.machine&1 != 0
}

// drop frees the register of a value. The value keeps its number, for assembling.
func (s *scan) drop(v vreg) {
	r := s.register(v)
	if r.machine >= 0 && s.held[r.class][r.machine] == v {
		s.held[r.class][r.machine] = 0
		s.free[r.class] |= 1 << r.machine
	}
}

// take gives a value a certain register.
func (s *scan) take(v vreg, machine int8) {
	r := s.register(v)
	r.machine = machine
	s.held[r.class][machine] = v
	s.free[r.class] &^= 1 << machine
}

// hold gives a value a free register, and reports whether there is one.
func (s *scan) hold(v vreg) bool {
	r := s.register(v)
	if s.free[r.class] == 0 {
		return false
	}
	s.take(v, int8(bits.TrailingZeros32(s.free[r.class])))
	return true
}

// evict chooses a value to be spilled: among those in registers and v itself the one that costs least in
// memory for the time that it lives. It reports whether there is one.
func (s *scan) evict(v vreg) bool {
	best := vreg(0)
	if !s.registers[v].fresh {
		best = v
	}
	for _, other := range s.held[s.registers[v].class] {
		r := s.register(other)
		if other == 0 || r.fresh || r.isConstant() {
			continue
		}
		if best == 0 || s.cheaper(r, s.register(best)) {
			best = other
		}
	}
	if best == 0 {
		return false
	}
	s.registers[best].spilled = true
	if best != v {
		machine := s.registers[best].machine
		s.drop(best)
		s.registers[best].machine = -1
		s.take(v, machine)
	}
	return true
}

// cheaper reports whether it costs less to have a in memory than b. Without loops, all that counts is which
// ends last.
func (s *scan) cheaper(a, b *register) bool {
	if len(s.loops) == 0 {
		return a.end > b.end
	}
	return a.weight*float32(b.end-b.start+1) < b.weight*float32(a.end-a.start+1)
}

// spill gives the values chosen places in the frame. Their definitions are followed by a store;
// their uses become memory operands, or are preceded by a load.
func (c *builder) spill() {
	for v := range c.registers {
		if r := &c.registers[v]; r.spilled && r.slot == 0 {
			if c.packed && r.class != vector {
				r.slot = c.smallSlot()
				continue
			}
			c.frame += c.t.bytes
			r.slot = int32(c.frame)
		}
	}
	c.rewrite(func(i instr) {
		if v := i.tie; v != 0 && c.registers[v].spilled {
			i.tie = c.reload(v)
		}
		if v := i.mask.v; v != 0 && c.registers[v].spilled {
			i.mask = virtual(c.reload(v))
		}
		for k, x := range i.operands() {
			if x.isAddress() {
				if x.v != 0 && c.registers[x.v].spilled {
					i.args[k].v = c.reload(x.v)
				}
				if x.index != 0 && c.registers[x.index].spilled {
					i.args[k].index = c.reload(x.index)
				}
				continue
			}
			if x.v == 0 || !i.reads(k) || !c.registers[x.v].spilled {
				continue
			}
			if i.defines && i.op.RM() == k && c.fullMemory(i.op) && c.registers[x.v].class == vector && x.v != i.tie {
				i.args[k] = fixed(c.slot(x.v))
				continue
			}
			i.args[k] = virtual(c.reload(x.v))
		}
		if !i.defines || !c.registers[i.args[0].v].spilled {
			c.code = append(c.code, i)
			return
		}
		r := c.registers[i.args[0].v]
		to := c.newRegister(r.class)
		c.registers[to].fresh = true
		at := fixed(c.slotAt(r.slot))
		if i.move && i.mask.none() && i.args[1].v != 0 { // the copy is the store
			i.args[0], i.defines, i.move = at, false, false
			i.op = c.moveOf(r.class)
			c.code = append(c.code, i)
			return
		}
		i.args[0] = virtual(to)
		c.code = append(c.code, i, instr{op: c.moveOf(r.class), args: [4]operand{at, virtual(to)}, n: 2})
	})
	for v := range c.registers {
		c.registers[v].spilled = false
	}
}

// smallSlot returns a place of 8 bytes in the frame, as register.slot has it.
func (c *builder) smallSlot() int32 {
	if c.small%64 == 0 {
		c.frame += 64
		c.small = c.frameStart + int32(c.frame) - 64
	}
	at := c.small
	c.small += 8
	return -at
}

// moveOf returns the instruction that stores and loads registers of a class.
func (c *builder) moveOf(k class) encode.Op {
	switch k {
	case mask:
		return encode.KMOVW
	case general:
		return encode.MOV | encode.S64
	}
	return c.t.move
}

// reload adds a load of a spilled value and returns what it is loaded into.
func (c *builder) reload(v vreg) vreg {
	r := c.registers[v]
	to := c.newRegister(r.class)
	c.registers[to].fresh = true
	c.code = append(c.code, instr{op: c.moveOf(r.class), args: [4]operand{virtual(to), fixed(c.slotAt(r.slot))}, n: 2, defines: true})
	return to
}

func (c *builder) slot(v vreg) encode.Operand { return c.slotAt(c.registers[v].slot) }

func (c *builder) slotAt(slot int32) encode.Operand {
	if slot < 0 { // of a kernel: from the end of the frame's fixed part back
		return encode.At(c.frameBase, -slot)
	}
	return encode.At(c.frameBase, c.frameStart+slot-int32(c.t.bytes))
}
