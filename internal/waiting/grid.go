package waiting

// The statements of this file are executed by all threads of the grid, as often by each. What CTAs
// tell each other in one round has words of its own.

// inGrid writes the number of an element: of so many for each CTA, in the present round, that of a
// CTA in a register.
func (w *writer) inGrid(round int, cta string, each int) string {
	r := w.new('r')
	w.line("mad.lo.u32 %s, %s, %d, %s;", r, w.rounds[round], w.k.CTAs(), cta)
	if each > 1 {
		w.line("mul.lo.u32 %s, %[1]s, %d;", r, each)
	}
	return r
}

// leader writes that one thread does something whose result all threads of the CTA get in a
// variable. Shared memory has a word for that in each of two rounds.
func (w *writer) leader(thread uint32, round int, scratch *scratchCells, d uint32, do func(result string)) {
	p, skip, result, slot := w.new('p'), w.newLabel(), w.new('r'), w.new('r')
	w.line("and.b32 %s, %s, 1;", slot, w.rounds[round])
	at := w.place(scratch.cells(), slot, 4, 0)
	w.line("setp.ne.u32 %s, %s, %d;", p, w.thread, thread)
	w.line("@%s bra %s;", p, skip)
	do(result)
	w.line("st%s.u32 %s, %s;", at.space, at.at, result)
	w.label(skip)
	w.line("bar.sync 0;")
	w.line("ld%s.u32 %s, %s;", at.space, w.v[d], at.at)
	w.line("add.u32 %s, %[1]s, 1;", w.rounds[round])
}

// gridBarrier has threads read what those of other CTAs have written before all met.
type gridBarrier struct {
	data      cells // of each thread and round
	counter   cells
	leader    uint32
	allArrive bool
	x         operand
	d         uint32
	by        uint32
	round     int
}

func (s *gridBarrier) arrivals(k *Kernel) int {
	if s.allArrive {
		return k.CTAs() * k.Threads()
	}
	return k.CTAs()
}

func (s *gridBarrier) run(m *machine, who []*thread) {
	threads, ctas, round := m.k.Threads(), m.k.CTAs(), who[0].rounds[s.round]
	for _, t := range who {
		m.at(t, s.data, (round*ctas+t.cta)*threads+t.number)[0] = s.x.of(t)
		t.next(s.round)
	}
	for _, t := range who {
		cta, number := (t.cta+int(s.by))%ctas, (t.number+int(s.by))%threads
		t.v[s.d] = m.at(t, s.data, (round*ctas+cta)*threads+number)[0]
	}
	m.at(who[0], s.counter, 0)[0] += uint32(s.arrivals(m.k))
}

func (s *gridBarrier) write(w *writer) {
	threads, ctas := w.k.Threads(), w.k.CTAs()
	index, other, cta, all := w.inGrid(s.round, w.cta, threads), w.new('r'), w.new('r'), w.new('r')
	w.line("add.u32 %s, %[1]s, %s;", index, w.thread)
	own := w.place(s.data, index, 4, 0)
	w.line("st%s.u32 %s, %s;", w.access(own), own.at, w.value(s.x))
	counter := w.place(s.counter, "", 0, 0)
	w.line("mad.lo.u32 %s, %s, %d, %[3]d;", all, w.rounds[s.round], s.arrivals(w.k))
	arrive := func() {
		w.add(counter, "1")
		w.await(counter, 32, atLeast(all))
	}
	if s.allArrive {
		arrive()
	} else {
		p, skip := w.new('p'), w.newLabel()
		w.line("bar.sync 0;")
		w.line("setp.ne.u32 %s, %s, %d;", p, w.thread, s.leader)
		w.line("@%s bra %s;", p, skip)
		arrive()
		w.label(skip)
		w.line("bar.sync 0;")
	}
	w.line("add.u32 %s, %s, %d;", cta, w.cta, s.by)
	w.line("rem.u32 %s, %[1]s, %d;", cta, ctas)
	w.line("add.u32 %s, %s, %d;", other, w.thread, s.by)
	w.line("rem.u32 %s, %[1]s, %d;", other, threads)
	from := w.inGrid(s.round, cta, threads)
	w.line("add.u32 %s, %[1]s, %s;", from, other)
	at := w.place(s.data, from, 4, 0)
	w.line("ld%s.u32 %s, %s;", w.access(at), w.v[s.d], at.at)
	w.line("add.u32 %s, %[1]s, 1;", w.rounds[s.round])
}
