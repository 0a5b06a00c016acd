package litmus

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A writer writes a kernel of programs, one behind the other. Each thread of a CTA is a thread of the program in one instance,
// or none; in each round it runs its part on cells that nobody has used. All wait for the CTAs of a round to have come,
// though not for ever: what is seen must be right at any time, and is of interest where threads run side by side. That they
// do, once they do so, for several programs, is why a kernel has several.
//
// Its registers: %is a thread of the program, %x where its first location is, or where each is in arrays, %g likewise
// as a generic address, %t and %u numbers of one statement, %p and %q predicates of one.
type writer struct {
	strings.Builder
	*Program
	launch *Launch
	number int // of the program
	rng    *rand.Rand
	labels int
	guard  string // of all that has an effect: "@%is1 " where threads are written as one
}

// Kernel returns the programs of a launch as PTX: a kernel k whose parameters are the cells, the
// results, the words by which CTAs meet, how many turns they wait for each other, and how many
// turns a pause has.
func (l *Launch) Kernel() string {
	w := &writer{launch: l}
	w.WriteString(".version 8.5\n.target sm_90\n.address_size 64\n")
	if l.Programs[0].Shared {
		w.WriteString(".extern .shared .align 16 .b8 memory[];\n")
	}
	w.WriteString(".visible .entry k(.param .u64 cells, .param .u64 results, .param .u64 meet, .param .u32 patience, .param .u32 pause)\n{\n")
	w.linef(".reg .b32 %%thread, %%cta, %%patience, %%pause; .reg .b64 %%meet, %%mine;")
	w.linef("mov.u32 %%thread, %%tid.x; mov.u32 %%cta, %%ctaid.x; ld.param.u32 %%patience, [patience]; ld.param.u32 %%pause, [pause];")
	w.linef("ld.param.u64 %%meet, [meet]; mul.wide.u32 %%mine, %%cta, 64; add.u64 %%mine, %%mine, %%meet;")
	for n, p := range l.Programs {
		w.Program, w.number, w.rng = p, n, rand.New(rand.NewPCG(p.Seed, 0x6c69746d7573))
		w.program()
	}
	w.WriteString("\tret;\n}\n")
	return w.Builder.String()
}

// program writes one program.
func (w *writer) program() {
	w.WriteString("{\n")
	w.declare()
	w.begin()
	w.round()
	w.end()
	w.WriteString("}\n")
}

func (w *writer) linef(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }

// effectf writes a line that has an effect.
func (w *writer) effectf(format string, args ...any) {
	w.linef("%s%s", w.guard, fmt.Sprintf(format, args...))
}

func (w *writer) label() string {
	w.labels++
	return fmt.Sprintf("L%d", w.labels)
}

// declare declares all registers.
func (w *writer) declare() {
	w.linef(".reg .pred %%is<%d>, %%p, %%q, %%in;", len(w.Threads))
	w.linef(".reg .b16 %%h<3>;")
	w.linef(".reg .b32 %%lane, %%warp, %%part, %%one, %%round, %%t, %%u, %%instance;")
	w.linef(".reg .b64 %%a, %%b, %%v, %%results, %%x<%d>, %%g<%d>;", len(w.Sizes), len(w.Sizes))
	for t := range w.Threads {
		for r, size := range w.widths(t) {
			w.linef(".reg .b%d %%%s;", registerBits(size), register(t, r))
		}
	}
}

// register is the name of a register of a thread.
func register(thread, r int) string { return fmt.Sprintf("r%d_%d", thread, r) }

// registerBits is the width of a register that holds so many bytes.
func registerBits(size int) int { return max(32, 8*size) }

// widths returns how many bytes each register of a thread holds.
func (p *Program) widths(thread int) (sizes []int) {
	for i := range p.Threads[thread] {
		op := &p.Threads[thread][i]
		for e := range op.defines() {
			sizes = append(sizes, p.Sizes[op.Location+e]*op.Wide)
		}
	}
	return sizes
}

