package portable

import (
	"fmt"
	"unsafe"

	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// compute makes the step of an operation: its loop, over the lanes of homes. In lanes that are not
// active the loop computes what is thrown away.
func (c *Code) compute(i *simt.Inst) step {
	d := c.home(i.Defs[0])
	var h [4]int32
	copy(h[:], c.homesOf(i.Args))
	a, b, e, g := h[0], h[1], h[2], h[3]
	if f, ok := bitwise[i.Op]; ok {
		return inPairs(d, a, b, f)
	}
	switch f := i.Op.Info().Loop.(type) {
	case op.Map1[uint32, uint32]:
		return toWords(d, func(w *Warp, to []uint32) { f(to, w.words(a)[:]) })
	case op.Map1[uint64, uint64]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:]) })
	case op.Map1[uint32, uint64]:
		return toWords(d, func(w *Warp, to []uint32) { f(to, w.wides(a)[:]) })
	case op.Map1[uint64, uint32]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.words(a)[:]) })
	case op.Map2[uint32, uint32, uint32]:
		return toWords(d, func(w *Warp, to []uint32) { f(to, w.words(a)[:], w.words(b)[:]) })
	case op.Map2[uint64, uint64, uint64]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:], w.wides(b)[:]) })
	case op.Map2[uint64, uint64, uint32]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:], w.words(b)[:]) })
	case op.Map2[uint64, uint32, uint32]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.words(a)[:], w.words(b)[:]) })
	case op.Map3[uint32, uint32, uint32, uint32]:
		return toWords(d, func(w *Warp, to []uint32) { f(to, w.words(a)[:], w.words(b)[:], w.words(e)[:]) })
	case op.Map3[uint64, uint64, uint64, uint64]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:], w.wides(b)[:], w.wides(e)[:]) })
	case op.Map3[uint64, uint32, uint32, uint64]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.words(a)[:], w.words(b)[:], w.wides(e)[:]) })
	case op.Map3[uint64, uint64, uint32, uint32]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:], w.words(b)[:], w.words(e)[:]) })
	case op.Map3[uint64, uint64, uint64, uint32]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:], w.wides(b)[:], w.words(e)[:]) })
	case op.Map4[uint32, uint32, uint32, uint32, uint32]:
		return toWords(d, func(w *Warp, to []uint32) { f(to, w.words(a)[:], w.words(b)[:], w.words(e)[:], w.words(g)[:]) })
	case op.Map4[uint64, uint64, uint64, uint32, uint32]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:], w.wides(b)[:], w.words(e)[:], w.words(g)[:]) })
	case op.Choose[uint32]:
		return toWords(d, func(w *Warp, to []uint32) { f(to, w.words(a)[:], w.words(b)[:], w.mask1(e)) })
	case op.Choose[uint64]:
		return toWides(d, func(w *Warp, to []uint64) { f(to, w.wides(a)[:], w.wides(b)[:], w.mask1(e)) })
	case op.Test[uint32]:
		return toPredicate(d, func(w *Warp, to op.Mask) { f(to, w.words(a)[:]) })
	case op.Test[uint64]:
		return toPredicate(d, func(w *Warp, to op.Mask) { f(to, w.wides(a)[:]) })
	case op.Compare[uint32, uint32]:
		return toPredicate(d, func(w *Warp, to op.Mask) { f(to, w.words(a)[:], w.words(b)[:]) })
	case op.Compare[uint64, uint64]:
		return toPredicate(d, func(w *Warp, to op.Mask) { f(to, w.wides(a)[:], w.wides(b)[:]) })
	case op.CarryOut[uint32]:
		return toPredicate(d, func(w *Warp, to op.Mask) { f(to, w.words(a)[:], w.words(b)[:], w.mask1(e)) })
	case op.CarryOut[uint64]:
		return toPredicate(d, func(w *Warp, to op.Mask) { f(to, w.wides(a)[:], w.wides(b)[:], w.mask1(e)) })
	case op.Logic1:
		return toPredicate(d, func(w *Warp, to op.Mask) { to[0] = f(*predicateAt(w.frame, a)) })
	case op.Logic2:
		return toPredicate(d, func(w *Warp, to op.Mask) { to[0] = f(*predicateAt(w.frame, a), *predicateAt(w.frame, b)) })
	case op.Logic3:
		return toPredicate(d, func(w *Warp, to op.Mask) {
			to[0] = f(*predicateAt(w.frame, a), *predicateAt(w.frame, b), *predicateAt(w.frame, e))
		})
	}
	panic(fmt.Sprintf("portable: no step for the shape of %v", i.Op))
}

// bitwise are operations on the bits of words that may as well be made on two words at a time.
var bitwise = map[op.Op]op.Map2[uint64, uint64, uint64]{
	op.Must("and.b32"): op.Must("and.b64").Info().Loop.(op.Map2[uint64, uint64, uint64]),
	op.Must("or.b32"):  op.Must("or.b64").Info().Loop.(op.Map2[uint64, uint64, uint64]),
	op.Must("xor.b32"): op.Must("xor.b64").Info().Loop.(op.Map2[uint64, uint64, uint64]),
	op.OfWord(word.AndNot).Op: func(dst, a, b []uint64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] &^ b[i]
		}
	},
}

// inPairs makes the step of a bitwise operation.
func inPairs(d, a, b int32, f op.Map2[uint64, uint64, uint64]) step {
	const pairs = simt.WarpSize / 2
	return func(w *Warp) bool {
		to := w.words(d)
		if w.mask != allLanes {
			to = &w.scratch32
		}
		f((*[pairs]uint64)(unsafe.Pointer(to))[:], (*[pairs]uint64)(unsafe.Pointer(w.words(a)))[:], (*[pairs]uint64)(unsafe.Pointer(w.words(b)))[:])
		if w.mask != allLanes {
			blend(w.words(d), to, w.mask)
		}
		return true
	}
}

// mask1 returns a predicate as loops take it.
func (w *Warp) mask1(home int32) op.Mask {
	return (*[1]uint64)(unsafe.Pointer(predicateAt(w.frame, home)))[:]
}

func toWords(d int32, f func(w *Warp, to []uint32)) step {
	return func(w *Warp) bool {
		if w.mask == allLanes {
			f(w, w.words(d)[:])
			return true
		}
		f(w, w.scratch32[:])
		blend(w.words(d), &w.scratch32, w.mask)
		return true
	}
}

func toWides(d int32, f func(w *Warp, to []uint64)) step {
	return func(w *Warp) bool {
		if w.mask == allLanes {
			f(w, w.wides(d)[:])
			return true
		}
		f(w, w.scratch64[:])
		blend(w.wides(d), &w.scratch64, w.mask)
		return true
	}
}

func toPredicate(d int32, f func(w *Warp, to op.Mask)) step {
	return func(w *Warp) bool {
		w.scratchP[0] = 0
		f(w, w.scratchP[:])
		blendPredicate(predicateAt(w.frame, d), uint32(w.scratchP[0]), w.mask)
		return true
	}
}
