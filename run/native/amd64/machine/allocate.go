package machine

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// ReservedMask is the mask register that is not allocated: loops over arrays have in it the lanes
// of their last words.
const ReservedMask = 7

// fewMasks are the mask registers where registers are few: k1 to k3. Instructions read two, and write one.
const fewMasks = 1<<4 - 1<<1

// Vectors returns how many vector registers may be allocated.
func (c *Builder) Vectors() int {
	all := bits.OnesCount32(c.Free[Vector])
	if n := c.Options.Registers; n > 0 && n < all {
		return n
	}
	return all
}

// scan is the state of linear scan: what each machine register holds, and which hold nothing.
type scan struct {
	*Builder
	free    [NumClasses]uint32
	held    [NumClasses][32]VReg
	starts  []VReg // the registers whose intervals begin before they are defined, by their beginnings
	ends    []VReg // those whose intervals may end behind all that reads them, by their ends
	spilled bool
	read    readRegisters
}

var errRegisters = errors.New("amd64: an instruction needs more registers than there are")

// Allocate gives every virtual register a machine register: linear scan over the live intervals,
// after Poletto and Sarkar (1999). Where no register is free, the interval that ends last goes to
// the frame; then its uses are written anew, and the scan starts again. The intervals have been found.
func (c *Builder) Allocate() error {
	for range 20 {
		if err := c.checkIntervals(); err != nil {
			return err
		}
		s := scan{Builder: c, free: c.Free}
		s.order()
		s.free[Vector] = uint32(1<<c.Vectors() - 1)
		if c.Options.Registers > 0 {
			s.free[Mask] &= fewMasks
		}
		spilled, err := s.run()
		if err != nil {
			return err
		}
		if !spilled {
			return c.checkRegisters()
		}
		c.spill()
	}
	return errRegisters
}

// order finds the registers that begin or end elsewhere than at instructions that define or read them, in the order of
// instructions.
func (s *scan) order() {
	for v := 1; v < len(s.Registers); v++ {
		r := &s.Registers[v]
		if r.Start < 0 || r.IsConstant() {
			continue
		}
		if r.early {
			s.starts = append(s.starts, VReg(v))
		}
		if r.late {
			s.ends = append(s.ends, VReg(v))
		}
	}
	slices.SortFunc(s.starts, func(a, b VReg) int { return int(s.Registers[a].Start - s.Registers[b].Start) })
	slices.SortFunc(s.ends, func(a, b VReg) int { return int(s.Registers[a].End - s.Registers[b].End) })
}

