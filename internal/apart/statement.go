package apart

import (
	"fmt"
	"strings"
)

// all writes statements.
func (w *writer) all(c *scope, all []*statement) {
	for _, s := range all {
		if w.one(c, s); s.marks() {
			w.mark(c.v[s.d], s)
		}
	}
}

// mark adds what a statement has given the thread to its sum.
func (w *writer) mark(d string, s *statement) {
	sum := w.new('r')
	w.line("ld.global.u32 %s, [%s+%d]; mad.lo.u32 %[1]s, %[4]s, %[5]d, %[1]s; st.global.u32 [%[2]s+%[3]d], %[1]s;", sum, w.own, 4*markWord, d, s.mark())
}

// value returns an operand as an instruction has it.
func (w *writer) value(c *scope, o operand) string {
	special := ""
	switch o.kind {
	case number:
		if o.n > 1000 {
			return fmt.Sprintf("%#x", o.n)
		}
		return fmt.Sprint(o.n)
	case variable:
		return c.v[o.n]
	case laneNumber:
		special = w.lane
	case threadNumber:
		special = w.thread
		if w.oneOf(4) {
			special = w.new('r')
			w.threadTo(special)
		}
	case ctaNumber:
		special = w.ctaNumber
	}
	return special
}

// register returns an operand in a register.
func (w *writer) register(c *scope, o operand) string {
	v := w.value(c, o)
	if strings.HasPrefix(v, "%") {
		return v
	}
	r := w.new('r')
	w.line("mov.u32 %s, %s;", r, v)
	return r
}

// straight reports whether statements have no branches, so that all may have one guard.
func (w *writer) straight(all []*statement) bool {
	for _, s := range all {
		switch s.kind {
		case assign, exchange, meet, count, ownAtomic, look, copyAsync:
		default:
			return false
		}
	}
	return true
}

// within is a scope with a team of its own.
func (c *scope) within(team string) *scope {
	inner := *c
	inner.team = team
	return &inner
}

// ballot writes the lanes of a team for which a predicate holds.
func (w *writer) ballot(to, p, team string) { w.line("vote.sync.ballot.b32 %s, %s, %s;", to, p, team) }

// present returns the lanes of a team that have not ended.
func (w *writer) present(c *scope) string {
	r := w.new('r')
	w.ballot(r, "1", c.team)
	return r
}

// lowest writes the number of the lowest lane of a set.
func (w *writer) lowest(set string) string {
	r := w.new('r')
	if w.oneOf(2) {
		w.line("neg.s32 %[1]s, %[2]s; and.b32 %[1]s, %[1]s, %[2]s; sub.u32 %[1]s, %[1]s, 1; popc.b32 %[1]s, %[1]s;", r, set)
	} else {
		w.line("brev.b32 %[1]s, %[2]s; bfind.shiftamt.u32 %[1]s, %[1]s;", r, set)
	}
	return r
}

