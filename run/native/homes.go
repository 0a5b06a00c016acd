package native

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// Values between the frame, where the code has them, and their homes, where all others have them.

// home returns the address of a value's home.
func (k *Kernel) home(r *Run, v simt.ID) unsafe.Pointer {
	return unsafe.Add(r.Homes, k.code.Homes.Offset[v])
}

// bringHome writes a value to its home, as it is where the code has left. What no machine code computes is computed
// now.
func (k *Kernel) bringHome(r *Run, v simt.ID, at int32) {
	f := r.Frame
	if f.seen[v] == f.visit {
		return
	}
	f.seen[v] = f.visit
	if kind := k.function.Values[v].Kind; v == 0 || kind == simt.Const || kind == simt.Special {
		return
	}
	l := &k.code.Values[v]
	if l.AtHome {
		return
	}
	if l.Lanes != nil {
		k.bringLanesHome(r, v, l, at)
		return
	}
	if len(l.Parts) == 0 {
		where := k.defined[v]
		if where.inst < 0 {
			return // nobody reads it
		}
		for _, a := range k.function.Blocks[where.block].Insts[where.inst].Args {
			k.bringHome(r, a, at)
		}
		r.Machine.Step(where.block, int(where.inst), math.MaxUint32)
		return
	}
	for p := range l.Parts {
		if !l.Parts[p].Covers(at) {
			return
		}
	}
	to := k.home(r, v)
	if l.Scalar {
		fill(to, k.function.Values[v].Type, *f.at64(l.Parts[0].Offset))
		return
	}
	for p := range l.Parts {
		from := unsafe.Add(f.start, l.Parts[p].Offset)
		if k.function.Values[v].Type == simt.Pred {
			k.setHome(to, p, from)
		} else {
			k.copyVector(unsafe.Add(to, p*k.code.VectorBytes), from)
		}
	}
}

// copyVector copies a part of a value.
func (k *Kernel) copyVector(to, from unsafe.Pointer) {
	switch k.code.VectorBytes {
	case 64:
		*(*[64]byte)(to) = *(*[64]byte)(from)
	case 32:
		*(*[32]byte)(to) = *(*[32]byte)(from)
	default:
		*(*[16]byte)(to) = *(*[16]byte)(from)
	}
}

// setHome writes part p of a predicate to its home, and fetchSet reads it from there.
func (k *Kernel) setHome(home unsafe.Pointer, p int, from unsafe.Pointer) {
	if k.code.VectorBytes == 64 {
		*(*uint16)(unsafe.Add(home, 2*p)) = *(*uint16)(from)
		return
	}
	words := unsafe.Slice((*uint32)(from), k.code.VectorBytes/4)
	set, first := (*uint32)(home), p*len(words)
	*set &^= (1<<len(words) - 1) << first
	for lane, word := range words {
		*set |= word >> 31 << (first + lane)
	}
}

func (k *Kernel) fetchSet(to, home unsafe.Pointer, p int) {
	if k.code.VectorBytes == 64 {
		*(*uint16)(to) = *(*uint16)(unsafe.Add(home, 2*p))
		return
	}
	words := unsafe.Slice((*uint32)(to), k.code.VectorBytes/4)
	for lane := range words {
		words[lane] = -(*(*uint32)(home) >> (p*len(words) + lane) & 1)
	}
}

// bringLanesHome writes a value home that is a scalar, or one for each half of the warp, and a constant for each lane.
func (k *Kernel) bringLanesHome(r *Run, v simt.ID, l *frame.Location, at int32) {
	var scalars [2]uint64
	for p := range l.Parts {
		if !l.Parts[p].Covers(at) {
			return
		}
		scalars[p] = *r.Frame.at64(l.Parts[p].Offset)
	}
	if len(l.Parts) == 1 {
		scalars[1] = scalars[0]
	}
	to := k.home(r, v)
	for lane, c := range l.Lanes {
		x := scalars[lane/16] + uint64(c)
		if k.function.Values[v].Type == simt.B64 {
			*(*uint64)(unsafe.Add(to, 8*lane)) = x
		} else {
			*(*uint32)(unsafe.Add(to, 4*lane)) = uint32(x)
		}
	}
}

// fetchLanes is fetch for such values.
func (k *Kernel) fetchLanes(r *Run, from unsafe.Pointer, t simt.Type, l *frame.Location, lanes uint32) bool {
	width := uint64(math.MaxUint64)
	if t == simt.B32 {
		width = math.MaxUint32
	}
	var scalars [2]uint64
	known := [2]bool{len(l.Parts) == 0, len(l.Parts) == 0}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		g := lane / 16
		if len(l.Parts) < 2 {
			g = 0
		}
		x := (laneOf(from, t, lane) - uint64(l.Lanes[lane])) & width
		if known[g] && x != scalars[g] {
			return false
		}
		scalars[g], known[g] = x, true
	}
	for g := range l.Parts { // a half of the warp without lanes has what the other has
		if !known[g] {
			scalars[g] = scalars[1-g]
		}
		*r.Frame.at64(l.Parts[g].Offset) = scalars[g]
	}
	return true
}

// fill gives all lanes of a home one value.
func fill(to unsafe.Pointer, t simt.Type, value uint64) {
	switch t {
	case simt.Pred:
		*(*uint32)(to) = -uint32(value & 1)
	case simt.B32:
		words := (*[simt.WarpSize]uint32)(to)
		for lane := range words {
			words[lane] = uint32(value)
		}
	default:
		wides := (*[simt.WarpSize]uint64)(to)
		for lane := range wides {
			wides[lane] = value
		}
	}
}

// fetch reads a value that some lanes have from its home to where the code expects it. It returns false if the code
// takes it for the same in all lanes, and it is not.
func (k *Kernel) fetch(r *Run, v simt.ID, at int32, lanes uint32) bool {
	l := &k.code.Values[v]
	for p := range l.Parts {
		if !l.Parts[p].Covers(at) {
			return true
		}
	}
	from, t := k.home(r, v), k.function.Values[v].Type
	if l.Lanes != nil {
		return k.fetchLanes(r, from, t, l, lanes)
	}
	if l.Scalar {
		value := laneOf(from, t, bits.TrailingZeros32(lanes))
		for rest := lanes & (lanes - 1); rest != 0; rest &= rest - 1 {
			if laneOf(from, t, bits.TrailingZeros32(rest)) != value {
				return false
			}
		}
		*r.Frame.at64(l.Parts[0].Offset) = value
		return true
	}
	for p := range l.Parts {
		to := unsafe.Add(r.Frame.start, l.Parts[p].Offset)
		if t == simt.Pred {
			k.fetchSet(to, from, p)
		} else {
			k.copyVector(to, unsafe.Add(from, p*k.code.VectorBytes))
		}
	}
	return true
}

// laneOf returns what a lane has in a home.
func laneOf(home unsafe.Pointer, t simt.Type, lane int) uint64 {
	switch t {
	case simt.Pred:
		return uint64(*(*uint32)(home) >> lane & 1)
	case simt.B32:
		return uint64(*(*uint32)(unsafe.Add(home, 4*lane)))
	}
	return *(*uint64)(unsafe.Add(home, 8*lane))
}
