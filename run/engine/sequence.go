package engine

import (
	"slices"
	"unsafe"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// sequence is a word program as steps of a vector machine.
type sequence struct {
	unit      *unit
	steps     []machine.Step
	far       []machine.Step // the same for arrays beyond the caches
	constants []byte
	slots     int // how many the steps use
}

// longest is the number of words that one call of assembly works on. The Go
// runtime cannot stop a goroutine in assembly, so calls are kept to some
// microseconds.
const longest = 1 << 15

// run computes dst from the sources, which have the same length.
func (s *sequence) run(r *room, dst []uint32, sources *[3][]uint32) {
	block, column := s.unit.words(), s.unit.column()
	slots := unsafe.SliceData(r.get(s.slots * column))

	var p [3]*uint32
	for i, source := range sources {
		p[i] = unsafe.SliceData(source)
	}
	d := unsafe.SliceData(dst)
	whole := len(dst) &^ (block - 1)
	steps := s.steps
	if len(dst) >= beyondCaches && uintptr(unsafe.Pointer(d))%alignment == 0 && !aliased(dst, sources) {
		steps = s.far
	}
	for done := 0; done < whole; {
		n := min(whole-done, longest)
		s.call(steps, slots, after(p[0], done), after(p[1], done), after(p[2], done), after(d, done), n)
		done += n
	}
	if whole < len(dst) {
		s.end(slots, after(p[0], whole), after(p[1], whole), after(p[2], whole), after(d, whole), len(dst)-whole)
	}
}

// end runs the steps over n words, fewer than a block. It works on copies, so that dst may
// overlap operands in any way.
func (s *sequence) end(slots *byte, a, b, c, dst *uint32, n int) {
	s.unit.runEnd(unsafe.SliceData(s.steps), unsafe.SliceData(s.constants), slots, a, b, c, dst, n)
}

// beyondCaches is the number of words from which on an array is taken to be in memory
// rather than in a cache. Then it saves time not to read the destination before
// writing it. Long slices begin at a page, so that most are aligned.
const beyondCaches = 1 << 22

// aliased reports whether dst begins where a source begins: then it is read anyway.
func aliased(dst []uint32, sources *[3][]uint32) bool {
	return slices.ContainsFunc(sources[:], func(source []uint32) bool {
		return unsafe.SliceData(source) == unsafe.SliceData(dst)
	})
}

// call runs steps over n words, a multiple of the block.
func (s *sequence) call(steps []machine.Step, slots *byte, a, b, c, dst *uint32, n int) {
	runSteps(unsafe.SliceData(steps), unsafe.SliceData(s.constants), slots, a, b, c, dst, uintptr(n)*4)
}

// after returns the address n words after p, or nil if p is nil.
func after(p *uint32, n int) *uint32 {
	if p == nil {
		return nil
	}
	return (*uint32)(unsafe.Add(unsafe.Pointer(p), n*4))
}
