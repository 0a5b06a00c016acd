package apart

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
)

// ErrTooLong is the error of a kernel that takes too long to be a test.
var ErrTooLong = errors.New("the kernel takes too long")

// Statements that a CTA executes, and as how many those count by which threads wait for each other in loops.
const (
	maxSteps  = 40_000
	spinSteps = 100
)

// machine executes the threads of a CTA.
type machine struct {
	k       *Kernel
	memory  []uint32 // of the CTA
	threads []*thread
	barrier []uint32 // what threads have brought to barriers
	steps   int
	tooLong bool
}

// thread is one of a CTA, which goes on until it waits.
type thread struct {
	*machine
	number, cta int
	ended       bool
	waits       *wait // nil: it may go on
	resume      func() (struct{}, bool)
	stop        func()
	pause       func(struct{}) bool
}

// wait is what a thread waits for: others of its warp, at the same place and of the same mask, or all of its CTA.
type wait struct {
	place   int
	members uint32 // 0: all of the CTA
	brings  uint32
	reduced uint32         // what a barrier of the CTA makes of all that it is brought
	all     map[int]uint32 // by lane: what those bring that have come
}

// Run executes the kernel on memory that is filled already, which it leaves as the kernel does.
func (k *Kernel) Run(memory []uint32) error {
	per := k.Size() / k.Blocks
	for cta := range k.Blocks {
		m := &machine{k: k, memory: memory[cta*per:][:per], barrier: make([]uint32, k.Threads())}
		if err := m.run(cta); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) run(cta int) error {
	for n := range m.k.Threads() {
		t := &thread{machine: m, number: n, cta: cta}
		t.resume, t.stop = iter.Pull(func(yield func(struct{}) bool) {
			t.pause = yield
			t.begin()
			t.ended = true
		})
		defer t.stop()
		m.threads = append(m.threads, t)
	}
	for still := 0; ; still++ {
		left, moved := false, false
		for _, t := range m.threads {
			if t.ended || t.waits != nil {
				left = left || !t.ended
				continue
			}
			left = true
			before := m.steps
			t.resume()
			moved = moved || m.steps != before || t.waits != nil || t.ended
		}
		switch {
		case m.tooLong:
			return ErrTooLong
		case !left:
			return nil
		case m.meet() || moved:
			still = 0
		case still > 10:
			return fmt.Errorf("seed %d: all threads wait for each other", m.k.Seed)
		}
	}
}

// meet lets those go on that wait for nobody any more, and reports whether there are any.
func (m *machine) meet() (any bool) {
	here := 0
	brought := map[int]uint32{}
	for _, t := range m.threads {
		if t.ended || t.waits != nil && t.waits.members == 0 {
			here++
			if !t.ended {
				brought[t.number] = t.waits.brings
			}
		}
	}
	for _, t := range m.threads {
		if t.waits == nil || t.ended {
			continue
		}
		w := t.waits
		if w.members == 0 {
			if here == len(m.threads) {
				w.reduced = reductions[m.k.reduction](brought)
				t.waits, any = nil, true
			}
			continue
		}
		all := map[int]uint32{}
		complete := true
		first := t.number &^ 31
		var team []*thread
		for _, other := range m.threads[first:min(first+32, len(m.threads))] {
			switch {
			case w.members>>other.lane()&1 == 0 || other.ended:
			case other.waits == nil || other.waits.place != w.place || other.waits.members != w.members:
				complete = false
			default:
				all[other.lane()] = other.waits.brings
				team = append(team, other)
			}
		}
		if !complete {
			continue
		}
		for _, other := range team {
			other.waits.all, other.waits, any = all, nil, true
		}
	}
	return any
}

func (t *thread) lane() int { return t.number & 31 }

// await waits for others of a team, and returns what they bring.
func (t *thread) await(place int, team, brings uint32) map[int]uint32 {
	if team>>t.lane()&1 == 0 {
		panic(fmt.Sprintf("seed %d: thread %d is not of its team %#x", t.k.Seed, t.number, team))
	}
	w := &wait{place: place, members: team, brings: brings}
	t.waits = w
	t.yield()
	return w.all
}

// over ends a thread within a function.
type over struct{}

func (t *thread) yield() {
	if !t.pause(struct{}{}) || t.tooLong {
		panic(over{})
	}
}

// own is a word of the thread.
func (t *thread) own(word int) *uint32 { return t.of(t.number, word) }

func (t *thread) of(thread, word int) *uint32 { return &t.memory[counters+words*thread+word] }

// frame is a function that a thread is in.
type frame struct {
	*function
	v    [variables]uint32
	fuel uint32
}

func (t *thread) begin() {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(over); !ok {
				panic(r)
			}
		}
	}()
	f := &frame{function: t.k.functions[0]}
	for n := range inWords {
		f.v[n] = *t.own(n)
	}
	if t.k.fuel > 0 {
		f.fuel = f.v[3] >> 9 % (t.k.fuel + 1)
	}
	team := uint32(1<<min(t.k.Threads()-t.number&^31, 32) - 1)
	t.do(f, f.body, &team)
	for n, v := range f.v {
		*t.own(outWord + n) = v
	}
}

