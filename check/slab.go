package check

// slab hands out slices of a large array, so that the operands of a module are a
// few allocations instead of one an instruction. What it has handed out never moves.
type slab[T any] struct {
	free []T
}

// slabLen is how many elements are allocated at a time: enough to make the
// allocator's share small, and little for a module of one instruction. It
// grows with use.
const slabLen, slabMax = 64, 4096

// take returns n zero elements, whose capacity is their length.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		size := max(slabLen, n)
		if s.free != nil {
			size = max(slabMax, n)
		}
		s.free = make([]T, size)
	}
	taken := s.free[:n:n]
	s.free = s.free[n:]
	return taken
}

// one returns a pointer to a zero element.
func (s *slab[T]) one() *T { return &s.take(1)[0] }
