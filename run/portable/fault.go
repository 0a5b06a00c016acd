package portable

import (
	"time"

	"github.com/vop-ptx/vop/run/simt"
)

// Fault is why a launch fails: a thread has done what it must not.
type Fault struct {
	Kind    FaultKind
	Warp    int
	Lane    int
	Access  *simt.Access    // of BadAccess, BadSize and BadTrim
	Texture *simt.TextureOp // of NoTexture and BadSurface
	Address uint64          // of BadAccess, BadSize and BadTrim; the handle, the index or the function otherwise
	Limit   int             // of BadIndex: the number of labels; of BadSize and BadTrim
	Bytes   uint64          // of BadSize: the number of bytes
	Detail  string
	Waits   []Wait // of Deadlocked
	Host    any    // of HostFault: what the host says

	Function *simt.Function
	At       int32 // index in check.Function.Body

	rest uint32 // lanes that have not executed the instruction yet
}

// FaultKind says what a thread has done.
type FaultKind uint8

// The kinds of faults.
const (
	BadAccess   FaultKind = iota // outside of memory, not aligned, or a write to what is only read
	BadSize                      // a copy of many bytes whose number is not a multiple of Limit, or more than memory has
	BadTrim                      // one that leaves out more than Limit bytes at an end
	Trapped                      // trap
	BadIndex                     // brx.idx with an index that the list does not have
	BadFunction                  // a call through a register that holds no function's address
	BadBarrier                   // a barrier that does not exist, or for so many threads
	TooDeep                      // calls are nested too deep
	NoTexture                    // no texture is bound to the handle
	BadSurface                   // outside of a surface
	HostFault                    // a function of the host has failed
	BadStack                     // there is no room for what alloca asks for, or an address that is none of the stack
	Deadlocked                   // all threads of a CTA wait for each other
)

// A lane that fails stops where it is, and is there for the others no more than one that waits for ever. The others go on until
// nothing goes on, or no longer than the grace: they may fail, too, and the fault of a CTA is that of its first thread that fails, be it not the
// first one to be found. So it does not depend on the order in which an executor takes lanes and warps.

// fail stops a lane, the fault's, of the group at work. rest are those of its lanes that have not executed the instruction yet, that one
// among them: whoever executes it does so again for the others. It returns false.
func (w *Warp) fail(f *Fault, rest uint32) bool {
	f.Warp, f.rest = w.Number, rest&^(1<<f.Lane)
	f.Function = w.act.code.Function
	if w.index < len(w.block.insts) {
		f.At = w.block.insts[w.index].At
	} else {
		f.At = w.block.end.At
	}
	w.failed |= 1 << f.Lane
	w.halted = append(w.halted, group{act: w.act.noted(), block: w.block.id, index: w.index + 1, mask: 1 << f.Lane})
	w.departAll(1 << f.Lane)
	w.raised = f
	if w.fault == nil || f.Lane < w.fault.Lane {
		w.fault = f
	}
	if w.cta.failing.IsZero() {
		w.cta.failing = time.Now()
	}
	return false
}

// noted is what is known of an activation when lanes that have failed have left it, and others may use its frame: what it is of, and where it was called.
func (a *activation) noted() *activation {
	if a.parent == nil {
		return a
	}
	if a.note == nil {
		a.note = &activation{code: a.code, parent: a.parent.noted(), back: a.back, base: a.base, depth: a.depth}
	}
	return a.note
}

// leftOver takes the fault that has been raised, and returns the lanes that have not executed the instruction that raised it.
func (w *Warp) leftOver() uint32 {
	rest := w.raised.rest
	w.raised = nil
	return rest
}

// again executes a step that has failed for the lanes that have not executed it, and makes those that have not failed the group at work. It reports
// whether these go on.
func (w *Warp) again(s step) bool {
	all := w.mask
	for w.raised != nil {
		if w.mask = w.leftOver(); w.mask != 0 && !s(w) && w.raised == nil {
			return false // the launch is to end
		}
	}
	w.mask = all &^ w.failed
	w.active = w.mask
	return w.mask != 0
}

// despite executes the end of a block, which reports whether the group at work goes on: where lanes have failed, once more with
// those that have not come to theirs.
func (w *Warp) despite(end func() bool) (goesOn bool) {
	goesOn = end()
	for w.raised != nil {
		w.mask = w.leftOver()
		w.active = w.mask
		goesOn = w.mask != 0 && end()
	}
	return goesOn
}

// firstFault returns the fault of the first thread that has failed, or nil.
func (c *CTA) firstFault() *Fault {
	for _, w := range c.warps {
		if w.fault != nil {
			return w.fault
		}
	}
	return nil
}

// stopped reports whether the CTA is to end: the launch is, or a thread has failed and the others have had their time.
func (c *CTA) stopped() bool {
	return c.host.Stopped() || !c.failing.IsZero() && time.Since(c.failing) > c.Grace
}

// stop ends the CTA before its threads have.
func (c *CTA) stop() outcome {
	if c.Fault = c.firstFault(); c.Fault != nil {
		return Failed
	}
	return Stopped
}

// Wait is lanes of a warp that wait.
type Wait struct {
	Warp     int
	Lanes    uint32
	Barrier  int // -1 for others of the warp, at its barrier or an exchange
	Function *simt.Function
	At       int32
}
