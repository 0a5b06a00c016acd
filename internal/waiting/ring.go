package waiting

import "fmt"

// ring has producers hand items on to consumers, through slots in shared memory: an item is a value
// of each producer, and slots are used again when all consumers have read them.
type ring struct {
	scratch      *scratchCells
	lo, mid, hi  int // producers are the threads from lo on, consumers those from mid on
	depth, items int
	kind         ringKind
	bytes        int // of a value: 4, or 8 or 16, of which all are read
	barriers     int // the first of those of the ring: a full and an empty one of each slot
	x            operand
	d            uint32
	by           uint32
	lag          int // how many items behind a producer tells that it has copied one
	round        int // the item that comes next
	body         [2][]statement
}

// ringKind is how producers and consumers tell each other of slots.
type ringKind uint8

const (
	byCounters ringKind = iota // in shared memory, which all add to
	byFlags                    // of a producer and a consumer, which are pairs; they have 8 to 64 bits
	byNumber                   // barriers by number, at which one side arrives and the other waits
	byPhases                   // barriers in memory
	copies                     // the same, with values that are copied from global memory
	ringKinds
)

// words are those of a value.
func (s *ring) words() int { return s.bytes / 4 }

// size is how many words of shared memory the ring takes.
func (s *ring) size() int {
	return s.flagsAt() + 4*s.depth*s.pairs()
}

// flagsAt is where the counters are: two words for each full slot, and then for each empty one.
func (s *ring) flagsAt() int { return (s.depth*(s.mid-s.lo)*s.words() + 3) &^ 3 }

// pairs is how many producers have flags of their own.
func (s *ring) pairs() int {
	if s.kind == byFlags {
		return s.mid - s.lo
	}
	return 1
}

// from is the producer whose value a consumer reads.
func (s *ring) from(consumer int, item uint32) int {
	if s.kind == byFlags {
		return consumer
	}
	return (consumer + int(s.by) + int(item)) % (s.mid - s.lo)
}

// ringValue is what word n of an item is that a producer makes of x.
func ringValue(x, item uint32, n int) uint32 { return x*5 + item*7 + uint32(n)*0x10001 }

func (s *ring) run(m *machine, who []*thread) {
	for _, all := range m.byCTA(who) {
		makers, takers := all[:s.mid-s.lo], all[s.mid-s.lo:]
		for range s.items {
			made := make([][]uint32, len(makers))
			item := uint32(0)
			for n, t := range makers {
				item = uint32(t.next(s.round))
				for k := range s.words() {
					made[n] = append(made[n], s.made(m, t, item, k))
				}
			}
			for n, t := range takers {
				t.next(s.round)
				for _, x := range made[s.from(n, item)] {
					t.v[s.d] = fold(t.v[s.d], x)
				}
			}
			m.all(s.body[0], makers)
			m.all(s.body[1], takers)
		}
	}
}

// made is word k of what a producer hands on.
func (s *ring) made(m *machine, t *thread, item uint32, k int) uint32 {
	if s.kind == copies { // what threads begin with is not changed
		other := *t
		other.number = (t.number + int(item)) % m.k.Threads()
		return m.wordsOf(&other)[inWord+k]
	}
	return ringValue(s.x.of(t), item, k)
}

func (s *ring) write(w *writer) {
	p := w.new('p')
	w.line("setp.ge.u32 %s, %s, %d;", p, w.thread, s.mid)
	w.part(p, func() { s.side(w, 0) }, func() { s.side(w, 1) })
}

// side writes the loop of the producers, 0, or of the consumers.
func (s *ring) side(w *writer, side int) {
	item, left, slot, turn, p, again := w.rounds[s.round], w.new('r'), w.new('r'), w.new('r'), w.new('p'), w.newLabel()
	w.line("mov.u32 %s, %d;", left, s.items)
	w.label(again)
	w.line("rem.u32 %s, %s, %d;", slot, item, s.depth)
	w.line("div.u32 %s, %s, %d;", turn, item, s.depth)
	if side == 0 {
		s.awaitEmpty(w, slot, turn)
		switch {
		case s.kind == byPhases && w.oneOf(3): // it arrives before it writes, and the phase waits for bytes
			at := s.inMemory(w, slot, false)
			w.line("mbarrier.arrive.expect_tx.shared.b64 %s, [%s], %d;", w.new('q'), at, s.bytes)
			s.produce(w, item, slot)
			w.line("fence.acq_rel.cta;")
			w.line("mbarrier.complete_tx.shared.b64 [%s], %d;", at, s.bytes)
		case s.kind == copies && s.lag > 0:
			s.produce(w, item, slot)
			s.tellCopied(w, left, slot)
		default:
			s.produce(w, item, slot)
			s.tellFull(w, slot, turn)
		}
	} else {
		s.awaitFull(w, slot, turn)
		s.consume(w, item, slot)
		s.tellEmpty(w, slot, turn)
	}
	w.line("add.u32 %s, %[1]s, 1;", item)
	w.all(s.body[side])
	w.line("sub.u32 %s, %[1]s, 1;", left)
	w.line("setp.ne.u32 %s, %s, 0;", p, left)
	w.line("@%s bra %s;", p, again)
	if side == 0 && s.kind == copies && s.lag > 0 {
		s.tellRest(w, item)
	}
}

