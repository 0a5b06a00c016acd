package portable

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/run/portable/atomics"
	"github.com/vop-ptx/vop/run/simt"
)

// atomic makes the step of an atomic operation: lane after lane. Other cores may work on the same
// memory, but not on shared memory.
func (c *Code) atomic(i *simt.Inst) step {
	a := i.Aux.(*simt.Access)
	if a.Whole {
		return c.atomicWhole(i, a)
	}
	f := atomics.Of(a.Update)
	if f == nil {
		panic(fmt.Sprintf("portable: no atomic operation %s", a.Update))
	}
	at := c.addressesOf(i, a)
	if a.Elements > 1 {
		return c.atomicElements(i, a, f)
	}
	x, y := c.home(i.Args[1]), c.home(i.Args[2])
	t := c.Function.Values[i.Args[1]].Type
	d := int32(-1)
	if len(i.Defs) > 0 {
		d = c.home(i.Defs[0])
	}
	return func(w *Warp) bool {
		var recent window
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			address := at.of(w, lane)
			var data []byte
			if !isLocal(a, address) {
				data = w.find(a, address, &recent)
			}
			if data == nil {
				return w.badAccess(a, lane, address, rest)
			}
			race.Release()
			old := update(data, a, !inShared(a, address), func(old uint64) uint64 { return f(old, w.lane(x, t, lane), w.lane(y, t, lane)) })
			race.Acquire()
			if d >= 0 {
				w.setLane(d, t, lane, old)
			}
		}
		return true
	}
}

// atomicElements makes the step of an atomic operation on the elements of vectors: each is changed by itself.
func (c *Code) atomicElements(i *simt.Inst, a *simt.Access, f func(old, b, c uint64) uint64) step {
	at := c.addressesOf(i, a)
	values, defs := c.homesOf(i.Args[1:]), c.homesOf(i.Defs)
	return func(w *Warp) bool {
		var recent window
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			address := at.of(w, lane)
			var data []byte
			if !isLocal(a, address) {
				data = w.find(a, address, &recent)
			}
			if data == nil {
				return w.badAccess(a, lane, address, rest)
			}
			race.Release()
			for k, x := range values {
				b := w.lane(x, simt.B32, lane)
				old := update(data[k*a.Size:], a, !inShared(a, address), func(old uint64) uint64 { return f(old, b, b) })
				if len(defs) > 0 {
					w.setLane(defs[k], simt.B32, lane, old)
				}
			}
			race.Acquire()
		}
		return true
	}
}

// update replaces an element by what f makes of it, and returns what it was.
func update(data []byte, a *simt.Access, concurrent bool, f func(old uint64) uint64) (old uint64) {
	if !concurrent {
		old = value(data, a)
		put(data, a, f(old))
		return old
	}
	if a.Size <= 4 {
		return partOf(data, a.Size).update(f)
	}
	place := word64(data)
	for {
		old := atomic.LoadUint64(place)
		if atomic.CompareAndSwapUint64(place, old, f(old)) {
			return old
		}
	}
}