func (w *writer) one(c *scope, s *statement) {
	d := c.v[s.d]
	switch s.kind {
	case assign:
		w.line(operations[s.op].text, d, w.register(c, s.a), w.value(c, s.b))
	case choose, either:
		w.choose(c, s)
	case staggered:
		w.staggered(c, s)
	case ownLoop, teamLoop, evenLoop, unevenLoop:
		w.loop(c, s)
	case split:
		key, team := w.new('r'), w.new('r')
		w.line("and.b32 %s, %s, %d;", key, w.register(c, s.a), s.n)
		w.line("match.any.sync.b32 %s, %s, %s;", team, key, c.team)
		w.all(c.within(team), s.body)
	case call:
		w.call(c, s)
	case exchange:
		w.exchange(c, s)
	case meet:
		w.meet(c, s)
	case leave, stop:
		w.leave(c, s)
	case depart:
		w.depart(c, s)
	case inTurn:
		w.inTurn(c, s)
	case locked:
		w.locked(c, s)
	case count:
		if a := w.value(c, s.a); w.oneOf(2) {
			w.line("red.global.add.u32 [%s+%d], %s;", w.cta, 4*s.n, a)
		} else {
			w.line("atom.global.add.u32 %s, [%s+%d], %s;", w.new('r'), w.cta, 4*s.n, a)
		}
	case ownAtomic:
		w.line("atom.global.add.u32 %s, [%s+%d], %s;", d, w.own, 4*ownWord, w.value(c, s.a))
	case look:
		w.line("ld.%s.global.u32 %s, [%s+%d];", []string{"volatile", "relaxed.gpu", "cg", "acquire.sys"}[w.IntN(4)], d, w.own, 4*ownWord)
	case keep:
		at, address := w.kept, w.new('q')
		w.kept++
		w.line("mov.u64 %s, kept;", address)
		w.line("st.local.u32 [%s+%d], %s;", address, 4*at, w.value(c, s.a))
		w.all(c, s.body)
		w.line("ld.local.u32 %s, [%s+%d];", d, address, 4*at)
	case allocate:
		p := w.new('q')
		r := w.new('r')
		w.block("{ .param .b64 size, res; st.param.b64 [size], %d; call (res), malloc, (size); ld.param.b64 %s, [res]; }", 4*int(s.n)+w.IntN(4), p)
		w.line("mov.u32 %s, %s;", r, w.value(c, s.a))
		for k := range s.n {
			w.line("st.u32 [%s+%d], %s; add.u32 %[3]s, %[3]s, 1;", p, 4*k, r)
		}
		w.all(c, s.body)
		w.line("ld.u32 %s, [%s];", d, p)
		for k := range s.n - 1 {
			w.line("ld.u32 %s, [%s+%d]; add.u32 %[4]s, %[4]s, %[1]s;", r, p, 4*(k+1), d)
		}
		w.block("{ .param .b64 at; st.param.b64 [at], %s; call free, (at); }", p)
	case copyAsync:
		index, r := w.new('r'), w.new('r')
		w.line("shl.b32 %s, %s, 2;", index, w.thread)
		at, past := w.sharedAt("copied", index), "ca"
		if s.n == 4 && w.oneOf(2) {
			past = "cg"
		}
		for n := range s.n {
			w.line("add.u32 %s, %s, %d; st.global.u32 [%s+%d], %[1]s;", r, w.value(c, s.a), n, w.own, 4*(copiedWord+n))
		}
		w.line("cp.async.%s.shared.global [%s], [%s+%d], %d;", past, at, w.own, 4*copiedWord, 4*s.n)
		if w.oneOf(2) {
			w.line("cp.async.wait_all;")
		} else {
			w.line("cp.async.commit_group; cp.async.wait_group 0;")
		}
		w.line("ld.shared.u32 %s, [%s]; ld.shared.u32 %s, [%[2]s+%[4]d]; add.u32 %[1]s, %[1]s, %[3]s;", r, at, d, 4*(s.n-1))
		w.line("mov.u32 %s, %s;", d, r)
	case barrier:
		w.barrier(c, s)
	}
}

// sharedAt returns the address of a word of an array of shared memory.
func (w *writer) sharedAt(array, index string) string {
	a, b := w.new('r'), w.new('r')
	w.line("mov.u32 %s, %s; mad.lo.u32 %s, %s, 4, %[1]s;", a, array, b, index)
	return b
}

// choose writes a choice, by branches or guards.
func (w *writer) choose(c *scope, s *statement) {
	p := w.new('p')
	w.line("setp.%s %s, %s, %s;", s.op, p, w.register(c, s.a), w.value(c, s.b))
	yes, no := c, c
	if s.team {
		t, e := w.new('r'), w.new('r')
		w.ballot(t, p, c.team)
		if w.oneOf(2) {
			w.ballot(e, "!"+p, c.team)
		} else {
			w.line("xor.b32 %s, %s, %s;", e, t, c.team)
		}
		yes, no = c.within(t), c.within(e)
	}
	if w.guard == "" && w.straight(s.body) && w.straight(s.other) && w.oneOf(2) {
		w.guard = "@" + p + " "
		w.all(yes, s.body)
		w.guard = "@!" + p + " "
		w.all(no, s.other)
		w.guard = ""
		return
	}
	other, end := w.newLabel(), w.newLabel()
	if w.oneOf(2) {
		w.line("@!%s bra %s;", p, other)
		w.all(yes, s.body)
		w.line("bra %s;", end)
		w.label(other)
		w.all(no, s.other)
	} else {
		w.line("@%s bra %s;", p, other)
		w.all(no, s.other)
		w.line("bra %s;", end)
		w.label(other)
		w.all(yes, s.body)
	}
	w.label(end)
}

