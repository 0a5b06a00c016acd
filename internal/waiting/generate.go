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

// statement is any statement that a team may come to. Those of its own level are as likely as all
// others together.
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
