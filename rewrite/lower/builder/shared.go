package builder

import "github.com/vop-ptx/vop/rewrite/word"

// shared finds the instructions of a builder that are there already: a table of their numbers, by a hash. It is
// cleared for every program, of which a form has dozens, so that clearing is a new mark. The zero value is ready for use.
type shared struct {
	slots []slot // a power of two, more than twice as many as there are instructions
	mark  uint32 // of the slots that are taken
	count int
}

// A slot holds the number of an instruction, if its mark is the table's.
type slot struct {
	mark  uint32
	value word.Value
}

// lookup is what a search for an instruction found: its number, or -1 and the slot to which it belongs.
type lookup struct {
	slot  int
	value word.Value
}

// clear forgets all instructions.
func (s *shared) clear() {
	s.count = 0
	if s.mark++; s.mark == 0 { // after 2^32 programs old marks would be taken for new ones
		clear(s.slots)
		s.mark = 1
	}
}

// find looks for an instruction among those of a builder.
func (s *shared) find(insts []word.Inst, i *word.Inst) lookup {
	if 2*s.count >= len(s.slots) {
		s.grow(insts)
	}
	for at := int(hash(i)); ; at++ {
		at &= len(s.slots) - 1
		switch known := s.slots[at]; {
		case known.mark != s.mark:
			return lookup{at, -1}
		case insts[known.value] == *i:
			return lookup{at, known.value}
		}
	}
}

// add puts an instruction that was not found into its slot.
func (s *shared) add(at lookup, v word.Value) {
	s.slots[at.slot] = slot{s.mark, v}
	s.count++
}

// grow makes room for twice as many instructions.
func (s *shared) grow(insts []word.Inst) {
	s.slots = make([]slot, max(64, 2*len(s.slots)))
	s.mark = max(s.mark, 1)
	s.count = 0
	for n := range insts {
		s.add(s.find(insts[:n], &insts[n]), word.Value(n))
	}
}

// hash mixes the parts of an instruction. Multiplication moves what differs to the high bits.
func hash(i *word.Inst) uint32 {
	h := i.Imm ^ uint64(i.Op)<<56 ^ uint64(uint16(i.Arg[0]))<<36 ^ uint64(uint16(i.Arg[1]))<<18 ^ uint64(uint16(i.Arg[2]))<<46
	return uint32(h * 0x9e3779b97f4a7c15 >> 40)
}
