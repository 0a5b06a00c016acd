package native

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/frame"
)

// RunAll executes the groups of a CTA, each of which is all that there is of its warp, in one call: one goes on behind
// the other where that is at a barrier or has ended, and the first one behind the last if all are at the barrier. That
// ends where one leaves otherwise. Outcome says of each how it has left: it is Refused of those that have not begun. ok is
// false if the code cannot be entered so.
//
// Block, Lanes and what else a Run has are as for Run, or as Resume finds them if Resumes is true.
func (k *Kernel) RunAll(all []*Run) (ok bool) {
	if !k.code.Together {
		return false
	}
	for _, r := range all {
		if !r.Resumes && len(k.fetched[r.Block]) > 0 || r.Resumes && r.Frame.entry != k.fresh() {
			return false
		}
	}
	next, first := uint64(0), all[0].Frame.address()
	for _, r := range slices.Backward(all) {
		f := r.Frame
		if r.Resumes {
			k.unpark(f)
		} else {
			k.prepare(r)
		}
		*f.at32(frame.SiteAt) = frame.NoSite
		*f.at32(frame.All) = r.Lanes
		*f.at64(frame.First) = first
		*f.at64(frame.Next) = next
		*f.at32(frame.Warps) = uint32(len(all))
		f.setRow(0)
		f.noteBeginning(uint64(k.table[0]))
		next = f.address()
	}
	if k.enterAll(all) {
		for _, r := range all {
			r.Lanes, r.Ended, r.Outcome = 0, *r.Frame.at32(frame.Ended), Done
			r.Steps = k.spent(r)
		}
	}
	return true
}

// Repeat is RunAll for groups that the last call, of RunAll or Repeat, has seen from the beginning of the function to their
// ends, and that begin anew: with the same lanes, and all else as it was. It reports whether all have ended again: then
// nothing more is told of them. If more is not 0, those of so many CTAs that follow in x begin behind each other, as long as
// all end, or each goes through all of these CTAs before the next one begins: [Machine].Onward tells where the code is, and
// Behind of each where it has left.
func (k *Kernel) Repeat(all []*Run, more int) (ended bool) {
	for _, r := range all {
		r.Frame.beginAgain()
		r.Frame.setRow(uint32(more))
	}
	return k.enterAll(all)
}

// setRow writes how many CTAs are to follow.
func (f *Frame) setRow(more uint32) {
	f.row = more
	*f.at32(frame.Row) = more
}

// behind returns how many CTAs of a row a group has ended, of which one is the first.
func (k *Kernel) behind(r, first *Run) int {
	f := first.Frame
	if k.code.ByWarp {
		f = r.Frame
	}
	return int(f.row - *f.at32(frame.Row))
}

// noteOnward tells at which CTA a group is.
func (k *Kernel) noteOnward(r, first *Run) {
	if first.Frame.row > 0 {
		r.Machine.Onward(k.behind(r, first))
	}
}

// enterAll executes groups whose frames have been prepared, and tells of each how it has left, unless all have ended.
func (k *Kernel) enterAll(all []*Run) (ended bool) {
	gone := all[0].Frame.at32(frame.Gone)
	*gone = 0
	last, outcome := k.enter(k.fresh(), all[0], all)
	if outcome == Done && *gone == uint32(len(all)) {
		return true
	}
	parked := Parked
	for _, r := range all {
		r.Behind = k.behind(r, all[0])
		if r == last {
			r.Outcome = outcome
			parked = Passed // in the round before
			continue
		}
		k.settle(r, parked)
	}
	return false
}

// settle tells how a group has left behind which another has gone on.
func (k *Kernel) settle(r *Run, parked Outcome) {
	f := r.Frame
	number := *f.at32(frame.SiteAt)
	if number == frame.NoSite {
		r.Outcome = Refused
		return
	}
	site := &k.code.Sites[number]
	if site.Kind == frame.DoneSite {
		r.Lanes, r.Ended, r.Outcome = 0, *f.at32(frame.Ended), Done
		r.Steps = k.spent(r)
		return
	}
	r.Block, r.Lanes, r.Outcome = site.Block, *f.at32(frame.All), parked
	k.park(r, site)
}

// address is where the frame is.
func (f *Frame) address() uint64 { return uint64(uintptr(f.start)) }

// withFrame returns the one of runs whose frame is at an address.
func withFrame(all []*Run, address uint64) *Run {
	for _, r := range all {
		if r.Frame.address() == address {
			return r
		}
	}
	panic("native: the code has left with a frame that nobody knows")
}
