package waiting

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer writes a kernel in a style.
type writer struct {
	*rand.Rand
	k      *Kernel
	text   strings.Builder
	n      map[byte]int // registers
	labels int

	v                       [variables]string
	rounds                  []string
	own                     string // the address of the thread's words
	thread, lane, warp, cta string
	threads                 string // the lanes of the warp
	global                  string // the address of the protocols' words in global memory
	shared, sharedGeneric   string // that of shared memory
	generic                 bool   // addresses are generic
	functions               *functions
}

// Text returns the kernel in a style.
func (k *Kernel) Text(style uint64) string {
	w := &writer{Rand: rand.New(rand.NewPCG(k.Seed, 3+style)), k: k, n: map[byte]int{}, functions: &functions{}}
	w.generic = w.oneOf(4)
	for n := range w.v {
		w.v[n] = w.new('r')
	}
	for range k.rounds {
		w.rounds = append(w.rounds, w.new('r'))
	}
	w.begin()
	w.all(k.body)
	w.end()
	body := w.text.String()

	w.text.Reset()
	fmt.Fprintf(&w.text, ".version 8.3\n.target sm_90\n.address_size 64\n%s.visible .entry k(.param .u64 memory)\n{\n", w.functions.text.String())
	w.declareRegisters()
	fmt.Fprintf(&w.text, "\t.shared .align 16 .b8 words[%d];\n", 4*(k.kept+k.scratch+4))
	if n := len(k.barriers); n > 0 {
		fmt.Fprintf(&w.text, "\t.shared .align 8 .b64 barriers[%d];\n", n)
	}
	return w.text.String() + body + "}\n"
}

// declareRegisters writes the declarations of all registers.
func (w *writer) declareRegisters() {
	for n, t := range []string{"b16", "b32", "b64", "pred"} {
		if c := "hrqp"[n]; w.n[c] > 0 {
			fmt.Fprintf(&w.text, "\t.reg .%s %%%c<%d>;\n", t, c, w.n[c])
		}
	}
}

// begin writes what the kernel begins with.
func (w *writer) begin() {
	k := w.k
	w.own, w.global, w.shared = w.new('q'), w.new('q'), w.new('r')
	w.thread, w.lane, w.warp, w.cta = w.new('r'), w.new('r'), w.new('r'), w.new('r')
	w.line("ld.param.u64 %s, [memory];", w.global)
	w.line("mov.u32 %s, words;", w.shared)
	w.number(w.thread, "tid", k.Block)
	w.line("mov.u32 %s, %%laneid;", w.lane)
	w.line("shr.u32 %s, %s, 5;", w.warp, w.thread)
	if w.generic {
		w.sharedGeneric = w.new('q')
		w.line("mov.u64 %s, words;", w.sharedGeneric)
		w.line("cvta.shared.u64 %s, %[1]s;", w.sharedGeneric)
	}
	if k.usesShared() {
		w.clearShared()
		w.line("bar.sync 0;")
	}
	if k.numbered {
		w.takeNumber()
	} else {
		w.number(w.cta, "ctaid", k.Grid)
	}
	r := w.new('r')
	w.line("mad.lo.u32 %s, %s, %d, %s;", r, w.cta, k.Threads(), w.thread)
	w.line("mad.wide.u32 %s, %s, %d, %s;", w.own, r, 4*words, w.global)
	w.line("add.u64 %s, %[1]s, %d;", w.global, 4*k.protocolAt())
	for n, v := range w.v {
		w.line("ld.global.u32 %s, [%s];", v, w.threadWord(inWord+n))
	}
	for _, r := range w.rounds {
		w.line("mov.u32 %s, 0;", r)
	}
	w.lanesOfWarp()
}

// number writes the number of a place in a block or the grid.
func (w *writer) number(to, special string, size [3]int) {
	w.line("mov.u32 %s, %%%s.x;", to, special)
	if size[1] == 1 && size[2] == 1 {
		return
	}
	y, z := w.new('r'), w.new('r')
	w.line("mov.u32 %s, %%%s.y;", y, special)
	w.line("mov.u32 %s, %%%s.z;", z, special)
	w.line("mad.lo.u32 %s, %s, %d, %[1]s;", y, z, size[1])
	w.line("mad.lo.u32 %s, %s, %d, %[1]s;", to, y, size[0])
}

// clearShared clears shared memory, and makes the barriers in it.
func (w *writer) clearShared() {
	k, n, p, at := w.k, w.new('r'), w.new('p'), w.new('r')
	again, end := w.newLabel(), w.newLabel()
	w.line("mov.u32 %s, %s;", n, w.thread)
	w.label(again)
	w.line("setp.ge.u32 %s, %s, %d;", p, n, k.kept+k.scratch+4)
	w.line("@%s bra %s;", p, end)
	w.line("mad.lo.u32 %s, %s, 4, %s;", at, n, w.shared)
	w.line("st.shared.u32 [%s], 0;", at)
	w.line("add.u32 %s, %[1]s, %d;", n, k.Threads())
	w.line("bra %s;", again)
	w.label(end)
	if len(k.barriers) == 0 {
		return
	}
	w.line("setp.ne.u32 %s, %s, 0;", p, w.thread)
	skip := w.newLabel()
	w.line("@%s bra %s;", p, skip)
	for n, arrivals := range k.barriers {
		w.line("mbarrier.init.shared.b64 [%s], %d;", barrierAt(n), arrivals)
	}
	w.label(skip)
}

