package machine

import "sync"

// Memory is what compilers need while they are at work, and leave to those that come after them, so that the garbage collector
// need not look for it: two megabytes for a kernel of 1,000 instructions of PTX.
type Memory[T any] struct{ pool sync.Pool }

// Take returns n zero values.
func (m *Memory[T]) Take(n int) []T {
	all := m.TakeRoom(n)[:n]
	clear(all)
	return all
}

// TakeRoom returns no values, and room for n of them.
func (m *Memory[T]) TakeRoom(n int) []T {
	if left, ok := m.pool.Get().(*[]T); ok && cap(*left) >= n {
		return (*left)[:0]
	}
	return make([]T, 0, n)
}

// Leave ends the use of values.
func (m *Memory[T]) Leave(all []T) { m.pool.Put(&all) }
