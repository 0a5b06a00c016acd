package litmus

// An execution is a candidate for what has happened: the events, where each byte that is read is
// from, and the orders that the manual derives of that (PTX ISA 8.9).
type execution struct {
	events  []event
	sources [][]int // of each event, for each byte that it reads, the write that it is from

	program      relation // 8.9.1, transitive
	observation  relation // 8.9.2
	fenceSC      relation // 8.9.3, transitive
	synchronizes relation // 8.9.4
	base         relation // 8.9.5, transitive
	causality    relation // 8.9.5, of memory operations
	coherence    relation // 8.9.6, transitive
}

// readsFrom reports whether a read returns any byte from a write.
func (x *execution) readsFrom(read, write int) bool {
	for _, s := range x.sources[read] {
		if s == write {
			return true
		}
	}
	return false
}

// programOrder is the order of the events of each thread (8.9.1). Elements of a vector have none
// (8.2.4), and the halves of a barrier come one behind the other.
func programOrder(events []event) relation {
	r := newRelation(len(events))
	for a := range events {
		for b := range events {
			p, q := &events[a], &events[b]
			if p.thread >= 0 && p.thread == q.thread && (p.op < q.op || p.op == q.op && p.arrives && q.waits) {
				r.add(a, b)
			}
		}
	}
	return r
}

// morallyStrong tells two operations that are morally strong relative to each other (8.7). There is
// one proxy.
func (x *execution) morallyStrong(a, b int) bool {
	p, q := &x.events[a], &x.events[b]
	if p.memory() && q.memory() && !p.complete(q) {
		return false
	}
	if x.program.has(a, b) || x.program.has(b, a) {
		return true
	}
	return p.strong() && q.strong() && p.includes(q) && q.includes(p)
}

// observe finds observation order (8.9.2): a read that returns what a morally strong write has
// written, also through atomic operations.
func (x *execution) observe() {
	x.observation = newRelation(len(x.events))
	for r := range x.events {
		for _, w := range x.sources[r] {
			if x.morallyStrong(w, r) {
				x.observation.add(w, r)
			}
		}
	}
	for z := range x.events {
		if !x.events[z].atomic {
			continue
		}
		for w := range x.events {
			if x.observation.has(w, z) {
				x.observation[w] |= x.observation[z]
			}
		}
	}
}

// A pattern is a release pattern, of its first operation and a write, or an acquire pattern, of a
// read and its last operation (8.8).
type pattern struct{ first, last int }

// releasePatterns are a release operation; or one, or a fence that releases, followed by a strong
// write to its location.
func (x *execution) releasePatterns() (all []pattern) {
	for w := range x.events {
		e := &x.events[w]
		if !e.writes || !e.strong() {
			continue
		}
		if e.releases() {
			all = append(all, pattern{w, w})
		}
		for f := range x.events {
			if first := &x.events[f]; x.program.has(f, w) && first.releases() && (first.fence || first.complete(e)) {
				all = append(all, pattern{f, w})
			}
		}
	}
	return all
}

// acquirePatterns are an acquire operation; or a strong read followed by one of its location, or by
// a fence that acquires. What red reads forms none.
func (x *execution) acquirePatterns() (all []pattern) {
	for r := range x.events {
		e := &x.events[r]
		if !e.reads || !e.strong() || e.reduces {
			continue
		}
		if e.acquires() {
			all = append(all, pattern{r, r})
		}
		for l := range x.events {
			last := &x.events[l]
			if x.program.has(r, l) && last.acquires() && !last.reduces && (last.fence || last.complete(e)) {
				all = append(all, pattern{r, l})
			}
		}
	}
	return all
}

// synchronize finds what synchronizes (8.9.4): fence.sc in their order, barriers, patterns, and the
// kernel, whose beginning and end do so with all threads.
func (x *execution) synchronize() {
	x.synchronizes = x.fenceSC.copied()
	for a := range x.events {
		for b := range x.events {
			p, q := &x.events[a], &x.events[b]
			barrier := p.arrives && q.waits && p.cta == q.cta && p.phase == q.phase
			begins := p.thread == initThread && q.thread != initThread
			ends := p.thread != endThread && q.thread == endThread
			if barrier || begins || ends {
				x.synchronizes.add(a, b)
			}
		}
	}
	releases, acquires := x.releasePatterns(), x.acquirePatterns()
	for _, r := range releases {
		for _, a := range acquires {
			if x.observation.has(r.last, a.first) && x.morallyStrong(r.first, a.last) {
				x.synchronizes.add(r.first, a.last)
			}
		}
	}
}

// cause finds base causality order and causality order (8.9.5).
func (x *execution) cause() {
	x.base = x.program.copied()
	for a := range x.events {
		x.base[a] |= x.synchronizes[a]
	}
	x.base.close()
	x.causality = newRelation(len(x.events))
	for a := range x.events {
		for z := range x.events {
			if x.preserved(a, z) {
				x.causality.add(a, z)
			}
			if !x.observation.has(a, z) {
				continue
			}
			for b := range x.events {
				if x.preserved(z, b) {
					x.causality.add(a, b)
				}
			}
		}
	}
}

// preserved is proxy-preserved base causality order.
func (x *execution) preserved(a, b int) bool {
	return x.base.has(a, b) && x.events[a].overlaps(&x.events[b])
}

// communicates tells communication order (8.9.7).
func (x *execution) communicates(a, b int) bool {
	p, q := &x.events[a], &x.events[b]
	switch {
	case p.writes && q.reads && x.readsFrom(b, a):
		return true
	case p.writes && q.writes && x.coherence.has(a, b):
		return true
	}
	return p.reads && q.writes && p.overlaps(q) && x.readsBefore(a, b)
}

// readsBefore reports whether a read returns, for any byte that a write accesses too, one of a
// write that precedes that one in coherence order.
func (x *execution) readsBefore(read, write int) bool {
	r := &x.events[read]
	for i, s := range x.sources[read] {
		if x.events[write].covers(r.at+i) && x.coherence.has(s, write) {
			return true
		}
	}
	return false
}
