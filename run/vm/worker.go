package vm

import (
	"runtime"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/vm/counters"
	"github.com/vop-ptx/vop/run/vm/sanitize"
)

const warpSize = simt.WarpSize

// worker runs CTAs of a launch, one after the other.
type worker struct {
	launch    *launch
	cta       *portable.CTA
	block     Dim                 // %ctaid
	sanitizer *sanitize.Sanitizer // of a launch that is checked, or nil
	counter   *counters.Counter   // of a launch with Stats, or nil
	fault     *Fault
	stopped   *StoppedError // where it was when the launch was stopped
}

// newWorker returns a worker with memory of its own.
func newWorker(l *launch, h portable.Host) *worker {
	w := &worker{launch: l}
	w.cta = portable.NewCTA(portable.Launch{
		Kernel: l.code.entry, Block: portable.Dim(l.grid.Block), Grid: portable.Dim(l.grid.Grid),
		Shared: allocate(l.kernel.sharedSize(l.grid)), DynamicShared: l.grid.Shared, Params: l.params,
	}, h)
	w.observe()
	return w
}

// run runs CTAs until there are none left, or the launch is to end.
func (w *worker) run(next func() (Dim, bool)) {
	l := w.launch
	for !l.stopped.Load() {
		block, ok := next()
		if !ok {
			return
		}
		w.block = block
		outcome := w.cta.Run(portable.Dim(block))
		if w.sanitizer != nil {
			w.sanitizer.End()
		}
		switch outcome {
		case portable.Failed:
			w.fault = w.faultOf(w.cta.Fault)
			l.stopped.Store(true)
			return
		case portable.Stopped:
			w.stopped = w.stoppedAt()
			return
		}
		if l.grid.Ended != nil {
			l.grid.Ended.Add(1)
			if runtime.GOARCH == "wasm" {
				runtime.Gosched() // there is one thread: whoever reads the count has no other chance to run
			}
		}
	}
}
