package waiting

// counts reports whether barriers can count the threads of a team: they count warps, of which the
// last one of a CTA may have fewer threads.
func (t team) counts(k *Kernel) bool {
	return t.lo%warp == 0 && (t.hi%warp == 0 || t.hi == k.Threads()) && !t.ragged
}

// number takes numbers of barriers of a CTA, of which 0 is for all.
func (g *generator) number(n int) (first int, ok bool) {
	if g.k.named+n > 15 {
		return 0, false
	}
	g.k.named += n
	return g.k.named - n + 1, true
}

func (g *generator) meeting(t team) statement {
	if t.global {
		return nil
	}
	n := t.hi - t.lo
	s := &meeting{lo: t.lo, hi: t.hi, a: g.value(), b: g.value(), d: g.variable(), by: uint32(g.IntN(n)), kind: barrierKind(g.IntN(int(barrierKinds)))}
	whole := n == g.k.Threads()
	if whole && g.oneOf(4) { // few statements are for all threads
		s.kind = ofCluster
	}
	switch s.kind {
	case allMeet, ofCluster:
		if !whole {
			return nil
		}
	case reduceMeet, countMeet:
		if !whole && !t.counts(g.k) {
			return nil
		}
		at, ok := g.number(1)
		if !ok {
			return nil
		}
		s.at, s.reduce = at, []string{"popc", "and", "or"}[g.IntN(3)]
	case halvesMeet:
		if n%(2*warp) != 0 || !t.counts(g.k) {
			return nil
		}
		at, ok := g.number(2)
		if !ok {
			return nil
		}
		s.at, s.by, s.parted = at, s.by&^1, g.oneOf(2)
		g.k.Halves, g.k.Disagree = true, g.k.Disagree || !s.parted
	case byState, byParity:
		s.at = g.k.barrier(n)
	}
	s.round, s.scratch = g.k.round(), g.k.inScratch(2*n+4)
	if s.kind == byState || s.kind == ofCluster {
		s.body = g.body(t.as(anyone), 3)
	}
	return s
}

func (g *generator) ring(t team) statement {
	if t.global {
		return nil
	}
	n := t.hi - t.lo
	if n < 2 || t.turns > 3 {
		return nil
	}
	s := &ring{lo: t.lo, hi: t.hi, mid: t.lo + 1 + g.IntN(n-1), depth: 1 + g.IntN(4), items: 1 + g.IntN(6), kind: ringKind(g.IntN(int(ringKinds)))}
	s.bytes, s.x, s.d, s.by = []int{4, 4, 8, 16}[g.IntN(4)], g.value(), g.variable(), uint32(g.IntN(n))
	if g.oneOf(2) && t.counts(g.k) && n > warp {
		s.mid = t.lo + warp*(1+g.IntN((n-1)/warp))
	}
	if s.mid%warp != 0 { // lanes of a warp wait for each other
		t.crowd = t.crowd * s.items / 8
		if !g.waits(t) {
			return nil
		}
	}
	switch s.kind {
	case byFlags:
		if n%2 != 0 {
			return nil
		}
		s.mid = t.lo + n/2
	case byNumber:
		if !t.counts(g.k) || s.mid%warp != 0 {
			return nil
		}
		s.depth = min(s.depth, 3)
		first, ok := g.number(2 * s.depth)
		if !ok {
			return nil
		}
		s.barriers = first
	case byPhases, copies:
		s.barriers = len(g.k.barriers)
		for range s.depth {
			g.k.barrier(s.mid - s.lo)
		}
		for range s.depth {
			g.k.barrier(s.hi - s.mid)
		}
		if s.kind == copies {
			s.lag = g.IntN(min(s.depth, s.items))
		}
	}
	s.scratch, s.round = g.k.inScratch(s.size()), g.k.round()
	inner := t.as(anyone)
	inner.crowd *= s.items
	if g.oneOf(2) {
		s.body = [2][]statement{g.body(inner, 2), g.body(inner, 2)}
	}
	return s
}

func (g *generator) apart(t team) statement {
	n := t.hi - t.lo
	if n < 2 || g.size <= 0 || t.deep > 4 {
		return nil
	}
	at := t.lo + 1 + g.IntN(n-1)
	if !t.ragged && n > warp && !g.oneOf(4) {
		at = t.lo + warp*(1+g.IntN((n-1)/warp))
	}
	below, from := t.as(some), t.as(some)
	below.hi, from.lo = at, at
	below.ragged, from.ragged = t.ragged || at%warp != 0, t.ragged || at%warp != 0
	below.crowd, from.crowd = max(1, t.crowd*(at-t.lo)/n), max(1, t.crowd*(t.hi-at)/n)
	return &apart{at, g.statements(below, 4), g.statements(from, 4)}
}
