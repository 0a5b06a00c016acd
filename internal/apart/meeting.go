package apart

import "fmt"

// barrier writes an exchange by shared memory, between barriers of the CTA.
func (w *writer) barrier(c *scope, s *statement) {
	w.line("st.shared.u32 [%s], %s;", w.sharedAt("brought", w.thread), w.value(c, s.a))
	reduced := ""
	if s.op != "" {
		reduced = w.reducing(s.op, w.register(c, s.b))
	} else {
		w.meeting(func() { w.all(c, s.body) })
	}
	from, p := w.new('r'), w.new('p')
	w.line("add.u32 %s, %s, %d; setp.ge.u32 %[4]s, %[1]s, %[5]d; @%[4]s sub.u32 %[1]s, %[1]s, %[5]d;", from, w.thread, s.n, p, w.Threads())
	x := w.new('r')
	w.line("ld.shared.u32 %s, [%s];", x, w.sharedAt("brought", from))
	if w.toAndFro {
		w.bothWays()
	} else {
		w.meeting(func() {})
	}
	w.line("mov.u32 %s, %s;", c.v[s.d], x)
	if reduced != "" {
		w.line("xor.b32 %s, %[1]s, %s;", c.v[s.d], reduced)
	}
}

// threadsOf is how a barrier says that it waits for all threads.
func (w *writer) threadsOf() string {
	if w.counted {
		return fmt.Sprintf(", %d", w.Threads())
	}
	return ""
}

// reducing writes a barrier that reduces the lowest bits of a register, and returns what of.
func (w *writer) reducing(op, a string) string {
	r, p := w.new('r'), w.new('p')
	w.line("and.b32 %s, %s, 1; setp.ne.u32 %s, %[1]s, 0;", r, a, p)
	if op == "popc" {
		w.line("barrier.red.popc.u32 %s, %d%s, %s;", r, w.meetsAt, w.threadsOf(), p)
		return r
	}
	w.line("barrier.red.%s.pred %s, %d%s, %[2]s;", op, p, w.meetsAt, w.threadsOf())
	w.line("selp.u32 %s, 1, 0, %s;", r, p)
	return r
}

// meeting writes a barrier of the CTA, with something between arriving at it and waiting.
func (w *writer) meeting(between func()) {
	if !w.inMemory {
		w.line("barrier.sync %d%s;", w.meetsAt, w.threadsOf())
		between()
		return
	}
	state, p, again := w.new('q'), w.new('p'), w.newLabel()
	count := ""
	if w.arrivals > 1 {
		count = fmt.Sprintf(", %d", w.arrivals)
	}
	w.line("mbarrier.arrive.shared.b64 %s, [meeting]%s;", state, count)
	between()
	form := "test_wait"
	if w.late && w.oneOf(2) {
		form = "try_wait"
	}
	if !w.parity {
		w.label(again)
		w.line("mbarrier.%s.shared.b64 %s, [meeting], %s;", form, p, state)
		w.line("@!%s bra %s;", p, again)
		return
	}
	phase, at := w.new('r'), w.sharedAt("phases", w.thread)
	w.line("ld.shared.u32 %s, [%s];", phase, at)
	w.label(again)
	w.line("mbarrier.%s.parity.shared.b64 %s, [meeting], %s;", form, p, phase)
	w.line("@!%s bra %s;", p, again)
	w.line("xor.b32 %s, %[1]s, 1; st.shared.u32 [%s], %[1]s;", phase, at)
}

// bothWays writes a meeting by two barriers of all threads: some arrive at the one and wait at the other, and the others the other way round.
func (w *writer) bothWays() {
	r, p := w.new('r'), w.new('p')
	w.line("and.b32 %s, %s, %d; setp.ne.u32 %s, %[1]s, 0;", r, w.thread, 1<<w.IntN(6), p)
	one, other, all := 6, 7, w.Threads()
	if w.oneOf(2) {
		there := w.new('r')
		w.line("selp.u32 %s, %d, %d, %s; selp.u32 %s, %[3]d, %[2]d, %[4]s;", r, one, other, p, there)
		w.line("barrier.arrive %s, %d; barrier.sync %s, %[2]d;", r, all, there)
		return
	}
	second, end := w.newLabel(), w.newLabel()
	w.line("@%s bra %s;", p, second)
	w.line("barrier.sync %d, %d; barrier.arrive %d, %[2]d;", one, all, other)
	w.line("bra %s;", end)
	w.label(second)
	w.line("barrier.arrive %d, %d; barrier.sync %d, %[2]d;", one, all, other)
	w.label(end)
}

// memoryBarrier writes that the barrier in memory, if that is what threads meet at, is made, and what they know of it.
func (w *writer) memoryBarrier() {
	if !w.inMemory {
		return
	}
	threads := w.Threads()
	p, skip := w.new('p'), w.newLabel()
	arrivals := w.arrivals * threads
	if w.drops { // which all do once, in the first phase
		arrivals += threads
	}
	w.line("setp.ne.u32 %s, %s, 0;", p, w.thread)
	w.line("@%s bra %s;", p, skip)
	w.line("mbarrier.init.shared.b64 [meeting], %d;", arrivals)
	w.label(skip)
	if w.parity {
		w.line("st.shared.u32 [%s], 0;", w.sharedAt("phases", w.thread))
	}
	w.line("bar.sync 0;")
	if w.drops {
		w.line("mbarrier.arrive_drop.shared.b64 %s, [meeting];", w.new('q'))
	}
}