// begin finds out which thread of the program a thread is, and where its instance is. Those that
// are none go along, so that lanes do not part, or end if no program is left.
func (w *writer) begin() {
	w.linef("shr.u32 %%warp, %%thread, 5; and.b32 %%lane, %%thread, 31;")
	if k := w.sharing(); k > 1 {
		w.linef("div.u32 %%instance, %%lane, %d; rem.u32 %%part, %%lane, %d;", k, k)
	} else {
		w.linef("mov.u32 %%instance, %%lane; mov.u32 %%part, 0;")
	}
	w.linef("setp.lt.u32 %%in, %%instance, %d;", w.Width)
	for t, at := range w.Places {
		w.linef("setp.eq.and.u32 %%is%d, %%cta, %d, %%in;", t, at.CTA)
		if w.launch.Block() > 32 {
			w.linef("setp.eq.and.u32 %%is%d, %%warp, %d, %%is%d;", t, at.Warp, t)
		}
		if w.sharing() > 1 {
			w.linef("setp.eq.and.u32 %%is%d, %%part, %d, %%is%d;", t, w.lane(t), t)
		}
	}
	w.linef("mov.pred %%in, %%is0;")
	for t := range w.Threads[1:] {
		w.linef("or.pred %%in, %%in, %%is%d;", t+1)
	}
	if len(w.launch.Programs) == 1 {
		w.linef("@!%%in exit;")
	}
	w.firstCells()
}

// firstCells leaves the addresses of the first instance's locations, and of its results.
func (w *writer) firstCells() {
	place := w.launch.place(w.number)
	w.linef("ld.param.u64 %%results, [results]; mul.wide.u32 %%v, %%instance, %d; add.u64 %%results, %%results, %%v;", w.slot())
	w.linef("add.u64 %%results, %%results, %d;", place.results)
	if w.Shared {
		w.linef("mov.u64 %%x0, memory;")
	} else {
		w.linef("ld.param.u64 %%x0, [cells]; add.u64 %%x0, %%x0, %d;", place.cells)
	}
	for l := 1; l < len(w.Sizes) && w.Layout == Arrays; l++ {
		w.linef("add.u64 %%x%d, %%x%d, %d;", l, l-1, place.apart)
	}
	for l, pitch := range w.pitches() {
		w.linef("mul.wide.u32 %%v, %%instance, %d; add.u64 %%x%d, %%x%d, %%v;", pitch, l, l)
		if w.Shared {
			w.linef("cvta.shared.u64 %%g%d, %%x%d;", l, l)
		}
	}
}

// pitches is how far the cells of instances are apart, of each register that has an address.
func (p *Program) pitches() []int {
	switch p.Layout {
	case Lines:
		return []int{64 * len(p.Sizes)}
	case Dense:
		pitch := 16
		for pitch < len(p.Sizes)*p.Sizes[0] {
			pitch *= 2
		}
		return []int{pitch << (p.Seed % 3)}
	}
	return p.Sizes
}

// address is where a location is: the register and what is to be added.
func (w *writer) address(location int, generic bool) (string, int) {
	name, n, offset := "x", 0, 0
	if generic && w.Shared {
		name = "g"
	}
	switch w.Layout {
	case Lines:
		offset = 64 * location
	case Dense:
		offset = location * w.Sizes[0]
	case Arrays:
		n = location
	}
	return fmt.Sprintf("%%%s%d", name, n), offset
}

// round writes the loop over the rounds.
func (w *writer) round() {
	w.linef("mov.u32 %%round, 0;")
	turn := w.label()
	fmt.Fprintf(w, "%s:\n", turn)
	w.linef("add.u32 %%one, %%round, %d;", w.number*w.launch.Rounds+1)
	for t := range w.Threads {
		for r, size := range w.widths(t) {
			w.linef("mov.b%d %%%s, 0;", registerBits(size), register(t, r))
		}
	}
	w.meet()
	if w.Merged {
		w.merged()
	} else {
		w.apart()
	}
	w.linef("add.u64 %%results, %%results, %d;", w.slot()*w.Width)
	for l, pitch := range w.pitches() {
		w.linef("add.u64 %%x%d, %%x%d, %d;", l, l, pitch*w.Width)
		if w.Shared {
			w.linef("add.u64 %%g%d, %%g%d, %d;", l, l, pitch*w.Width)
		}
	}
	w.again(turn)
}

// again goes back to a label as long as there are rounds left.
func (w *writer) again(label string) {
	w.linef("add.u32 %%round, %%round, 1; setp.lt.u32 %%p, %%round, %d; @%%p bra %s;", w.launch.Rounds, label)
}

