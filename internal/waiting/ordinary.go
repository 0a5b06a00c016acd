package waiting

// choose executes one body for threads for which a comparison holds, and another for the rest.
type choose struct {
	comparison
	body, other []statement
}

func (s *choose) run(m *machine, who []*thread) {
	yes, no := split(who, s.holds)
	m.all(s.body, yes)
	m.all(s.other, no)
}

func (s *choose) write(w *writer) {
	p := w.compare(s.comparison)
	if len(s.other) == 0 {
		end := w.newLabel()
		w.line("@!%s bra %s;", p, end)
		w.all(s.body)
		w.label(end)
		return
	}
	w.part(p, func() { w.all(s.other) }, func() { w.all(s.body) })
}

// part writes that threads for which a guard holds do the second, and all others the first.
func (w *writer) part(guard string, first, second func()) {
	other, end := w.newLabel(), w.newLabel()
	w.line("@%s bra %s;", guard, other)
	first()
	w.line("bra %s;", end)
	w.label(other)
	second()
	w.label(end)
}

// chooseByWarp is choose by what the first lane of each warp has.
type chooseByWarp struct {
	comparison
	members     members
	body, other []statement
}

func (s *chooseByWarp) run(m *machine, who []*thread) {
	var yes, no []*thread
	for _, all := range m.byWarp(who) {
		if s.holds(all[0]) {
			yes = append(yes, all...)
		} else {
			no = append(no, all...)
		}
	}
	m.all(s.body, yes)
	m.all(s.other, no)
}

func (s *chooseByWarp) write(w *writer) {
	p, r := w.compare(s.comparison), w.new('r')
	w.line("selp.u32 %s, 1, 0, %s;", r, p)
	w.line("shfl.sync.idx.b32 %s, %[1]s, 0, 31, %s;", r, w.present(s.members))
	w.line("setp.ne.u32 %s, %s, 0;", p, r)
	w.part("!"+p, func() { w.all(s.body) }, func() { w.all(s.other) })
}

// loop executes its body as often as a number says, or, under a mask, an operand.
type loop struct {
	turns operand
	mask  uint32
	body  []statement
}

func (s *loop) of(t *thread) uint32 {
	if s.mask == 0 {
		return s.turns.n
	}
	return s.turns.of(t) & s.mask
}

func (s *loop) run(m *machine, who []*thread) {
	left := map[*thread]uint32{}
	for _, t := range who {
		left[t] = s.of(t)
	}
	for {
		var still []*thread
		for _, t := range who {
			if left[t] > 0 {
				left[t]--
				still = append(still, t)
			}
		}
		if len(still) == 0 {
			return
		}
		who = still
		m.all(s.body, who)
	}
}

func (s *loop) write(w *writer) {
	n, p := w.copied(s.turns), w.new('p')
	if s.mask != 0 {
		w.line("and.b32 %s, %[1]s, %d;", n, s.mask)
	}
	again, end := w.newLabel(), w.newLabel()
	if w.oneOf(2) { // it looks at its beginning
		w.label(again)
		w.line("setp.eq.u32 %s, %s, 0;", p, n)
		w.line("@%s bra %s;", p, end)
		w.line("sub.u32 %s, %[1]s, 1;", n)
		w.all(s.body)
		w.line("bra %s;", again)
	} else {
		w.line("setp.eq.u32 %s, %s, 0;", p, n)
		w.line("@%s bra %s;", p, end)
		w.label(again)
		w.all(s.body)
		w.line("sub.u32 %s, %[1]s, 1;", n)
		w.line("setp.ne.u32 %s, %s, 0;", p, n)
		w.line("@%s bra %s;", p, again)
	}
	w.label(end)
}

// keep adds a value to a word of the thread in memory, and sets a variable to what that was.
type keep struct {
	a operand
	d uint32
}

func (s *keep) run(_ *machine, who []*thread) {
	for _, t := range who {
		t.own, t.v[s.d] = fold(t.own, s.a.of(t)), t.own
	}
}

func (s *keep) write(w *writer) {
	at, r, sum := w.threadWord(ownWord), w.new('r'), w.new('r')
	w.line("ld.global.u32 %s, [%s];", r, at)
	w.fold(sum, r, w.value(s.a))
	w.line("st.global.u32 [%s], %s;", at, sum)
	w.line("mov.u32 %s, %s;", w.v[s.d], r)
}

// apart has the threads of a CTA below a number do something else than those from it on.
type apart struct {
	at          int
	below, from []statement
}

func (s *apart) run(m *machine, who []*thread) {
	below, from := split(who, func(t *thread) bool { return t.number < s.at })
	m.all(s.below, below)
	m.all(s.from, from)
}

func (s *apart) write(w *writer) {
	p := w.new('p')
	w.line("setp.lt.u32 %s, %s, %d;", p, w.thread, s.at)
	w.part("!"+p, func() { w.all(s.below) }, func() { w.all(s.from) })
}
