package engine

import (
	"unsafe"

	"github.com/vop-ptx/vop/engine/internal/machine"
)

// sequence is a word program as steps of a vector machine.
type sequence struct {
	unit      *unit
	steps     []machine.Step
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
	memory := r.get((s.slots + 4) * column)
	slots := unsafe.SliceData(memory)

	var p [3]*uint32
	for i, source := range sources {
		p[i] = unsafe.SliceData(source)
	}
	d := unsafe.SliceData(dst)
	whole := len(dst) &^ (block - 1)
	for done := 0; done < whole; {
		n := min(whole-done, longest)
		s.call(slots, after(p[0], done), after(p[1], done), after(p[2], done), after(d, done), n)
		done += n
	}
	if whole == len(dst) {
		return
	}

	// The last words make no block: steps work on a copy that does.
	ends := memory[s.slots*column:]
	end := func(i int) []uint32 { return unsafe.Slice((*uint32)(unsafe.Pointer(&ends[i*column])), block) }
	for i, source := range sources {
		copied := end(i)
		if source != nil {
			copy(copied, source[whole:])
		}
		p[i] = &copied[0]
	}
	result := end(3)
	s.call(slots, p[0], p[1], p[2], &result[0], block)
	copy(dst[whole:], result)
}

// call runs the steps over n words, a multiple of the block.
func (s *sequence) call(slots *byte, a, b, c, dst *uint32, n int) {
	runSteps(unsafe.SliceData(s.steps), unsafe.SliceData(s.constants), slots, a, b, c, dst, uintptr(n)*4)
}

// after returns the address n words after p.
func after(p *uint32, n int) *uint32 { return (*uint32)(unsafe.Add(unsafe.Pointer(p), n*4)) }
