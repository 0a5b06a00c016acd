package vm

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/run/engine"
)

// Waiting at joins keeps the threads of a warp in lockstep, but it can bring everything to a stop:
// the threads waited for may themselves wait, at a barrier or in a loop, for those that wait for them.
// Then joins are unlocked. Between warps that changes nothing that a kernel may rely on, since each
// warp goes its own way. If it does not help, threads of a warp part, as they may on GPUs
// from sm_70 on; an early return around a barrier is such a case.

// An unlocking says which of the threads waiting at a join may go on without the others.
type unlocking func(expected, arrived uint64) (released uint64)

// wholeWarps lets warps go on that have arrived complete.
func wholeWarps(expected, arrived uint64) (released uint64) {
	for shift := 0; shift < 64; shift += 32 {
		warp := uint64(0xffffffff) << shift
		if expected&warp&^arrived == 0 {
			released |= arrived & warp
		}
	}
	return released
}

// anyThreads lets all that have arrived go on.
func anyThreads(expected, arrived uint64) (released uint64) { return arrived }

// unlock lets threads that wait at joins go on. It reports whether there were any.
func (m *machine) unlock(which unlocking) bool {
	progress := false
	for _, j := range m.waitingJoins() {
		release := make(engine.Mask, m.maskWords)
		for i := range release {
			release[i] = which(j.expected[i], j.arrived[i])
		}
		if isEmpty(release) || covers(release, j.expected) {
			continue
		}
		exclude(j.expected, release)
		exclude(j.arrived, release)
		m.runnable = append(m.runnable, m.newPath(j.frame, j.block, release, j.outer))
		progress = true
	}
	return progress
}

// pausesToUnlock is how often paths are paused before joins are unlocked: often enough for
// loops that only take long. A loop that looks at memory which others change is
// not given so long.
const pausesToUnlock, pausesOfSpinning = 256, 4

// unlockFor unlocks joins if a path that is in a loop may be waiting for threads that wait for it.
func (m *machine) unlockFor(p *path) {
	spins := m.pauses%pausesOfSpinning == 0 && p.frame.fn.spins(p.block)
	if (spins || m.pauses%pausesToUnlock == 0) && !m.unlock(wholeWarps) && spins {
		m.unlock(anyThreads)
	}
}

// spins reports whether the loop around a block has an instruction that waiting for other threads
// is done with.
func (fn *function) spins(block int) bool {
	head, last := fn.loopAround(block)
	if head < 0 {
		return false
	}
	for _, in := range fn.decl.Body[fn.blocks[head].begin:fn.blocks[last].end] {
		f := newForm(in.Tree)
		if f.name == "atom" || f.name == "ld" && slices.ContainsFunc(f.modifiers, func(m string) bool { return strings.Contains("volatile relaxed acquire", m) }) {
			return true
		}
	}
	return false
}