// barrierAt is the address of a barrier in memory.
func barrierAt(n int) string { return fmt.Sprintf("barriers+%d", 8*n) }

// takeNumber writes that the CTA takes a number, which orders it behind all that it waits for.
func (w *writer) takeNumber() {
	p, skip, last := w.new('p'), w.newLabel(), 4*(w.k.kept+w.k.scratch)
	w.line("setp.ne.u32 %s, %s, 0;", p, w.thread)
	w.line("@%s bra %s;", p, skip)
	w.line("atom.global.add.u32 %s, [%s+%d], 1;", w.cta, w.global, 4*w.k.numberAt())
	w.line("st.shared.u32 [%s+%d], %s;", w.shared, last, w.cta)
	w.label(skip)
	w.line("bar.sync 0;")
	w.line("ld.shared.u32 %s, [%s+%d];", w.cta, w.shared, last)
}

// lanesOfWarp writes the lanes that the warp has.
func (w *writer) lanesOfWarp() {
	w.threads = w.new('r')
	switch threads := w.k.Threads(); {
	case threads%warp == 0:
		w.line("mov.u32 %s, -1;", w.threads)
	case threads < warp:
		w.line("mov.u32 %s, %d;", w.threads, 1<<threads-1)
	default:
		p := w.new('p')
		w.line("setp.lt.u32 %s, %s, %d;", p, w.warp, threads/warp)
		w.line("selp.b32 %s, -1, %d, %s;", w.threads, 1<<(threads%warp)-1, p)
	}
}

// end writes what threads leave behind, and the tail.
func (w *writer) end() {
	k := w.k
	for n, v := range w.v {
		w.line("st.global.u32 [%s], %s;", w.threadWord(outWord+n), v)
	}
	if k.kept > 0 {
		w.copyShared()
	}
	if k.tail != nil {
		p := w.compare(k.leaves)
		w.line("@%s exit;", p)
		w.all(k.tail)
		r := w.new('r')
		w.line("xor.b32 %s, %s, %s;", r, w.v[0], w.v[1])
		w.line("xor.b32 %s, %[1]s, %s;", r, w.v[2])
		w.line("xor.b32 %s, %[1]s, %s;", r, w.v[3])
		w.line("st.global.u32 [%s], %s;", w.threadWord(tailWord), r)
	}
	w.line("ret;")
}

// copyShared writes that the CTA copies shared memory to global memory.
func (w *writer) copyShared() {
	k, n, p, at, x, to := w.k, w.new('r'), w.new('p'), w.new('r'), w.new('r'), w.new('q')
	again, end := w.newLabel(), w.newLabel()
	w.line("bar.sync 0;")
	w.line("mov.u32 %s, %s;", n, w.thread)
	w.label(again)
	w.line("setp.ge.u32 %s, %s, %d;", p, n, k.kept)
	w.line("@%s bra %s;", p, end)
	w.line("mad.lo.u32 %s, %s, 4, %s;", at, n, w.shared)
	w.line("ld.shared.u32 %s, [%s];", x, at)
	w.line("mad.lo.u32 %s, %s, %d, %s;", at, w.cta, k.kept, n)
	w.line("mad.wide.u32 %s, %s, 4, %s;", to, at, w.global)
	w.line("st.global.u32 [%s+%d], %s;", to, 4*k.global, x)
	w.line("add.u32 %s, %[1]s, %d;", n, k.Threads())
	w.line("bra %s;", again)
	w.label(end)
}

func (w *writer) all(all []statement) {
	for _, s := range all {
		s.write(w)
	}
}

func (w *writer) oneOf(n int) bool { return w.IntN(n) == 0 }

func (w *writer) new(class byte) string {
	w.n[class]++
	return fmt.Sprintf("%%%c%d", class, w.n[class]-1)
}

func (w *writer) newLabel() string {
	w.labels++
	return fmt.Sprintf("$L%d", w.labels)
}

func (w *writer) label(name string) { fmt.Fprintf(&w.text, "%s:\n", name) }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.text, "\t"+format+"\n", args...)
}

// threadWord is the address of a word of the thread.
func (w *writer) threadWord(n int) string { return fmt.Sprintf("%s+%d", w.own, 4*n) }

// fold writes the next of a sum that depends on its order.
func (w *writer) fold(to, sum, x string) { w.line("mad.lo.u32 %s, %s, 31, %s;", to, sum, x) }
