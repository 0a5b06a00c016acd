package randomc

import (
	"fmt"
	"slices"
)

// Phases: a kernel whose threads work together does so in steps. In a phase no thread sees what another writes: of each shared array
// they either have elements of their own, or all read all, or all add to any. So it can be computed thread by thread.

// slots is how many words a thread has from phase to phase, and maxBlock how many threads a block has at most.
const (
	slots    = 8
	maxBlock = 128
)

// shared are the shared arrays: each thread has a power of two of elements of its own.
var shared = []array{{name: "words", typ: u32, length: 4}, {name: "bytes", typ: u8, length: 8}, {name: "longs", typ: u64, length: 2}}

// step is a part of a kernel: a phase, an exchange in which threads see what others have, or steps that are repeated.
type step struct {
	phase    int  // the function's number among those of all phases
	adds     bool // the phase adds to shared arrays
	exchange *exchange
	steps    []step
	times    int  // how often the steps are done
	input    bool // the number is that of an input, modulo 4
}

// Adds says whether threads of a kernel add to shared arrays, by atomic operations.
func (p *Program) Adds(kernel int) bool { return slices.ContainsFunc(p.kernels[kernel], step.anyAdds) }

func (s step) anyAdds() bool { return s.adds || slices.ContainsFunc(s.steps, step.anyAdds) }

// exchangeNext reports whether step n is before an exchange: that waits for all who take part, and needs no barrier before it, as it sees only what
// is a thread's own.
func exchangeNext(steps []step, n int) bool { return n+1 < len(steps) && steps[n+1].exchange != nil }

// turns is how often the steps are done, in C.
func (s step) turns() string {
	if s.input {
		return fmt.Sprintf("in[%d] & 3", s.times)
	}
	return fmt.Sprint(s.times)
}

// together writes the phases of a kernel.
func (w *writer) together() []step {
	var steps []step
	for range 2 + w.rng.IntN(4) {
		s := w.step()
		if w.rng.IntN(4) == 0 {
			if s = (step{steps: []step{s, w.step()}, times: 2 + w.rng.IntN(2)}); w.rng.IntN(2) == 0 {
				s.times, s.input = w.rng.IntN(Inputs), true
			}
		}
		steps = append(steps, s)
	}
	return steps
}

func (w *writer) step() step {
	if w.rng.IntN(3) == 0 {
		return step{exchange: w.exchange()}
	}
	w.phase()
	w.phases++
	return step{phase: w.phases - 1, adds: w.added}
}

// phaseParameters are those of all phases.
const phaseParameters = "const u32 *in, u32 *own, u32 *words, u8 *bytes, u64 *longs, u32 t, u32 tid, u32 size"

// phase writes a phase.
func (w *writer) phase() {
	w.begin()
	w.line("STEP %svoid phase%d(%s) {", w.pick("", "", "__attribute__((noinline)) "), w.phases, phaseParameters)
	w.indent++
	w.declare()
	w.counting = append(w.counting, "tid", "size")
	w.arrays = append(w.arrays, array{name: "own", typ: u32, length: slots})
	for _, x := range shared {
		switch w.rng.IntN(4) {
		case 0:
			if x.typ.bits >= 32 {
				w.sums = append(w.sums, sum{array{name: x.name, typ: x.typ, length: x.length * maxBlock}, w.pick("add", "xor", "or", "and")})
			}
		case 1:
			w.arrays = append(w.arrays, array{name: x.name, typ: x.typ, length: x.length * maxBlock, constant: true})
		default:
			w.arrays = append(w.arrays, array{name: fmt.Sprintf("(%s + tid * %d)", x.name, x.length), typ: x.typ, length: x.length})
		}
	}
	w.long = w.rng.IntN(8) == 0
	w.statements(2+w.rng.IntN(6), 1+w.rng.IntN(3))
	w.long = false
	for n, value := range w.values() {
		w.line("own[%d] = own[%d] * 5 + %s;", n%slots, n%slots, value)
	}
	w.indent--
	w.line("}")
}

// ends are the first step and the last.
const ends = `
STEP void begin(` + phaseParameters + `) {
  for (u32 n = 0; n < 8; n++) own[n] = t * n;
  for (u32 n = tid; n < 128 * 4; n += size) words[n] = n;
  for (u32 n = tid; n < 128 * 8; n += size) bytes[n] = n;
  for (u32 n = tid; n < 128 * 2; n += size) longs[n] = n;
}
FN static void finish(u32 *own, u32 *out) {
  for (u32 n = 0; n < 8; n++) out[n] = own[n];
}
`

// sum is an array to whose elements all threads add, by an operation whose order nobody sees.
type sum struct {
	array     array
	operation string
}

// add adds to an element.
func (w *writer) add() {
	if len(w.sums) == 0 {
		w.store()
		return
	}
	w.added = true
	s := w.sums[w.rng.IntN(len(w.sums))]
	w.line("__atomic_fetch_%s(&%s[%s], %s, __ATOMIC_RELAXED);", s.operation, s.array.name, w.count(s.array.length, 1), w.expression(s.array.typ, 2))
}
