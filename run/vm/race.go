package vm

import (
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/run/engine"
)

// sharedMemory knows who has accessed each byte of a CTA's shared memory, and what each warp knows
// of the others: two accesses are a race if they are of different warps, one of them writes, and no
// barrier or fence puts them in order. Time is a vector clock for each warp (Flanagan and Freund,
// "FastTrack", 2009); a warp's own time goes on whenever it lets others know what it has done.
type sharedMemory struct {
	written  []bool
	writers  [][]stamp // by byte; several only if all but one are atomic
	readers  [][]stamp
	warps    []warpClock
	barriers map[*barrier]clock
	releases map[int]clock // what whoever reads an address by an atomic instruction gets to know
	sites    []site
	numbers  map[site]int32
}

// clock is, for each warp, until when what it has done is known.
type clock []uint32

// learn adds what another clock knows.
func (c clock) learn(other clock) {
	for i := range other {
		c[i] = max(c[i], other[i])
	}
}

// warpClock is what a warp knows.
type warpClock struct {
	now clock
	// fenced is what it knew at its last fence: what others get to know by its atomic operations.
	// heard is what it will know at its next, by those of others (PTX ISA 8.9.4 and 8.9.5).
	fenced, heard clock
}

// stamp is an access: of a warp, at a time of its clock.
type stamp struct {
	time   uint32
	site   int32 // index into sites
	thread int16
	strong bool
}

func (s stamp) warp() int { return int(s.thread) / 32 }

func newSharedMemory(size, warps int) *sharedMemory {
	s := &sharedMemory{written: make([]bool, size), writers: make([][]stamp, size), readers: make([][]stamp, size), warps: make([]warpClock, warps), numbers: map[site]int32{}}
	for i := range s.warps {
		s.warps[i] = warpClock{make(clock, warps), make(clock, warps), make(clock, warps)}
	}
	return s
}

// begin prepares for a CTA.
func (s *sharedMemory) begin() {
	clear(s.written)
	for i := range s.readers {
		s.readers[i], s.writers[i] = s.readers[i][:0], s.writers[i][:0]
	}
	for i := range s.warps {
		w := &s.warps[i]
		clear(w.now)
		clear(w.fenced)
		clear(w.heard)
		w.now[i] = 1
	}
	s.barriers, s.releases = map[*barrier]clock{}, map[int]clock{}
}

// knows reports whether an access is before whatever a warp does now.
func (s *sharedMemory) knows(warp int, earlier stamp) bool {
	return earlier.warp() == warp || s.warps[warp].now[earlier.warp()] >= earlier.time
}

// access notes an access to some bytes. It returns a fault if it is in a race.
func (s *sharedMemory) access(m *machine, step *watchedStep, thread, at, span int) (race *Fault) {
	warp, a := thread/32, step.memory.accessed()
	me := stamp{s.warps[warp].now[warp], s.number(step.site), int16(thread), a.strong}
	conflict := func(other stamp, wrote bool) {
		if race != nil || other.strong && me.strong || s.knows(warp, other) {
			return
		}
		there := s.sites[other.site]
		_, line, _, _ := m.launch.kernel.module.placeOf(there.frame.fn.decl, there.at)
		did := map[bool]string{false: "read", true: "written"}[wrote]
		race = &Fault{
			Kind: Race, Access: a.String(), thread: thread,
			Detail: fmt.Sprintf("thread %v of another warp has %s it at line %d, and there is no barrier in between", m.launch.grid.Block.at(int(other.thread)), did, line),
		}
	}
	if a.strong {
		s.exchange(warp, at, a)
	}
	for i := at; i < at+span; i++ {
		for _, writer := range s.writers[i] {
			conflict(writer, true)
		}
		if !a.writes {
			s.note(&s.readers[i], me)
			continue
		}
		for _, reader := range s.readers[i] {
			conflict(reader, false)
		}
		s.readers[i] = s.readers[i][:0]
		if !me.strong {
			s.writers[i] = s.writers[i][:0]
		}
		s.note(&s.writers[i], me)
	}
	return race
}

// note adds an access to those of a byte. Those that are before it need not be remembered.
func (s *sharedMemory) note(all *[]stamp, me stamp) {
	if len(*all) == 1 && (*all)[0].warp() == me.warp() {
		(*all)[0] = me
		return
	}
	*all = append(slices.DeleteFunc(*all, func(other stamp) bool { return s.knows(me.warp(), other) }), me)
}

func (s *sharedMemory) number(at site) int32 {
	n, ok := s.numbers[at]
	if !ok {
		n = int32(len(s.sites))
		s.sites = append(s.sites, at)
		s.numbers[at] = n
	}
	return n
}

// exchange lets warps know of each other by an atomic or volatile access.
func (s *sharedMemory) exchange(warp, at int, a *access) {
	w := &s.warps[warp]
	if a.reads {
		if known, ok := s.releases[at]; ok {
			w.heard.learn(known)
			if a.acquires {
				w.now.learn(known)
			}
		}
	}
	if a.writes {
		if a.releases {
			copy(w.fenced, w.now)
			w.now[warp]++
		}
		if s.releases[at] == nil {
			s.releases[at] = make(clock, len(s.warps))
		}
		s.releases[at].learn(w.fenced)
	}
}

// fence is told of the warps that execute a fence.
func (s *sharedMemory) fence(threads engine.Mask) {
	for i := range s.warps {
		if warpOf(threads, i) != 0 {
			w := &s.warps[i]
			w.now.learn(w.heard)
			copy(w.fenced, w.now)
			w.now[i]++
		}
	}
}

// arrive is told of threads that arrive at a barrier, before it lets any go.
func (s *sharedMemory) arrive(b *barrier, threads engine.Mask) {
	known := s.barriers[b]
	if known == nil {
		known = make(clock, len(s.warps))
		s.barriers[b] = known
	}
	for i := range s.warps {
		if warpOf(threads, i) != 0 {
			known.learn(s.warps[i].now)
			s.warps[i].now[i]++
		}
	}
}

// release is told of a barrier that lets those go that wait at it.
func (s *sharedMemory) release(b *barrier) {
	known := s.barriers[b]
	for _, p := range b.waiting {
		for i := range s.warps {
			if warpOf(p.mask, i) != 0 {
				s.warps[i].now.learn(known)
			}
		}
	}
	delete(s.barriers, b)
}
