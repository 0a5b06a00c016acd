package waiting

import "fmt"

// meeting has threads read what others have written to shared memory before all met at a barrier.
type meeting struct {
	scratch *scratchCells // two words for each thread, which take turns
	lo, hi  int           // the threads
	a, b    operand
	d, by   uint32
	round   int
	kind    barrierKind
	at      int    // the number of the barrier, or which one in memory
	reduce  string // how bits are reduced
	parted  bool   // halves come by a branch each
	body    []statement
}

// barrierKind is what threads meet at.
type barrierKind uint8

const (
	allMeet    barrierKind = iota // all threads of the CTA
	countMeet                     // as many as are said
	reduceMeet                    // the lowest bits of b are reduced, and counted as all or as many as are said
	halvesMeet                    // every second thread, and the others at the barrier of the next number
	byState                       // in memory, by the state that arriving gives: behind it comes the body
	byParity                      // in memory, by the parity of the round
	byFlag                        // a counter in shared memory
	ofCluster                     // all threads of the cluster, which the CTA is by itself: behind arriving comes the body
	barrierKinds
)

// reductions are what barriers make of bits, of which so many of all are 1.
var reductions = map[string]func(ones, all uint32) bool{
	"and": func(ones, all uint32) bool { return ones == all },
	"or":  func(ones, _ uint32) bool { return ones > 0 },
}

// reduced is what the barrier makes of the lowest bits of b.
func (s *meeting) reduced(all []*thread) uint32 {
	ones := uint32(0)
	for _, t := range all {
		ones += s.b.of(t) & 1
	}
	if holds, ok := reductions[s.reduce]; ok {
		if holds(ones, uint32(len(all))) {
			return 1
		}
		return 0
	}
	return ones
}

func (s *meeting) run(m *machine, who []*thread) {
	given := map[*thread]uint32{}
	for _, all := range m.byCTA(who) {
		reduced := uint32(0)
		if s.kind == reduceMeet {
			reduced = s.reduced(all)
		}
		for n, t := range all {
			given[t] = s.a.of(all[(n+int(s.by))%len(all)]) ^ reduced
		}
	}
	if s.kind == byState || s.kind == ofCluster {
		m.all(s.body, who)
	}
	for _, t := range who {
		t.next(s.round)
		t.v[s.d] = given[t]
	}
}

func (s *meeting) write(w *writer) {
	slot, to, from, p := w.new('r'), w.new('r'), w.new('r'), w.new('p')
	n := s.hi - s.lo
	w.line("and.b32 %s, %s, 1;", slot, w.rounds[s.round])
	w.line("mad.lo.u32 %s, %s, %d, %s;", to, slot, n, w.thread)
	own := w.place(s.scratch.cells(), to, 4, -s.lo)
	w.line("st%s.u32 %s, %s;", w.access(own), own.at, w.value(s.a))
	reduced := s.meet(w)
	w.line("add.u32 %s, %s, %d;", from, w.thread, s.by%uint32(n))
	w.line("setp.ge.u32 %s, %s, %d;", p, from, s.hi)
	w.line("@%s sub.u32 %s, %[2]s, %d;", p, from, n)
	w.line("mad.lo.u32 %s, %s, %d, %[1]s;", from, slot, n)
	other := w.place(s.scratch.cells(), from, 4, -s.lo)
	w.line("ld%s.u32 %s, %s;", w.access(other), w.v[s.d], other.at)
	if reduced != "" {
		w.line("xor.b32 %s, %[1]s, %s;", w.v[s.d], reduced)
	}
	w.line("add.u32 %s, %[1]s, 1;", w.rounds[s.round])
}

// counted is how many threads barriers count in those from one number to another: whole warps.
func counted(lo, hi int) int { return (hi - lo + warp - 1) / warp * warp }

// count is how a barrier says how many threads it waits for.
func (s *meeting) count(w *writer) string {
	if s.lo == 0 && s.hi == w.k.Threads() && w.oneOf(2) {
		return ""
	}
	return fmt.Sprintf(", %d", counted(s.lo, s.hi))
}

