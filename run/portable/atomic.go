package portable

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// updates are the operations of atom and red (PTX ISA 9.7.13.5) on values of up to 64 bits.
var updates = map[string]func(old, b, c uint64) uint64{
	"inc.u32": func(old, b, _ uint64) uint64 {
		if uint32(old) >= uint32(b) {
			return 0
		}
		return old + 1
	},
	"dec.u32": func(old, b, _ uint64) uint64 {
		if uint32(old) == 0 || uint32(old) > uint32(b) {
			return b
		}
		return old - 1
	},
	"add.f32": func(old, b, _ uint64) uint64 { return single(float(old) + float(b)) },
	// In global memory, subnormal numbers are flushed.
	"add.ftz.f32": func(old, b, _ uint64) uint64 { return single(flushed(flushed(float(old)) + flushed(float(b)))) },
	"add.f64":     func(old, b, _ uint64) uint64 { return double(math.Float64frombits(old) + math.Float64frombits(b)) },
}

func init() {
	for _, typ := range []string{"f16", "f16x2", "bf16", "bf16x2"} {
		sum := op.Must("add." + typ)
		updates["add."+typ] = func(old, b, _ uint64) uint64 { return op.Fold(sum, old, b) }
	}
	updates["cas.u16"] = func(old, b, c uint64) uint64 {
		if uint16(old) == uint16(b) {
			return uint64(uint16(c))
		}
		return old
	}
	define[uint32]("u32")
	define[int32]("s32")
	define[uint64]("u64")
	define[int64]("s64")
}

// define enters the operations that all integer types have.
func define[T uint32 | int32 | uint64 | int64](typ string) {
	two := func(name string, f func(old, b T) T) {
		updates[name+"."+typ] = func(old, b, _ uint64) uint64 { return uint64(f(T(old), T(b))) }
	}
	two("add", func(old, b T) T { return old + b })
	two("and", func(old, b T) T { return old & b })
	two("or", func(old, b T) T { return old | b })
	two("xor", func(old, b T) T { return old ^ b })
	two("exch", func(_, b T) T { return b })
	two("min", func(old, b T) T { return min(old, b) })
	two("max", func(old, b T) T { return max(old, b) })
	updates["cas."+typ] = func(old, b, c uint64) uint64 {
		if T(old) == T(b) {
			return c
		}
		return old
	}
}

func float(x uint64) float32 { return math.Float32frombits(uint32(x)) }

func flushed(x float32) float32 {
	if x != 0 && math.Abs(float64(x)) < 0x1p-126 {
		return float32(math.Copysign(0, float64(x)))
	}
	return x
}

// single and double return the bits of results. NaNs are NVIDIA's own.
func single(x float32) uint64 {
	if x != x {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(x))
}

func double(x float64) uint64 {
	if x != x {
		return 0xfff8000000000000
	}
	return math.Float64bits(x)
}

// atomic makes the step of an atomic operation: lane after lane. Other cores may work on the same
// memory, but not on shared memory.
func (c *Code) atomic(i *simt.Inst) step {
	a := i.Aux.(*simt.Access)
	f, ok := updates[a.Update]
	if !ok {
		panic(fmt.Sprintf("portable: no atomic operation %s", a.Update))
	}
	at := c.addressesOf(i, a)
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
				return w.badAccess(a, lane, address)
			}
			shared := a.Space == check.Shared || a.Space == check.Generic && address-simt.SharedWindow < simt.WindowSize
			race.Release()
			old := update(data, a, !shared, func(old uint64) uint64 { return f(old, w.lane(x, t, lane), w.lane(y, t, lane)) })
			race.Acquire()
			if d >= 0 {
				w.setLane(d, t, lane, old)
			}
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
	switch a.Size {
	case 2:
		return updateHalf(unsafe.Pointer(unsafe.SliceData(data)), f)
	case 4:
		place := word32(data)
		for {
			old := atomic.LoadUint32(place)
			if atomic.CompareAndSwapUint32(place, old, uint32(f(uint64(old)))) {
				return uint64(old)
			}
		}
	}
	place := word64(data)
	for {
		old := atomic.LoadUint64(place)
		if atomic.CompareAndSwapUint64(place, old, f(old)) {
			return old
		}
	}
}

// updateHalf is update for two bytes: of the word that they are in, since allocations have room behind them.
func updateHalf(half unsafe.Pointer, f func(old uint64) uint64) (old uint64) {
	upper := uintptr(half) & 2
	place := (*uint32)(unsafe.Add(half, -int(upper)))
	shift := 8 * upper
	for {
		word := atomic.LoadUint32(place)
		old := uint64(word >> shift & 0xffff)
		changed := word&^(0xffff<<shift) | uint32(f(old)&0xffff)<<shift
		if atomic.CompareAndSwapUint32(place, word, changed) {
			return old
		}
	}
}
