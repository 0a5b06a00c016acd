package litmus

// Sequential reports whether the threads of a program, executed one instruction after the other in
// some order, have an outcome. Programs show that they can see something at all by outcomes that
// are not sequential.
func Sequential(p *Program, o Outcome) bool {
	events, ok := eventsOf(p, o)
	if !ok {
		return true
	}
	m := &interleaving{threads: make([][]*event, len(p.Threads)), memory: make([]byte, events[0].size)}
	for i := range events {
		switch e := &events[i]; e.thread {
		case initThread:
		case endThread:
			m.end = append(m.end, e)
		default:
			m.threads[e.thread] = append(m.threads[e.thread], e)
		}
	}
	return m.run()
}

// interleaving is a search for an order of the events of all threads.
type interleaving struct {
	threads [][]*event // what each has still to do
	end     []*event
	memory  []byte
}

// run reports whether the threads can go on in some order so that all reads return what they have
// returned.
func (m *interleaving) run() bool {
	left := false
	for t, rest := range m.threads {
		if len(rest) == 0 {
			continue
		}
		left = true
		e := rest[0]
		if e.waits && !m.arrived(e) {
			continue
		}
		old := m.load(e)
		if e.reads && !e.reduces && old != e.read {
			continue
		}
		m.threads[t] = rest[1:]
		if e.writes {
			m.store(e, m.result(e, old))
		}
		done := m.run()
		if e.writes {
			m.store(e, old)
		}
		m.threads[t] = rest
		if done {
			return true
		}
	}
	if left {
		return false
	}
	for _, e := range m.end {
		if m.load(e) != e.read {
			return false
		}
	}
	return true
}

// result is what an event writes.
func (m *interleaving) result(e *event, old uint64) uint64 {
	if !e.reduces {
		return e.value
	}
	value, _ := updated(e.update, e.size, old, e.x, 0)
	return value
}

// arrived reports whether all threads of the CTA have come to a barrier.
func (m *interleaving) arrived(at *event) bool {
	for _, rest := range m.threads {
		for _, e := range rest {
			if e.arrives && e.cta == at.cta && e.phase == at.phase {
				return false
			}
		}
	}
	return true
}

func (m *interleaving) load(e *event) (x uint64) {
	for i := range e.size {
		x |= uint64(m.memory[e.at+i]) << (8 * i)
	}
	return x
}

func (m *interleaving) store(e *event, x uint64) {
	for i := range e.size {
		m.memory[e.at+i] = byte(x >> (8 * i))
	}
}
