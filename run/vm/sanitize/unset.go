package sanitize

import (
	"math/bits"
	"sync/atomic"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

func first(lanes uint32) int { return bits.TrailingZeros32(lanes) }
func count(lanes uint32) int { return bits.OnesCount32(lanes) }

// unset collects the lanes of an access that read what has not been written.
type unset struct {
	needed               uint32 // the bytes of the access that may have an effect
	count, lane, missing int
}

// unsetOf begins with no lanes. What is not a load needs all bytes.
func (s *Sanitizer) unsetOf(a *portable.Accesses) unset {
	if needed, ok := s.launch.sites.needed[a.Access]; ok {
		return unset{needed: needed}
	}
	return unset{needed: 1<<32 - 1}
}

// add notes the bytes that a lane reads and that have not been written: bit n stands for byte n of the access.
func (u *unset) add(lane int, missing uint32) {
	if missing &= u.needed; missing == 0 {
		return
	}
	if u.count == 0 {
		u.lane, u.missing = lane, bits.TrailingZeros32(missing)
	}
	u.count++
}

func (u *unset) report(s *Sanitizer, w *portable.Warp, a *portable.Accesses) {
	if u.count > 0 {
		s.report(w, u.lane, u.count, Finding{Kind: UnsetMemory, Access: a.Access, Address: a.Address[u.lane], Missing: u.missing})
	}
}

// bytesOf is a mask of so many bytes of a word, from the given one on.
func bytesOf(at, n int) uint8 { return uint8(1<<n-1) << at }

// unsetShared checks whether what lanes read of shared memory has been written, and notes what they write.
// Only then does an access that does both set what it has read.
func (s *Sanitizer) unsetShared(w *portable.Warp, a *portable.Accesses, lanes uint32) {
	span := int(a.Span())
	if a.Reads() {
		found := s.unsetOf(a)
		for rest := lanes; rest != 0; rest &= rest - 1 {
			lane := first(rest)
			offset, missing := int(a.Offset[lane]), uint32(0)
			for at, end := offset, offset+span; at < end; {
				word, in := at/4, at%4
				n := min(4-in, end-at)
				missing |= uint32((bytesOf(in, n)&^s.shared.cells[word].set)>>in) << (at - offset)
				at += n
			}
			found.add(lane, missing)
			if a.Writes { // another lane's atomic operation sees what this one writes
				s.setShared(int(a.Offset[lane]), span)
			}
		}
		found.report(s, w, a)
	} else {
		for rest := lanes; rest != 0; rest &= rest - 1 {
			s.setShared(int(a.Offset[first(rest)]), span)
		}
	}
}

func (s *Sanitizer) setShared(at, span int) {
	for end := at + span; at < end; {
		n := min(4-at%4, end-at)
		s.shared.cells[at/4].set |= bytesOf(at%4, n)
		at += n
	}
}

// localShadow returns the shadow of the local memory of a warp that a place is in, and the place in that: word n of a lane is at 32*n+lane.
func (s *Sanitizer) localShadow(w *portable.Warp, lane, at int) (shadow []uint8, place int) {
	to, size := &s.local[w.Number], w.LocalMemory()
	if at >= simt.DynamicLocal {
		to, size, at = &s.stacks[w.Number], w.StackSize(lane), at-simt.DynamicLocal
	}
	if need := (size + 3) / 4 * simt.WarpSize; need > len(*to) {
		*to = append(*to, make([]uint8, need-len(*to))...)
	}
	return *to, at
}

// unsetLocal checks accesses to local memory.
func (s *Sanitizer) unsetLocal(w *portable.Warp, a *portable.Accesses, lanes uint32) {
	span, reads := int(a.Span()), a.Reads()
	found := s.unsetOf(a)
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := first(rest)
		shadow, offset := s.localShadow(w, lane, int(a.Offset[lane]))
		missing := uint32(0)
		for at, end := offset, offset+span; at < end; {
			n := min(4-at%4, end-at)
			place, bytes := &shadow[at/4*simt.WarpSize+lane], bytesOf(at%4, n)
			missing |= uint32((bytes&^*place)>>(at%4)) << (at - offset)
			if a.Writes {
				*place |= bytes
			}
			at += n
		}
		if reads {
			found.add(lane, missing)
		}
	}
	found.report(s, w, a)
}

// localSet reports whether a byte of local memory has been written; setLocal notes that some have been or,
// if not, that they mean nothing.
func (s *Sanitizer) localSet(w *portable.Warp, lane, at int) bool {
	shadow, at := s.localShadow(w, lane, at)
	return shadow[at/4*simt.WarpSize+lane]>>(at%4)&1 != 0
}

func (s *Sanitizer) setLocal(w *portable.Warp, lane, at, span int, written bool) {
	shadow, at := s.localShadow(w, lane, at)
	for end := at + span; at < end; {
		n := min(4-at%4, end-at)
		if place := &shadow[at/4*simt.WarpSize+lane]; written {
			*place |= bytesOf(at%4, n)
		} else {
			*place &^= bytesOf(at%4, n)
		}
		at += n
	}
}

// region returns the allocation that an address is in.
func (l *Launch) region(address uint64) int {
	low, high := 0, len(l.regions)
	for low < high {
		if middle := int(uint(low+high) / 2); l.regions[middle].Base <= address {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low - 1
}

// unsetGlobal checks accesses to global memory, of buffers that are marked.
func (s *Sanitizer) unsetGlobal(w *portable.Warp, a *portable.Accesses, lanes uint32) {
	span := int(a.Span())
	found := s.unsetOf(a)
	n := s.launch.region(a.Address[first(lanes)])
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := first(rest)
		address := a.Address[lane]
		if r := &s.launch.regions[n]; address-r.Base >= uint64(r.Size) {
			n = s.launch.region(address)
		}
		r := &s.launch.regions[n]
		if r.Unset == nil {
			continue
		}
		offset := int(address - r.Base)
		if a.Reads() {
			missing := uint32(0)
			for at := range span {
				missing |= atomic.LoadUint32(&r.Unset[(offset+at)/32]) >> ((offset + at) % 32) & 1 << at
			}
			found.add(lane, missing)
		}
		if a.Writes { // aligned, so that all bytes are in one word of the bits
			bits := uint32(1<<span-1) << (offset % 32)
			if place := &r.Unset[offset/32]; atomic.LoadUint32(place)&bits != 0 {
				atomic.AndUint32(place, ^bits)
			}
		}
	}
	found.report(s, w, a)
}

// Enter makes the local memory of a function that is entered unset, and what alloca gives.
func (s *Sanitizer) Enter(w *portable.Warp, lanes uint32, base, size int) {
	for rest := lanes; rest != 0 && size > 0; rest &= rest - 1 {
		s.setLocal(w, first(rest), base, size, false)
	}
}

// Pass makes an argument or a result that is copied in local memory set where its source is. Registers are set.
func (s *Sanitizer) Pass(w *portable.Warp, lanes uint32, to, from, size int) {
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := first(rest)
		if from < 0 {
			s.setLocal(w, lane, to, size, true)
			continue
		}
		for i := range size {
			s.setLocal(w, lane, to+i, 1, s.localSet(w, lane, from+i))
		}
	}
}
