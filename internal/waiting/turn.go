package waiting

// inTurn has lanes of a warp, or threads of a CTA, wait for those before them, one by one: the
// variable is set to what all before have added up.
type inTurn struct {
	cells  cells // whose turn it is, and the sum; of each warp if it is for lanes
	lo, hi int   // the threads, or 0 if it is for lanes
	x      operand
	d      uint32
	round  int
	body   []statement
}

func (s *inTurn) lanes() bool { return s.hi == 0 }

func (s *inTurn) run(m *machine, who []*thread) {
	for _, t := range who {
		n := 0
		if s.lanes() {
			n = 4 * (t.number / warp)
		}
		d := m.at(t, s.cells, n)
		t.next(s.round)
		before := d[1]
		d[0]++
		d[1] = fold(d[1], s.x.of(t))
		t.v[s.d] = before
	}
	m.all(s.body, who)
}

func (s *inTurn) write(w *writer) {
	index := ""
	turn, r, x := w.new('r'), w.new('r'), w.copied(s.x)
	if s.lanes() {
		index = w.warp
		w.line("popc.b32 %s, %s;", turn, w.threads)
		w.line("mad.lo.u32 %s, %[1]s, %s, %s;", turn, w.rounds[s.round], w.lane)
	} else {
		w.line("mad.lo.u32 %s, %s, %d, %s;", turn, w.rounds[s.round], s.hi-s.lo, w.thread)
		w.line("sub.u32 %s, %[1]s, %d;", turn, s.lo)
	}
	w.line("add.u32 %s, %[1]s, 1;", w.rounds[s.round])
	at, sum := w.place(s.cells, index, 16, 0), w.place(s.cells, index, 16, 1)
	w.await(at, 32, equals(turn))
	access := w.access(sum)
	w.line("ld%s.u32 %s, %s;", access, w.v[s.d], sum.at)
	w.fold(r, w.v[s.d], x)
	w.line("st%s.u32 %s, %s;", access, sum.at, r)
	w.line("add.u32 %s, %[1]s, 1;", turn)
	w.publish(at, 32, turn)
	w.all(s.body)
}
