package waiting

// waits reports whether a crowd may wait for each other, one by one.
func (g *generator) waits(t team) bool {
	if t.crowd > g.handovers {
		return false
	}
	g.handovers -= t.crowd
	return true
}

// few lets few of a team come to a statement: that of one number, or one of each CTA.
func (g *generator) few(t team, make func(t team) statement) statement {
	c := comparison{op: "eq.u32", a: operand{threadNumber, 0}, b: operand{number, 3}, mask: 15}
	by := 16
	if g.oneOf(2) {
		c, by = comparison{op: "eq.u32", a: operand{threadNumber, 0}, b: operand{number, uint32(g.IntN(g.k.Threads()))}}, g.k.Threads()
	}
	t.crowd = max(t.crowd/by, 1)
	if s := make(t.as(anyone)); s != nil {
		return &choose{comparison: c, body: []statement{s}}
	}
	return nil
}

func (g *generator) lock(t team) statement {
	if !g.waits(t) {
		if t.crowd < 32 {
			return nil
		}
		return g.few(t, g.lock)
	}
	s := &lock{places: 1 << g.IntN(4), by: g.value(), x: g.value(), y: g.value(), form: form(g.IntN(int(forms))), behind: g.oneOf(2)}
	s.wide = []int{16, 32, 32, 64}[g.IntN(4)]
	s.locks, s.data = g.cells(t, 2*int(s.places)), g.cells(t, 4*int(s.places))
	if s.locks.shared != s.data.shared { // what is under a lock is seen by whoever takes it
		s.data = g.k.inGlobal(4 * int(s.places))
		s.locks = g.k.inGlobal(2 * int(s.places))
	}
	s.body = g.body(t.as(anyone), 2)
	return s
}

func (g *generator) ticket(t team) statement {
	if !g.waits(t) {
		if t.crowd < 32 {
			return nil
		}
		return g.few(t, g.ticket)
	}
	return &ticket{cells: g.cells(t, 4), x: g.value(), body: g.body(t.as(anyone), 2)}
}

func (g *generator) exchange(t team) statement {
	s := &exchange{x: g.value(), change: changeNames[g.IntN(len(changeNames))], wide: []int{16, 32, 64}[g.IntN(3)]}
	if t.crowd > 4*g.handovers {
		return nil
	}
	s.cells = g.cells(t, 4)
	return s
}

func (g *generator) queue(t team) statement {
	s := &queue{items: 1 + g.IntN(50), byWarp: t.level >= warps && !t.ragged && g.oneOf(2), members: t.members}
	s.cells = g.cells(t, 4+s.items)
	return s
}
