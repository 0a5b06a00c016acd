package waiting

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
