package waiting

import "fmt"

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
