package amd64

import (
	"errors"
	"math/bits"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// reservedMask is the mask register that is not allocated: loops over arrays have in it the lanes
// of their last words.
const reservedMask = 7

// vectors returns how many vector registers may be allocated.
func (c *compiler) vectors() int {
	if n := c.o.Registers; n > 0 && n < c.t.vectors {
		return n
	}
	return c.t.vectors
}

// scan is the state of linear scan: what each machine register holds, and which hold nothing.
type scan struct {
	*compiler
	free [numClasses]uint32
	held [numClasses][32]vreg
}

var errRegisters = errors.New("amd64: an instruction needs more registers than there are")

// allocate gives every virtual register a machine register: linear scan over the live intervals,
// after Poletto and Sarkar (1999). Where no register is free, the interval that ends last goes to
// the frame; then its uses are written anew, and the scan starts again.
func (c *compiler) allocate() error {
	for range 20 {
		c.intervals()
		s := scan{compiler: c}
		s.free[vector] = uint32(1<<c.vectors() - 1)
		s.free[mask] = 1<<reservedMask - 2
		spilled, err := s.run()
		if err != nil || !spilled {
			return err
		}
		c.spill()
	}
	return errRegisters
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
		if i.op == 0 {
			continue
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
			case i.tie != 0 && !copied && s.registers[i.tie].machine >= 0:
				s.take(v, s.registers[i.tie].machine)
			default:
				if !s.hold(v) {
					spilled = true
					if !s.evict(v, i, int32(n)) {
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
	return spilled, nil
}

// release frees the registers of values that an instruction is the last to read.
func (s *scan) release(i *instr, n int32) {
	i.each(func(v vreg) {
		if r := s.register(v); r.end == n && !r.isConstant() {
			s.drop(v)
		}
	})
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

// evict chooses a value to be spilled: among those in registers and v itself the one that ends
// last. It reports whether there is one.
func (s *scan) evict(v vreg, i *instr, n int32) bool {
	best := vreg(0)
	if !s.registers[v].fresh {
		best = v
	}
	for _, other := range s.held[s.registers[v].class] {
		r := s.register(other)
		if other == 0 || r.fresh || r.isConstant() {
			continue
		}
		if best == 0 || r.end > s.registers[best].end {
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

// spill gives the values chosen places in the frame. Their definitions are followed by a store;
// their uses become memory operands, or are preceded by a load.
func (c *compiler) spill() {
	for v := range c.registers {
		if r := &c.registers[v]; r.spilled && r.slot == 0 {
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
			if x.v == 0 || !i.reads(k) || !c.registers[x.v].spilled {
				continue
			}
			if i.defines && i.op.RM() == k && c.fullMemory(i.op) && c.registers[x.v].class == vector {
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
		i.args[0] = virtual(to)
		c.code = append(c.code, i, instr{op: c.moveOf(r.class), args: [4]operand{at, virtual(to)}, n: 2})
	})
	for v := range c.registers {
		c.registers[v].spilled = false
	}
}

// moveOf returns the instruction that stores and loads registers of a class.
func (c *compiler) moveOf(k class) encode.Op {
	if k == mask {
		return encode.KMOVW
	}
	return c.t.move
}

// reload adds a load of a spilled value and returns what it is loaded into.
func (c *compiler) reload(v vreg) vreg {
	r := c.registers[v]
	to := c.newRegister(r.class)
	c.registers[to].fresh = true
	c.code = append(c.code, instr{op: c.moveOf(r.class), args: [4]operand{virtual(to), fixed(c.slotAt(r.slot))}, n: 2, defines: true})
	return to
}

func (c *compiler) slot(v vreg) encode.Operand { return c.slotAt(c.registers[v].slot) }

func (c *compiler) slotAt(slot int32) encode.Operand {
	return encode.At(c.frameBase, c.frameStart+slot-int32(c.t.bytes))
}
