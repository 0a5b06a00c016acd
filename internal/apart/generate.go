package apart

import (
	"math/rand/v2"
	"slices"
)

// generator makes a kernel.
type generator struct {
	*rand.Rand
	k    *Kernel
	ids  int
	size int // statements that there may still be
	in   *function
}

// New returns the kernel of a seed.
func New(seed uint64) *Kernel {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), k: &Kernel{Seed: seed}}
	k := g.k
	k.inMemory, k.counted = g.oneOf(4), g.oneOf(3)
	shapes := [][3]int{{32, 1, 1}, {64, 1, 1}, {8, 4, 1}, {16, 4, 1}, {4, 4, 3}, {40, 1, 1}, {7, 3, 1}, {1, 32, 1}, {33, 1, 2}, {96, 1, 1}}
	k.Block, k.Blocks = shapes[g.IntN(len(shapes))], 1+g.IntN(3)
	k.counted = k.counted && !k.inMemory && k.Threads()%32 == 0
	k.reduction = []string{"popc", "and", "or"}[g.IntN(3)]
	k.fuel = []uint32{0, 1, 3, 5, 40}[g.IntN(5)]
	functions := 1 + g.IntN(7)
	for n := range functions {
		f := &function{number: n, team: n == 0 || !g.oneOf(3), recursive: n > 0 && g.oneOf(2)}
		f.whole = n == 0 || f.team && !f.recursive && g.oneOf(4)
		f.reduces = f.whole && !k.inMemory && g.oneOf(2)
		k.functions = append(k.functions, f)
	}
	for _, f := range k.functions {
		g.in, g.size = f, 5+g.IntN(16)
		if f.number == 0 {
			g.size = 10 + g.IntN(25)
		}
		c := context{team: f.team, whole: f.whole, top: true, reduces: f.reduces}
		if f.whole && f.number > 0 {
			f.body = g.oneWhole(c)
		} else {
			f.body = g.statements(c, 1+g.IntN(7))
		}
		f.result = g.variable()
	}
	return k
}

// context is where a statement is.
type context struct {
	team  bool // the team is known: there may be exchanges
	whole bool // all threads of the CTA that have not ended come here as often
	top   bool // of a function
	// reduces says that the barrier reduces at which all threads meet here: none do so elsewhere at the same time that do not.
	reduces bool
	loop    bool
	deep    int
	turns   int // about how often it is executed
}

// mostSpins is about how often threads may wait for each other in loops: a machine executes some 10,000 instructions each time.
const mostSpins = 3

func (g *generator) oneOf(n int) bool { return g.IntN(n) == 0 }

func (g *generator) variable() operand { return operand{variable, uint32(g.IntN(variables))} }

// value is any operand.
func (g *generator) value() operand {
	switch g.IntN(8) {
	case 0:
		return operand{number, []uint32{0, 1, 2, 3, 7, 13, 31, 1000, 0xffffffff, 0x80000000}[g.IntN(10)]}
	case 1:
		return operand{laneNumber, 0}
	case 2:
		return operand{threadNumber, 0}
	case 3:
		return operand{ctaNumber, 0}
	}
	return g.variable()
}

func (g *generator) new(kind statementKind) *statement {
	g.ids++
	g.size--
	return &statement{kind: kind, id: g.ids, d: uint32(g.IntN(variables)), a: g.value(), b: g.value()}
}

// statements are up to n of them, at least one.
func (g *generator) statements(c context, n int) (all []*statement) {
	for range n {
		if len(all) > 0 && g.size <= 0 {
			break
		}
		all = append(all, g.statement(c))
	}
	return all
}

// oneWhole is statements of which all threads meet at one barrier, or one function that has one.
func (g *generator) oneWhole(c context) (all []*statement) {
	inner := c
	inner.whole = false
	all = g.statements(inner, g.IntN(3))
	all = append(all, g.barrier(c))
	return append(all, g.statements(inner, g.IntN(3))...)
}