// control says how statements have been left.
type control uint8

const (
	onward control = iota
	stopped
	returned
)

func (t *thread) value(f *frame, o operand) uint32 {
	switch o.kind {
	case number:
		return o.n
	case variable:
		return f.v[o.n]
	case laneNumber:
		return uint32(t.lane())
	case threadNumber:
		return uint32(t.number)
	}
	return uint32(t.cta)
}

// sub is a place of a statement at which threads meet.
func (s *statement) sub(n int) int { return s.id<<20 | n }

// place tells the same statement of two functions apart, and calls of one.
func (t *thread) do(f *frame, all []*statement, team *uint32) control {
	for _, s := range all {
		if t.steps++; t.steps > maxSteps {
			t.tooLong = true
			panic(over{})
		}
		if c := t.one(f, s, team); c != onward {
			return c
		}
		if s.marks() {
			*t.own(markWord) += f.v[s.d] * s.mark()
		}
	}
	return onward
}

// marks reports whether what a statement gives a thread is added to its sum.
func (s *statement) marks() bool {
	switch s.kind {
	case call, exchange, meet, inTurn, ownAtomic, keep, allocate, copyAsync, barrier:
		return true
	}
	return false
}

// mark is what it is multiplied by.
func (s *statement) mark() uint32 { return uint32(2*s.id + 1) }

// part finds the team of those that go the same way.
func (t *thread) part(place int, team uint32, yes bool) uint32 {
	members := uint32(0)
	for lane, x := range t.await(place, team, bit(yes)) {
		if x == bit(yes) {
			members |= 1 << lane
		}
	}
	return members
}

// wayOut is a team of the threads but those that leave.
func (t *thread) wayOut(s *statement, team *uint32, leaves bool) bool {
	if s.team {
		*team = t.part(s.sub(0), *team, leaves)
	}
	return leaves
}

