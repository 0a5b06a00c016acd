package vm

import (
	"cmp"
	"runtime"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/vm/counters"
	"github.com/vop-ptx/vop/run/vm/internal/override"
	"github.com/vop-ptx/vop/run/vm/sanitize"
)

const warpSize = simt.WarpSize

// worker runs CTAs of a launch, one after the other.
type worker struct {
	launch    *launch
	cta       *portable.CTA
	sanitizer *sanitize.Sanitizer // of a launch that is checked, or nil
	counter   *counters.Counter   // of a launch with Stats, or nil
	fault     *Fault
	stopped   *StoppedError // where it was when the launch was stopped
}

// newWorker returns a worker with memory of its own.
func newWorker(l *launch) *worker {
	w := &worker{launch: l}
	w.prepare(host{l, w})
	return w
}

// independent is the first target whose lanes get on by themselves where they have parted. Code for those before is executed in step by
// later processors as well, as it may take lanes that have been in a loop for being together behind it.
const independent = 70

// prepare makes what runs CTAs.
func (w *worker) prepare(h portable.Host) {
	l := w.launch
	w.cta = portable.NewCTA(portable.Launch{
		Kernel: l.code.entry, Block: portable.Dim(l.grid.Block), Grid: portable.Dim(l.grid.Grid),
		Shared: allocate(l.kernel.sharedSize(l.grid)), DynamicShared: l.grid.Shared, Params: l.params,
		Grace: cmp.Or(override.GraceOfThreads, failedGrace), Turn: override.Turns,
		Lockstep: l.kernel.module.decl.SM < independent,
	}, h)
	w.observe()
}

// block is where the CTA at work is, or the last one: %ctaid.
func (w *worker) block() Dim { return Dim(w.cta.Index) }

// number is the linear number of that CTA.
func (w *worker) number() int64 { return w.launch.grid.numberOf(w.block()) }

// runNext runs the next CTA, or the next ones of a row. It reports whether others are to follow.
func (w *worker) runNext(left *handout) bool {
	first, n := left.take(w.cta.Row())
	return n > 0 && w.runRow(first, n)
}

// runRow runs CTAs that follow each other in x. It reports whether all have ended.
func (w *worker) runRow(first Dim, n int) bool {
	l := w.launch
	for n > 0 {
		if l.end.stops(l.grid.numberOf(first)) {
			return false
		}
		outcome := w.cta.Run(portable.Dim(first), n-1)
		if w.sanitizer != nil {
			w.sanitizer.End()
		}
		ended := w.cta.Index.X - first.X
		if outcome == portable.Done {
			ended++
		}
		w.countEnded(ended)
		n -= ended
		first.X += ended
		switch outcome {
		case portable.Failed:
			w.fault = w.faultOf(w.cta.Fault)
			l.end.fail(w.number())
			return false
		case portable.Stopped:
			w.stopped = w.stoppedAt()
			return false
		}
	}
	return true
}

// countEnded tells whoever wants to know that CTAs have come to their end.
func (w *worker) countEnded(n int) {
	if w.launch.grid.Ended == nil {
		return
	}
	w.launch.grid.Ended.Add(int64(n))
	if runtime.GOARCH == "wasm" {
		runtime.Gosched() // there is one thread: whoever reads the count has no other chance to run
	}
}
