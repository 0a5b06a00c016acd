package vm

import (
	"math/bits"
	"sync"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
)

// Watch tells who writes to some bytes of global memory during launches. Instructions that write to surfaces
// are not watched.
type Watch struct {
	Address uint64
	Size    int
	// Count is how often they have been written, by how many threads.
	Count int64
	// Last is the last write, if Count is not 0; with several workers that of any of the blocks.
	Last Write

	mutex sync.Mutex
}

// Write is a store or an atomic operation of a thread.
type Write struct {
	// File, Line and Col are the place of the instruction in the PTX text; Source is that in
	// the program's own source, where .loc tells it.
	File          string
	Line, Col     int
	Source        string
	Access        string // "st.global.u32"
	Block, Thread Dim
}

// watcher is the observer of a CTA for a Watch.
type watcher struct {
	portable.Indifferent
	launch *launch
}

// Access looks whether a warp writes to the watched bytes.
func (w watcher) Access(warp *portable.Warp, a *portable.Accesses) (made uint32) {
	made = w.Indifferent.Access(warp, a)
	if !a.Writes && a.Update == "" {
		return made
	}
	watch := w.launch.grid.Watch
	for lanes := a.Lanes & a.Valid; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros32(lanes)
		if a.In[lane] == check.Global && a.Address[lane] < watch.Address+uint64(watch.Size) && watch.Address < a.Address[lane]+a.Span() {
			w.wrote(warp, a, lane)
		}
	}
	return made
}

func (w watcher) wrote(warp *portable.Warp, a *portable.Accesses, lane int) {
	l := w.launch
	write := Write{Access: a.Spelling, Block: Dim(warp.CTA().Index), Thread: l.grid.Block.at(warp.Number*warpSize + lane)}
	write.File, write.Line, write.Col, write.Source = placeOf(warp.Function().Decl, int(a.At))
	watch := l.grid.Watch
	watch.mutex.Lock()
	defer watch.mutex.Unlock()
	watch.Count++
	watch.Last = write
}
