package waiting

// last has the last CTA that comes add up what all have written, each thread in the order of CTAs.
type last struct {
	parts   cells // of each thread and round
	sums    cells // of each thread of the last one, by round
	counter cells // of each round
	scratch *scratchCells
	leader  uint32
	by      uint32
	wraps   bool // the counter is 0 again in the end
	x       operand
	round   int
}

func (s *last) run(m *machine, who []*thread) {
	threads, ctas, round := m.k.Threads(), m.k.CTAs(), who[0].rounds[s.round]
	for _, t := range who {
		m.at(t, s.parts, (round*ctas+t.cta)*threads+t.number)[0] = s.x.of(t)
		t.next(s.round)
	}
	for n := range threads {
		sum := uint32(0)
		for cta := range ctas {
			sum = fold(sum, m.at(who[0], s.parts, (round*ctas+cta)*threads+(n+int(s.by))%threads)[0])
		}
		m.at(who[0], s.sums, round*threads+n)[0] = sum
	}
	if !s.wraps {
		m.at(who[0], s.counter, round)[0] = uint32(ctas)
	}
}

func (s *last) write(w *writer) {
	threads, ctas := w.k.Threads(), w.k.CTAs()
	p, skip, isLast, old, slot := w.new('p'), w.newLabel(), w.new('r'), w.new('r'), w.new('r')
	index := w.inGrid(s.round, w.cta, threads)
	w.line("add.u32 %s, %[1]s, %s;", index, w.thread)
	part := w.place(s.parts, index, 4, 0)
	w.line("st%s.u32 %s, %s;", w.access(part), part.at, w.value(s.x))
	eachFences := w.oneOf(2)
	if eachFences {
		w.fence(part)
	}
	w.line("bar.sync 0;")
	w.line("and.b32 %s, %s, 1;", slot, w.rounds[s.round])
	told := w.place(s.scratch.cells(), slot, 4, 0)
	counter := w.place(s.counter, w.rounds[s.round], 4, 0)
	w.line("setp.ne.u32 %s, %s, %d;", p, w.thread, s.leader)
	w.line("@%s bra %s;", p, skip)
	operation, by := "add", "1"
	if s.wraps {
		operation, by = "inc", w.register(operand{number, uint32(ctas - 1)})
	}
	if !eachFences && w.oneOf(2) {
		w.line("atom.acq_rel.gpu%s.%s.u32 %s, %s, %s;", counter.space, operation, old, counter.at, by)
	} else {
		w.fence(part)
		w.line("atom%s.%s.u32 %s, %s, %s;", counter.space, operation, old, counter.at, by)
		w.fence(part)
	}
	w.line("setp.eq.u32 %s, %s, %d;", p, old, ctas-1)
	w.line("selp.u32 %s, 1, 0, %s;", isLast, p)
	w.line("st%s.u32 %s, %s;", told.space, told.at, isLast)
	w.label(skip)
	w.line("bar.sync 0;")
	end := w.newLabel()
	w.line("ld%s.u32 %s, %s;", told.space, isLast, told.at)
	w.line("setp.eq.u32 %s, %s, 0;", p, isLast)
	w.line("@%s bra %s;", p, end)
	if w.oneOf(2) {
		w.fence(part)
	}
	s.addUp(w, threads, ctas)
	w.label(end)
	w.line("add.u32 %s, %[1]s, 1;", w.rounds[s.round])
}

// addUp writes what threads of the last CTA do.
func (s *last) addUp(w *writer, threads, ctas int) {
	sum, cta, x, other, p, again := w.new('r'), w.new('r'), w.new('r'), w.new('r'), w.new('p'), w.newLabel()
	w.line("add.u32 %s, %s, %d;", other, w.thread, s.by)
	w.line("rem.u32 %s, %[1]s, %d;", other, threads)
	w.line("mov.u32 %s, 0;", sum)
	w.line("mov.u32 %s, 0;", cta)
	w.label(again)
	index := w.inGrid(s.round, cta, threads)
	w.line("add.u32 %s, %[1]s, %s;", index, other)
	part := w.place(s.parts, index, 4, 0)
	w.line("ld%s.u32 %s, %s;", w.access(part), x, part.at)
	w.fold(sum, sum, x)
	w.line("add.u32 %s, %[1]s, 1;", cta)
	w.line("setp.lt.u32 %s, %s, %d;", p, cta, ctas)
	w.line("@%s bra %s;", p, again)
	w.line("mad.lo.u32 %s, %s, %d, %s;", index, w.rounds[s.round], threads, w.thread)
	to := w.place(s.sums, index, 4, 0)
	w.line("st%s.u32 %s, %s;", to.space, to.at, sum)
}
