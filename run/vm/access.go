package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/engine"
)

// access is what loads, stores and atomics have in common.
type access struct {
	space    check.Space
	offset   uint64 // added to the address
	span     uint64 // bytes of one thread's access
	size     uint64 // bytes of one element
	reads    bool
	writes   bool
	spelling string // for messages
}

// String returns the access as reports have it: "ld.global.u32 of 4 bytes".
func (a *access) String() string { return a.spelling + " of " + diag.Count(a.span, "byte") }

// window returns the memory at an address, offset included, and whether there is any. Local
// memory is not found by it.
func (m *machine) window(a *access, address uint64) (w engine.Window, ok bool) {
	var base uint64
	switch {
	case a.space == check.Shared:
		w.Data = m.shared
	case a.space == check.Param:
		if a.writes {
			return w, false // all CTAs read them
		}
		w.Data = m.launch.params
	case a.space == check.Generic && address-sharedWindow < windowSize:
		w.Data, base = m.shared, sharedWindow
	case a.space == check.Generic && address-paramWindow < windowSize:
		if a.writes {
			return w, false
		}
		w.Data, base = m.launch.params, paramWindow
	default:
		b := find(m.launch.allocations, address)
		if b == nil || b.readOnly && a.writes {
			return w, false
		}
		w.Data, base = b.data, b.address
	}
	w.Delta, w.Span = a.offset-base, a.span
	return w, true
}

// inside returns the bytes at an address, offset included, of so many accesses side by
// side, if they are inside one allocation and aligned.
func (m *machine) inside(a *access, address uint64, count int) (data []byte, ok bool) {
	w, ok := m.window(a, address)
	at := address + w.Delta - a.offset
	size, need := uint64(len(w.Data)), a.span*uint64(count)
	if !ok || at > size || size-at < need || at&(a.span-1) != 0 {
		return nil, false
	}
	return w.Data[at : at+need], true
}

// isLocal reports whether an address of the access is in local memory.
func (a *access) isLocal(address uint64) bool {
	return a.space == check.Local || a.space == check.Generic && address-localWindow < windowSize
}

// localOffset returns an address's offset in a thread's local memory.
func (a *access) localOffset(address uint64) uint64 {
	if a.space == check.Generic {
		return address - localWindow
	}
	return address
}

// load reads the elements of a vector, or one, into columns of words W at addresses A.
type load[W, A engine.Word] struct {
	access
	d       []*column[W] // nil for elements that nobody wants
	address *column[A]
	f       engine.Load[W]
	gather  engine.Gather[W, A]
	extend  func(W) W // from the element's width
	private bool
	// addresses is a copy of the addresses, for when a destination is their column.
	addresses []A
}

func (s *load[W, A]) run(m *machine) bool {
	if s.address.uniform {
		address := uint64(s.address.values[0] + A(s.offset))
		if !s.isLocal(address) {
			return s.broadcast(m, address)
		}
		if s.localRow(m, address) {
			return true
		}
	}
	address := s.address.all()
	if s.addresses != nil {
		copy(s.addresses, address)
		address = s.addresses
	}
	if m.dense && s.contiguous(m, address) {
		return true
	}
	return s.each(m, address)
}

// broadcast loads one value for all threads.
func (s *load[W, A]) broadcast(m *machine, address uint64) bool {
	data, ok := m.inside(&s.access, address, 1)
	if !ok {
		return m.accessFault(&s.access, m.first, address)
	}
	for k, d := range s.d {
		if d == nil {
			continue
		}
		element := data[uint64(k)*s.size:]
		if m.full || s.private {
			s.f(d.values[:1], element, int(s.size))
			d.setUniform()
			continue
		}
		values := scratch[W](m)
		s.f(values[:1], element, int(s.size))
		engine.Fill(values[m.low:m.high], values[0])
		d.commit(m, false, values[m.low:m.high])
	}
	return true
}

// contiguous loads the values of threads whose accesses lie side by side.
func (s *load[W, A]) contiguous(m *machine, address []A) bool {
	from, to := m.first, m.last+1
	if !engine.Contiguous(address[from:to], s.span) {
		return false
	}
	begin := uint64(address[from] + A(s.offset))
	if s.isLocal(begin) {
		return false
	}
	data, ok := m.inside(&s.access, begin, to-from)
	if !ok {
		return false
	}
	for k, d := range s.d {
		if d == nil {
			continue
		}
		if m.full || s.private {
			d.uniform = false
		} else {
			d.update()
		}
		s.f(d.values[from:to], data[uint64(k)*s.size:], int(s.span))
	}
	return true
}

// each loads the value of every thread from its own address.
func (s *load[W, A]) each(m *machine, address []A) bool {
	for _, d := range s.d {
		if d == nil {
			continue
		}
		if m.full || s.private {
			d.uniform = false
		} else {
			d.update()
		}
	}
	for from := m.next(m.low); from < m.high; {
		at := uint64(address[from] + A(s.offset))
		if s.isLocal(at) {
			if !s.local(m, from, at) {
				return false
			}
			from = m.next(from + 1)
			continue
		}
		w, ok := m.window(&s.access, at)
		if !ok {
			return m.accessFault(&s.access, from, at)
		}
		to := s.reach(m, address, from, w)
		if to == from {
			return m.accessFault(&s.access, from, at)
		}
		for k, d := range s.d {
			if d != nil && k > 0 {
				s.gather(d.values[:to], address[:to], m.active, from, w, uint64(k)*s.size)
			}
		}
		from = m.next(to)
	}
	return true
}