// barrier is a statement at which all threads of the CTA meet once.
func (g *generator) barrier(c context) *statement {
	c.deep++
	switch n := g.IntN(7); {
	case n == 0 && c.deep < 4:
		s := g.new(choose)
		s.op, s.team = g.comparison(), true
		s.body, s.other = g.oneWhole(c), g.oneWhole(c)
		return s
	case n == 1 && c.deep < 4:
		s := g.new(split)
		s.n = uint32(1 + g.IntN(3))
		s.body = g.oneWhole(c)
		return s
	case n < 4:
		if callees := g.callees(c, true); len(callees) > 0 {
			s := g.new(call)
			s.op, s.callee = "direct", callees[:1]
			return s
		}
	}
	s := g.new(barrier)
	s.n = uint32(1 + g.IntN(g.k.Threads()))
	if c.reduces {
		s.op = g.k.reduction
	}
	if g.k.inMemory && c.deep < 4 {
		c.whole, c.top = false, false
		s.body = g.statements(c, g.IntN(3))
	}
	return s
}

func (g *generator) comparison() string { return comparisonNames[g.IntN(len(comparisonNames))] }

// exchange is any exchange.
func (g *generator) exchange() *statement {
	s := g.new(exchange)
	if s.op = shareNames[g.IntN(len(shareNames))]; g.oneOf(2) {
		s.op = shuffleNames[g.IntN(len(shuffleNames))]
	}
	return s
}

// callees are functions that may be called here, in any order.
func (g *generator) callees(c context, whole bool) (all []*function) {
	for _, n := range g.Perm(len(g.k.functions)) {
		f := g.k.functions[n]
		if n == 0 || f.whole != whole || f.team && !c.team || whole && f.reduces != c.reduces {
			continue
		}
		if n > g.in.number || f.recursive && g.in.recursive && !whole {
			all = append(all, f)
		}
	}
	return all
}

// kinds are the statements, each as often as it is tried.
var kinds = func() (all []statementKind) {
	for kind := assign; kind <= barrier; kind++ {
		times := 2
		switch kind {
		case call, exchange:
			times = 6
		case barrier, meet, either, split:
			times = 4
		}
		all = append(all, slices.Repeat([]statementKind{kind}, times)...)
	}
	return all
}()

