package litmus

// An event is an operation that a thread has executed (PTX ISA 8.4), or one of the two that the
// manual adds: the write of all that is in memory at first, and a read of a location behind the end
// of the kernel.
type event struct {
	thread, cta int // negative of those two
	op          int // which instruction of the thread it is from: elements of a vector have one

	reads, writes bool
	at, size      int // the bytes that it accesses
	order         Order
	scope         Scope
	fence         bool
	arrives       bool // one half of a barrier
	waits         bool // the other half
	phase         int  // which barrier of its thread that is
	atomic        bool
	reduces       bool // red: nobody is told what it has read

	read  uint64 // what it has read, unless it reduces
	value uint64 // what it writes, unless it reduces

	update string // of one that reduces
	x      uint64

	needs uint64 // the events whose reads say whether it is executed, where, and what it writes
	own   bool   // what it writes needs what it reads itself
}

// The threads of the events that the manual adds.
const (
	initThread = -1
	endThread  = -2
)

func (e *event) memory() bool { return e.reads || e.writes }

// strong tells a strong operation (8.4).
func (e *event) strong() bool { return e.thread >= 0 && e.order != Weak && (e.memory() || e.fence) }

// acquires tells an acquire operation, or a fence that is one.
func (e *event) acquires() bool { return e.order.acquires() && (e.fence || e.memory()) }

// releases tells a release operation, or a fence that is one.
func (e *event) releases() bool { return e.order.releases() && (e.fence || e.memory()) }

// overlaps reports whether two memory operations overlap (8.2.1), and complete whether they do
// completely.
func (e *event) overlaps(o *event) bool {
	return e.memory() && o.memory() && e.at < o.at+o.size && o.at < e.at+e.size
}

func (e *event) complete(o *event) bool {
	return e.memory() && o.memory() && e.at == o.at && e.size == o.size
}

// covers reports whether an event accesses a byte.
func (e *event) covers(b int) bool { return e.memory() && e.at <= b && b < e.at+e.size }

// includes reports whether the scope of an event includes the thread of another one (8.5). A launch
// has no clusters, so that each CTA is one.
func (e *event) includes(o *event) bool { return e.scope >= GPU || e.cta == o.cta }

// byteOf returns a byte of a number that is at an address.
func byteOf(x uint64, at, b int) byte { return byte(x >> (8 * (b - at))) }

// A thread that is gone through with what its reads are known to have returned.
type walk struct {
	program   *Program
	thread    int
	registers []uint64
	needs     []uint64 // of each register: the events that it depends on
	next      int      // the register that is defined next
	phase     int
	events    []event
}

// eventsOf returns the events of an outcome: first the write of all memory, then those of the
// threads, then a read of each location. It fails if there are more than relations can have.
func eventsOf(p *Program, o Outcome) ([]event, bool) {
	last := len(p.Sizes) - 1
	w := &walk{program: p, events: []event{{thread: initThread, writes: true, size: p.base(last) + p.Sizes[last]}}}
	for t, ops := range p.Threads {
		w.thread, w.registers, w.needs = t, o.Registers[t], make([]uint64, len(o.Registers[t]))
		w.next, w.phase = 0, 0
		for n := range ops {
			w.execute(n, &ops[n])
			if len(w.events)+len(p.Sizes) > 64 {
				return nil, false
			}
		}
	}
	for l, size := range p.Sizes {
		w.events = append(w.events, event{thread: endThread, reads: true, at: p.base(l), size: size, read: o.Final[l]})
	}
	return w.events, true
}

// execute adds the events of an instruction.
func (w *walk) execute(n int, op *Op) {
	first := w.next
	w.next += op.defines()
	e := event{thread: w.thread, cta: w.program.Places[w.thread].CTA, op: n, order: op.Order, scope: op.Scope}
	if e.order == Volatile {
		e.scope = System
	}
	if op.Guard.Register != NoRegister {
		e.needs |= w.needs[op.Guard.Register]
		for r := first; r < w.next; r++ {
			w.needs[r] |= e.needs
		}
		if (w.registers[op.Guard.Register] == 0) != op.Guard.Zero {
			return
		}
	}
	switch op.Kind {
	case Fence:
		e.fence = true
		w.events = append(w.events, e)
		return
	case Barrier:
		e.order, e.phase = Weak, w.phase
		e.arrives = true
		w.events = append(w.events, e)
		e.arrives, e.waits = false, true
		w.events = append(w.events, e)
		w.phase++
		return
	}
	location := op.Location
	if op.Depends != NoRegister {
		e.needs |= w.needs[op.Depends]
		if w.registers[op.Depends] == 0 {
			location = op.Else
		}
	}
	for i := range op.Elements {
		w.access(e, op, i, location+i, first+i)
	}
}

// access adds the event of an element of an access.
func (w *walk) access(e event, op *Op, element, location, register int) {
	e.at, e.size = w.program.base(location), w.program.Sizes[location]*op.Wide
	number := len(w.events)
	if op.defines() > 0 {
		e.reads, e.read = true, w.registers[register]
		w.needs[register] |= e.needs | 1<<number
	}
	value := op.Value
	if element > 0 && op.Kind == Store {
		value = op.More[element-1]
	}
	x := repeated(value.Byte, e.size)
	if value.Register != NoRegister {
		x = w.registers[value.Register] & onesOf(e.size)
		e.needs |= w.needs[value.Register]
	}
	switch op.Kind {
	case Store:
		e.writes, e.value = true, x
	case Atom:
		e.atomic, e.own = true, op.Update[:4] != "exch"
		e.value, e.writes = updated(op.Update, e.size, e.read, x, repeated(op.Compare, e.size))
	case Red:
		e.atomic, e.own, e.reduces, e.reads, e.writes = true, true, true, true, true
		e.update, e.x = op.Update, x
	}
	w.events = append(w.events, e)
}