// valueAt writes the address of the value of a producer in a slot.
func (s *ring) valueAt(w *writer, slot, producer string, n int) address {
	index := w.new('r')
	w.line("mad.lo.u32 %s, %s, %d, %s;", index, slot, s.mid-s.lo, producer)
	return w.place(s.scratch.cells(), index, s.bytes, n)
}

// produce writes that a producer writes its value.
func (s *ring) produce(w *writer, item, slot string) {
	producer := w.new('r')
	w.line("sub.u32 %s, %s, %d;", producer, w.thread, s.lo)
	if s.kind == copies {
		s.copy(w, item, slot, producer)
		return
	}
	var values []any
	for n := range s.words() {
		r := w.new('r')
		w.line("mul.lo.u32 %s, %s, 5;", r, w.value(s.x))
		w.line("mad.lo.u32 %s, %s, 7, %[1]s;", r, item)
		w.line("add.u32 %s, %[1]s, %d;", r, n*0x10001)
		values = append(values, r)
	}
	at := s.valueAt(w, slot, producer, 0)
	w.words("st", at, values)
}

// words writes a load or a store of one, two or four words, one way or another.
func (w *writer) words(name string, at address, values []any) {
	access, memory := w.access(at), at.at
	text := func(t, register string) {
		if name == "ld" {
			w.line("ld%s%s %s, %s;", access, t, register, memory)
		} else {
			w.line("st%s%s %s, %s;", access, t, memory, register)
		}
	}
	switch len(values) {
	case 1:
		text(".u32", values[0].(string))
	case 2:
		if w.oneOf(2) {
			text(".v2.u32", fmt.Sprintf("{%s, %s}", values...))
			return
		}
		q := w.new('q')
		if name == "st" {
			w.line("mov.b64 %s, {%s, %s};", q, values[0], values[1])
		}
		text(".b64", q)
		if name == "ld" {
			w.line("mov.b64 {%s, %s}, %s;", values[0], values[1], q)
		}
	default:
		text(".v4.u32", fmt.Sprintf("{%s, %s, %s, %s}", values...))
	}
}

// copy writes that a producer copies what a thread begins with.
func (s *ring) copy(w *writer, item, slot, producer string) {
	other, from := w.new('r'), w.new('q')
	w.line("add.u32 %s, %s, %s;", other, w.thread, item)
	w.line("rem.u32 %s, %[1]s, %d;", other, w.k.Threads())
	w.line("mad.lo.u32 %s, %s, %d, %[1]s;", other, w.cta, w.k.Threads())
	w.line("mad.wide.u32 %s, %s, %d, %s;", from, other, 4*words, w.global)
	offset := 4*inWord - 4*w.k.protocolAt()
	generic := w.generic
	w.generic = false // it copies to shared memory by an address in it
	to := s.valueAt(w, slot, producer, 0)
	w.generic = generic
	for n := range s.words() { // the words of threads are not aligned to more
		w.line("cp.async.ca.shared.global %s, [%s+%d], 4;", to.plus(4*n).at, from, offset+4*n)
	}
}

// consume writes that a consumer reads a value.
func (s *ring) consume(w *writer, item, slot string) {
	producer := w.new('r')
	w.line("sub.u32 %s, %s, %d;", producer, w.thread, s.mid)
	if s.kind != byFlags {
		w.line("add.u32 %s, %[1]s, %d;", producer, s.by)
		w.line("add.u32 %s, %[1]s, %s;", producer, item)
		w.line("rem.u32 %s, %[1]s, %d;", producer, s.mid-s.lo)
	}
	var values []any
	for range s.words() {
		values = append(values, w.new('r'))
	}
	w.words("ld", s.valueAt(w, slot, producer, 0), values)
	for _, x := range values {
		w.fold(w.v[s.d], w.v[s.d], x.(string))
	}
}
