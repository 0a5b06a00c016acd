package vm

import (
	"math/bits"

	"github.com/vop-ptx/vop/run/engine"
)

// path is a set of threads that go together: they are at the same place and have parted
// from others at the same branch.
type path struct {
	frame *frame
	block int
	mask  engine.Mask
	join  *join // where the others are waited for; nil if nowhere
	// votes are those of all threads at the bar.red that the path has waited at.
	votes   votes
	waitsAt int // the barrier it waits at: index in check.Function.Body
}

// join is a meeting point: the threads that parted at a branch, or went
// into a function together, wait here for each other.
type join struct {
	frame    *frame
	block    int
	expected engine.Mask // threads that are still to come or have come
	arrived  engine.Mask
	outer    *join  // the next meeting point for all of them
	callee   *frame // the function that is left here, or nil
}

// newPath returns a path with a copy of the mask.
func (m *machine) newPath(f *frame, block int, mask engine.Mask, j *join) *path {
	var p *path
	if n := len(m.freePaths); n > 0 {
		p = m.freePaths[n-1]
		m.freePaths = m.freePaths[:n-1]
	} else {
		p = &path{mask: make(engine.Mask, m.maskWords)}
	}
	p.frame, p.block, p.join = f, block, j
	copy(p.mask, mask)
	return p
}

func (m *machine) freePath(p *path) { m.freePaths = append(m.freePaths, p) }

// newJoin returns a meeting point for the threads of a mask.
func (m *machine) newJoin(f *frame, block int, expected engine.Mask, outer *join) *join {
	var j *join
	if n := len(m.freeJoins); n > 0 {
		j = m.freeJoins[n-1]
		m.freeJoins = m.freeJoins[:n-1]
	} else {
		j = &join{expected: make(engine.Mask, m.maskWords), arrived: make(engine.Mask, m.maskWords)}
	}
	j.frame, j.block, j.outer = f, block, outer
	copy(j.expected, expected)
	clear(j.arrived)
	return j
}

// meetingAt returns the join for a path whose threads part and meet again at a block:
// its present one if that is there, since all will meet there anyway.
func (m *machine) meetingAt(p *path, block int) *join {
	if block == exitBlock || p.join != nil && p.join.frame == p.frame && p.join.block == block {
		return p.join
	}
	return m.newJoin(p.frame, block, p.mask, p.join)
}

// arrive ends a path at its join, and goes on from there if all have come.
func (m *machine) arrive(p *path) {
	j := p.join
	include(j.arrived, p.mask)
	m.freePath(p)
	m.open(j)
}

// open lets the threads of a join go on if all have come.
func (m *machine) open(j *join) {
	if !covers(j.arrived, j.expected) {
		return
	}
	if !isEmpty(j.arrived) {
		m.runnable = append(m.runnable, m.newPath(j.frame, j.block, j.arrived, j.outer))
	}
	if f := j.callee; f != nil {
		j.callee = nil
		m.freeFrames[f.fn] = append(m.freeFrames[f.fn], f)
	}
	m.freeJoins = append(m.freeJoins, j)
}

// end takes threads of a path out of the CTA: nobody waits for them any more.
func (m *machine) end(p *path, threads engine.Mask) {
	exclude(m.live, threads)
	for j := p.join; j != nil; {
		outer := j.outer
		exclude(j.expected, threads)
		m.open(j)
		j = outer
	}
	for i := range m.barriers {
		m.barriers[i].check(m)
	}
	for w := range m.warpBarriers {
		m.warpBarriers[w].check(m, w)
	}
}

// pause gives other paths a turn. It reports whether the path goes on at once.
func (m *machine) pause(p *path) bool {
	if m.launch.stopped.Load() {
		m.runnable = append(m.runnable, p)
		return false
	}
	m.patience = patience
	m.pauses++
	m.unlockFor(p)
	if len(m.runnable) == 0 {
		return true
	}
	m.runnable = append(m.runnable, nil)
	copy(m.runnable[1:], m.runnable)
	m.runnable[0] = p
	return false
}

// waitingJoins returns the joins at which threads wait.
func (m *machine) waitingJoins() (joins []*join) {
	seen := map[*join]bool{}
	add := func(p *path) {
		for j := p.join; j != nil && !seen[j]; j = j.outer {
			seen[j] = true
			if !isEmpty(j.arrived) {
				joins = append(joins, j)
			}
		}
	}
	if m.path != nil {
		add(m.path)
	}
	for _, p := range m.runnable {
		add(p)
	}
	for i := range m.barriers {
		for _, p := range m.barriers[i].waiting {
			add(p)
		}
	}
	for i := range m.warpBarriers {
		for _, p := range m.warpBarriers[i].waiting {
			add(p)
		}
	}
	return joins
}

// barrier is one of a CTA's 16 barriers (PTX ISA 9.7.13.1).
type barrier struct {
	waiting []*path
	arrived engine.Mask
	count   int // threads that complete it; 0: all that have not ended
	votes   votes
}

// votes counts the threads that have arrived at bar.red, and those whose predicate held.
type votes struct{ count, holds int }

func (b *barrier) reset(m *machine) {
	for _, p := range b.waiting {
		m.freePath(p)
	}
	b.waiting = b.waiting[:0]
	b.votes, b.count = votes{}, 0
	if b.arrived == nil {
		b.arrived = make(engine.Mask, m.maskWords)
	}
	clear(b.arrived)
}

// check lets the waiting threads go on if enough have arrived.
func (b *barrier) check(m *machine) {
	if isEmpty(b.arrived) || !b.complete(m) {
		return
	}
	for _, p := range b.waiting {
		p.votes = b.votes
		m.resume(p)
	}
	b.waiting = b.waiting[:0]
	b.reset(m)
}

// complete reports whether enough threads have arrived. Where a number of
// threads is given, a warp all of whose threads that have not ended are there counts in
// full.
func (b *barrier) complete(m *machine) bool {
	if b.count == 0 {
		return covers(b.arrived, m.live)
	}
	n := 0
	for warp := range m.lanes / 32 {
		here, live := warpOf(b.arrived, warp), warpOf(m.live, warp)
		switch {
		case here == 0:
		case live&^here == 0:
			n += 32
		default:
			n += bits.OnesCount32(here)
		}
	}
	return n >= b.count
}

// resume makes a path runnable that a barrier has held. Paths that
// are at the same place and wait for the same others become one again.
func (m *machine) resume(p *path) {
	for _, q := range m.runnable {
		if q.frame == p.frame && q.block == p.block && q.join == p.join {
			include(q.mask, p.mask)
			m.freePath(p)
			return
		}
	}
	m.runnable = append(m.runnable, p)
}