// meet writes the barrier, and returns what it makes of b.
func (s *meeting) meet(w *writer) (reduced string) {
	name := []string{"bar", "barrier", "barrier.cta"}[w.IntN(3)]
	switch s.kind {
	case allMeet:
		w.line("%s.sync %d;", name, s.at)
	case countMeet:
		w.line("%s.sync %d, %d;", name, s.at, counted(s.lo, s.hi))
	case halvesMeet:
		id := w.new('r')
		w.line("and.b32 %s, %s, 1;", id, w.thread)
		w.line("add.u32 %s, %[1]s, %d;", id, s.at)
		if !s.parted {
			w.line("barrier.sync %s, %d;", id, (s.hi-s.lo)/2)
			break
		}
		p, other, end := w.new('p'), w.newLabel(), w.newLabel()
		w.line("setp.ne.u32 %s, %s, %d;", p, id, s.at)
		w.line("@%s bra %s;", p, other)
		w.line("barrier.sync %s, %d;", id, (s.hi-s.lo)/2)
		w.line("bra %s;", end)
		w.label(other)
		w.line("barrier.sync %d, %d;", s.at+1, (s.hi-s.lo)/2)
		w.label(end)
	case reduceMeet:
		p := w.compare(comparison{op: "ne.u32", a: s.b, mask: 1})
		reduced = w.new('r')
		if s.reduce == "popc" {
			w.line("%s.red.popc.u32 %s, %d%s, %s;", name, reduced, s.at, s.count(w), p)
			break
		}
		w.line("%s.red.%s.pred %s, %d%s, %s;", name, s.reduce, p, s.at, s.count(w), p)
		w.line("selp.u32 %s, 1, 0, %s;", reduced, p)
	case byState:
		state, p := w.new('q'), w.new('p')
		w.line("mbarrier.arrive.shared.b64 %s, [%s];", state, barrierAt(s.at))
		w.all(s.body)
		wait := []string{"test_wait", "try_wait"}[w.IntN(2)]
		w.spin(func() { w.line("mbarrier.%s.shared.b64 %s, [%s], %s;", wait, p, barrierAt(s.at), state) }, p)
	case ofCluster:
		aligned := []string{"", ".aligned"}[w.IntN(2)]
		w.line("barrier.cluster.arrive%s%s;", []string{"", ".release"}[w.IntN(2)], aligned)
		w.all(s.body)
		w.line("barrier.cluster.wait%s%s;", []string{"", ".acquire"}[w.IntN(2)], aligned)
	case byParity:
		w.arrive(s.at)
		parity := w.new('r')
		w.line("and.b32 %s, %s, 1;", parity, w.rounds[s.round])
		w.awaitParity(s.at, parity)
	case byFlag:
		n, all := s.hi-s.lo, w.new('r')
		at := w.place(s.scratch.cells(), "", 0, 2*n)
		w.line("mad.lo.u32 %s, %s, %d, %d;", all, w.rounds[s.round], n, n)
		w.add(at, "1")
		w.await(at, 32, atLeast(all))
	}
	return reduced
}

// arrive writes that the thread arrives at a barrier in memory.
func (w *writer) arrive(at int) { w.arriveAt(barrierAt(at)) }

// arriveAt is arrive, of a barrier at any address.
func (w *writer) arriveAt(at string) {
	switch w.IntN(4) {
	case 0:
		w.line("mbarrier.arrive.release.cta.shared::cta.b64 _, [%s];", at)
	case 1: // and bytes come in that it expects
		w.line("mbarrier.arrive.expect_tx.shared.b64 %s, [%s], 24;", w.new('q'), at)
		w.line("fence.acq_rel.cta;")
		w.line("mbarrier.complete_tx.shared.b64 [%s], 16;", at)
		w.line("mbarrier.complete_tx.shared.b64 [%s], 8;", at)
	default:
		w.line("mbarrier.arrive.shared.b64 %s, [%s];", w.new('q'), at)
	}
}

// awaitParity writes a loop that waits until the phase of a parity is over.
func (w *writer) awaitParity(at int, parity string) { w.awaitParityAt(barrierAt(at), parity) }

// awaitParityAt is awaitParity, of a barrier at any address.
func (w *writer) awaitParityAt(at, parity string) {
	p := w.new('p')
	form := []string{
		"mbarrier.test_wait.parity.shared.b64 %s, [%s], %s;",
		"mbarrier.try_wait.parity.shared.b64 %s, [%s], %s;",
		"mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %s, [%s], %s, 1000;",
	}[w.IntN(3)]
	w.spin(func() { w.line(form, p, at, parity) }, p)
}
