//go:build !wasm

package vm

import (
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// activation is what machine code runs on for one activation of a function: it tells package portable what is to be done
// by steps. It is kept, so that following a group allocates nothing.
type activation struct {
	kernel *native.Kernel // nil: there is no machine code
	run    native.Run
	group  *portable.Lanes
}

// windows are what the accesses of a CTA have found.
type windows struct {
	kernel *native.Kernel
	all    *native.Windows
	runs   []*native.Run // that are executed together
}

// Follow executes a group of lanes.
func (c *machineCode) Follow(g *portable.Lanes) portable.Left {
	a := c.activation(g)
	if a.kernel == nil {
		return portable.LeftAtOnce
	}
	a.begin()
	return a.left(a.kernel.Run(&a.run))
}

// activation returns what the code runs on for a group that begins.
func (c *machineCode) activation(g *portable.Lanes) *activation {
	a, ok := (*g.Kept()).(*activation)
	if !ok || a.kernel != nil && a.kernel.Wrapped() {
		a = c.activate(g)
		*g.Kept() = a
	}
	return a
}

func (a *activation) begin() {
	a.run.Block, a.run.Lanes, a.run.Local = a.group.Block, a.group.Mask, a.group.Local()
}

// FollowAll executes the groups of a CTA.
func (c *machineCode) FollowAll(all []*portable.Lanes) bool {
	var kernel *native.Kernel
	var w *windows
	for n, g := range all {
		var a *activation
		if g.Parked {
			a = (*g.Kept()).(*activation)
		} else if a = c.activation(g); a.kernel != nil {
			a.begin()
		}
		if n == 0 {
			if a.kernel == nil {
				return false
			}
			kernel, w = a.kernel, (*g.Shared()).(*windows)
			w.runs = w.runs[:0]
		}
		if a.kernel != kernel { // other code has been made meanwhile
			return false
		}
		a.run.Resumes = g.Parked
		w.runs = append(w.runs, &a.run)
	}
	if !kernel.RunAll(w.runs) {
		return false
	}
	w.leave(all)
	return true
}

// leave tells how the groups have left that have been executed together.
func (w *windows) leave(all []*portable.Lanes) {
	for n, g := range all {
		g.Left, g.Behind = (*g.Kept()).(*activation).left(w.runs[n].Outcome), w.runs[n].Behind
	}
}

// Repeat executes the groups of another CTA, and of more behind it.
func (c *machineCode) Repeat(all []*portable.Lanes, more int) (begun, ended bool) {
	w, ok := (*all[0].Shared()).(*windows)
	if !ok || len(w.runs) != len(all) || w.kernel.Wrapped() {
		return false, false
	}
	if ended = w.kernel.Repeat(w.runs, more); !ended {
		w.leave(all)
	}
	return true, ended
}

// Stepped notes that a block is executed by steps.
func (c *machineCode) Stepped(g *portable.Lanes) {
	if a := c.activation(g); a.kernel != nil {
		a.kernel.NoteStepped()
	}
}

// Resume goes on with a group that is parked.
func (c *machineCode) Resume(g *portable.Lanes) portable.Left {
	a := (*g.Kept()).(*activation)
	return a.left(a.kernel.Resume(&a.run))
}

// left tells how a run has ended.
func (a *activation) left(outcome native.Outcome) portable.Left {
	g, r := a.group, &a.run
	g.Block, g.Index, g.Mask, g.Ended, g.Steps = r.Block, r.Inst, r.Lanes, r.Ended, r.Steps
	return leftBy[outcome]
}

// leftBy are the outcomes of package native as package portable has them.
var leftBy = [...]portable.Left{
	native.Done: portable.LeftDone, native.AtEnd: portable.LeftAtEnd, native.Parked: portable.LeftParked, native.Resting: portable.LeftResting,
	native.Failed: portable.LeftFailed, native.Stopped: portable.LeftStopped, native.Refused: portable.LeftAtOnce,
	native.Passed: portable.LeftPassed, native.AtStep: portable.LeftAtStep,
}

// activate makes an activation ready for machine code.
func (c *machineCode) activate(g *portable.Lanes) *activation {
	a := &activation{group: g}
	var err error
	if a.kernel, err = c.kernel(Dim(g.Shape())); err != nil {
		a.kernel = nil
		return a
	}
	w, ok := (*g.Shared()).(*windows)
	if !ok || w.kernel != a.kernel {
		w = &windows{kernel: a.kernel, all: a.kernel.NewWindows(g.Params())}
		*g.Shared() = w
	}
	a.run = native.Run{Machine: a, Homes: g.Frame(), Frame: a.kernel.NewFrame(), Windows: w.all, Wait: a.wait}
	return a
}

func (a *activation) wait(block simt.BlockID, lanes uint32) {
	a.group.Waiting = append(a.group.Waiting, portable.Waiting{Block: block, Mask: lanes})
}

// Step executes an instruction.
func (a *activation) Step(block simt.BlockID, inst int, lanes uint32) (failed uint32, ok bool) {
	return a.group.Step(block, inst, lanes)
}

// Window finds memory.
func (a *activation) Window(access *simt.Access, address uint64) (data []byte, base uint64, ok bool) {
	return a.group.Window(access, address)
}

// Texels finds a texture.
func (a *activation) Texels(op *simt.TextureOp, handle uint64) (t *simt.Texels, ok bool) {
	return a.group.Texels(op, handle)
}

// Parks reports whether lanes are all that there are.
func (a *activation) Parks(lanes uint32) bool { return a.group.Parks(lanes) }

// Live is the lanes of the warp that had not ended when the code was entered.
func (a *activation) Live() uint32 { return a.group.Live() }

// Stopped reports whether the launch is to end.
func (a *activation) Stopped() bool { return a.group.Stopped() }

// Onward notes which CTA of a row is at work.
func (a *activation) Onward(n int) { a.group.Onward(n) }