// begin frees the registers of values that have ended before an instruction, and gives those registers that begin
// with it.
func (s *scan) begin(n int32) error {
	for len(s.ends) > 0 && s.Registers[s.ends[0]].End < n {
		s.drop(s.ends[0])
		s.ends = s.ends[1:]
	}
	for len(s.starts) > 0 && s.Registers[s.starts[0]].Start <= n {
		v := s.starts[0]
		s.starts = s.starts[1:]
		if s.Registers[v].Start == n && !s.holds(v) && !s.hold(v) {
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
	for v := range s.Registers {
		s.Registers[v].Machine = -1
	}
	for i := range s.constants {
		if k := &s.constants[i]; k.kept {
			s.hold(k.v)
		}
	}
	for n := range s.Code {
		i := &s.Code[n]
		if i.None() {
			continue
		}
		if err := s.begin(int32(n)); err != nil {
			return false, err
		}
		// A value that the instruction changes keeps its register, if this is its last use.
		// Otherwise it is copied before, when the other operands are still needed.
		copied := false
		if i.Tie != 0 {
			t := s.register(i.Tie)
			copied = t.IsConstant() || t.End != int32(n)
		}
		if !copied {
			s.release(i, int32(n))
		}
		if i.Defines {
			v := i.Args[0].Reg
			switch {
			case s.holds(v): // a phi, which several instructions write
			case i.Tie != 0 && !copied && s.Registers[i.Tie].Machine >= 0:
				s.take(v, s.Registers[i.Tie].Machine)
			case i.Move && s.canTake(v, i.Args[1].Reg):
				s.take(v, s.Registers[i.Args[1].Reg].Machine)
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
		if i.Defines {
			if r := s.register(i.Args[0].Reg); r.End == int32(n) {
				s.drop(i.Args[0].Reg)
			}
		}
	}
	return s.spilled, nil
}

// release frees the registers of values that an instruction is the last to read. A phi that the instruction writes, too,
// keeps its register.
func (s *scan) release(i *Instr, n int32) {
	for _, v := range i.reads(&s.read) {
		if r := s.register(v); r.End == n && !r.IsConstant() && !(i.Defines && v == i.Args[0].Reg) {
			s.drop(v)
		}
	}
	for _, v := range s.usesOf(i) {
		if s.register(v).End == n {
			s.drop(v)
		}
	}
}

// holds reports whether a value has its register already.
func (s *scan) holds(v VReg) bool {
	r := s.register(v)
	return r.Machine >= 0 && s.held[r.Class][r.Machine] == v
}

// canTake reports whether a value can have the register that another one has just given up.
func (s *scan) canTake(v, from VReg) bool {
	if from == 0 || s.Registers[from].IsConstant() {
		return false
	}
	r := s.register(from)
	return r.Class == s.Registers[v].Class && r.Machine >= 0 && s.free[r.Class]>>r.Machine&1 != 0
}

// drop frees the register of a value. The value keeps its number, for assembling.
func (s *scan) drop(v VReg) {
	r := s.register(v)
	if r.Machine >= 0 && s.held[r.Class][r.Machine] == v {
		s.held[r.Class][r.Machine] = 0
		s.free[r.Class] |= 1 << r.Machine
	}
}

// take gives a value a certain register.
func (s *scan) take(v VReg, machine int8) {
	r := s.register(v)
	r.Machine = machine
	s.held[r.Class][machine] = v
	s.free[r.Class] &^= 1 << machine
}

// hold gives a value a free register, and reports whether there is one.
func (s *scan) hold(v VReg) bool {
	r := s.register(v)
	if s.free[r.Class] == 0 {
		return false
	}
	s.take(v, int8(bits.TrailingZeros32(s.free[r.Class])))
	return true
}

// evict chooses a value to be spilled: among those in registers and v itself the one that costs least in
// memory for the time that it lives. It reports whether there is one.
func (s *scan) evict(v VReg) bool {
	best, cheapest := VReg(0), s.register(v)
	if !cheapest.fresh {
		best = v
	}
	for _, other := range &s.held[cheapest.Class] {
		if other == 0 {
			continue
		}
		if r := s.register(other); !r.fresh && !r.IsConstant() && (best == 0 || s.cheaper(r, cheapest)) {
			best, cheapest = other, r
		}
	}
	if best == 0 {
		return false
	}
	s.Registers[best].spilled = true
	if best != v {
		machine := s.Registers[best].Machine
		s.drop(best)
		s.Registers[best].Machine = -1
		s.take(v, machine)
	}
	return true
}

// cheaper reports whether it costs less to have a in memory than b. Without loops, all that counts is which
// ends last.
func (s *scan) cheaper(a, b *register) bool {
	if len(s.loops) == 0 {
		return a.End > b.End
	}
	return a.weight*float32(b.End-b.Start+1) < b.weight*float32(a.End-a.Start+1)
}

// spill gives the values chosen places in the frame. Their definitions are followed by a store;
// their uses become memory operands, or are preceded by a load.
func (c *Builder) spill() {
	for v := range c.Registers {
		if r := &c.Registers[v]; r.spilled && r.Slot == 0 {
			if c.Packed && r.Class != Vector {
				r.Slot = c.smallSlot()
				continue
			}
			c.Frame += c.Target.Bytes
			r.Slot = int32(c.Frame)
		}
	}
	c.rewrite(func(i *Instr) {
		if v := i.Tie; v != 0 && c.Registers[v].spilled {
			i.Tie = c.reload(v)
		}
		if v := i.Mask.Reg; v != 0 && c.Registers[v].spilled {
			i.Mask = Virtual(c.reload(v))
		}
		for k, x := range i.operands() {
			if x.isAddress() {
				if x.Reg != 0 && c.Registers[x.Reg].spilled {
					i.Args[k].Reg = c.reload(x.Reg)
				}
				if x.Index != 0 && c.Registers[x.Index].spilled {
					i.Args[k].Index = c.reload(x.Index)
				}
				continue
			}
			if x.Reg == 0 || !i.readsOperand(k) || !c.Registers[x.Reg].spilled {
				continue
			}
			if c.readsSlot(i, k) {
				i.Args[k] = Fixed(c.slot(x.Reg))
				continue
			}
			i.Args[k] = Virtual(c.reload(x.Reg))
		}
		if !i.Defines || !c.Registers[i.Args[0].Reg].spilled {
			return
		}
		r := c.Registers[i.Args[0].Reg]
		to := c.NewRegister(r.Class)
		c.Registers[to].fresh = true
		at := Fixed(c.slotAt(r.Slot))
		if i.Move && i.Mask.None() && i.Args[1].Reg != 0 { // the copy is the store
			i.Args[0], i.Defines, i.Move = at, false, false
			i.Op = c.moveOf(r.Class)
			return
		}
		i.Args[0] = Virtual(to)
		c.behind(Instr{Op: c.moveOf(r.Class), Args: [4]Operand{at, Virtual(to)}, N: 2})
	})
	for v := range c.Registers {
		if r := &c.Registers[v]; r.spilled { // its uses have registers of their own now
			r.spilled, r.Start, r.End = false, -1, -1
		}
	}
}

// readsSlot reports whether an instruction can read a spilled value in the frame in the place of operand k.
func (c *Builder) readsSlot(i *Instr, k int) bool {
	v := i.Args[k].Reg
	return i.Defines && i.Op.RM() == k && c.fullMemory(i.Op) && c.Registers[v].Class == Vector && v != i.Tie
}

// smallSlot returns a place of 8 bytes in the frame, as register.slot has it.
func (c *Builder) smallSlot() int32 {
	if c.small%64 == 0 {
		c.Frame += 64
		c.small = c.FrameStart + int32(c.Frame) - 64
	}
	at := c.small
	c.small += 8
	return -at
}

// moveOf returns the instruction that stores and loads registers of a class.
func (c *Builder) moveOf(k Class) encode.Op {
	switch k {
	case Mask:
		return encode.KMOVQ // comparisons of bytes have 64 bits
	case General:
		return encode.MOV | encode.S64
	}
	return c.Target.Move
}

// reload adds a load of a spilled value and returns what it is loaded into.
func (c *Builder) reload(v VReg) VReg {
	r := c.Registers[v]
	to := c.NewRegister(r.Class)
	c.Registers[to].fresh = true
	c.before(Instr{Op: c.moveOf(r.Class), Args: [4]Operand{Virtual(to), Fixed(c.slotAt(r.Slot))}, N: 2, Defines: true})
	return to
}

func (c *Builder) slot(v VReg) encode.Operand { return c.slotAt(c.Registers[v].Slot) }

func (c *Builder) slotAt(slot int32) encode.Operand {
	if slot < 0 { // of a kernel: from the end of the frame's fixed part back
		return encode.At(c.FrameBase, -slot)
	}
	return encode.At(c.FrameBase, c.FrameStart+slot-int32(c.Target.Bytes))
}
