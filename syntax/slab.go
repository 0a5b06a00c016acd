package syntax

// slab hands out values of one type from larger pieces of memory: a tree is
// many small nodes that live and die together.
type slab[T any] struct {
	free []T // what is left of the current piece, all zero
	all  []T // the current piece
}

// Pieces grow from the first size to the last, so that one instruction needs
// little and a large file few.
const (
	firstPiece = 4
	lastPiece  = 512
)

// begin makes a piece of memory the first one.
func (s *slab[T]) begin(piece []T) { s.all, s.free = piece, piece }

// at returns item n of a list that is being made at the start of the free part:
// its items are written in turn until take ends it.
func (s *slab[T]) at(n int) *T {
	if n == len(s.free) {
		begun := s.free
		s.grow(2 * n)
		copy(s.free, begun)
	}
	return &s.free[n]
}

// grow begins a new piece, of at least n items.
func (s *slab[T]) grow(n int) {
	s.all = make([]T, max(n, min(max(firstPiece, 4*len(s.all)), lastPiece)))
	s.free = s.all
}

// take ends a list of n items and returns it; it is nil if n is 0.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	list := s.free[:n:n]
	s.free = s.free[n:]
	return list
}

// undo takes back a list of n items that was begun.
func (s *slab[T]) undo(n int) { clear(s.free[:n]) }

// one returns one zero value.
func (s *slab[T]) one() *T {
	p := s.at(0)
	s.free = s.free[1:]
	return p
}

// copyOf returns a copy of a list, nil if it is empty.
func (s *slab[T]) copyOf(list []T) []T {
	n := len(list)
	if n > len(s.free) {
		s.grow(n)
	}
	copy(s.free, list)
	return s.take(n)
}

// reuse takes the current piece back. What was handed out from it becomes
// invalid: it will be handed out again.
func (s *slab[T]) reuse() {
	clear(s.all[:len(s.all)-len(s.free)])
	s.free = s.all
}
