package portable

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// window is a piece of memory that accesses may touch.
type window struct {
	data []byte
	base uint64 // the address of the first byte
	ok   bool
}

// firstLane is the first active lane.
func (w *Warp) firstLane() int { return bits.TrailingZeros32(w.mask) }

// addresses is where the lanes of an access find their addresses, offset included.
type addresses struct {
	home   int32
	wide   bool
	offset uint64
}

func (c *Code) addressesOf(i *simt.Inst, a *simt.Access) addresses {
	return addresses{c.home(i.Args[0]), c.Function.Values[i.Args[0]].Type == simt.B64, a.Offset}
}

// of returns a lane's address. 32-bit addresses wrap around as such.
func (a addresses) of(w *Warp, lane int) uint64 {
	if a.wide {
		return w.wides(a.home)[lane] + a.offset
	}
	return uint64(w.words(a.home)[lane] + uint32(a.offset))
}

// isLocal reports whether an address of an access is in local memory.
func isLocal(a *simt.Access, address uint64) bool {
	return a.Space == check.Local || a.Space == check.Generic && address-simt.LocalWindow < simt.WindowSize
}

// localOffset returns an address's offset in local memory.
func localOffset(a *simt.Access, address uint64) uint64 {
	if a.Space == check.Generic {
		return address - simt.LocalWindow
	}
	return address
}

// window returns the memory that an address of an access is in. Local memory is not found by it.
func (w *Warp) window(a *simt.Access, address uint64) window {
	switch {
	case a.Space == check.Shared:
		return window{w.cta.Shared, 0, true}
	case a.Space == check.Param:
		return window{w.cta.Params, 0, !a.Writes} // all CTAs read them
	case a.Space == check.Generic && address-simt.SharedWindow < simt.WindowSize:
		return window{w.cta.Shared, simt.SharedWindow, true}
	case a.Space == check.Generic && address-simt.ParamWindow < simt.WindowSize:
		return window{w.cta.Params, simt.ParamWindow, !a.Writes}
	}
	data, base, ok := w.cta.host.Window(address, a.Writes)
	return window{data, base, ok}
}

// at returns the bytes at an address, if so many are there and it is a multiple of their number.
func (m *window) at(address, span uint64) []byte {
	offset, size := address-m.base, uint64(len(m.data))
	if !m.ok || offset > size || size-offset < span || offset&(span-1) != 0 {
		return nil
	}
	return m.data[offset : offset+span]
}

// find returns the bytes of a lane's access, or nil. recent is the window of a lane before it.
func (w *Warp) find(a *simt.Access, address uint64, recent *window) []byte {
	if data := recent.at(address, a.Span()); data != nil && recent.base <= address {
		return data
	}
	*recent = w.window(a, address)
	return recent.at(address, a.Span())
}

// badAccess is the fault of a lane's access; rest are that lane and those behind it.
func (w *Warp) badAccess(a *simt.Access, lane int, address uint64, rest uint32) bool {
	return w.fail(&Fault{Kind: BadAccess, Access: a, Lane: lane, Address: address}, rest)
}

// value returns the number that the bytes of an element are.
func value(data []byte, a *simt.Access) uint64 {
	switch a.Size {
	case 1:
		if a.Signed {
			return uint64(int8(data[0]))
		}
		return uint64(data[0])
	case 2:
		if x := binary.LittleEndian.Uint16(data); a.Signed {
			return uint64(int16(x))
		} else {
			return uint64(x)
		}
	case 4:
		if x := binary.LittleEndian.Uint32(data); a.Signed {
			return uint64(int32(x))
		} else {
			return uint64(x)
		}
	}
	return binary.LittleEndian.Uint64(data)
}

// put writes an element.
func put(data []byte, a *simt.Access, value uint64) {
	switch a.Size {
	case 1:
		data[0] = byte(value)
	case 2:
		binary.LittleEndian.PutUint16(data, uint16(value))
	case 4:
		binary.LittleEndian.PutUint32(data, uint32(value))
	default:
		binary.LittleEndian.PutUint64(data, value)
	}
}

// word32 and word64 are elements that atomic instructions access. Allocations begin at multiples of 8, and accesses are aligned.
func word32(data []byte) *uint32 { return (*uint32)(unsafe.Pointer(unsafe.SliceData(data))) }
func word64(data []byte) *uint64 { return (*uint64)(unsafe.Pointer(unsafe.SliceData(data))) }

// A part is some bytes of the aligned word that they are in, or all four. Allocations have room behind them.
type part struct {
	word  *uint32
	shift uintptr // how many bits are below it
	mask  uint32
}

