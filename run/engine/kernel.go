package engine

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Kernel is a word program made ready for an engine. It may be run by several
// goroutines at once.
type Kernel struct {
	engine   *Engine
	reads    [3]int    // for each operand -1 if it is read, or 0
	fewest   int       // words that fit: a block, or none if the steps need memory
	sequence *sequence // nil if the engine is portable, or its machine has not all operations
	columns  *columns  // nil if sequence is not
}

// Compile makes a kernel of a program. The program must pass [word.Program.Check].
//
// Every engine runs every program. Programs made for the engine's [Engine.Caps]
// run at the engine's speed, others may run at that of a portable engine, or less.
func (e *Engine) Compile(p *word.Program) *Kernel {
	k := &Kernel{engine: e, reads: operandsOf(p), fewest: longest + 1}
	if e.unit != nil {
		if s, ok := newSequence(e.unit, p); ok {
			k.sequence = s
			if s.slots == 0 && !raceEnabled {
				k.fewest = s.unit.words()
			}
			return k
		}
	}
	k.columns = newColumns(p)
	return k
}

// usesOf returns how often each value of a program is needed: as an argument of
// values that are needed themselves, or as the result.
func usesOf(p *word.Program) []int {
	uses := make([]int, len(p.Insts))
	uses[p.Result] = 1
	for v := p.Result; v >= 0; v-- {
		if i := &p.Insts[v]; uses[v] > 0 {
			for _, argument := range i.Arg[:i.Op.Args()] {
				uses[argument]++
			}
		}
	}
	return uses
}

// operandsOf returns -1 for the operands that the result of a program depends on,
// and 0 for the others.
func operandsOf(p *word.Program) (reads [3]int) {
	for v, uses := range usesOf(p) {
		if i := &p.Insts[v]; i.Op == word.Input && uses > 0 {
			reads[i.Imm] = -1
		}
	}
	return reads
}

// Run computes dst[i] from a[i], b[i] and c[i] for all i. Operands that the
// program does not read may be nil; the others must be at least as long as dst.
// dst may be one of the operands. Run allocates nothing, unless dst overlaps an
// operand but starts after it.
func (k *Kernel) Run(dst, a, b, c []uint32) {
	// Arrays are often short, and a call takes as long as some hundred words: so most
	// calls do no more than this.
	n := len(dst)
	if k.fits(n) && k.apart(dst, a, 0) && k.apart(dst, b, 1) && k.apart(dst, c, 2) {
		s := k.sequence
		pa, pb, pc, d := unsafe.SliceData(a), unsafe.SliceData(b), unsafe.SliceData(c), unsafe.SliceData(dst)
		whole := n &^ (k.fewest - 1)
		s.call(s.steps, nil, pa, pb, pc, d, whole)
		if whole < n {
			// The last words make no block, so that some before them are computed again.
			last := n - k.fewest
			s.call(s.steps, nil, after(pa, last), after(pb, last), after(pc, last), after(d, last), k.fewest)
		}
		return
	}
	if k.runInPlace(dst, a, b, c) {
		return
	}
	k.run(dst, [3][]uint32{a, b, c})
}

// runInPlace runs the kernel if its steps need no memory, and dst is less than a block
// or overlaps no operand that it is not.
func (k *Kernel) runInPlace(dst, a, b, c []uint32) bool {
	n := len(dst)
	if n == 0 || n > longest || k.fewest > longest || n >= k.fewest && !(k.same(dst, a, 0) && k.same(dst, b, 1) && k.same(dst, c, 2)) {
		return false
	}
	pa, pb, pc, ok := k.operands(n, a, b, c)
	if !ok {
		return false
	}
	s, d := k.sequence, unsafe.SliceData(dst)
	whole := n &^ (k.fewest - 1)
	if whole > 0 {
		s.call(s.steps, nil, pa, pb, pc, d, whole)
	}
	if whole < n {
		s.end(nil, after(pa, whole), after(pb, whole), after(pc, whole), after(d, whole), n-whole)
	}
	return true
}

// same reports whether operand i begins where dst does, or is apart from it.
func (k *Kernel) same(dst, operand []uint32, i int) bool {
	return unsafe.SliceData(operand) == unsafe.SliceData(dst) || k.apart(dst, operand, i)
}

// operands returns where the operands are that are read, and nil for the others; ok is
// false if one has fewer than n words.
func (k *Kernel) operands(n int, a, b, c []uint32) (pa, pb, pc *uint32, ok bool) {
	if k.reads[0] != 0 {
		pa = unsafe.SliceData(a)
	}
	if k.reads[1] != 0 {
		pb = unsafe.SliceData(b)
	}
	if k.reads[2] != 0 {
		pc = unsafe.SliceData(c)
	}
	return pa, pb, pc, len(a) >= n&k.reads[0] && len(b) >= n&k.reads[1] && len(c) >= n&k.reads[2]
}

// fits reports whether the steps of the kernel can run over n words as they are:
// whether they need no memory, and whether n is at least one block and not too many for one call.
func (k *Kernel) fits(n int) bool { return k.fewest <= n && n <= longest }

// apart reports whether operand i is as long as dst and does not overlap it, or
// is not read.
func (k *Kernel) apart(dst, operand []uint32, i int) bool {
	d, o := uintptr(unsafe.Pointer(unsafe.SliceData(dst))), uintptr(unsafe.Pointer(unsafe.SliceData(operand)))
	bytes := uintptr(len(dst)) * 4
	return len(operand) >= len(dst)&k.reads[i] && d-o+bytes-1 >= 2*bytes-1
}

// run is Run for operands of any kind.
func (k *Kernel) run(dst []uint32, sources [3][]uint32) {
	n := len(dst)
	if n == 0 {
		return
	}
	for i := range sources {
		if k.reads[i] == 0 {
			sources[i] = nil
			continue
		}
		if len(sources[i]) < n {
			panic(fmt.Sprintf("engine: Run: operand %c has %d words and the destination %d", 'a'+i, len(sources[i]), n))
		}
		sources[i] = sources[i][:n]
		if overlapsAhead(dst, sources[i]) {
			sources[i] = slices.Clone(sources[i])
		}
		reportRead(sources[i])
	}
	reportWrite(dst)

	r := k.engine.room.Get().(*room)
	if k.sequence != nil {
		k.sequence.run(r, dst, &sources)
	} else {
		k.columns.run(r, dst, &sources)
	}
	k.engine.room.Put(r)
}

// overlapsAhead reports whether writing dst from its start on overwrites words of
// a source, of the same length, before they are read.
func overlapsAhead(dst, source []uint32) bool {
	d, s := uintptr(unsafe.Pointer(&dst[0])), uintptr(unsafe.Pointer(&source[0]))
	return s < d && d < s+uintptr(len(source))*4
}

// room is memory for the values of a block, of whichever kind of kernel.
type room struct {
	bytes []byte
	frame frame
}

// get returns n bytes of unspecified content, aligned to [alignment].
func (r *room) get(n int) []byte {
	if len(r.bytes) < n {
		r.bytes = aligned(n)
	}
	return r.bytes[:n]
}
