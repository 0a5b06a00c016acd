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

// chain has each CTA wait for the one before, and hand on a sum to the one behind it.
type chain struct {
	cells   cells // of each CTA and round the flag and the sum, of 8 bytes each
	scratch *scratchCells
	leader  uint32
	x       operand
	d       uint32
	packed  bool // the flag is the upper half of a word of 64 bits, and the sum the lower
	bits    int  // of the flag
	round   int
}

func (s *chain) run(m *machine, who []*thread) {
	sum := uint32(1)
	for cta, all := range m.byCTA(who) {
		x := s.x.of(all[s.leader])
		d := m.at(all[0], s.cells, 4*(all[0].rounds[s.round]*m.k.CTAs()+cta))
		before := sum
		sum = fold(sum, x)
		d[0], d[2] = 7, sum
		if s.packed {
			d[0], d[1], d[2] = sum, 7, 0
		}
		for _, t := range all {
			t.next(s.round)
			t.v[s.d] = before
		}
	}
}

func (s *chain) write(w *writer) {
	w.leader(s.leader, s.round, s.scratch, s.d, func(sum string) {
		p, skip := w.new('p'), w.newLabel()
		index, next, both := w.inGrid(s.round, w.cta, 1), w.new('r'), w.new('q')
		flag, data := w.place(s.cells, index, 16, 0), w.place(s.cells, index, 16, 2)
		before, beforeData := flag.plus(-16), data.plus(-16)
		w.line("mov.u32 %s, 1;", sum)
		w.line("setp.eq.u32 %s, %s, 0;", p, w.cta)
		w.line("@%s bra %s;", p, skip)
		if s.packed {
			high := w.new('r')
			w.spin(func() {
				w.line("ld%s.b64 %s, %s;", []string{".relaxed." + w.scope(flag) + flag.space, ".volatile" + flag.space, ".acquire.gpu" + flag.space}[w.IntN(3)], both, before.at)
				w.line("mov.b64 {%s, %s}, %s;", sum, high, both)
				w.line("setp.eq.u32 %s, %s, 7;", p, high)
			}, p)
		} else {
			w.await(before, s.bits, equals("7"))
			w.line("ld%s.u32 %s, %s;", w.access(beforeData), sum, beforeData.at)
		}
		w.label(skip)
		w.fold(next, sum, w.value(s.x))
		if s.packed {
			w.line("mov.b64 %s, {%s, 7};", both, next)
			w.line("st%s.b64 %s, %s;", []string{".relaxed." + w.scope(flag) + flag.space, ".volatile" + flag.space}[w.IntN(2)], flag.at, both)
			return
		}
		w.line("st%s.u32 %s, %s;", w.access(data), data.at, next)
		w.publish(flag, s.bits, "7")
	})
}

// front has each thread wait for one of the CTA before.
type front struct {
	cells cells // of each thread and round the flag and the sum
	by    uint32
	x     operand
	d     uint32
	bits  int
	round int
}

func (s *front) run(m *machine, who []*thread) {
	var before []uint32
	for cta, all := range m.byCTA(who) {
		sums := make([]uint32, len(all))
		for n, t := range all {
			sum := uint32(1)
			if cta > 0 {
				sum = before[(n+int(s.by))%len(all)]
			}
			sums[n] = fold(sum, s.x.of(t))
			d := m.at(t, s.cells, 4*((t.next(s.round)*m.k.CTAs()+cta)*len(all)+n))
			d[0], d[2] = 7, sums[n]
			t.v[s.d] = sum
		}
		before = sums
	}
}

func (s *front) write(w *writer) {
	threads := w.k.Threads()
	index, other, p, skip, next, x := w.inGrid(s.round, w.cta, threads), w.new('r'), w.new('p'), w.newLabel(), w.new('r'), w.copied(s.x)
	w.line("add.u32 %s, %s, %d;", other, w.thread, int(s.by)%threads)
	w.line("setp.ge.u32 %s, %s, %d;", p, other, threads)
	w.line("@%s sub.u32 %s, %[2]s, %d;", p, other, threads)
	w.line("add.u32 %s, %[1]s, %s;", other, index)
	w.line("add.u32 %s, %[1]s, %s;", index, w.thread)
	w.line("mov.u32 %s, 1;", w.v[s.d])
	w.line("setp.eq.u32 %s, %s, 0;", p, w.cta)
	w.line("@%s bra %s;", p, skip)
	w.line("sub.u32 %s, %[1]s, %d;", other, threads)
	w.await(w.place(s.cells, other, 16, 0), s.bits, equals("7"))
	data := w.place(s.cells, other, 16, 2)
	w.line("ld%s.u32 %s, %s;", w.access(data), w.v[s.d], data.at)
	w.label(skip)
	w.fold(next, w.v[s.d], x)
	to := w.place(s.cells, index, 16, 2)
	w.line("st%s.u32 %s, %s;", w.access(to), to.at, next)
	w.publish(w.place(s.cells, index, 16, 0), s.bits, "7")
	w.line("add.u32 %s, %[1]s, 1;", w.rounds[s.round])
}

// scan gives each CTA the sum of what threads of all before it have: decoupled look-back (Merrill
// and Garland, 2016). The status of a CTA is 1 with its own sum, and then 2 with that of all up to it.
type scan struct {
	cells   cells // of each CTA and round the sum and the status
	sums    cells // shared, of each round
	scratch *scratchCells
	leader  uint32
	byWarp  bool // the first warp looks at as many CTAs as it has lanes, at once
	x       operand
	d       uint32
	round   int
}