// partOf returns where so many bytes at the beginning of data are.
func partOf(data []byte, size int) part {
	at := unsafe.Pointer(unsafe.SliceData(data))
	below := uintptr(at) & 3
	return part{(*uint32)(unsafe.Add(at, -int(below))), 8 * below, 1<<(8*size) - 1}
}

// load reads a part.
func (p part) load() uint32 { return atomic.LoadUint32(p.word) >> p.shift & p.mask }

// update replaces a part by what f makes of it, and returns what it was.
func (p part) update(f func(old uint64) uint64) (old uint64) {
	for {
		word := atomic.LoadUint32(p.word)
		old := uint64(word >> p.shift & p.mask)
		changed := word&^(p.mask<<p.shift) | uint32(f(old))&p.mask<<p.shift
		if atomic.CompareAndSwapUint32(p.word, word, changed) {
			return old
		}
	}
}

// strongValue and strongPut are value and put of elements in global memory, which other workers may access meanwhile.
// Go's race detector would take the bytes beside one for accessed as well, and two accesses of one byte for a race where
// they are not atomic operations: it does not see those of one and two bytes, and package race tells it of their order.
func strongValue(data []byte, a *simt.Access) (x uint64) {
	switch {
	case a.Size == 4:
		x = extended(uint64(atomic.LoadUint32(word32(data))), a)
	case a.Size == 8:
		x = atomic.LoadUint64(word64(data))
	case race.Enabled:
		x = extended(unseenValue(data, a.Size), a)
	default:
		x = extended(uint64(partOf(data, a.Size).load()), a)
	}
	race.Acquire()
	return x
}

func strongPut(data []byte, a *simt.Access, value uint64) {
	race.Release()
	switch {
	case a.Size == 4:
		atomic.StoreUint32(word32(data), uint32(value))
	case a.Size == 8:
		atomic.StoreUint64(word64(data), value)
	case race.Enabled:
		unseenPut(data, a.Size, value)
	default:
		partOf(data, a.Size).update(func(uint64) uint64 { return value })
	}
}

// unseenValue reads one byte or two, which the race detector does not see.
//
//go:norace
func unseenValue(data []byte, size int) uint64 {
	at := unsafe.Pointer(unsafe.SliceData(data))
	if size == 1 {
		return uint64(*(*uint8)(at))
	}
	return uint64(*(*uint16)(at))
}

// unseenPut writes one byte or two, which the race detector does not see.
//
//go:norace
func unseenPut(data []byte, size int, value uint64) {
	at := unsafe.Pointer(unsafe.SliceData(data))
	if size == 1 {
		*(*uint8)(at) = uint8(value)
	} else {
		*(*uint16)(at) = uint16(value)
	}
}

// inShared reports whether an address is one of shared memory, which no other worker accesses.
func inShared(a *simt.Access, address uint64) bool {
	return a.Space == check.Shared || a.Space == check.Generic && address-simt.SharedWindow < simt.WindowSize
}

// fences is what all fences access. Of two of them the later one has seen the earlier one, and with it what its thread has done before, by Go's memory model.
var fences atomic.Uint32

// fence lets others see what is accessed before it before they see what is accessed behind it.
func fence(*Warp) bool {
	fences.Add(1)
	return true
}

// maxElements is how many an access has at most: ld.global.v8.b32.
const maxElements = 8

// load makes the step of a load: lane after lane, but one read for lanes behind each other that name the same address. What
// it finds is the same for them then, as [simt.Function.Uniform] has it, even if others write there meanwhile.
func (c *Code) load(i *simt.Inst) step {
	a := i.Aux.(*simt.Access)
	from := c.addressesOf(i, a)
	defs := c.homesOf(i.Defs)
	types := make([]simt.Type, len(defs))
	for k, d := range i.Defs {
		types[k] = c.Function.Values[d].Type
	}
	return func(w *Warp) bool {
		var recent window
		var found [maxElements]uint64
		var foundAt uint64
		any := false
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			address := from.of(w, lane)
			if isLocal(a, address) {
				at := localOffset(a, address)
				if !w.insideLocal(lane, at, a.Span()) {
					return w.badAccess(a, lane, address, rest)
				}
				for k, d := range defs {
					if d >= 0 {
						w.setLane(d, types[k], lane, extended(w.loadLocal(lane, at+uint64(k*a.Size), uint64(a.Size)), a))
					}
				}
				continue
			}
			if !any || address != foundAt {
				data := w.find(a, address, &recent)
				if data == nil {
					return w.badAccess(a, lane, address, rest)
				}
				read := value
				if a.Strong && !inShared(a, address) {
					read = strongValue
				}
				held := hold(a, data)
				for k := range defs {
					found[k] = read(data[k*a.Size:], a)
				}
				held.release()
				any, foundAt = true, address
			}
			for k, d := range defs {
				if d >= 0 {
					w.setLane(d, types[k], lane, found[k])
				}
			}
		}
		return true
	}
}

