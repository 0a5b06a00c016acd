package machine

import (
	"errors"
	"math"
	"slices"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
)

// machineRegisters is how many vector registers there are.
const machineRegisters = 32

// placed is an instruction on machine registers.
type placed struct {
	kind      Kind
	op        encode.Op
	args      [4]encode.Operand
	n         uint8
	register  int8 // of a load or store
	array, at int32
}

var errRegisters = errors.New("arm64: an instruction needs more registers than there are")

// Allocate gives the values of the pieces machine registers. The first piece counts most: as many constants are kept in
// registers as it has room for.
func (b *Builder) Allocate(pieces ...*Piece) error {
	for _, p := range pieces {
		b.endPiece(p)
	}
	b.countConstants(pieces)
	order := make([]int, len(b.constants))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(x, y int) int { return b.constants[y].uses - b.constants[x].uses })
	all := min(len(order), b.available()-minimum)
	if b.Options.NoHoist {
		all = 0
	}
	best, least := 0, math.MaxInt
	for _, keep := range []int{all, all * 3 / 4, all / 2, all / 4, 0} {
		b.pin(order, keep)
		moves, err := b.place(pieces[0])
		if err != nil {
			return err
		}
		if moves < least {
			best, least = keep, moves
		}
		if least == 0 {
			break
		}
	}
	b.pin(order, best)
	for _, p := range pieces {
		if _, err := b.place(p); err != nil {
			return err
		}
	}
	return nil
}

// minimum is how many registers an instruction may need: two sources, the value it changes, and a copy of that.
const minimum = 4

// available returns how many vector registers may be used.
func (b *Builder) available() int {
	if n := b.Options.Registers; n > 0 {
		return max(minimum, min(n, machineRegisters))
	}
	return machineRegisters
}

func (b *Builder) countConstants(pieces []*Piece) {
	for _, p := range pieces {
		for n := range p.Code {
			p.Code[n].reads(func(r Register) {
				if k := b.registers[r].constant; k >= 0 {
					b.constants[k].uses++
				}
			})
		}
	}
}

// pin gives the first constants of an order registers that they keep. Constants that nobody reads get none.
func (b *Builder) pin(order []int, keep int) {
	b.Frame = 0
	for n := range b.registers {
		r := &b.registers[n]
		r.machine, r.slot, r.pinned = -1, -1, false
	}
	for n, k := range order[:keep] {
		if b.constants[k].uses > 0 {
			r := &b.registers[b.constants[k].value]
			r.machine, r.pinned = int8(b.available()-1-n), true
		}
	}
}

// reads calls f for the values that an instruction reads.
func (i *Instr) reads(f func(Register)) {
	if i.Tie != 0 {
		f(i.Tie)
	}
	for _, r := range i.Args[:i.N] {
		f(r)
	}
}

// scan is the state of placing a piece: what the machine registers hold, and where values are read next.
type scan struct {
	*Builder
	piece *Piece
	held  []Register
	uses  [][]int32 // by value: the instructions to come that read it
	moves int       // instructions that only bring values to registers or away
	slots []int32   // of the frame whose values have ended
}

// place gives the values of a piece machine registers, and returns the number of instructions that this has added.
func (b *Builder) place(p *Piece) (moves int, err error) {
	s := scan{Builder: b, piece: p, held: make([]Register, b.available()), uses: make([][]int32, len(b.registers))}
	p.placed = p.placed[:0]
	for n := range b.registers {
		if r := &b.registers[n]; r.pinned {
			s.held[r.machine] = Register(n)
		} else {
			r.machine = -1
		}
	}
	for n := range p.Code {
		p.Code[n].reads(func(r Register) { s.uses[r] = append(s.uses[r], int32(n)) })
	}
	for n := range p.Code {
		if err := s.instruction(&p.Code[n]); err != nil {
			return 0, err
		}
	}
	return s.moves, nil
}

// instruction places one instruction.
func (s *scan) instruction(i *Instr) error {
	var locked uint32
	i.reads(func(r Register) {
		if machine := s.registers[r].machine; machine >= 0 {
			locked |= 1 << machine
		}
	})
	ok := true
	i.reads(func(r Register) {
		ok = ok && s.bring(r, locked)
		if ok {
			locked |= 1 << s.registers[r].machine
		}
	})
	if !ok {
		return errRegisters
	}
	i.reads(func(r Register) { s.uses[r] = s.uses[r][1:] })
	var args [2]int8
	for k, r := range i.Args[:i.N] {
		args[k] = s.registers[r].machine
	}
	tied := int8(-1)
	switch tie := i.Tie; {
	case tie == 0:
		s.release(i)
		locked = 0
	case len(s.uses[tie]) == 0 && !s.registers[tie].pinned: // the value ends here, and so its register is the result's
		tied = s.registers[tie].machine
		s.drop(tie)
	}
	if i.defines() {
		if tied >= 0 {
			s.take(i.Def, tied)
		} else {
			machine := s.find(locked)
			if machine < 0 {
				return errRegisters
			}
			s.take(i.Def, machine)
			if i.Tie != 0 {
				from := encode.V(int(s.registers[i.Tie].machine))
				s.put(placed{op: encode.ORR, args: [4]encode.Operand{encode.V(int(machine)), from, from}, n: 3})
				s.moves++
			}
		}
	}
	s.emit(i, args)
	s.release(i)
	if i.defines() && len(s.uses[i.Def]) == 0 {
		s.drop(i.Def)
	}
	return nil
}

