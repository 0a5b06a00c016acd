package portable

import "github.com/vop-ptx/vop/run/simt"

// whole is for CTAs all of whose warps end in one call of [Fast], as those of most short kernels do. There are thousands
// of CTAs, so that what is written anew for each warp of each counts: it is where the CTA is, and that only if it has
// changed.
type whole struct {
	all    []*Lanes                    // the warps of the last CTA, if it was one; nil otherwise
	begun  bool                        // the warps are as where a CTA begins
	places [3][]*[simt.WarpSize]uint32 // by axis: the homes that hold the place of the CTA
	local  [][]uint32                  // the local memory of warps
	steps  uint64                      // about how many instructions a warp of the last CTA has executed
	first  int                         // %ctaid.x of the CTA that the row begins with
}

// prepareWhole makes the warps ready for CTAs that are whole.
func (c *CTA) prepareWhole() {
	o := &c.whole
	o.begun, o.places, o.local = true, [3][]*[simt.WarpSize]uint32{}, nil
	for n, w := range c.warps {
		w.fillVarying(w.root)
		if len(w.local) > 0 {
			o.local = append(o.local, w.local)
		}
		w.live, w.root.lanes, w.steps = c.lanesOf(n), c.lanesOf(n), 0
		for _, s := range w.root.code.varying {
			if s.axis >= 0 {
				o.places[s.axis] = append(o.places[s.axis], wordsAt(w.root.frame, s.home))
			}
		}
	}
}

// placeWhole writes where the CTA is: for the first lane of each warp, which is all that a [Fast] reads.
func (c *CTA) placeWhole() {
	for axis, homes := range c.whole.places {
		for _, to := range homes {
			to[0] = uint32(c.Index.axis(axis))
		}
	}
}

// maxRow is how many CTAs are executed in one call, and rowSteps about how many instructions of a warp, those of straight code
// not counted. Others are to get their part of what is left of a launch, and one that is to end soon ends soon.
const (
	maxRow   = 32
	rowSteps = 1 << 12
)

// Row returns how many CTAs of a row, one behind the other in x, [CTA.Run] had best be given: more than one if CTAs like
// the last one are executed in a moment.
func (c *CTA) Row() int {
	if c.whole.all == nil || len(c.Shared) > 0 || c.Kernel.Function.Local > 0 || c.Kernel.stacks || c.Kernel.polling {
		return 1 // there is memory to be cleared in between, or they may wait for each other
	}
	return int(max(1, min(maxRow, rowSteps/(c.whole.steps+1))))
}

// runWhole executes a CTA if the last one was whole, and up to so many more that follow. Otherwise, or if it cannot be, begun is
// false; ended says that all were whole too. If not, they are as [CTA.finishRow] goes on with them.
func (c *CTA) runWhole(more int) (begun, ended bool) {
	all := c.whole.all
	if all == nil || c.host.Stopped() {
		return false, false
	}
	c.whole.first = c.Index.X
	if c.whole.begun {
		c.placeWhole()
	} else {
		c.prepareWhole()
	}
	for _, words := range c.whole.local {
		clear(words)
	}
	if begun, ended = c.Kernel.fast.Repeat(all, more); ended {
		return true, true
	}
	c.whole.all, c.whole.begun = nil, false
	return begun, false
}
