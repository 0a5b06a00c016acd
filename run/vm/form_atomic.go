package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// atomicForms are the atomic operations on memory (PTX ISA 9.7.13). The memory order and
// the scope say nothing more: every atomic operation is seen by all threads of the
// grid at once.
var atomicForms = []row{
	{"atom" + atomicOrder + ".(and|or|xor|exch|cas).(b32|b64)", atomicMemory},
	{"atom" + atomicOrder + ".(exch|cas|and|or|xor).(u32|s32|u64|s64)", atomicMemory},
	{"atom" + atomicOrder + ".(add|min|max).(u32|s32|u64|s64)", atomicMemory},
	{"atom" + atomicOrder + ".(inc|dec).u32", atomicMemory},
	{"atom" + atomicOrder + ".add.(f32|f64)", atomicMemory},
	{"red" + atomicOrder + ".(and|or|xor).(b32|b64)", atomicMemory},
	{"red" + atomicOrder + ".(add|min|max).(u32|s32|u64|s64)", atomicMemory},
	{"red" + atomicOrder + ".(inc|dec).u32", atomicMemory},
	{"red" + atomicOrder + ".add.(f32|f64)", atomicMemory},
}

// atomicOrder is what atomic instructions may say of order, scope and space.
const atomicOrder = "{.(relaxed|acquire|release|acq_rel)}{.(cta|cluster|gpu|sys)}{.(global|shared|shared::cta)}"

// atomicOperations are the words for the operations.
var atomicOperations = []string{"and", "or", "xor", "exch", "cas", "add", "min", "max", "inc", "dec"}

// atomicMemory builds atom, and red, which has no destination.
func atomicMemory(b *builder) {
	place := 1
	if b.inst.name == "red" {
		place = 0
	}
	t := b.inst.lastType()
	a, address := b.accessOf(place)
	a.reads, a.writes = true, true
	c := classOf(t)
	d := b.newRegister(c)
	if place == 1 {
		d = b.destination(b.operand(0), c)
	}
	x := b.source(b.operand(place+1), c, t)
	y := x // for all but cas, which do not read it
	if b.inst.has("cas") {
		y = b.source(b.operand(place+2), c, t)
	}
	name := "atom"
	for _, operation := range atomicOperations {
		if b.inst.has(operation) {
			name += "." + operation
		}
	}
	if t == check.F32 && a.space != check.Shared {
		name += ".ftz"
	}
	if t.IsFloat() {
		name += t.String()
	} else {
		name += "." + integerName(t)
	}
	switch {
	case c == narrow && b.registers[address].class == narrow:
		emitAtomic[uint32, uint32](b, name+".32", a, d, address, x, y)
	case c == narrow:
		emitAtomic[uint32, uint64](b, name+".64", a, d, address, x, y)
	case b.registers[address].class == narrow:
		emitAtomic[uint64, uint32](b, name+".32", a, d, address, x, y)
	default:
		emitAtomic[uint64, uint64](b, name+".64", a, d, address, x, y)
	}
}

func emitAtomic[W, A engine.Word](b *builder, name string, a access, d, address, x, y register) {
	f, ok := engine.Plain[engine.Atomic[W, A]](name)
	if !ok {
		b.fail("")
		return
	}
	b.emit([]register{d}, []register{address, x, y}, func(fr *frame, private bool) step {
		return &update[W, A]{access: a, f: f, d: columnOf[W](fr, d), address: columnOf[A](fr, address), b: columnOf[W](fr, x), c: columnOf[W](fr, y),
			old: make([]W, len(columnOf[W](fr, d).values)), private: private}
	})
}

// update is an atomic operation.
type update[W, A engine.Word] struct {
	access
	f       engine.Atomic[W, A]
	d       *column[W]
	address *column[A]
	b, c    *column[W]
	old     []W // the destination may be one of the sources
	private bool
}

func (s *update[W, A]) run(m *machine) bool {
	address, b, c := s.address.all()[:m.high], s.b.all(), s.c.all()
	for from := m.next(m.low); from < m.high; {
		at := uint64(address[from] + A(s.offset))
		w, ok := m.window(&s.access, at)
		if !ok || s.isLocal(at) {
			return m.accessFault(&s.access, from, at)
		}
		shared := s.space == check.Shared || s.space == check.Generic && at-sharedWindow < windowSize
		to := s.f(s.old[:m.high], address, b, c, m.active, from, w, !shared)
		if to == from {
			return m.accessFault(&s.access, from, at)
		}
		from = m.next(to)
	}
	d := s.d.write(m, s.private)
	copy(d, s.old[m.low:m.high])
	s.d.commit(m, s.private, d)
	return true
}
