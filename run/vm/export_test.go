package vm

import (
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