func (t *thread) one(f *frame, s *statement, team *uint32) control {
	a, b := t.value(f, s.a), t.value(f, s.b)
	d := &f.v[s.d]
	switch s.kind {
	case assign:
		*d = operations[s.op].do(a, b)
	case choose:
		yes := comparisons[s.op](a, b)
		inner := *team
		if s.team {
			inner = t.part(s.sub(0), *team, yes)
		}
		if yes {
			return t.do(f, s.body, &inner)
		}
		return t.do(f, s.other, &inner)
	case either:
		if comparisons[s.op](a, b) {
			return t.do(f, s.body, team)
		}
		return t.do(f, s.other, team)
	case staggered:
		for i := range 2 * s.n {
			if (i^a)&1 != 0 {
				t.do(f, s.body, team)
			}
			*d += i
		}
	case ownLoop, teamLoop:
		inner := *team
		for i, n := uint32(0), a&s.n; ; i++ {
			if s.kind == teamLoop {
				inner = t.part(s.sub(0), inner, i < n)
			}
			if i >= n {
				break
			}
			*d += i
			if c := t.do(f, s.body, &inner); c == stopped {
				break
			} else if c != onward {
				return c
			}
		}
	case evenLoop, unevenLoop:
		n := s.n
		if s.kind == unevenLoop {
			n &= t.first(t.await(s.sub(0), *team, a))
		}
		for i := uint32(0); i < n; i++ {
			*d += i
			if c := t.do(f, s.body, team); c != onward {
				return c
			}
		}
	case split:
		inner := uint32(0)
		for lane, x := range t.await(s.sub(0), *team, a&s.n) {
			if x == a&s.n {
				inner |= 1 << lane
			}
		}
		return t.do(f, s.body, &inner)
	case call:
		t.call(f, s, a, b, *team)
	case exchange:
		all := t.await(s.sub(0), *team, a)
		if share := shares[s.op]; share != nil {
			*d = share(all, t.lane())
			break
		}
		from := shuffles[s.op](t.lane(), int(b&31))
		if x, ok := all[from]; ok {
			*d = x
		} else {
			*d = a
		}
	case meet:
		all := t.await(s.sub(0), *team, a)
		t.await(s.sub(1), *team, 0)
		*t.own(meetWord), *d = a, t.first(all)
	case leave:
		if t.wayOut(s, team, a < s.n) {
			if s.op == "exit" {
				*t.own(outWord), *t.own(outWord + 1) = b, uint32(s.id)
				panic(over{})
			}
			return returned
		}
	case depart:
		if a < s.n {
			*t.own(ownWord) += s.m
			*t.own(outWord), *t.own(outWord + 1) = b, uint32(s.id)
			t.steps += int(s.m) / 10
			panic(over{})
		}
	case stop:
		if t.wayOut(s, team, a < s.n) {
			return stopped
		}
	case inTurn:
		t.inTurn(s, a, d, *team)
	case locked:
		*t.of(t.number&^31, lockedWord) += a
		t.steps += spinSteps
	case count:
		t.memory[s.n] += a
	case ownAtomic:
		w := t.own(ownWord)
		*d, *w = *w, *w+a
	case look:
		*d = *t.own(ownWord)
	case keep, allocate:
		c := t.do(f, s.body, team)
		if c != onward {
			return c
		}
		if *d = a; s.kind == allocate {
			*d = s.n*a + s.n*(s.n-1)/2
		}
	case copyAsync:
		for n := range s.n {
			*t.own(copiedWord + int(n)) = a + n
		}
		*d = a + a + s.n - 1
	case barrier:
		t.machine.barrier[t.number] = a
		if c := t.do(f, s.body, team); c != onward {
			return c
		}
		w := &wait{brings: b}
		t.waits = w
		t.yield()
		x := t.machine.barrier[(t.number+int(s.n))%t.k.Threads()]
		t.waits = &wait{}
		t.yield()
		if *d = x; s.op != "" {
			*d ^= w.reduced
		}
	}
	return onward
}

// first is what the first of a team brings.
func (t *thread) first(all map[int]uint32) uint32 {
	for lane := range 32 {
		if x, ok := all[lane]; ok {
			return x
		}
	}
	return 0
}

// inTurn adds to a sum in the order of lanes.
func (t *thread) inTurn(s *statement, a uint32, d *uint32, team uint32) {
	there := uint32(0)
	for lane := range t.await(s.sub(0), team, 0) {
		there |= 1 << lane
	}
	first := t.number&^31 + bits.TrailingZeros32(there)
	rank := bits.OnesCount32(there & (1<<t.lane() - 1))
	turn, sum := t.of(first, turnWord), t.of(first, sumWord)
	for *turn != uint32(rank) {
		t.yield()
	}
	*sum = *sum*5 + a
	*d = *sum
	if *turn++; int(*turn) == bits.OnesCount32(there) {
		*turn = 0
	}
	t.steps += spinSteps
}

// back reports whether a call may come back to the function that it is in: then fuel says how often.
func (s *statement) back(in *function) bool {
	for _, f := range s.callee {
		if f.number <= in.number {
			return true
		}
	}
	return false
}

func (t *thread) call(f *frame, s *statement, a, b, team uint32) {
	inner := frame{fuel: f.fuel}
	if s.back(f.function) {
		if f.team && s.needsTeam() {
			team = t.part(s.sub(0), team, f.fuel > 0)
		}
		if f.fuel == 0 {
			return
		}
		inner.fuel--
	}
	n := 0
	if s.op == "indirect" {
		n = int(a>>2) % len(s.callee)
		if s.needsTeam() {
			same := uint32(0)
			for lane, x := range t.await(s.sub(1), team, uint32(n)) {
				if int(x) == n {
					same |= 1 << lane
				}
			}
			team = same
		}
	}
	inner.function = s.callee[n]
	inner.v = [variables]uint32{a, b, 7, a ^ b, inner.fuel}
	t.do(&inner, inner.body, &team)
	f.v[s.d] = inner.v[inner.result.n]
}

// needsTeam reports whether one of the functions that a call calls has exchanges.
func (s *statement) needsTeam() bool {
	for _, f := range s.callee {
		if f.team {
			return true
		}
	}
	return false
}