// meet writes a barrier of the team, by which all get what the first of it brings. The team may come to two barriers of one mask.
func (w *writer) meet(c *scope, s *statement) {
	first, x := w.lowest(w.present(c)), w.new('r')
	w.line("sub.u32 %s, %s, %s; add.u32 %[1]s, %[1]s, %[4]s;", x, w.thread, w.lane, first)
	at, a := w.wordsOf(x), w.register(c, s.a)
	bring := func() {
		w.line("st.volatile.global.u32 [%s+%d], %s;", w.own, 4*meetWord, a)
		w.line("bar.warp.sync %s;", c.team)
		w.line("ld.volatile.global.u32 %s, [%s+%d];", x, at, 4*meetWord)
	}
	if w.guard != "" || w.oneOf(3) {
		bring()
	} else {
		p, other, end := w.new('p'), w.newLabel(), w.newLabel()
		w.line("and.b32 %s, %s, %d; setp.ne.u32 %s, %[1]s, 0;", x, w.lane, 1<<w.IntN(5), p)
		w.line("@%s bra %s;", p, other)
		bring()
		w.line("bra %s;", end)
		w.label(other)
		bring()
		w.label(end)
	}
	w.line("bar.warp.sync %s;", c.team)
	w.line("mov.u32 %s, %s;", c.v[s.d], x)
}

// staggered writes a loop in some of whose turns a thread exchanges something.
func (w *writer) staggered(c *scope, s *statement) {
	i, key, t, p, again := w.new('r'), w.new('r'), w.new('r'), w.new('p'), w.newLabel()
	w.line("mov.u32 %s, 0; mov.u32 %s, %s;", i, key, w.value(c, s.a))
	w.label(again)
	w.line("xor.b32 %s, %s, %s; and.b32 %[1]s, %[1]s, 1; setp.ne.u32 %[4]s, %[1]s, 0;", t, i, key, p)
	if w.oneOf(2) {
		w.guard = "@" + p + " "
		w.all(c, s.body)
		w.guard = ""
	} else {
		skip := w.newLabel()
		w.line("@!%s bra %s;", p, skip)
		w.all(c, s.body)
		w.label(skip)
	}
	w.line("add.u32 %s, %[1]s, %s; add.u32 %[2]s, %[2]s, 1; setp.lt.u32 %[3]s, %[2]s, %[4]d;", c.v[s.d], i, p, 2*s.n)
	w.line("@%s bra %s;", p, again)
}

// loop writes a loop that looks at its beginning or its end whether it goes on.
func (w *writer) loop(c *scope, s *statement) {
	i, n, p, end := w.new('r'), w.new('r'), w.new('p'), w.newLabel()
	w.line("mov.u32 %s, 0;", i)
	inner := *c
	if s.kind == ownLoop || s.kind == teamLoop {
		inner.out = end
	}
	switch s.kind {
	case evenLoop:
		w.line("mov.u32 %s, %d;", n, s.n)
	case unevenLoop:
		a := w.register(c, s.a)
		w.line("shfl.sync.idx.b32 %s, %s, %s, 31, %s;", n, a, w.lowest(w.present(c)), c.team)
		w.line("and.b32 %s, %[1]s, %d;", n, s.n)
	default:
		w.line("and.b32 %s, %s, %d;", n, w.register(c, s.a), s.n)
	}
	if s.kind == teamLoop {
		inner.team = w.new('r')
		w.line("mov.u32 %s, %s;", inner.team, c.team)
	}
	look := func() {
		w.line("setp.lt.u32 %s, %s, %s;", p, i, n)
		if s.kind == teamLoop {
			w.ballot(inner.team, p, inner.team)
		}
	}
	turn := func() {
		w.line("add.u32 %s, %[1]s, %s;", c.v[s.d], i)
		w.all(&inner, s.body)
		w.line("add.u32 %s, %[1]s, 1;", i)
	}
	again := w.newLabel()
	look()
	w.line("@!%s bra %s;", p, end)
	w.label(again)
	turn()
	for range w.IntN(2) {
		look()
		w.line("@!%s bra %s;", p, end)
		turn()
	}
	if w.oneOf(2) {
		look()
		w.line("@%s bra %s;", p, again)
	} else {
		look()
		w.line("@!%s bra %s;", p, end)
		w.line("bra %s;", again)
	}
	w.label(end)
}