// meet brings the threads together before a round: those of the CTA by a barrier, and CTAs by words
// that tell how far they are, as long as there is patience left for it.
func (w *writer) meet() {
	if w.Meets {
		w.linef("barrier.sync 0;")
	}
	if w.CTAs() == 1 {
		return
	}
	w.linef("st.relaxed.gpu.global.u32 [%%mine], %%one;")
	for c := range w.CTAs() {
		wait, on := w.label(), w.label()
		fmt.Fprintf(w, "%s:\n", wait)
		w.linef("setp.eq.u32 %%q, %%patience, 0; @%%q bra %s;", on)
		w.linef("sub.u32 %%patience, %%patience, 1;")
		w.linef("ld.relaxed.gpu.global.u32 %%t, [%%meet+%d]; setp.lt.u32 %%q, %%t, %%one; @%%q bra %s;", 64*c, wait)
		fmt.Fprintf(w, "%s:\n", on)
	}
}

// apart writes the threads of the program one after the other, each behind a branch.
func (w *writer) apart() {
	done := w.label()
	labels := make([]string, len(w.Threads))
	order := w.rng.Perm(len(w.Threads)) // of lanes, those that stand first go first
	w.linef("@!%%in bra %s;", done)
	for n, t := range order {
		if labels[t] = w.label(); n > 0 {
			w.linef("@%%is%d bra %s;", t, labels[t])
		}
	}
	for _, t := range order {
		ops := w.Threads[t]
		fmt.Fprintf(w, "%s:\n", labels[t])
		w.skew()
		next := 0
		for i := range ops {
			w.instruction(t, next, &ops[i])
			next += ops[i].defines()
		}
		w.results(t)
		w.linef("bra %s;", done)
	}
	fmt.Fprintf(w, "%s:\n", done)
}

// skew lets a thread begin later in some rounds than in others.
func (w *writer) skew() {
	most := []int{0, 7, 31, 127}[w.rng.IntN(4)]
	if most == 0 || w.CTAs() == 1 {
		return
	}
	turn, done := w.label(), w.label()
	w.linef("mul.lo.u32 %%t, %%round, %d; shr.u32 %%t, %%t, 4; and.b32 %%t, %%t, %d;", 2*w.rng.IntN(64)+1, most)
	fmt.Fprintf(w, "%s:\n", turn)
	w.linef("setp.eq.u32 %%q, %%t, 0; @%%q bra %s;", done)
	w.linef("sub.u32 %%t, %%t, 1; bra %s;", turn)
	fmt.Fprintf(w, "%s:\n", done)
}

// merged writes the instructions of all threads in some order, each under the guard that it is that
// thread.
func (w *writer) merged() {
	place, next := make([]int, len(w.Threads)), make([]int, len(w.Threads))
	for {
		var left []int
		for t, ops := range w.Threads {
			if place[t] < len(ops) {
				left = append(left, t)
			}
		}
		if len(left) == 0 {
			break
		}
		t := left[w.rng.IntN(len(left))]
		op := &w.Threads[t][place[t]]
		w.guard = fmt.Sprintf("@%%is%d ", t)
		w.instruction(t, next[t], op)
		place[t]++
		next[t] += op.defines()
	}
	for t := range w.Threads {
		w.guard = fmt.Sprintf("@%%is%d ", t)
		w.results(t)
	}
	w.guard = ""
}

// results stores the registers of a thread.
func (w *writer) results(thread int) {
	first := 0
	for t := range thread {
		first += w.registers(t)
	}
	for r, size := range w.widths(thread) {
		name := "%" + register(thread, r)
		if size < 8 {
			w.linef("cvt.u64.u32 %%v, %s;", name)
			name = "%v"
		}
		w.effectf("st.global.u64 [%%results+%d], %s;", 8*(first+r), name)
	}
}

// end stores what shared memory holds, once all threads have ended their rounds.
func (w *writer) end() {
	if !w.Shared {
		return
	}
	w.linef("barrier.sync 0;")
	w.firstCells()
	w.linef("mov.u32 %%round, 0;")
	turn := w.label()
	fmt.Fprintf(w, "%s:\n", turn)
	all := 0
	for t := range w.Threads {
		all += w.registers(t)
	}
	for l, size := range w.Sizes {
		base, offset := w.address(l, false)
		w.linef("@%%is0 ld.shared.u%d %%v, [%s+%d];", 8*size, base, offset)
		w.linef("@%%is0 st.global.u64 [%%results+%d], %%v;", 8*(all+l))
	}
	w.linef("add.u64 %%results, %%results, %d;", w.slot()*w.Width)
	for l, pitch := range w.pitches() {
		w.linef("add.u64 %%x%d, %%x%d, %d;", l, l, pitch*w.Width)
	}
	w.again(turn)
}
