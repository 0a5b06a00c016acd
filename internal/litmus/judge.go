package litmus

import "slices"

// A Verdict says whether the model allows an outcome.
type Verdict struct {
	Allowed bool
	// Refused is Coherence, if no more is needed than what it says of the order of writes, or else
	// the other axioms that refuse the outcome, each of them with no more than that. If none does
	// by itself, they are those without which there is an execution. There are none if a value is
	// read that nothing writes.
	Refused Axiom
	// Large says that the outcome has too many events to be judged, and counts as allowed.
	Large bool
	// MixedSizes says that accesses of different sizes race in the execution that was found, of
	// which the manual says nothing.
	MixedSizes bool
}

// Judge says whether an outcome of a program is allowed.
func Judge(p *Program, o Outcome) Verdict {
	events, ok := eventsOf(p, o)
	if !ok {
		return Verdict{Allowed: true, Large: true}
	}
	if x := explain(events, 0); x != nil {
		return Verdict{Allowed: true, MixedSizes: x.mixedSizes()}
	}
	return Verdict{Refused: refusal(events)}
}

// refusal returns the axioms that refuse events for which there is no execution. The order of
// fence.sc and of writes is not left out, nor that what is in memory at the end is what was written
// last.
func refusal(events []event) (refused Axiom) {
	const orders = Coherence | FenceSC
	switch {
	case explain(events, allAxioms) == nil:
		return 0
	case explain(events, allAxioms&^orders) == nil:
		return Coherence
	}
	for _, a := range []Axiom{Atomicity, NoThinAir, PerLocation, Causality} {
		if explain(events, allAxioms&^(orders|a)) == nil {
			refused |= a
		}
	}
	for a := Coherence; refused == 0 && a <= Causality; a <<= 1 {
		if explain(events, a) != nil {
			refused |= a
		}
	}
	return refused
}

// search looks for an execution of events in which all axioms hold but those that are left out.
type search struct {
	execution
	without Axiom
	reads   []int    // the events that read, those first that nobody is told of
	groups  []uint64 // of events that overlap
	fences  [][2]int // pairs of fence.sc that are morally strong
	found   bool
}

// explain returns an execution of events, or nil.
func explain(events []event, without Axiom) *execution {
	s := &search{execution: execution{events: events, sources: make([][]int, len(events))}, without: without}
	s.program = programOrder(events)
	for i := range events {
		if events[i].reads {
			s.reads = append(s.reads, i)
		}
	}
	slices.SortStableFunc(s.reads, func(a, b int) int { return rank(&events[a]) - rank(&events[b]) })
	s.groups = groupsOf(events)
	s.fences = s.fencePairs()
	s.readFrom(0)
	if !s.found {
		return nil
	}
	return &s.execution
}

func rank(e *event) int {
	if e.reduces {
		return 0
	}
	return 1
}

// groupsOf returns the sets of events of threads that overlap, directly or by others, with the
// writes of all memory and the reads at the end: coherence order of each can be looked for by
// itself.
func groupsOf(events []event) (groups []uint64) {
	var seen uint64
	for i := range events {
		if !events[i].memory() || events[i].thread == initThread || seen>>i&1 != 0 {
			continue
		}
		group := uint64(1) << i
		for grown := uint64(0); grown != group; {
			grown = group
			for _, m := range members(grown) {
				for j := range events {
					if events[j].thread != initThread && events[j].overlaps(&events[m]) {
						group |= 1 << j
					}
				}
			}
		}
		seen |= group
		groups = append(groups, group|1) // the write of all memory is event 0
	}
	return groups
}