// exchange writes an exchange. A shuffle takes nothing from lanes that are not of the team.
func (w *writer) exchange(c *scope, s *statement) {
	d, a := c.v[s.d], w.register(c, s.a)
	switch {
	case strings.HasPrefix(s.op, "shfl"):
		b, from, there, p := w.new('r'), w.new('r'), w.new('r'), w.new('p')
		w.line("and.b32 %s, %s, 31;", b, w.register(c, s.b))
		self, clamp := "0", 31
		switch s.op {
		case "shfl.sync.idx.b32":
			self = w.lane
			w.line("mov.u32 %s, %s;", from, b)
		case "shfl.sync.bfly.b32":
			w.line("xor.b32 %s, %s, %s;", from, w.lane, b)
		case "shfl.sync.up.b32":
			clamp = 0
			w.line("sub.u32 %s, %s, %s;", from, w.lane, b)
		default:
			w.line("add.u32 %s, %s, %s;", from, w.lane, b)
		}
		w.line("shr.u32 %s, %s, %s; and.b32 %[1]s, %[1]s, 1;", there, w.present(c), from)
		w.line("setp.ne.u32 %s, %s, 0; selp.b32 %s, %[3]s, %s, %[1]s;", p, there, b, self)
		w.line("%s %s, %s, %s, %d, %s;", s.op, d, a, b, clamp, c.team)
	case strings.HasPrefix(s.op, "vote"):
		t, p, q := w.new('r'), w.new('p'), w.new('p')
		w.line("and.b32 %s, %s, 1; setp.ne.u32 %s, %[1]s, 0;", t, a, p)
		if s.op == "vote.sync.ballot.b32" {
			w.ballot(d, p, c.team)
			break
		}
		w.line("%s %s, %s, %s; selp.u32 %s, 1, 0, %[2]s;", s.op, q, p, c.team, d)
	default:
		w.line("%s %s, %s, %s;", s.op, d, a, c.team)
	}
}

// leave writes that some threads return, end, or leave a loop.
func (w *writer) leave(c *scope, s *statement) {
	p := w.new('p')
	w.line("setp.lt.u32 %s, %s, %d;", p, w.register(c, s.a), s.n)
	b := w.value(c, s.b)
	if s.team {
		w.ballot(c.team, "!"+p, c.team)
	}
	switch {
	case s.kind == stop:
		w.line("@%s bra %s;", p, c.out)
	case s.op == "return":
		w.line("@%s bra %s;", p, c.back)
	default:
		w.line("@%s st.global.u32 [%s+%d], %s;", p, w.own, 4*outWord, b)
		w.line("@%s st.global.u32 [%s+%d], %d;", p, w.own, 4*(outWord+1), s.id)
		w.line("@%s exit;", p)
	}
}

// depart writes that some threads end, behind a loop in which they may lose their turns.
func (w *writer) depart(c *scope, s *statement) {
	p, away := w.new('p'), w.newLabel()
	b := w.register(c, s.b)
	w.line("setp.lt.u32 %s, %s, %d;", p, w.register(c, s.a), s.n)
	w.line("@%s bra %s;", p, away)
	ends := func() {
		i, again, q := w.new('r'), w.newLabel(), w.new('p')
		w.label(away)
		w.line("mov.u32 %s, 0;", i)
		w.label(again)
		w.line("atom.global.add.u32 %s, [%s+%d], 1;", w.new('r'), w.own, 4*ownWord)
		w.line("add.u32 %s, %[1]s, 1; setp.lt.u32 %s, %[1]s, %[3]d;", i, q, s.m)
		w.line("@%s bra %s;", q, again)
		w.line("st.global.u32 [%s+%d], %s; st.global.u32 [%[1]s+%[4]d], %[5]d;", w.own, 4*outWord, b, 4*(outWord+1), s.id)
		w.line("exit;")
	}
	if w.oneOf(3) {
		onward := w.newLabel()
		w.line("bra %s;", onward)
		ends()
		w.label(onward)
		return
	}
	w.later = append(w.later, ends)
}

