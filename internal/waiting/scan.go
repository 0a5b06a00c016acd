package waiting

// scan gives each CTA the sum of what threads of all before it have: decoupled look-back (Merrill
// and Garland, 2016). The status of a CTA is 1 with its own sum, and then 2 with that of all up
// to it.
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