// fencePairs are the pairs that Fence-SC order relates.
func (s *search) fencePairs() (pairs [][2]int) {
	for a := range s.events {
		for b := a + 1; b < len(s.events); b++ {
			p, q := &s.events[a], &s.events[b]
			if p.fence && q.fence && p.order == SC && q.order == SC && s.morallyStrong(a, b) {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	return pairs
}

// readFrom tries all writes that a read may be from, and goes on with the next one.
func (s *search) readFrom(n int) {
	if n == len(s.reads) {
		if s.valuesAgree() && (s.without&NoThinAir != 0 || s.holdsNoThinAir()) {
			s.fenceSC = newRelation(len(s.events))
			s.orderFences(0)
		}
		return
	}
	r := s.reads[n]
	for _, sources := range s.sourcesOf(r) {
		s.sources[r] = sources
		if s.readFrom(n + 1); s.found {
			return
		}
		s.sources[r] = nil
	}
}

// sourcesOf returns what the bytes of a read may be from: one write, or else several.
func (s *search) sourcesOf(r int) (all [][]int) {
	e := &s.events[r]
	perByte := make([][]int, e.size)
	for w := range s.events {
		if w == r || !s.events[w].writes {
			continue
		}
		every := true
		for i := range e.size {
			if s.mayBeFrom(e, w, e.at+i) {
				perByte[i] = append(perByte[i], w)
			} else {
				every = false
			}
		}
		if every {
			all = append(all, slices.Repeat([]int{w}, e.size))
		}
	}
	if len(all) > 0 {
		return all
	}
	all = [][]int{nil}
	for _, writes := range perByte {
		var longer [][]int
		for _, one := range all {
			for _, w := range writes {
				longer = append(longer, append(slices.Clone(one), w))
			}
		}
		all = longer
	}
	return all
}

// mayBeFrom reports whether a byte that an event reads may be from a write: what is known of both
// agrees.
func (s *search) mayBeFrom(e *event, w, b int) bool {
	o := &s.events[w]
	if !o.covers(b) {
		return false
	}
	return e.reduces || o.reduces || byteOf(e.read, e.at, b) == byteOf(o.value, o.at, b)
}

// valuesAgree reports whether all reads return what has been written, also where nobody is told
// what was read.
func (s *search) valuesAgree() bool {
	for _, r := range s.reads {
		e := &s.events[r]
		for i, w := range s.sources[r] {
			if e.reduces || !s.events[w].reduces {
				continue
			}
			value, ok := s.written(w, 0)
			if !ok || byteOf(e.read, e.at, e.at+i) != byteOf(value, s.events[w].at, e.at+i) {
				return false
			}
		}
	}
	return true
}

// written returns what an event writes. There is none if it depends on itself.
func (s *search) written(w, depth int) (value uint64, ok bool) {
	e := &s.events[w]
	if !e.reduces {
		return e.value, true
	}
	if depth > len(s.events) {
		return 0, false
	}
	var old uint64
	for i, from := range s.sources[w] {
		value, ok := s.written(from, depth+1)
		if !ok {
			return 0, false
		}
		old |= uint64(byteOf(value, s.events[from].at, e.at+i)) << (8 * i)
	}
	value, _ = updated(e.update, e.size, old, e.x, 0)
	return value, true
}

// orderFences tries both orders of each pair of fence.sc, and looks with each for the orders of
// writes.
func (s *search) orderFences(n int) {
	for n < len(s.fences) && (s.fenceSC.has(s.fences[n][0], s.fences[n][1]) || s.fenceSC.has(s.fences[n][1], s.fences[n][0])) {
		n++
	}
	if n == len(s.fences) {
		s.found = s.orderWrites()
		return
	}
	before := s.fenceSC
	for _, pair := range [][2]int{s.fences[n], {s.fences[n][1], s.fences[n][0]}} {
		s.fenceSC = before.copied()
		s.fenceSC.link(pair[0], pair[1])
		if s.orderFences(n + 1); s.found {
			return
		}
	}
	s.fenceSC = before
}

// orderWrites looks for a coherence order of each group with which all axioms hold.
func (s *search) orderWrites() bool {
	s.observe()
	s.synchronize()
	s.cause()
	if s.without&FenceSC == 0 && !s.holdsFenceSC() {
		return false
	}
	s.coherence = newRelation(len(s.events))
	for _, group := range s.groups {
		pairs, ok := s.related(group)
		if !ok || !s.orderGroup(group, pairs) {
			return false
		}
	}
	return true
}

// related enters what the axiom of coherence (8.10.1) says of the writes of a group into their
// order, and returns the pairs that are related in it either way (8.9.6). It fails if the axiom
// contradicts itself.
func (s *search) related(group uint64) (pairs [][2]int, ok bool) {
	all := members(group)
	for n, a := range all {
		for _, b := range all[n+1:] {
			if !s.events[a].writes || !s.events[b].writes || !s.events[a].overlaps(&s.events[b]) {
				continue
			}
			forward, backward := s.causality.has(a, b), s.causality.has(b, a)
			switch {
			case s.without&Coherence == 0 && (forward || backward):
				if forward {
					s.coherence.link(a, b)
				}
				if backward {
					s.coherence.link(b, a)
				}
			case forward || backward || s.morallyStrong(a, b):
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	return pairs, !s.coherence.cyclic()
}

// orderGroup tries both orders of each pair of writes.
func (s *search) orderGroup(group uint64, pairs [][2]int) bool {
	for len(pairs) > 0 && (s.coherence.has(pairs[0][0], pairs[0][1]) || s.coherence.has(pairs[0][1], pairs[0][0])) {
		pairs = pairs[1:]
	}
	if len(pairs) == 0 {
		return (s.without&Atomicity != 0 || s.holdsAtomicity(group)) &&
			s.holdsCausality(group, s.without&Causality != 0) &&
			(s.without&PerLocation != 0 || s.holdsPerLocation(group))
	}
	before := s.coherence
	for _, pair := range [][2]int{pairs[0], {pairs[0][1], pairs[0][0]}} {
		s.coherence = before.copied()
		if s.coherence.link(pair[0], pair[1]); s.orderGroup(group, pairs[1:]) {
			return true
		}
	}
	s.coherence = before
	return false
}

// mixedSizes reports whether accesses that overlap, not completely, race (8.7.1, 8.7.2).
func (x *execution) mixedSizes() bool {
	for a := range x.events {
		for b := range x.events {
			p, q := &x.events[a], &x.events[b]
			if p.thread < 0 || q.thread < 0 || !p.overlaps(q) || p.complete(q) || !p.writes && !q.writes {
				continue
			}
			if !x.causality.has(a, b) && !x.causality.has(b, a) {
				return true
			}
		}
	}
	return false
}
