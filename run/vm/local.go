package vm

import (
	"math"

	"github.com/vop-ptx/vop/run/engine"
)

// Local memory is laid out as columns are: words of the same offset lie side by side. So an access
// of all threads to the same offset, as to a variable that the compiler could not keep in
// registers, moves columns.

// row returns the column of the word of local memory at an offset, a multiple of 4.
func (m *machine) row(offset uint64) []uint32 { return m.local[int(offset/4)*m.lanes:][:m.lanes] }

// localRow loads from one address, in local memory, for all threads. It reports false if it
// cannot: elements narrower than their column, mistakes.
func (s *load[W, A]) localRow(m *machine, address uint64) bool {
	at := s.localOffset(address)
	if s.size != bytesOf[W]() || !m.insideLocal(at, s.span) {
		return false
	}
	for k, d := range s.d {
		if d == nil {
			continue
		}
		values := d.write(m, s.private)
		loadRow(m, values, at+uint64(k)*s.size)
		d.commit(m, s.private, values)
	}
	return true
}

// bytesOf returns the size of a word.
func bytesOf[W engine.Word]() uint64 {
	if ^W(0) > math.MaxUint32 {
		return 8
	}
	return 4
}

// loadRow fills the columns at work from the word or two words at an offset.
func loadRow[W engine.Word](m *machine, values []W, at uint64) {
	low := m.row(at)[m.low:m.high]
	switch values := any(values).(type) {
	case []uint32:
		copy(values, low)
	case []uint64:
		high := m.row(at + 4)[m.low:m.high]
		for i := range values {
			values[i] = uint64(low[i]) | uint64(high[i])<<32
		}
	}
}

// localRow stores to one address, in local memory, for all threads.
func (s *store[W, A]) localRow(m *machine, address uint64) bool {
	at := s.localOffset(address)
	if s.size != bytesOf[W]() || !m.insideLocal(at, s.span) {
		return false
	}
	active := m.active[m.low/64:]
	for k, a := range s.a {
		element := at + uint64(k)*s.size
		switch values := any(a.read(m)).(type) {
		case []uint32:
			storeRow(m, element, values, active)
		case []uint64:
			for half := range uint64(2) {
				part := m.scratch32[m.low:m.high]
				for i := range part {
					part[i] = uint32(values[i] >> (32 * half))
				}
				storeRow(m, element+4*half, part, active)
			}
		}
	}
	return true
}

// storeRow writes a word of local memory of the active threads.
func storeRow(m *machine, at uint64, values []uint32, active engine.Mask) {
	row := m.row(at)[m.low:m.high]
	if m.full {
		copy(row, values)
		return
	}
	engine.Blend(row, values, active)
}
