package portable

import (
	"math"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt"
)

// allLanes is the mask of a whole warp.
const allLanes = math.MaxUint32

// activation is a function that lanes of a warp are in.
type activation struct {
	code   *Code
	frame  unsafe.Pointer         // the homes, 64-byte aligned
	memory []byte                 // that the frame is in
	parent *activation            // that it was called from; nil of a kernel
	back   simt.BlockID           // the block of parent that the call ended
	callee int                    // which of the call's callees it is
	base   int                    // of its part of local memory
	depth  int                    // of calls
	lanes  uint32                 // that have not returned or ended
	tops   *[simt.WarpSize]uint32 // by lane: where its stack ended when it came; nil if nobody had one
	kept   any                    // by a Fast
	shared *kept                  // by a Fast, for all activations of the code in the CTA
	note   *activation            // see noted
}

// FrameSize is how many bytes an activation of the function takes for its values, in each warp.
func (c *Code) FrameSize() int { return c.homes.Size }

// newActivation allocates a frame and fills in what does not change.
func newActivation(code *Code) *activation {
	a := &activation{code: code, memory: make([]byte, code.homes.Size+64)}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(a.memory)))
	a.frame = unsafe.Pointer(&a.memory[-at&63])
	for _, k := range code.constant {
		fillHome(a.frame, k.home, k.typ, k.bits)
	}
	return a
}

// fillHome gives all lanes of a home one value.
func fillHome(frame unsafe.Pointer, home int32, t simt.Type, bits uint64) {
	switch t {
	case simt.Pred:
		*predicateAt(frame, home) = uint64(-uint32(bits & 1))
	case simt.B32:
		pairs := (*[simt.WarpSize / 2]uint64)(unsafe.Add(frame, home))
		for n := range pairs {
			pairs[n] = bits<<32 | bits&math.MaxUint32
		}
	case simt.B64:
		wides := widesAt(frame, home)
		for lane := range wides {
			wides[lane] = bits
		}
	}
}

func wordsAt(frame unsafe.Pointer, home int32) *[simt.WarpSize]uint32 {
	return (*[simt.WarpSize]uint32)(unsafe.Add(frame, home))
}

func widesAt(frame unsafe.Pointer, home int32) *[simt.WarpSize]uint64 {
	return (*[simt.WarpSize]uint64)(unsafe.Add(frame, home))
}

// predicateAt is a predicate: lane i is bit i.
func predicateAt(frame unsafe.Pointer, home int32) *uint64 {
	return (*uint64)(unsafe.Add(frame, home))
}

// words, wides and predicate are the homes of values of the running function.
func (w *Warp) words(home int32) *[simt.WarpSize]uint32 { return wordsAt(w.frame, home) }
func (w *Warp) wides(home int32) *[simt.WarpSize]uint64 { return widesAt(w.frame, home) }
func (w *Warp) predicate(home int32) uint32             { return uint32(*predicateAt(w.frame, home)) }

// lane returns the bits that a lane has in a home.
func (w *Warp) lane(home int32, t simt.Type, lane int) uint64 {
	switch t {
	case simt.Pred:
		return uint64(w.predicate(home) >> lane & 1)
	case simt.B32:
		return uint64(w.words(home)[lane])
	}
	return w.wides(home)[lane]
}

// setLane writes the bits that a lane has in a home.
func (w *Warp) setLane(home int32, t simt.Type, lane int, bits uint64) {
	switch t {
	case simt.Pred:
		p := predicateAt(w.frame, home)
		*p = *p&^(1<<lane) | bits&1<<lane
	case simt.B32:
		w.words(home)[lane] = uint32(bits)
	default:
		w.wides(home)[lane] = bits
	}
}

// blend writes the active lanes of values to a home.
func blend[W uint32 | uint64](to, values *[simt.WarpSize]W, mask uint32) {
	if mask == allLanes {
		*to = *values
		return
	}
	for lane := range to {
		if mask>>lane&1 != 0 {
			to[lane] = values[lane]
		}
	}
}

// blendPredicate writes the active lanes of a predicate.
func blendPredicate(to *uint64, bits, mask uint32) {
	*to = uint64(uint32(*to)&^mask | bits&mask)
}
