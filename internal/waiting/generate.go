package waiting

import (
	"math/rand/v2"
)

// generator makes a kernel.
type generator struct {
	*rand.Rand
	k         *Kernel
	size      int // statements that there may still be
	handovers int // how often threads may still wait for others of their warp, about
	ordered   bool
}

// level says who comes to a statement together.
type level uint8

const (
	anyone   level = iota
	warps          // all lanes of a warp, or those of some members
	some           // the threads of a CTA from one number to another
	everyone       // all threads of the grid
)

// team is who comes to a statement.
type team struct {
	level   level
	members members
	lo, hi  int
	ragged  bool // the threads do not begin and end with warps
	turns   int  // how often at most, where that is known
	crowd   int  // how many threads in all, about
	deep    int
	global  bool // there is no shared memory, and the CTA does not meet
}

// New returns the kernel of a seed.
func New(seed uint64) *Kernel {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), k: &Kernel{Seed: seed}}
	k := g.k
	g.shape()
	k.numbered = !g.oneOf(4)
	g.size, g.handovers = 6+g.IntN(14), mostHandovers
	all := team{level: everyone, members: wholeWarp, hi: k.Threads(), turns: 1, crowd: k.Threads() * k.CTAs()}
	if g.oneOf(6) { // CTAs follow each other without leaving machine code only if they have none
		all.global, k.numbered = true, false
	}
	for len(k.body) < 3 || g.size > 0 {
		k.body = append(k.body, g.statement(all))
	}
	if g.oneOf(2) {
		g.size = 4
		k.leaves = g.comparison()
		k.tail = g.statements(team{level: anyone, turns: 1, crowd: all.crowd, deep: 1, global: true}, 3)
	}
	k.Handovers = mostHandovers - g.handovers
	return k
}

// mostHandovers is about how often threads may wait for others of their warp: each time those may
// lose their turn, which takes long.
const mostHandovers = 200