// wordsOf returns the address of the words of a thread of the same CTA.
func (w *writer) wordsOf(thread string) string {
	at := w.new('q')
	w.line("mad.wide.u32 %s, %s, %d, %s;", at, thread, 4*words, w.cta)
	w.line("add.s64 %s, %[1]s, %d;", at, 4*counters)
	return at
}

// inTurn writes a section that the team goes through one by one.
func (w *writer) inTurn(c *scope, s *statement) {
	a := w.register(c, s.a)
	w.line("bar.warp.sync %s;", c.team)
	there := w.present(c)
	first, rank, below, now, sum := w.lowest(there), w.new('r'), w.new('r'), w.new('r'), w.new('r')
	w.line("mov.u32 %s, %%lanemask_lt; and.b32 %[1]s, %[1]s, %s; popc.b32 %s, %[1]s;", below, there, rank)
	w.line("sub.u32 %s, %s, %s; add.u32 %[1]s, %[1]s, %[4]s;", below, w.thread, w.lane, first)
	at, spin, p := w.wordsOf(below), w.newLabel(), w.new('p')
	w.label(spin)
	w.line("ld.volatile.global.u32 %s, [%s+%d];", now, at, 4*turnWord)
	w.line("setp.ne.u32 %s, %s, %s;", p, now, rank)
	w.line("@%s bra %s;", p, spin)
	w.line("ld.volatile.global.u32 %s, [%s+%d]; mad.lo.u32 %[1]s, %[1]s, 5, %[4]s; st.volatile.global.u32 [%[2]s+%[3]d], %[1]s;", sum, at, 4*sumWord, a)
	size := w.new('r')
	w.line("popc.b32 %s, %s; add.u32 %s, %[3]s, 1; setp.eq.u32 %s, %[3]s, %[1]s; selp.u32 %[3]s, 0, %[3]s, %[4]s;", size, there, now, p)
	w.line("membar.cta; st.volatile.global.u32 [%s+%d], %s; mov.u32 %s, %s;", at, 4*turnWord, now, c.v[s.d], sum)
}

// locked writes a section that one thread of the warp is in at a time.
func (w *writer) locked(c *scope, s *statement) {
	a, first := w.register(c, s.a), w.new('r')
	w.line("sub.u32 %s, %s, %s;", first, w.thread, w.lane)
	at, again, p, r := w.wordsOf(first), w.newLabel(), w.new('p'), w.new('r')
	section := func() {
		t := w.new('r')
		w.line("ld.volatile.global.u32 %s, [%s+%d]; add.u32 %[1]s, %[1]s, %[4]s; st.volatile.global.u32 [%[2]s+%[3]d], %[1]s;", t, at, 4*lockedWord, a)
		w.line("membar.gl; atom.global.exch.b32 %s, [%s+%d], 0;", t, at, 4*lockWord)
	}
	if w.oneOf(2) { // whoever does not get it tries again
		w.label(again)
		w.line("atom.global.cas.b32 %s, [%s+%d], 0, 1;", r, at, 4*lockWord)
		w.line("setp.ne.u32 %s, %s, 0;", p, r)
		w.line("@%s bra %s;", p, again)
		section()
		return
	}
	done, next, q := w.new('r'), w.newLabel(), w.new('p') // the section is in the loop
	w.line("mov.u32 %s, 0;", done)
	w.label(again)
	w.line("atom.global.cas.b32 %s, [%s+%d], 0, 1;", r, at, 4*lockWord)
	w.line("setp.ne.u32 %s, %s, 0;", p, r)
	w.line("@%s bra %s;", p, next)
	section()
	w.line("mov.u32 %s, 1;", done)
	w.label(next)
	w.line("setp.eq.u32 %s, %s, 0;", q, done)
	w.line("@%s bra %s;", q, again)
}
