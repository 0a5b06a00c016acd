package litmus

import (
	"math/bits"
	"strings"
)

// Axiom is a set of axioms of section 8.10.
type Axiom uint8

// The axioms.
const (
	Coherence Axiom = 1 << iota
	FenceSC
	Atomicity
	NoThinAir
	PerLocation
	Causality

	allAxioms = 1<<iota - 1
)

var axiomNames = []string{"Coherence", "Fence-SC", "Atomicity", "No Thin Air", "Sequential Consistency Per Location", "Causality"}

func (a Axiom) String() string {
	var names []string
	for ; a != 0; a &= a - 1 {
		names = append(names, axiomNames[bits.TrailingZeros8(uint8(a))])
	}
	return strings.Join(names, ", ")
}

// holdsFenceSC is 8.10.2: of two morally strong fence.sc, the first in causality order is the first
// in Fence-SC order.
func (x *execution) holdsFenceSC() bool {
	for a := range x.events {
		for b := range x.events {
			if a != b && x.events[a].fence && x.events[b].fence && x.events[a].order == SC && x.events[b].order == SC &&
				x.morallyStrong(a, b) && x.base.has(a, b) && !x.fenceSC.has(a, b) {
				return false
			}
		}
	}
	return true
}

// holdsAtomicity is 8.10.3, of a read and a write, and of an atomic operation and a write, that are
// morally strong.
func (x *execution) holdsAtomicity(group uint64) bool {
	for _, r := range members(group) {
		for _, w := range members(group) {
			if r == w || !x.events[r].reads || !x.events[w].writes || !x.morallyStrong(r, w) {
				continue
			}
			before := x.readsBefore(r, w)
			if before && (x.readsFrom(r, w) || x.events[r].atomic && x.events[r].writes && x.coherence.has(w, r)) {
				return false
			}
		}
	}
	return true
}

// holdsNoThinAir is 8.10.4: no value comes about by itself, through what depends on what is read,
// and what is read from what is written. Each event is two nodes, what it reads and what it writes.
func (x *execution) holdsNoThinAir() bool {
	n := len(x.events)
	needs := make([][]int, 2*n)
	for i := range x.events {
		e := &x.events[i]
		needs[i] = append(members(e.needs), x.sourcesAsWrites(i)...)
		needs[n+i] = members(e.needs)
		if e.own {
			needs[n+i] = append(needs[n+i], i)
		}
	}
	state := make([]byte, 2*n) // 1 while it is looked at, 2 when that has ended
	var cyclic func(node int) bool
	cyclic = func(node int) bool {
		if state[node] != 0 {
			return state[node] == 1
		}
		state[node] = 1
		for _, other := range needs[node] {
			if cyclic(other) {
				return true
			}
		}
		state[node] = 2
		return false
	}
	for node := range needs {
		if cyclic(node) {
			return false
		}
	}
	return true
}

// sourcesAsWrites are the nodes of what a read is from.
func (x *execution) sourcesAsWrites(read int) (nodes []int) {
	for _, s := range x.sources[read] {
		nodes = append(nodes, len(x.events)+s)
	}
	return nodes
}

// holdsPerLocation is 8.10.5: within any overlapping operations that are pairwise morally strong,
// communication order and program order have no cycle.
func (x *execution) holdsPerLocation(group uint64) bool {
	related := newRelation(len(x.events))
	order := newRelation(len(x.events))
	for _, a := range members(group) {
		for _, b := range members(group) {
			if a == b || !x.morallyStrong(a, b) {
				continue
			}
			related.add(a, b)
			if x.program.has(a, b) || x.communicates(a, b) {
				order.add(a, b)
			}
		}
	}
	ok := true
	cliques(related, 0, group, 0, func(clique uint64) {
		within := newRelation(len(x.events))
		for _, a := range members(clique) {
			within[a] = order[a] & clique
		}
		within.close()
		ok = ok && !within.cyclic()
	})
	return ok
}

// cliques calls f for each largest set of members that are pairwise related (Bron and Kerbosch,
// 1973).
func cliques(related relation, in, may, not uint64, f func(uint64)) {
	if may == 0 {
		if not == 0 {
			f(in)
		}
		return
	}
	for _, a := range members(may) {
		cliques(related, in|1<<a, may&related[a], not&related[a], f)
		may &^= 1 << a
		not |= 1 << a
	}
}

// holdsCausality is 8.10.6: a read returns nothing that is written behind it in causality order,
// nor what precedes, in coherence order, a write that precedes the read in causality order. That
// may be asked of the reads at the end alone.
func (x *execution) holdsCausality(group uint64, atEnd bool) bool {
	for _, r := range members(group) {
		for _, w := range members(group) {
			if r == w || atEnd && x.events[r].thread != endThread || !x.events[r].reads || !x.events[w].writes || !x.events[r].overlaps(&x.events[w]) {
				continue
			}
			if x.causality.has(r, w) && x.readsFrom(r, w) || x.causality.has(w, r) && x.readsBefore(r, w) {
				return false
			}
		}
	}
	return true
}

// members are the numbers in a set.
func members(set uint64) (all []int) {
	for ; set != 0; set &= set - 1 {
		all = append(all, bits.TrailingZeros64(set))
	}
	return all
}
