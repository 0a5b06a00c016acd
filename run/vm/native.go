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
	variants sync.Map // by shape: *native.Kernel
}

// kernel returns the code for blocks of a shape, or nil if there is none.
func (f *fast) kernel(shape [3]int) *native.Kernel {
	if k, ok := f.variants.Load(shape); ok {
		return k.(*native.Kernel)
	}
	o := f.options
	o.Block = shape
	k, err := native.CompileKernel(f.function, o)
	if err != nil {
		k = nil
	}
	all, _ := f.variants.LoadOrStore(shape, k)
	if os.Getenv("DUMP") != "" {
		fmt.Fprintln(os.Stderr, k)
	}
	return all.(*native.Kernel)
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
	if !ok {
		frame = f.newFrame(g)
		*keeps = frame
	}
	if frame.kernel == nil {
		return portable.LeftAtOnce
	}
	r := &frame.run
	r.Block, r.Lanes = g.Block, g.Mask
	r.Local = g.Local()
	outcome := frame.kernel.Run(r)
	g.Block, g.Mask, g.Ended, g.Steps = r.Block, r.Lanes, r.Ended, r.Steps
	return [...]portable.Left{
		native.Done: portable.LeftDone, native.AtEnd: portable.LeftAtEnd, native.Resting: portable.LeftResting,
		native.Failed: portable.LeftFaulted, native.Stopped: portable.LeftStopped,
		native.Refused: portable.LeftAtOnce,
	}[outcome]
}

func (f *fast) newFrame(g *portable.Lanes) *fastFrame {
	size := g.Shape()
	frame := &fastFrame{group: g, kernel: f.kernel([3]int{size.X, size.Y, size.Z})}
	if frame.kernel == nil {
		return frame
	}
	windows, ok := (*g.Shared()).(*native.Windows)
	if !ok {
		windows = frame.kernel.NewWindows()
		*g.Shared() = windows
	}
	frame.run = native.Run{Machine: frame, Homes: g.Frame(), Frame: frame.kernel.NewFrame(), Windows: windows, Wait: frame.wait}
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

// Stopped reports whether the launch is to end.
func (f *fastFrame) Stopped() bool { return f.group.Stopped() }