// statement is any statement that may be in a place.
func (g *generator) statement(c context) *statement {
	inner := c
	inner.deep, inner.top, inner.loop = c.deep+1, false, c.loop && !c.team
	nests := c.deep < 4 && g.size > 0
	for {
		switch kind := kinds[g.IntN(len(kinds))]; kind {
		case assign:
			s := g.new(assign)
			s.op = operationNames[g.IntN(len(operationNames))]
			return s
		case choose:
			if !nests {
				continue
			}
			s := g.new(choose)
			s.op, s.team = g.comparison(), c.team && !g.oneOf(3)
			if g.oneOf(2) {
				s.b = operand{number, uint32(g.IntN(32))}
			}
			inner.team, inner.whole = s.team, false
			s.body = g.statements(inner, 1+g.IntN(3))
			if g.oneOf(2) {
				s.other = g.statements(inner, 1+g.IntN(3))
			}
			return s
		case ownLoop, teamLoop:
			if !nests || kind == teamLoop && !c.team || c.turns > 1000 {
				continue
			}
			s := g.new(kind)
			s.n = []uint32{1, 3, 7, 15}[g.IntN(4)]
			if inner.turns = max(c.turns, 1) * int(s.n); kind == ownLoop && c.turns <= 1 && g.oneOf(4) {
				s.n = 4095
				inner.turns, g.size = 4000, 1
			}
			inner.team, inner.whole, inner.loop = kind == teamLoop, false, true
			s.body = g.statements(inner, 1+g.IntN(4))
			return s
		case evenLoop, unevenLoop:
			if !nests || kind == unevenLoop && !c.team || c.turns > 1000 {
				continue
			}
			s := g.new(kind)
			s.n = []uint32{1, 2, 3, 7}[g.IntN(4)]
			inner.turns, inner.loop = max(c.turns, 1)*int(s.n), false
			inner.whole = c.whole && kind == evenLoop
			s.body = g.statements(inner, 1+g.IntN(4))
			return s
		case split:
			if !nests || !c.team {
				continue
			}
			s := g.new(split)
			s.n = []uint32{1, 3, 6, 31}[g.IntN(4)]
			inner.whole, inner.loop = false, false
			s.body = g.statements(inner, 1+g.IntN(4))
			return s
		case call:
			callees := g.callees(c, false)
			if len(callees) == 0 {
				continue
			}
			s := g.new(call)
			s.op, s.callee = "direct", callees[:1]
			if g.oneOf(3) {
				s.op, s.callee = "indirect", nil
				g.k.usesAddresses = true
				for len(s.callee) < 1+g.IntN(4) {
					s.callee = append(s.callee, callees[g.IntN(len(callees))])
				}
				if !c.team && !g.oneOf(3) {
					continue
				}
			}
			return s
		case exchange:
			if !c.team {
				continue
			}
			return g.exchange()
		case either, staggered:
			if !c.team || c.turns > 1000 {
				continue
			}
			s := g.new(kind)
			if kind == staggered {
				s.n = uint32(1 + g.IntN(4))
				s.body = []*statement{g.exchange()}
				return s
			}
			s.op = g.comparison()
			s.body = []*statement{g.exchange()}
			if callees := g.callees(c, false); len(callees) > 0 && g.oneOf(2) && callees[0].team && callees[0].number > g.in.number {
				s.body[0] = g.new(call)
				s.body[0].op, s.body[0].callee = "called", callees[:1] // one text, whose exchanges are the same for both
			}
			other := *s.body[0]
			other.a, other.b, other.d = g.value(), g.value(), uint32(g.IntN(variables))
			s.other = []*statement{&other}
			return s
		case meet, inTurn:
			if !c.team || kind == inTurn && c.turns > mostSpins {
				continue
			}
			return g.new(kind)
		case leave:
			s := &statement{op: "return", team: c.team}
			if g.in.number == 0 || g.oneOf(6) {
				s.op = "exit"
			}
			switch {
			case !g.oneOf(3):
				continue
			case s.op == "exit" && g.k.allStay(): // barriers wait for all
				continue
			case s.op == "return" && (g.in.whole || g.in.team && !c.top): // others would take it for one of their team
				continue
			}
			with := g.new(leave)
			with.op, with.team, with.n = s.op, s.team, []uint32{3, 1 << 28, 1 << 31}[g.IntN(3)]
			return with
		case copyAsync:
			s := g.new(copyAsync)
			s.n = 1 << g.IntN(3)
			return s
		case depart:
			if !c.team || g.k.allStay() || c.turns > 50 {
				continue
			}
			s := g.new(depart)
			s.n, s.m = []uint32{1, 3, 1 << 28}[g.IntN(3)], []uint32{1, 5, 30, 1500}[g.IntN(4)]
			return s
		case stop:
			if !c.loop {
				continue
			}
			s := g.new(stop)
			s.team, s.n = c.team, []uint32{3, 1 << 28, 1 << 31}[g.IntN(3)]
			return s
		case keep, allocate:
			if kind == allocate {
				if c.turns > 50 || !g.oneOf(3) {
					continue
				}
				g.k.usesHeap = true
			}
			s := g.new(kind)
			s.n = uint32(1 + g.IntN(8))
			inner.whole, inner.loop = false, false
			if nests {
				s.body = g.statements(inner, g.IntN(3))
			}
			return s
		case locked:
			if c.turns > mostSpins {
				continue
			}
			return g.new(locked)
		case count:
			s := g.new(count)
			s.n = uint32(g.IntN(counters))
			return s
		case barrier:
			if !c.whole {
				continue
			}
			if g.in.number == 0 {
				c.reduces = !g.k.inMemory && g.oneOf(2)
			}
			return g.barrier(c)
		default:
			return g.new(kind)
		}
	}
}