// reach loads the first element for threads from one on, and returns the first thread
// whose access is not in the window.
func (s *load[W, A]) reach(m *machine, address []A, from int, w engine.Window) (to int) {
	values := scratch[W](m)[:m.high]
	if d := s.d[0]; d != nil {
		values = d.values[:m.high]
	}
	return s.gather(values, address[:m.high], m.active, from, w, 0)
}

// local loads one thread's value from its local memory.
func (s *load[W, A]) local(m *machine, thread int, address uint64) bool {
	at := s.localOffset(address)
	if !m.insideLocal(at, s.span) {
		return m.accessFault(&s.access, thread, address)
	}
	for k, d := range s.d {
		if d != nil {
			d.values[thread] = s.extend(W(m.loadLocal(thread, at+uint64(k)*s.size, s.size)))
		}
	}
	return true
}

// next returns the first active thread from one on, or the end of the columns.
func (m *machine) next(from int) int {
	for from < m.high && !contains(m.active, from) {
		from++
	}
	return from
}

// store writes the elements of a vector, or one, from columns of words W to addresses A.
type store[W, A engine.Word] struct {
	access
	a       []*column[W]
	address *column[A]
	f       engine.Store[W]
	scatter engine.Scatter[W, A]
}

func (s *store[W, A]) run(m *machine) bool {
	if s.address.uniform {
		address := uint64(s.address.values[0] + A(s.offset))
		if !s.isLocal(address) {
			return s.lastOne(m, address)
		}
		if s.localRow(m, address) {
			return true
		}
	}
	address := s.address.all()
	for _, a := range s.a {
		a.all()
	}
	if m.dense && s.contiguous(m, address) {
		return true
	}
	return s.each(m, address)
}

// lastOne stores to one address for all threads: the last one's value stays.
func (s *store[W, A]) lastOne(m *machine, address uint64) bool {
	data, ok := m.inside(&s.access, address, 1)
	if !ok {
		return m.accessFault(&s.access, m.first, address)
	}
	for k, a := range s.a {
		s.f(data[uint64(k)*s.size:], int(s.size), a.all()[m.last:m.last+1])
	}
	return true
}

func (s *store[W, A]) contiguous(m *machine, address []A) bool {
	from, to := m.first, m.last+1
	if !engine.Contiguous(address[from:to], s.span) {
		return false
	}
	begin := uint64(address[from] + A(s.offset))
	if s.isLocal(begin) {
		return false
	}
	data, ok := m.inside(&s.access, begin, to-from)
	if !ok {
		return false
	}
	for k, a := range s.a {
		s.f(data[uint64(k)*s.size:], int(s.span), a.values[from:to])
	}
	return true
}

func (s *store[W, A]) each(m *machine, address []A) bool {
	for from := m.next(m.low); from < m.high; {
		at := uint64(address[from] + A(s.offset))
		if s.isLocal(at) {
			if !s.local(m, from, at) {
				return false
			}
			from = m.next(from + 1)
			continue
		}
		w, ok := m.window(&s.access, at)
		if !ok {
			return m.accessFault(&s.access, from, at)
		}
		to := s.scatter(s.a[0].values[:m.high], address[:m.high], m.active, from, w, 0)
		if to == from {
			return m.accessFault(&s.access, from, at)
		}
		for k, a := range s.a[1:] {
			s.scatter(a.values[:to], address[:to], m.active, from, w, uint64(k+1)*s.size)
		}
		from = m.next(to)
	}
	return true
}

// local stores one thread's value to its local memory.
func (s *store[W, A]) local(m *machine, thread int, address uint64) bool {
	at := s.localOffset(address)
	if !m.insideLocal(at, s.span) {
		return m.accessFault(&s.access, thread, address)
	}
	for k, a := range s.a {
		m.storeLocal(thread, at+uint64(k)*s.size, s.size, uint64(a.values[thread]))
	}
	return true
}

// insideLocal reports whether an access to local memory is inside and aligned.
func (m *machine) insideLocal(at, span uint64) bool {
	size := uint64(m.localSize())
	return at <= size && size-at >= span && at&(span-1) == 0
}

// loadLocal returns the size bytes at an offset of a thread's local memory.
func (m *machine) loadLocal(thread int, at, size uint64) uint64 {
	place := int(at/4)*m.lanes + thread
	if size == 8 {
		return uint64(m.local[place]) | uint64(m.local[place+m.lanes])<<32
	}
	return uint64(m.local[place]) >> (at % 4 * 8) & (1<<(size*8) - 1)
}

// storeLocal writes size bytes at an offset of a thread's local memory.
func (m *machine) storeLocal(thread int, at, size, value uint64) {
	place := int(at/4)*m.lanes + thread
	if size == 8 {
		m.local[place], m.local[place+m.lanes] = uint32(value), uint32(value>>32)
		return
	}
	shift := at % 4 * 8
	field := uint32(1<<(size*8)-1) << shift
	m.local[place] = m.local[place]&^field | uint32(value)<<shift&field
}