func (s *scan) run(m *machine, who []*thread) {
	before := uint32(0)
	for cta, all := range m.byCTA(who) {
		round, sum := all[0].rounds[s.round], uint32(0)
		for _, t := range all {
			sum += s.x.of(t)
		}
		m.at(all[0], s.sums, round)[0] = sum
		d := m.at(all[0], s.cells, 2*(round*m.k.CTAs()+cta))
		d[0], d[1] = before+sum, 2
		for _, t := range all {
			t.next(s.round)
			t.v[s.d] = before
		}
		before += sum
	}
}

func (s *scan) write(w *writer) {
	sums := w.place(s.sums, w.rounds[s.round], 4, 0)
	w.line("red%s.add.u32 %s, %s;", sums.space, sums.at, w.register(s.x))
	w.line("bar.sync 0;")
	sum, before := w.new('r'), w.new('r')
	w.line("ld%s.u32 %s, %s;", sums.space, sum, sums.at)
	if !s.byWarp {
		w.leader(s.leader, s.round, s.scratch, s.d, func(result string) {
			s.tell(w, sum, "1")
			w.line("mov.u32 %s, 0;", before)
			s.lookBack(w, before)
			w.line("mov.u32 %s, %s;", result, before)
			w.line("add.u32 %s, %s, %s;", sum, before, sum)
			s.tell(w, sum, "2")
		})
		return
	}
	p, skip := w.new('p'), w.newLabel()
	w.line("mov.u32 %s, 0;", before)
	w.line("setp.ge.u32 %s, %s, 1;", p, w.warp)
	w.line("@%s bra %s;", p, skip)
	q, notFirst := w.new('p'), w.newLabel()
	w.line("setp.ne.u32 %s, %s, 0;", q, w.lane)
	w.line("@%s bra %s;", q, notFirst)
	s.tell(w, sum, "1")
	w.label(notFirst)
	s.lookBackTogether(w, before)
	w.label(skip)
	w.leader(0, s.round, s.scratch, s.d, func(result string) {
		w.line("mov.u32 %s, %s;", result, before)
		w.line("add.u32 %s, %s, %s;", sum, before, sum)
		s.tell(w, sum, "2")
	})
}

// tell writes the status of the CTA.
func (s *scan) tell(w *writer, sum, status string) {
	both := w.new('q')
	at := w.place(s.cells, w.inGrid(s.round, w.cta, 1), 8, 0)
	w.line("mov.b64 %s, {%s, %s};", both, sum, status)
	w.line("st%s.b64 %s, %s;", []string{".relaxed." + w.scope(at) + at.space, ".volatile" + at.space, ".release.gpu" + at.space}[w.IntN(3)], at.at, both)
}

// look writes that a thread waits until a CTA has a status.
func (s *scan) look(w *writer, index, sum, status string) {
	at, both, p := w.place(s.cells, index, 8, 0), w.new('q'), w.new('p')
	order := []string{".relaxed." + w.scope(at) + at.space, ".volatile" + at.space, ".acquire.gpu" + at.space}[w.IntN(3)]
	w.spin(func() {
		w.line("ld%s.b64 %s, %s;", order, both, at.at)
		w.line("mov.b64 {%s, %s}, %s;", sum, status, both)
		w.line("setp.ne.u32 %s, %s, 0;", p, status)
	}, p)
}

// lookBack writes that one thread adds up what CTAs before have told.
func (s *scan) lookBack(w *writer, before string) {
	at, sum, status, p := w.copied(operand{ctaNumber, 0}), w.new('r'), w.new('r'), w.new('p')
	again, end := w.newLabel(), w.newLabel()
	w.label(again)
	w.line("setp.eq.u32 %s, %s, 0;", p, at)
	w.line("@%s bra %s;", p, end)
	w.line("sub.u32 %s, %[1]s, 1;", at)
	s.look(w, w.inGrid(s.round, at, 1), sum, status)
	w.line("add.u32 %s, %[1]s, %s;", before, sum)
	w.line("setp.ne.u32 %s, %s, 2;", p, status)
	w.line("@%s bra %s;", p, again)
	w.label(end)
}

// lookBackTogether is lookBack of a warp.
func (s *scan) lookBackTogether(w *writer, before string) {
	base, at, sum, status, p, r := w.copied(operand{ctaNumber, 0}), w.new('r'), w.new('r'), w.new('r'), w.new('p'), w.new('r')
	again, end, none := w.newLabel(), w.newLabel(), w.newLabel()
	w.label(again)
	w.line("setp.eq.u32 %s, %s, 0;", p, base)
	w.line("@%s bra %s;", p, end)
	w.line("sub.u32 %s, %s, %s;", at, base, w.lane)
	w.line("sub.u32 %s, %[1]s, 1;", at)
	w.line("mov.u32 %s, 0;", sum)
	w.line("mov.u32 %s, 2;", status)
	w.line("setp.lt.s32 %s, %s, 0;", p, at)
	w.line("@%s bra %s;", p, none)
	s.look(w, w.inGrid(s.round, at, 1), sum, status)
	w.label(none)
	w.line("setp.eq.u32 %s, %s, 2;", p, status)
	w.line("vote.sync.ballot.b32 %s, %s, %s;", r, p, w.threads)
	w.line("brev.b32 %s, %[1]s;", r)
	w.line("clz.b32 %s, %[1]s;", r)
	w.line("setp.gt.u32 %s, %s, %s;", p, w.lane, r)
	w.line("selp.b32 %s, 0, %[1]s, %s;", sum, p)
	w.line("redux.sync.add.u32 %s, %[1]s, %s;", sum, w.threads)
	w.line("add.u32 %s, %[1]s, %s;", before, sum)
	w.line("setp.lt.u32 %s, %s, 32;", p, r)
	w.line("@%s bra %s;", p, end)
	w.line("sub.u32 %s, %[1]s, 32;", base)
	w.line("bra %s;", again)
	w.label(end)
}

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
