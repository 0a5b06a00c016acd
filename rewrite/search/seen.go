package search

// seen is a set of values.
type seen struct {
	slots []vec
	n     int
}

// add adds a value and reports whether it is new. The value 0 must not be added twice.
func (s *seen) add(v *vec) bool {
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	for at := hash(v) & uint32(len(s.slots)-1); ; at = (at + 1) & uint32(len(s.slots)-1) {
		switch s.slots[at] {
		case *v:
			return false
		case vec{}:
			s.slots[at] = *v
			s.n++
			return true
		}
	}
}

func (s *seen) grow() {
	old := s.slots
	s.slots, s.n = make([]vec, max(4096, 2*len(old))), 0
	for n := range old {
		if old[n] != (vec{}) {
			s.add(&old[n])
		}
	}
}

func hash(v *vec) uint32 {
	h := uint32(2166136261)
	for _, x := range v {
		h = (h ^ x) * 0x9e3779b1
		h ^= h >> 15
	}
	return h
}
