package sanitize

import (
	"math/bits"
	"strings"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// Barriers of the CTA (PTX ISA 9.7.13.1). Threads that have ended are never waited for (9.7.12.6, exit). Of the others the
// manual demands, of one phase of a barrier, from its reset to the next:
//
//   - An aligned instruction is one that all threads execute: those of the CTA, or, where it counts threads, of the warp, since
//     different warps may execute different forms, such as bar.arrive and bar.sync. That of a bar is aligned, and so is each in a module
//     for sm_6x or below. Instructions that are not aligned may be as many as there are threads.
//   - All name the same number of threads.
//   - Reductions are not mixed with others.
//   - All threads of a warp come to an aligned one. Where all of the CTA are waited for, nobody goes on before; a number of threads
//     may be reached without them. Of instructions that are not aligned the manual does not say what part of a warp does: its threads
//     are counted, and nothing is reported.
//   - No thread arrives twice.
//
// Threads of a warp that execute one instruction together name one barrier. The manual has a warp wait for its threads and arrive, and does
// not say what it does with two numbers; an H200 ends the launch (docs/rulings.md, "What a GPU does"). Nothing is known to be wrong with those
// that come separately, be it to one instruction. Those that are together and name one barrier for different numbers of threads are the
// case above.

// BarrierMistake says what is wrong with how threads arrive at a barrier.
type BarrierMistake uint8

// The mistakes.
const (
	NotAligned       BarrierMistake = iota // an aligned instruction is not executed by all
	OtherCount                             // another number of threads is named
	MixedReduction                         // bar.red, and another
	PartOfWarp                             // other threads of the warp have not arrived
	ArrivesTwice                           // a thread has arrived before
	OtherBarrier                           // threads of the warp that execute the instruction together name another barrier
	ArrivesUnwaited                        // a thread has arrived at the barrier of the cluster before, and not waited since
	NotAlignedInWarp                       // an aligned instruction of that is not executed by all of the warp
)

// Arrival is threads that arrive at a barrier by one instruction.
type Arrival struct {
	Function *simt.Function
	At       int32
	Threads  int // for so many it waits
	Thread   int // the first of them
	Count    int
	Barrier  int // of OtherBarrier: its number
}

// arrival is threads of a warp that have arrived, in the present phase of a barrier, by one instruction.
type arrival struct {
	function *simt.Function
	at       int32
	threads  int // 0: all of the CTA
	warp     int
	lanes    uint32
	aligned  bool
	reduces  bool
	relaxed  bool
	over     bool // it is of a phase that is complete
}

// newArrival says what the instruction is that threads of a warp arrive by.
func newArrival(w *portable.Warp, threads int, lanes uint32) arrival {
	a := arrivalAt(w.Function(), w.At(), w.Number, lanes)
	a.threads = threads
	return a
}

// arrivalAt is newArrival, of an instruction of a function, without a number of threads.
func arrivalAt(f *simt.Function, at int32, warp int, lanes uint32) arrival {
	a := arrival{function: f, at: at, warp: warp, lanes: lanes}
	tree := a.function.Decl.Body[a.at].Tree
	a.aligned = tree.Name.Text == "bar" || a.function.Decl.Module.SM < 70
	for _, m := range tree.Modifiers {
		switch strings.TrimPrefix(m.Text, ".") {
		case "aligned":
			a.aligned = true
		case "red":
			a.reduces = true
		case "relaxed":
			a.relaxed = true
		}
	}
	return a
}

// Disagree is told of lanes that execute a barrier together and name different ones.
func (s *Sanitizer) Disagree(w *portable.Warp, barriers *[simt.WarpSize]uint32, lanes uint32) {
	var arrivals [2]Arrival
	rest := lanes
	for n := range arrivals {
		lane, count := first(rest), 0
		for r := rest; r != 0; r &= r - 1 {
			if barriers[first(r)] == barriers[lane] {
				rest &^= r & -r
				count++
			}
		}
		arrivals[n] = Arrival{Function: w.Function(), At: w.At(), Thread: w.Number*simt.WarpSize + lane, Count: count, Barrier: int(barriers[lane])}
	}
	s.report(w, first(lanes), bits.OnesCount32(lanes), Finding{Kind: PartialBarrier, Mistake: OtherBarrier, Arrivals: arrivals})
}

// Arrive is told of lanes that arrive at a barrier, before it lets any go.
func (s *Sanitizer) Arrive(w *portable.Warp, barrier, threads int, lanes uint32) {
	if barrier == simt.ClusterBarrier {
		s.arriveAtCluster(w, lanes)
		return
	}
	s.clocks.arrive(w.Number, barrier, lanes, false)
	all, now := &s.arrivals[barrier], newArrival(w, threads, lanes)
	for i := range *all {
		a := &(*all)[i]
		if a.warp != now.warp {
			continue
		}
		if again := now; a.lanes&now.lanes != 0 {
			again.lanes &= a.lanes
			s.misused(ArrivesTwice, s.arrival(&again), s.arrival(a))
			if now.lanes &^= a.lanes; now.lanes == 0 {
				return
			}
		}
		if a.function == now.function && a.at == now.at && a.threads == threads {
			a.lanes |= now.lanes
			return
		}
	}
	*all = append(*all, now)
}

// Release is told of a barrier that lets those go that wait at it.
func (s *Sanitizer) Release(c *portable.CTA, barrier int, waits []portable.Wait) {
	if barrier == simt.ClusterBarrier {
		s.releaseCluster(waits)
		return
	}
	s.clocks.release(barrier, waits)
	s.judge(c, s.arrivals[barrier])
	s.arrivals[barrier] = s.arrivals[barrier][:0]
}

// judge reports the first mistake in how threads have arrived at a barrier that lets them go.
func (s *Sanitizer) judge(c *portable.CTA, all []arrival) {
	for n := range all {
		for k := range n {
			if mistake, is := s.apart(&all[k], &all[n]); is {
				s.misused(mistake, s.like(all, &all[k]), s.like(all, &all[n]))
				return
			}
		}
	}
	for n := range all {
		if !all[n].aligned {
			continue
		}
		missing := c.Live(all[n].warp)
		for k := range all {
			if all[k].warp == all[n].warp {
				missing &^= all[k].lanes
			}
		}
		if missing != 0 {
			elsewhere := all[n]
			elsewhere.lanes = missing
			s.misused(PartOfWarp, s.arrival(&all[n]), s.arrival(&elsewhere))
			return
		}
	}
}

// apart says why two instructions may not be of the same phase of a barrier.
func (s *Sanitizer) apart(a, b *arrival) (BarrierMistake, bool) {
	same := a.function == b.function && a.at == b.at
	switch {
	case a.reduces != b.reduces:
		return MixedReduction, true
	case !same && (a.demands(b) || b.demands(a)):
		return NotAligned, true
	case s.waitsFor(a) != s.waitsFor(b):
		return OtherCount, true
	}
	return 0, false
}

// demands reports whether an instruction demands that other threads execute it as well.
func (a *arrival) demands(b *arrival) bool {
	return a.aligned && (a.threads == 0 || a.warp == b.warp)
}

// waitsFor is how many threads an instruction waits for: of whole warps.
func (s *Sanitizer) waitsFor(a *arrival) int {
	if a.threads == 0 {
		return len(s.clocks.warps) * simt.WarpSize
	}
	return a.threads
}

// like is all that have arrived by the same instruction, for as many threads.
func (s *Sanitizer) like(all []arrival, one *arrival) Arrival {
	found := s.arrival(one)
	for i := range all {
		if a := &all[i]; a != one && a.function == one.function && a.at == one.at && a.threads == one.threads {
			other := s.arrival(a)
			found.Thread, found.Count = min(found.Thread, other.Thread), found.Count+other.Count
		}
	}
	return found
}

func (s *Sanitizer) arrival(a *arrival) Arrival {
	thread := a.warp*simt.WarpSize + first(a.lanes)
	return Arrival{Function: a.function, At: a.at, Threads: s.waitsFor(a), Thread: thread, Count: bits.OnesCount32(a.lanes)}
}

// misused enters a finding of threads at a barrier, and of others.
func (s *Sanitizer) misused(mistake BarrierMistake, here, other Arrival) {
	s.found(&Finding{
		Kind: PartialBarrier, Function: here.Function, At: here.At, CTA: s.cta.Index,
		Thread: here.Thread, Count: 1, Mistake: mistake, Arrivals: [2]Arrival{here, other},
	})
}
