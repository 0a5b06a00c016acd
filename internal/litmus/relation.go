package litmus

// A relation is one of at most 64 events: a set of events for each of them.
type relation []uint64

func newRelation(events int) relation { return make(relation, events) }

func (r relation) add(a, b int)      { r[a] |= 1 << b }
func (r relation) has(a, b int) bool { return r[a]>>b&1 != 0 }

// copied returns a copy.
func (r relation) copied() relation { return append(relation(nil), r...) }

// close makes the relation transitive.
func (r relation) close() {
	for via := range r {
		for a := range r {
			if r.has(a, via) {
				r[a] |= r[via]
			}
		}
	}
}

// link adds a pair to a relation that is transitive, and leaves it so.
func (r relation) link(a, b int) {
	for x := range r {
		if x == a || r.has(x, a) {
			r[x] |= 1<<b | r[b]
		}
	}
}

// cyclic reports whether a transitive relation has a cycle.
func (r relation) cyclic() bool {
	for a := range r {
		if r.has(a, a) {
			return true
		}
	}
	return false
}
