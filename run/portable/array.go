package portable

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt"
)

// Array computes a function of one word of three, as package simt/build makes them, for every word of slices: 32
// words at a time, as the lanes of a warp. It may be run by several goroutines at once.
type Array struct {
	code   *Code
	inputs [3]int32 // the homes of the operands, -1 of those that the function does not read
	result int32
	warps  sync.Pool // of *Warp
}

// NewArray returns an array of a function.
func NewArray(f *simt.Function) *Array {
	a := &Array{code: Bind(f, nil), inputs: [3]int32{-1, -1, -1}}
	for _, s := range a.code.specials {
		a.inputs[s.name[0]-'a'] = s.home
	}
	a.result = a.code.block(0).args[0]
	a.warps.New = func() any {
		root := newActivation(a.code)
		return &Warp{root: root, act: root, frame: root.frame, mask: allLanes, active: allLanes}
	}
	return a
}

// Run computes dst[i] from x[i], y[i] and z[i] for all i. Operands that the function does not read may be nil; the
// others must be at least as long as dst. dst may be one of the operands, or overlap them.
func (a *Array) Run(dst, x, y, z []uint32) {
	sources := [3][]uint32{x, y, z}
	for n := range sources {
		if a.inputs[n] < 0 {
			continue
		}
		if len(sources[n]) < len(dst) {
			panic(fmt.Sprintf("portable: Run: operand %c has %d words and the destination %d", 'a'+n, len(sources[n]), len(dst)))
		}
		sources[n] = sources[n][:len(dst)]
		if startsWithin(dst, sources[n]) {
			sources[n] = slices.Clone(sources[n])
		}
	}
	w := a.warps.Get().(*Warp)
	defer a.warps.Put(w)
	for from := 0; from < len(dst); from += simt.WarpSize {
		to := min(from+simt.WarpSize, len(dst))
		for n, home := range a.inputs {
			if home >= 0 {
				copy(w.words(home)[:], sources[n][from:to])
			}
		}
		for _, s := range a.code.block(0).steps {
			s(w)
		}
		copy(dst[from:to], w.words(a.result)[:])
	}
}

// startsWithin reports whether writing dst from its start on overwrites words of a source, of the same length,
// before they are read.
func startsWithin(dst, source []uint32) bool {
	d, s := uintptr(unsafe.Pointer(unsafe.SliceData(dst))), uintptr(unsafe.Pointer(unsafe.SliceData(source)))
	return s < d && d < s+uintptr(len(source))*4
}