// extended returns an element as its type is extended.
func extended(x uint64, a *simt.Access) uint64 {
	if !a.Signed {
		return x
	}
	shift := 64 - 8*a.Size
	return uint64(int64(x<<shift) >> shift)
}

// store makes the step of a store: lane after lane, so that of lanes that write to the same place the
// last one's value stays.
func (c *Code) store(i *simt.Inst) step {
	a := i.Aux.(*simt.Access)
	to := c.addressesOf(i, a)
	values := c.homesOf(i.Args[1:])
	types := make([]simt.Type, len(values))
	for k, v := range i.Args[1:] {
		types[k] = c.Function.Values[v].Type
	}
	return func(w *Warp) bool {
		var recent window
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			address := to.of(w, lane)
			if isLocal(a, address) {
				at := localOffset(a, address)
				if !w.insideLocal(lane, at, a.Span()) {
					return w.badAccess(a, lane, address, rest)
				}
				for k, v := range values {
					w.storeLocal(lane, at+uint64(k*a.Size), uint64(a.Size), w.lane(v, types[k], lane))
				}
				continue
			}
			data := w.find(a, address, &recent)
			if data == nil {
				return w.badAccess(a, lane, address, rest)
			}
			write := put
			if a.Strong && !inShared(a, address) {
				write = strongPut
			}
			held := hold(a, data)
			for k, v := range values {
				write(data[k*a.Size:], a, w.lane(v, types[k], lane))
			}
			held.release()
		}
		return true
	}
}

// localSize is how many bytes of local memory the threads have that are in a function: those of it and its callers. Functions that have been
// called before, by whichever threads, may have had more, which is nobody's now.
func (a *activation) localSize() int { return (a.base + a.code.Function.Local + 3) &^ 3 }

// LocalMemory is how many bytes of local memory there are for each thread of the warp, whatever functions they are in.
func (w *Warp) LocalMemory() int { return len(w.local) / simt.WarpSize * 4 }

// needLocal makes local memory as large as it has to be.
func (w *Warp) needLocal(size int) {
	need := (size + 3) / 4 * simt.WarpSize
	if need <= len(w.local) {
		return
	}
	if need > cap(w.local) {
		larger := newLocal(max(need, min(2*need, simt.MaxLocal/4*simt.WarpSize)))[:len(w.local)]
		copy(larger, w.local)
		w.local = larger
	}
	w.local = w.local[:need]
}

// newLocal allocates local memory. It begins at a multiple of 64 bytes and has as many before and behind it, which
// vectors may read that hold more than what lanes need.
func newLocal(words int) []uint32 {
	const line = 64 / 4
	memory := make([]uint32, words+3*line)
	at := line + int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))&63/4)
	return memory[at : at+words : at+words]
}

// insideLocal reports whether a lane's access to local memory is inside and aligned.
func (w *Warp) insideLocal(lane int, at, span uint64) bool {
	size := uint64(w.act.localSize())
	if at >= simt.DynamicLocal {
		at, size = at-simt.DynamicLocal, uint64(w.stack.tops[lane])
	}
	return at <= size && size-at >= span && at&(span-1) == 0
}

// localWords returns the local memory that an offset is in, and where in it its word is.
func (w *Warp) localWords(lane int, at uint64) (words []uint32, place int) {
	if at >= simt.DynamicLocal {
		return w.stack.words, int((at-simt.DynamicLocal)/4)*simt.WarpSize + lane
	}
	return w.local, int(at/4)*simt.WarpSize + lane
}

// loadLocal returns the size bytes at an offset of a lane's local memory.
func (w *Warp) loadLocal(lane int, at, size uint64) uint64 {
	words, place := w.localWords(lane, at)
	if size == 8 {
		return uint64(words[place]) | uint64(words[place+simt.WarpSize])<<32
	}
	return uint64(words[place]) >> (at % 4 * 8) & (1<<(size*8) - 1)
}

// storeLocal writes size bytes at an offset of a lane's local memory.
func (w *Warp) storeLocal(lane int, at, size, value uint64) {
	words, place := w.localWords(lane, at)
	if size == 8 {
		words[place], words[place+simt.WarpSize] = uint32(value), uint32(value>>32)
		return
	}
	shift := at % 4 * 8
	field := uint32(1<<(size*8)-1) << shift
	words[place] = words[place]&^field | uint32(value)<<shift&field
}