// emit adds the instruction with its registers.
func (s *scan) emit(i *Instr, args [2]int8) {
	p := placed{op: i.Op, array: i.Array, at: i.At}
	switch i.Kind {
	case Load:
		p.kind, p.register = Load, s.registers[i.Def].machine
	case Store:
		p.kind, p.register = Store, args[0]
	case Save:
		s.save(i, args[0])
		return
	case Extract:
		p.args[0], p.args[1], p.n = i.Fixed[0], encode.V(int(args[0])), 2
		if i.HasImm {
			p.args[2], p.n = encode.Imm(i.Imm), 3
		}
	case General:
		p.n = uint8(copy(p.args[:], i.Fixed))
	default:
		p.args[0], p.n = encode.V(int(s.registers[i.Def].machine)), 1
		for _, machine := range args[:i.N] {
			p.args[p.n] = encode.V(int(machine))
			p.n++
		}
		p.n += uint8(copy(p.args[p.n:], i.Fixed))
		if i.HasImm {
			p.args[p.n] = encode.Imm(i.Imm)
			p.n++
		}
	}
	s.put(p)
}

func (s *scan) put(p placed) { s.piece.placed = append(s.piece.placed, p) }

// bring brings a value to a register, other than those that are locked.
func (s *scan) bring(r Register, locked uint32) bool {
	v := &s.registers[r]
	if v.machine >= 0 {
		return true
	}
	machine := s.find(locked)
	if machine < 0 {
		return false
	}
	s.take(r, machine)
	s.moves++
	if v.constant >= 0 {
		s.put(s.constantTo(v.constant, machine))
		return true
	}
	if v.placed {
		s.load(v.place, machine)
		return true
	}
	s.access(encode.LDRQ, machine, Place{Base: FrameBase, Offset: s.FrameStart + v.slot})
	return true
}

// constantTo returns the instruction that brings a constant to a register.
func (b *Builder) constantTo(k int32, machine int8) placed {
	to, bytes := encode.V(int(machine)), b.constants[k].bytes
	for _, x := range bytes {
		if x != bytes[0] {
			return placed{op: encode.LDRQLiteral, args: [4]encode.Operand{to, b.Asm.Const(bytes)}, n: 2}
		}
	}
	return placed{op: encode.MOVI, args: [4]encode.Operand{to, encode.Imm(int64(bytes[0]))}, n: 2}
}

// find returns a machine register that is free, or frees the one whose value is read last. It returns -1 if all are
// locked or pinned.
func (s *scan) find(locked uint32) int8 {
	best, furthest := int8(-1), int32(-1)
	for machine, r := range s.held {
		switch {
		case r == 0 && locked>>machine&1 == 0:
			return int8(machine)
		case locked>>machine&1 != 0 || s.registers[r].pinned:
			continue
		}
		next := int32(math.MaxInt32)
		if len(s.uses[r]) > 0 {
			next = s.uses[r][0]
		}
		if next > furthest {
			best, furthest = int8(machine), next
		}
	}
	if best >= 0 {
		s.spill(s.held[best])
	}
	return best
}

// spill takes the register from a value. A value that is not known, and not in the frame yet, goes there.
func (s *scan) spill(r Register) {
	v := &s.registers[r]
	if v.constant < 0 && v.slot < 0 && !v.placed {
		v.slot = s.newSlot()
		s.access(encode.STRQ, v.machine, Place{Base: FrameBase, Offset: s.FrameStart + v.slot})
		s.moves++
	}
	s.drop(r)
}

// newSlot returns a place for a value in the frame.
func (s *scan) newSlot() int32 {
	if n := len(s.slots); n > 0 {
		slot := s.slots[n-1]
		s.slots = s.slots[:n-1]
		return slot
	}
	s.Frame += arm64.Bytes
	s.FrameMost = max(s.FrameMost, s.Frame)
	return int32(s.Frame - arm64.Bytes)
}

// release frees the registers of values that nobody reads any more, and their places in the frame.
func (s *scan) release(i *Instr) {
	i.reads(func(r Register) {
		v := &s.registers[r]
		if len(s.uses[r]) != 0 || v.pinned {
			return
		}
		s.drop(r)
		if v.slot >= 0 {
			s.slots = append(s.slots, v.slot)
			v.slot = -1
		}
	})
}

// take gives a value a machine register.
func (s *scan) take(r Register, machine int8) {
	s.registers[r].machine = machine
	s.held[machine] = r
}

// drop frees the register of a value.
func (s *scan) drop(r Register) {
	if v := &s.registers[r]; v.machine >= 0 {
		s.held[v.machine] = 0
		v.machine = -1
	}
}
