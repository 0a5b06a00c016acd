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
	p, other, end := w.new('p'), w.newLabel(), w.newLabel()
	w.line("setp.ge.u32 %s, %s, %d;", p, w.thread, s.mid)
	w.line("@%s bra %s;", p, other)
	s.side(w, 0)
	w.line("bra %s;", end)
	w.label(other)
	s.side(w, 1)
	w.label(end)
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
		s.produce(w, item, slot)
		if s.kind == copies && s.lag > 0 {
			s.tellCopied(w, left, slot)
		} else {
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

// flag is the counter of a slot, full or empty.
func (s *ring) flag(w *writer, slot string, empty bool) address {
	if s.kind == byFlags {
		pair := w.new('r')
		w.line("sub.u32 %s, %s, %d;", pair, w.thread, s.lo)
		w.line("rem.u32 %s, %[1]s, %d;", pair, s.pairs())
		w.line("mad.lo.u32 %s, %s, %d, %[1]s;", pair, slot, s.pairs())
		slot = pair
	}
	return w.place(s.scratch.cells(), slot, 8, s.flagsAt()+2*s.pairs()*s.slots(empty))
}

// slots is how many flags or barriers there are before those of slots that are empty, or full.
func (s *ring) slots(empty bool) int {
	if empty {
		return s.depth
	}
	return 0
}

// eachSlot writes something for each slot, of which the one in the register is executed: what it is
// told is not a register there.
func (s *ring) eachSlot(w *writer, slot string, write func(n int)) {
	if s.depth == 1 {
		write(0)
		return
	}
	end := w.newLabel()
	for n := range s.depth {
		p, next := w.new('p'), w.newLabel()
		w.line("setp.ne.u32 %s, %s, %d;", p, slot, n)
		w.line("@%s bra %s;", p, next)
		write(n)
		w.line("bra %s;", end)
		w.label(next)
	}
	w.label(end)
}

// named is the number of the barrier of a slot, in a register or not.
func (s *ring) named(w *writer, slot string, empty bool, write func(number string)) {
	first := s.barriers + s.slots(empty)
	if w.oneOf(2) {
		s.eachSlot(w, slot, func(n int) { write(fmt.Sprint(first + n)) })
		return
	}
	r := w.new('r')
	w.line("add.u32 %s, %s, %d;", r, slot, first)
	write(r)
}

// inMemory writes the address of the barrier of a slot.
func (s *ring) inMemory(w *writer, slot string, empty bool) string {
	r := w.new('r')
	w.line("mov.u32 %s, barriers;", r)
	w.line("mad.lo.u32 %s, %s, 8, %[1]s;", r, slot)
	return fmt.Sprintf("%s+%d", r, 8*(s.barriers+s.slots(empty)))
}

// flagBits are the bits of the flags.
func (s *ring) flagBits() int { return []int{8, 16, 32, 64}[s.by%4] }

// awaitFlag writes that a thread waits until a flag has the number of a turn.
func (s *ring) awaitFlag(w *writer, slot, turn string, empty bool) {
	want, bits := w.new('r'), s.flagBits()
	w.line("and.b32 %s, %s, 255;", want, turn)
	if bits == 64 {
		q := w.new('q')
		w.line("cvt.u64.u32 %s, %s;", q, want)
		want = q
	}
	w.await(s.flag(w, slot, empty), bits, equals(want))
}

// setFlag writes the number of a turn to a flag.
func (s *ring) setFlag(w *writer, slot, turn string, empty bool) {
	value, bits := w.new('r'), s.flagBits()
	w.line("and.b32 %s, %s, 255;", value, turn)
	if bits == 64 {
		q := w.new('q')
		w.line("cvt.u64.u32 %s, %s;", q, value)
		value = q
	}
	w.publish(s.flag(w, slot, empty), bits, value)
}

// awaitEmpty writes that producers wait until a slot has been read as often as it has been filled.
func (s *ring) awaitEmpty(w *writer, slot, turn string) {
	switch s.kind {
	case byCounters:
		all := w.new('r')
		w.line("mul.lo.u32 %s, %s, %d;", all, turn, s.hi-s.mid)
		w.await(s.flag(w, slot, true), 32, atLeast(all))
	case byFlags:
		s.awaitFlag(w, slot, turn, true)
	case byNumber:
		p, skip := w.new('p'), w.newLabel()
		w.line("setp.eq.u32 %s, %s, 0;", p, turn)
		w.line("@%s bra %s;", p, skip)
		s.named(w, slot, true, func(number string) { w.line("bar.sync %s, %d;", number, counted(s.lo, s.hi)) })
		w.label(skip)
	default:
		parity := w.new('r')
		w.line("not.b32 %s, %s;", parity, turn)
		w.line("and.b32 %s, %[1]s, 1;", parity)
		w.awaitParityAt(s.inMemory(w, slot, true), parity)
	}
}

// tellFull writes that producers have filled a slot.
func (s *ring) tellFull(w *writer, slot, turn string) {
	switch s.kind {
	case byCounters:
		w.add(s.flag(w, slot, false), "1")
	case byFlags:
		next := w.new('r')
		w.line("add.u32 %s, %s, 1;", next, turn)
		s.setFlag(w, slot, next, false)
	case byNumber:
		s.named(w, slot, false, func(number string) { w.line("bar.arrive %s, %d;", number, counted(s.lo, s.hi)) })
	case byPhases:
		w.arriveAt(s.inMemory(w, slot, false))
	case copies:
		at := s.inMemory(w, slot, false)
		switch w.IntN(3) {
		case 0:
			w.line("cp.async.mbarrier.arrive.noinc.shared.b64 [%s];", at)
		case 1:
			w.line("cp.async.mbarrier.arrive.shared.b64 [%s];", at)
			w.arriveAt(at)
		default:
			w.line("%s", []string{"cp.async.wait_all;", "cp.async.commit_group;\n\tcp.async.wait_group 0;"}[w.IntN(2)])
			w.arriveAt(at)
		}
	}
}

// awaitFull writes that consumers wait until a slot is full.
func (s *ring) awaitFull(w *writer, slot, turn string) {
	switch s.kind {
	case byCounters:
		all := w.new('r')
		w.line("mad.lo.u32 %s, %s, %d, %[3]d;", all, turn, s.mid-s.lo)
		w.await(s.flag(w, slot, false), 32, atLeast(all))
	case byFlags:
		next := w.new('r')
		w.line("add.u32 %s, %s, 1;", next, turn)
		s.awaitFlag(w, slot, next, false)
	case byNumber:
		s.named(w, slot, false, func(number string) { w.line("bar.sync %s, %d;", number, counted(s.lo, s.hi)) })
	default:
		parity := w.new('r')
		w.line("and.b32 %s, %s, 1;", parity, turn)
		w.awaitParityAt(s.inMemory(w, slot, false), parity)
	}
}

// tellEmpty writes that consumers have read a slot.
func (s *ring) tellEmpty(w *writer, slot, turn string) {
	switch s.kind {
	case byCounters:
		w.add(s.flag(w, slot, true), "1")
	case byFlags:
		next := w.new('r')
		w.line("add.u32 %s, %s, 1;", next, turn)
		s.setFlag(w, slot, next, true)
	case byNumber:
		s.named(w, slot, true, func(number string) { w.line("bar.arrive %s, %d;", number, counted(s.lo, s.hi)) })
	default:
		w.arriveAt(s.inMemory(w, slot, true))
	}
}

// tellCopied writes that a producer commits what it has copied, and tells of the item before by
// some, if there is one since the loop began.
func (s *ring) tellCopied(w *writer, left, slot string) {
	p, skip, before := w.new('p'), w.newLabel(), w.new('r')
	w.line("cp.async.commit_group;")
	w.line("cp.async.wait_group %d;", s.lag)
	w.line("setp.gt.u32 %s, %s, %d;", p, left, s.items-s.lag)
	w.line("@%s bra %s;", p, skip)
	w.line("add.u32 %s, %s, %d;", before, slot, s.depth-s.lag)
	w.line("rem.u32 %s, %[1]s, %d;", before, s.depth)
	w.arriveAt(s.inMemory(w, before, false))
	w.label(skip)
}

// tellRest writes that a producer tells of the last items that it has copied.
func (s *ring) tellRest(w *writer, item string) {
	w.line("cp.async.wait_group 0;")
	for n := s.lag; n > 0; n-- {
		slot := w.new('r')
		w.line("add.u32 %s, %s, %d;", slot, item, s.depth-n)
		w.line("rem.u32 %s, %[1]s, %d;", slot, s.depth)
		w.arriveAt(s.inMemory(w, slot, false))
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
