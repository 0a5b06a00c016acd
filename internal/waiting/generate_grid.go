package waiting

// inRounds is how many elements there are of so many for each CTA.
func (g *generator) inRounds(t team, each int) int { return t.turns * g.k.CTAs() * each }

func (g *generator) leader() uint32 { return uint32(g.IntN(g.k.Threads())) }

func (g *generator) chain(t team) statement {
	if t.global {
		return nil
	}
	s := &chain{scratch: g.k.inScratch(2), leader: g.leader(), x: g.value(), d: g.variable(), packed: g.oneOf(3), round: g.k.round()}
	s.bits = []int{8, 16, 32, 32, 64}[g.IntN(5)]
	s.cells = g.k.inGlobal(g.inRounds(t, 4))
	return s
}

func (g *generator) plainLock(team) statement {
	if g.k.CTAs() > 8 {
		return nil
	}
	s := &plainLock{leader: g.leader(), times: []int{2, 20, 100}[g.IntN(3)], x: g.value()}
	s.cells = g.k.inGlobal(plainWords * ((g.k.CTAs() + 1) / 2))
	return s
}

func (g *generator) front(t team) statement {
	s := &front{by: uint32(g.IntN(g.k.Threads())), x: g.value(), d: g.variable(), bits: []int{8, 16, 32, 32, 64}[g.IntN(5)], round: g.k.round()}
	if g.inRounds(t, g.k.Threads()) > 3000 {
		return nil
	}
	s.cells = g.k.inGlobal(g.inRounds(t, 4*g.k.Threads()))
	return s
}

func (g *generator) scan(t team) statement {
	if t.global {
		return nil
	}
	s := &scan{sums: g.k.inShared(t.turns), scratch: g.k.inScratch(2), leader: g.leader(), x: g.value(), d: g.variable(), round: g.k.round()}
	s.byWarp = g.k.Threads() >= warp && g.oneOf(2)
	s.cells = g.k.inGlobal(g.inRounds(t, 2))
	return s
}

func (g *generator) last(t team) statement {
	if t.global {
		return nil
	}
	threads := g.k.Threads()
	s := &last{scratch: g.k.inScratch(2), leader: g.leader(), by: uint32(g.IntN(threads)), wraps: g.oneOf(2), x: g.value(), round: g.k.round()}
	s.parts, s.sums, s.counter = g.k.inGlobal(g.inRounds(t, threads)), g.k.inGlobal(t.turns*threads), g.k.inGlobal(t.turns)
	return s
}

func (g *generator) gridBarrier(t team) statement {
	if g.k.CTAs() > 4 {
		return nil
	}
	s := &gridBarrier{leader: g.leader(), allArrive: t.global || g.oneOf(3), x: g.value(), d: g.variable(), by: uint32(g.IntN(8)), round: g.k.round()}
	s.data, s.counter = g.k.inGlobal(g.inRounds(t, g.k.Threads())), g.k.inGlobal(1)
	return s
}
