package sanitize

import (
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// The barrier of the cluster (PTX ISA 9.7.13.3). Of it the manual demands:
//
//   - A thread that has arrived waits before it arrives again.
//   - An aligned instruction is one that all threads of a warp execute.
//
// Whoever waits knows afterwards what the others have done before they arrived, or, by barrier.cluster.arrive.relaxed, before their last fence.

// clusterBarrier is what is known of the barrier of a cluster.
type clusterBarrier struct {
	arrivals []arrival // of threads that have not waited since
	waits    []arrival // at which waits they have been since it was last complete
	known    clock     // what those get to know that wait for the phase that is complete
}

func (b *clusterBarrier) begin() {
	b.arrivals, b.waits = b.arrivals[:0], b.waits[:0]
}

// arriveAtCluster notes lanes that arrive.
func (s *Sanitizer) arriveAtCluster(w *portable.Warp, lanes uint32) {
	now := newArrival(w, 0, lanes)
	s.clocks.arrive(w.Number, simt.ClusterBarrier, lanes, now.relaxed)
	for i := range s.cluster.arrivals {
		a := &s.cluster.arrivals[i]
		if a.warp != now.warp || a.lanes&now.lanes == 0 {
			continue
		}
		again := now
		again.lanes &= a.lanes
		s.misused(ArrivesUnwaited, s.arrival(&again), s.arrival(a))
		if now.lanes &^= a.lanes; now.lanes == 0 {
			return
		}
	}
	s.cluster.arrivals = s.alignedWith(s.cluster.arrivals, now)
}

// alignedWith adds threads to others that have executed instructions of the same phase, of which aligned ones are the same in a warp.
func (s *Sanitizer) alignedWith(all []arrival, now arrival) []arrival {
	for i := range all {
		a := &all[i]
		switch {
		case a.warp != now.warp || a.over:
		case a.function == now.function && a.at == now.at:
			a.lanes |= now.lanes
			return all
		case a.lanes != 0 && (a.aligned || now.aligned):
			s.misused(NotAlignedInWarp, s.arrival(&now), s.arrival(a))
		}
	}
	return append(all, now)
}

// releaseCluster is told of the barrier that is complete, and of those that wait at it.
func (s *Sanitizer) releaseCluster(waits []portable.Wait) {
	b := &s.cluster
	b.known = s.clocks.take(simt.ClusterBarrier)
	for i := range b.arrivals {
		b.arrivals[i].over = true
	}
	b.waits = b.waits[:0]
	for i := range waits {
		wait := &waits[i]
		s.behindCluster(arrivalAt(wait.Function, wait.At, wait.Warp, wait.Lanes))
	}
}

// Behind is told of lanes that wait at the barrier of the cluster, and go on at once.
func (s *Sanitizer) Behind(w *portable.Warp, lanes uint32) { s.behindCluster(newArrival(w, 0, lanes)) }

// behindCluster notes threads that go on behind their wait.
func (s *Sanitizer) behindCluster(now arrival) {
	b := &s.cluster
	s.clocks.learn(now.warp, now.lanes, b.known)
	kept := b.arrivals[:0]
	for _, a := range b.arrivals {
		if a.warp == now.warp {
			a.lanes &^= now.lanes
		}
		if a.lanes != 0 {
			kept = append(kept, a)
		}
	}
	b.arrivals = kept
	b.waits = s.alignedWith(b.waits, now)
}
