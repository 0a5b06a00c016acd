package vm

import (
	"time"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// ReadTexels reads texels for a warp and, lane by lane, what the warp ought to have got. It returns false if it reads none for a warp.
func ReadTexels(t *Texture, r *portable.Reads) (want [4][simt.WarpSize]uint32, ok bool) {
	args, defs := make([]uint64, 1+r.Op.Dimensions), make([]uint64, 4)
	for lane := range simt.WarpSize {
		for d := range r.Op.Dimensions {
			args[1+d] = uint64(r.At[d][lane])
		}
		if t.execute(r.Op, args, defs) != nil {
			return want, false
		}
		for c := range want {
			if want[c][lane] = r.To[c][lane]; r.Lanes>>lane&1 != 0 {
				want[c][lane] = uint32(defs[c])
			}
		}
	}
	return want, t.readWarp(r)
}

// stopping is a host whose launch is to end as soon as it has been asked a number of times.
type stopping struct {
	host
	left *int
}

func (h stopping) Stopped() bool {
	*h.left--
	return *h.left < 0
}

// StoppedAt runs the first CTA of a launch without parameters until it has been asked asked times whether the launch is to
// end, and tells where that was; nil if the CTA has ended before.
func StoppedAt(k *Kernel, g Grid, asked int) *StoppedError {
	l := &launch{kernel: k, grid: g, allocations: *k.module.memory.allocations.Load(), code: k.code}
	w := &worker{launch: l}
	w.prepare(stopping{host{l, w}, &asked})
	if w.cta.Run(portable.Dim{}, 0) != portable.Stopped {
		return nil
	}
	return w.stoppedAt()
}

// Threads have all the time they need when one has failed, so that what tests expect does not depend on how busy the machine is.
func init() { graceOfThreads = time.Minute }

// WithGrace gives threads so long when one has failed, until what it returns is called.
func WithGrace(d time.Duration) (restore func()) {
	before := graceOfThreads
	graceOfThreads = d
	return func() { graceOfThreads = before }
}

// FailedGrace is how long they have otherwise.
const FailedGrace = failedGrace

// WithTurns lets lanes lose their turns after so many jumps back, until what it returns is called.
func WithTurns(n int) (restore func()) {
	turnOfLanes = n
	return func() { turnOfLanes = 0 }
}