// shape gives the kernel a shape.
func (g *generator) shape() {
	blocks := [][3]int{
		{1, 1, 1}, {2, 1, 1}, {31, 1, 1}, {32, 1, 1}, {32, 1, 1}, {40, 1, 1}, {64, 1, 1}, {64, 1, 1}, {7, 3, 1}, {8, 4, 1}, {16, 4, 1},
		{4, 4, 6}, {33, 1, 2}, {96, 1, 1}, {128, 1, 1}, {5, 13, 2}, {32, 2, 2}, {256, 1, 1},
	}
	grids := [][3]int{{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {2, 2, 1}, {4, 1, 1}, {5, 1, 1}, {8, 1, 1}, {3, 2, 2}, {13, 1, 1}, {6, 5, 1}, {40, 1, 1}}
	for {
		g.k.Block, g.k.Grid = blocks[g.IntN(len(blocks))], grids[g.IntN(len(grids))]
		if g.k.Threads()*g.k.CTAs() <= 800 {
			return
		}
	}
}

func (g *generator) oneOf(n int) bool { return g.IntN(n) == 0 }

func (g *generator) variable() uint32 { return uint32(g.IntN(variables)) }

// value is any operand.
func (g *generator) value() operand {
	switch g.IntN(10) {
	case 0:
		return operand{number, []uint32{0, 1, 2, 3, 7, 13, 31, 1000, 0xffffffff, 0x80000000}[g.IntN(10)]}
	case 1:
		return operand{[]operandKind{laneNumber, threadNumber, warpNumber, ctaNumber}[g.IntN(4)], 0}
	}
	return operand{variable, g.variable()}
}

func (g *generator) comparison() comparison {
	c := comparison{op: comparisonNames[g.IntN(len(comparisonNames))], a: g.value(), b: g.value()}
	if g.oneOf(2) {
		c.mask = 1<<g.IntN(4) | 1
		c.b = operand{number, uint32(g.IntN(int(c.mask) + 1))}
	}
	return c
}

// statements are up to n of them, at least one.
func (g *generator) statements(t team, n int) (all []statement) {
	for range 1 + g.IntN(n) {
		if len(all) > 0 && g.size <= 0 {
			break
		}
		all = append(all, g.statement(t))
	}
	return all
}

// body is like statements, and may be empty.
func (g *generator) body(t team, n int) []statement {
	if g.size <= 0 || t.deep > 4 || g.oneOf(3) {
		return nil
	}
	return g.statements(t, n)
}

// as is a team of the same threads, who need not come together.
func (t team) as(l level) team {
	t.level, t.deep = min(t.level, l), t.deep+1
	if l == anyone {
		t.members = members{}
	}
	return t
}

// cells takes words for what threads of any CTA wait for, or those of one.
func (g *generator) cells(t team, n int) cells {
	if t.global || g.oneOf(2) {
		return g.k.inGlobal(n)
	}
	return g.k.inShared(n)
}

// makers are those of the statements of a level; they return nil where there can be none.
var makers map[level][]func(g *generator, t team) statement

func init() {
	makers = map[level][]func(g *generator, t team) statement{
		anyone: {
			(*generator).assign, (*generator).assign, (*generator).assign, (*generator).choose, (*generator).choose, (*generator).loop, (*generator).keep,
			(*generator).lock, (*generator).lock, (*generator).ticket, (*generator).exchange, (*generator).queue,
		},
		warps: {(*generator).cross, (*generator).cross, (*generator).sides, (*generator).neighbours, (*generator).turnOfLanes, (*generator).chooseByWarp},
		some: {
			(*generator).meeting, (*generator).meeting, (*generator).ring, (*generator).ring, (*generator).ring, (*generator).turnOfThreads, (*generator).apart,
			(*generator).apart, (*generator).even,
		},
		everyone: {
			(*generator).chain, (*generator).plainLock, (*generator).front, (*generator).scan, (*generator).last, (*generator).gridBarrier, (*generator).gridBarrier,
			(*generator).chooseByCTA, (*generator).even,
		},
	}
}

// statement is any statement that a team may come to. Those of its own level are as likely as all others together.
func (g *generator) statement(t team) statement {
	g.size--
	for {
		l := t.level
		for l > anyone && g.oneOf(2) {
			l--
		}
		if l == warps && t.ragged {
			continue
		}
		all := makers[l]
		if s := all[g.IntN(len(all))](g, t); s != nil {
			return s
		}
	}
}

func (g *generator) assign(team) statement {
	op := operations[g.IntN(len(operations))]
	s := &assign{op: op, d: g.variable()}
	for range op.Src {
		s.from = append(s.from, g.value())
	}
	return s
}

func (g *generator) choose(t team) statement {
	if g.size <= 0 || t.deep > 4 {
		return nil
	}
	t = t.as(anyone)
	t.crowd = (t.crowd + 1) / 2
	s := &choose{comparison: g.comparison(), body: g.statements(t, 3)}
	if g.oneOf(2) {
		s.other = g.statements(t, 3)
	}
	return s
}

func (g *generator) chooseByCTA(t team) statement {
	if g.size <= 0 {
		return nil
	}
	t = t.as(some)
	c := comparison{op: "eq.u32", a: operand{ctaNumber, 0}, b: operand{number, uint32(g.IntN(2))}, mask: 1}
	if g.oneOf(2) {
		c = comparison{op: "lt.u32", a: operand{ctaNumber, 0}, b: operand{number, uint32(g.IntN(g.k.CTAs() + 1))}}
	}
	s := &choose{comparison: c, body: g.statements(t, 3)}
	if g.oneOf(2) {
		s.other = g.statements(t, 3)
	}
	return s
}

func (g *generator) loop(t team) statement {
	if g.size <= 0 || t.deep > 4 {
		return nil
	}
	t = t.as(anyone)
	s := &loop{turns: g.value(), mask: []uint32{1, 3, 7}[g.IntN(3)]}
	t.crowd *= int(s.mask+1) / 2
	if g.oneOf(8) && t.turns == 1 { // a long one
		s.mask = 1023
		s.body = []statement{g.assign(t)}
		return s
	}
	s.body = g.statements(t, 3)
	return s
}

func (g *generator) even(t team) statement {
	n := 2 + g.IntN(2)
	if g.size <= 0 || t.deep > 4 || t.turns*n > 6 {
		return nil
	}
	t = t.as(everyone)
	t.turns, t.crowd = t.turns*n, t.crowd*n
	return &loop{turns: operand{number, uint32(n)}, body: g.statements(t, 4)}
}

func (g *generator) keep(team) statement { return &keep{g.value(), g.variable()} }

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
	switch s.kind {
	case allMeet:
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
		s.at, s.by = at, s.by&^1
	case byState, byParity:
		s.at = g.k.barrier(n)
	}
	s.round, s.scratch = g.k.round(), g.k.inScratch(2*n+4)
	if s.kind == byState {
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
	s := &plainLock{leader: g.leader(), times: 1 + g.IntN(20), x: g.value()}
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
	g.k.Together = true
	s := &gridBarrier{leader: g.leader(), allArrive: t.global || g.oneOf(3), x: g.value(), d: g.variable(), by: uint32(g.IntN(8)), round: g.k.round()}
	s.data, s.counter = g.k.inGlobal(g.inRounds(t, g.k.Threads())), g.k.inGlobal(1)
	return s
}
