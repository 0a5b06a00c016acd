// Package slab hands out values of one type from larger pieces of memory: a tree, or a
// module, is many small nodes that live and die together, and would else be as many
// allocations.
package slab

// Slab is such memory. What it has handed out never moves. The zero Slab is ready.
type Slab[T any] struct {
	free []T // what is left of the current piece, all zero
	all  []T // the current piece
}

// Pieces grow from the first size to the last, so that one instruction needs
// little and a large file few.
const (
	firstPiece = 4
	lastPiece  = 256
)

// Begin makes a piece of memory the first one.
func (s *Slab[T]) Begin(piece []T) { s.all, s.free = piece, piece }

// At returns item n of a list that is being made at the start of the free part:
// its items are written in turn until Take ends it.
func (s *Slab[T]) At(n int) *T {
	if n == len(s.free) {
		begun := s.free
		s.grow(2 * n)
		copy(s.free, begun)
	}
	return &s.free[n]
}

// grow begins a new piece, of at least n items.
func (s *Slab[T]) grow(n int) {
	s.all = make([]T, max(n, min(max(firstPiece, 4*len(s.all)), lastPiece)))
	s.free = s.all
}

// Take ends a list of n items and returns it; it is nil if n is 0.
func (s *Slab[T]) Take(n int) []T {
	if n == 0 {
		return nil
	}
	list := s.free[:n:n]
	s.free = s.free[n:]
	return list
}

// Undo takes back a list of n items that was begun.
func (s *Slab[T]) Undo(n int) { clear(s.free[:n]) }

// Make returns n zero values, nil if n is 0.
func (s *Slab[T]) Make(n int) []T {
	if n > len(s.free) {
		s.grow(n)
	}
	return s.Take(n)
}

// One returns one zero value.
func (s *Slab[T]) One() *T {
	p := s.At(0)
	s.free = s.free[1:]
	return p
}

// CopyOf returns a copy of a list, nil if it is empty.
func (s *Slab[T]) CopyOf(list []T) []T {
	c := s.Make(len(list))
	copy(c, list)
	return c
}

// Reuse takes the current piece back. What was handed out from it becomes
// invalid: it will be handed out again.
func (s *Slab[T]) Reuse() {
	clear(s.all[:len(s.all)-len(s.free)])
	s.free = s.all
}
