package vm

import (
	"fmt"
	"os"
	"sync"

	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// fast lets package portable execute a function by machine code, which is made for the shape of blocks that it is first
// launched with, and again for others.
type fast struct {
	function *simt.Function
	options  native.Options
	mutex    sync.Mutex
	variants map[variant]*native.Kernel // nil: there is none
}

// variant is what machine code of a function is made for.
type variant struct {
	shape   [3]int
	careful bool
}

// fastWindows are what a CTA's accesses have found.
type fastWindows struct {
	kernel *native.Kernel
	all    *native.Windows
}

// kernel returns a variant of the code, or nil if there is none.
func (f *fast) kernel(v variant) *native.Kernel {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if k, ok := f.variants[v]; ok {
		return k
	}
	o := f.options
	o.Block, o.Careful = v.shape, v.careful
	k, err := native.CompileKernel(f.function, o)
	if err != nil {
		k = nil
	}
	f.variants[v] = k
	if os.Getenv("DUMP") != "" {
		fmt.Fprintln(os.Stderr, k)
	}
	return k
}

// fastFrame is what fast keeps for an activation: so that following a group allocates nothing.
type fastFrame struct {
	kernel *native.Kernel
	run    native.Run
	group  *portable.Lanes
}

// Follow executes a group of lanes.
func (f *fast) Follow(g *portable.Lanes) portable.Left {
	keeps := g.Kept()
	frame, ok := (*keeps).(*fastFrame)
	if !ok || frame.kernel != nil && frame.kernel.Wrapped() {
		frame = f.newFrame(g, ok)
		*keeps = frame
	}
	if frame.kernel == nil {
		return portable.LeftAtOnce
	}
	r := &frame.run
	r.Block, r.Lanes, r.Local = g.Block, g.Mask, g.Local()
	return frame.left(frame.kernel.Run(r))
}

// Resume goes on with a group that is parked.
func (f *fast) Resume(g *portable.Lanes) portable.Left {
	frame := (*g.Kept()).(*fastFrame)
	return frame.left(frame.kernel.Resume(&frame.run))
}

// left tells how a run has ended.
func (f *fastFrame) left(outcome native.Outcome) portable.Left {
	g, r := f.group, &f.run
	g.Block, g.Mask, g.Ended, g.Steps = r.Block, r.Lanes, r.Ended, r.Steps
	return [...]portable.Left{
		native.Done: portable.LeftDone, native.AtEnd: portable.LeftAtEnd, native.Parked: portable.LeftParked, native.Resting: portable.LeftResting,
		native.Failed: portable.LeftFaulted, native.Stopped: portable.LeftStopped, native.Refused: portable.LeftAtOnce,
	}[outcome]
}

func (f *fast) newFrame(g *portable.Lanes, careful bool) *fastFrame {
	size := g.Shape()
	frame := &fastFrame{group: g, kernel: f.kernel(variant{[3]int{size.X, size.Y, size.Z}, careful})}
	if frame.kernel == nil {
		return frame
	}
	windows, ok := (*g.Shared()).(*fastWindows)
	if !ok || windows.kernel != frame.kernel {
		windows = &fastWindows{frame.kernel, frame.kernel.NewWindows()}
		*g.Shared() = windows
	}
	frame.run = native.Run{Machine: frame, Homes: g.Frame(), Frame: frame.kernel.NewFrame(), Windows: windows.all, Wait: frame.wait}
	return frame
}

func (f *fastFrame) wait(block simt.BlockID, lanes uint32) {
	f.group.Waiting = append(f.group.Waiting, portable.Waiting{Block: block, Mask: lanes})
}

// Step executes an instruction.
func (f *fastFrame) Step(block simt.BlockID, inst int, lanes uint32) bool {
	return f.group.Step(block, inst, lanes)
}

// Window finds memory.
func (f *fastFrame) Window(a *simt.Access, address uint64) (data []byte, base uint64, ok bool) {
	return f.group.Window(a, address)
}

// Parks reports whether lanes are all that there are.
func (f *fastFrame) Parks(lanes uint32) bool { return f.group.Parks(lanes) }

// Stopped reports whether the launch is to end.
func (f *fastFrame) Stopped() bool { return f.group.Stopped() }
