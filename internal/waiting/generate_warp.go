package waiting

func (g *generator) cross(t team) statement {
	op := crossing[g.IntN(len(crossing))]
	if op.Name[:4] == "shfl" && (t.members != wholeWarp || g.k.Threads()%warp != 0) { // a lane must not read one that is not there
		return nil
	}
	s := &cross{op: op, d: g.variable(), members: t.members}
	for range op.Src {
		s.from = append(s.from, g.value())
	}
	return s
}

func (g *generator) sides(t team) statement {
	if g.size <= 0 || t.deep > 4 {
		return nil
	}
	s := &sides{of: []uint32{0xffff, 0x55555555, 1, 0x0f0f00f0, g.Uint32()}[g.IntN(5)]}
	of := t.members.of
	t = t.as(warps)
	t.crowd = (t.crowd + 1) / 2
	t.members = members{of & s.of}
	s.body = g.statements(t, 3)
	t.members = members{of &^ s.of}
	s.other = g.statements(t, 3)
	return s
}

func (g *generator) neighbours(t team) statement {
	if t.global {
		return nil
	}
	return &neighbours{scratch: g.k.inScratch(g.k.Threads()), a: g.value(), d: g.variable(), by: uint32(g.IntN(32)), members: t.members}
}

func (g *generator) chooseByWarp(t team) statement {
	if g.size <= 0 || t.deep > 4 || t.members != wholeWarp {
		return nil
	}
	t = t.as(warps)
	t.crowd = (t.crowd + 1) / 2
	return &chooseByWarp{comparison: g.comparison(), members: t.members, body: g.statements(t, 3), other: g.statements(t, 3)}
}

func (g *generator) turnOfLanes(t team) statement {
	if t.members != wholeWarp || t.global || !g.waits(t) {
		return nil
	}
	n := (g.k.Threads() + warp - 1) / warp
	return &inTurn{cells: g.k.inShared(4 * n), x: g.value(), d: g.variable(), round: g.k.round(), body: g.body(t.as(anyone), 2)}
}

func (g *generator) turnOfThreads(t team) statement {
	if t.global {
		return nil
	}
	t.crowd *= 4
	if !g.waits(t) {
		return nil
	}
	return &inTurn{cells: g.k.inShared(4), lo: t.lo, hi: t.hi, x: g.value(), d: g.variable(), round: g.k.round(), body: g.body(t.as(anyone), 2)}
}
