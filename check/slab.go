package check

// slab hands out slices of large arrays, so that the operands of a module are a
// few allocations instead of one an instruction. What it has handed out never moves.
type slab[T any] struct {
	free []T
	size int // of the array that free is the rest of
}

// The first array is small, for there are modules of one instruction; each next
// one is twice as large, up to what makes the allocator's share small.
const slabMin, slabMax = 32, 4096

// take returns n zero elements, whose capacity is their length.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.size = min(max(slabMin, 2*s.size), slabMax)
		s.free = make([]T, max(s.size, n))
	}
	taken := s.free[:n:n]
	s.free = s.free[n:]
	return taken
}

// one returns a pointer to a zero element.
func (s *slab[T]) one() *T { return &s.take(1)[0] }
