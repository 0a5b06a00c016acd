package native

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// Windows are what the accesses of a kernel have found: memory that stays where it is while the launch goes on.
type Windows struct {
	memory []byte
	data   [][]byte            // by window: keeps the memory
	large  map[*byte]*streamed // by the first byte of memory that is large enough to go past the caches
}

// streamed tells how large memory is used.
type streamed struct {
	loaded bool               // a load has found it
	stores map[int32]struct{} // the windows of the stores that have, until a load does
}

// NewWindows returns windows for one launch, with the parameters of the kernel.
func (k *Kernel) NewWindows(params []byte) *Windows {
	all := &Windows{
		memory: make([]byte, k.code.Windows+8),
		data:   make([][]byte, k.code.Windows/frame.WindowSize),
		large:  make(map[*byte]*streamed),
	}
	copy(all.memory[:k.code.Params], params)
	return all
}

// findWindow notes the memory that an access has found.
func (k *Kernel) findWindow(r *Run, site *frame.Site, inst *simt.Inst, lanes uint32) {
	if inst.Aux.(*simt.Access).Space == check.Local { // which has no windows: what is not found there is what alloca gives
		return
	}
	if inst.Guard != 0 {
		guard := *(*uint32)(unsafe.Add(r.Homes, k.code.Homes.Offset[inst.Guard]))
		if inst.GuardNot {
			guard = ^guard
		}
		if lanes &= guard; lanes == 0 {
			return
		}
	}
	access := inst.Aux.(*simt.Access)
	lane, home := bits.TrailingZeros32(lanes), k.code.Homes.Offset[inst.Args[0]]
	address := access.Offset
	if k.function.Values[inst.Args[0]].Type == simt.B64 {
		address += *(*uint64)(unsafe.Add(r.Homes, int(home)+8*lane))
	} else {
		address = uint64(uint32(address) + *(*uint32)(unsafe.Add(r.Homes, int(home)+4*lane)))
	}
	data, base, ok := r.Machine.Window(access, address)
	if !ok || uint64(len(data)) < access.Span() || base%access.Span() != 0 {
		return
	}
	r.Windows.set(site.Window, data, base, access.Span(), uint64(site.Extent))
	if site.Together != 0 {
		r.Windows.set(site.Together, data, base, access.Span(), uint64(site.Extends))
	}
	k.noteStream(r.Windows, data, site.Window, inst.Kind == simt.Store)
}

// set writes a window for accesses of a span, whose addresses are as far apart as extent at most.
func (all *Windows) set(window int32, data []byte, base, span, extent uint64) {
	all.data[window/frame.WindowSize] = data
	w := all.memory[window:]
	binary.LittleEndian.PutUint64(w[frame.WindowBase:], base)
	limit := uint64(len(data)) - span + 1
	binary.LittleEndian.PutUint64(w[frame.WindowLimit:], limit)
	inRange := limit - min(limit, extent)
	binary.LittleEndian.PutUint64(w[frame.WindowRange:], inRange)
	binary.LittleEndian.PutUint64(w[frame.WindowSpans:], (inRange+span-1)/span)
	binary.LittleEndian.PutUint64(w[frame.WindowHost:], uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data)))))
	binary.LittleEndian.PutUint64(w[frame.WindowDelta:], uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data))))-base)
}

// defaultStream is several times what the caches of a core have.
const defaultStream = 16 << 20

// noteStream says whether stores through a window that has found data go past the caches: they do if data is large and
// nothing has been loaded from it. A load ends it for all stores to that memory.
func (k *Kernel) noteStream(all *Windows, data []byte, window int32, stores bool) {
	least := k.options.Stream
	if least == 0 {
		least = defaultStream
	}
	if len(data) < least {
		all.setStreams(window, 0)
		return
	}
	memory := all.large[unsafe.SliceData(data)]
	if memory == nil {
		memory = &streamed{stores: make(map[int32]struct{})}
		all.large[unsafe.SliceData(data)] = memory
	}
	if !stores {
		memory.loaded = true
		for other := range memory.stores {
			all.setStreams(other, 0)
		}
		clear(memory.stores)
	}
	if memory.loaded {
		all.setStreams(window, 0)
		return
	}
	memory.stores[window] = struct{}{}
	all.setStreams(window, 1)
}

func (w *Windows) setStreams(window int32, streams uint64) {
	binary.LittleEndian.PutUint64(w.memory[window+frame.WindowStreams:], streams)
}
