package apart

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// header is what a file begins with.
func (s *styled) header() string {
	target := "sm_80"
	if s.late {
		target = "sm_90"
	}
	return fmt.Sprintf(".version 7.8\n.target %s\n.address_size 64\n", target)
}

// Text returns the PTX of the kernel, whose name is k, and which takes the address of its memory, in a style: one file or several. All styles compute the
// same.
func (k *Kernel) Text(style uint64) []string {
	s := &styled{Rand: rand.New(rand.NewPCG(k.Seed, style)), Kernel: k}
	s.byMemory, s.shuffled = s.usesAddresses || s.oneOf(2), s.oneOf(3)
	s.meetsAt, s.toAndFro = s.IntN(5), s.counted && !s.oneOf(3)
	s.late, s.drops, s.parity, s.arrivals = s.inMemory && s.oneOf(2), s.oneOf(2), s.oneOf(2), 1
	if s.late {
		s.arrivals += 2 * s.IntN(2)
	}
	files := 1
	if s.oneOf(3) {
		files = 1 + s.IntN(3)
	}
	home, memory := make([]int, len(k.functions)), s.IntN(files)
	for n := range home {
		home[n] = s.IntN(files)
	}
	var all []string
	for file := range files {
		s.text.Reset()
		s.text.WriteString(s.header())
		if k.usesHeap {
			s.text.WriteString(".extern .func (.param .b64 r) malloc(.param .b64 size);\n.extern .func free(.param .b64 p);\n")
		}
		s.shared(files > 1, file == memory)
		for n, f := range k.functions[1:] {
			linkage := ""
			switch {
			case home[n+1] != file:
				linkage = ".extern "
			case files > 1:
				linkage = ".visible "
			}
			fmt.Fprintf(&s.text, "%s%s;\n", linkage, s.head(f))
		}
		for _, n := range s.Perm(len(k.functions)) {
			if f := k.functions[n]; home[n] == file {
				linkage := ""
				if files > 1 || n == 0 {
					linkage = ".visible "
				}
				s.write(f, linkage)
			}
		}
		all = append(all, s.text.String())
	}
	return all
}

// styled writes a kernel in a style.
type styled struct {
	*rand.Rand
	*Kernel
	text     strings.Builder
	byMemory bool // arguments are passed by .param
	shuffled bool // blocks are in any order
	tables   int
	meetsAt  int  // the number of the barrier
	toAndFro bool // threads meet by two barriers behind what is between them
	late     bool // for sm_90
	// How they meet at a barrier in memory: by so many arrivals of each, after one that is dropped, and waiting for a parity.
	arrivals      int
	drops, parity bool
}

func (s *styled) oneOf(n int) bool { return s.IntN(n) == 0 }

// shared declares the variables of shared memory, here or elsewhere.
func (s *styled) shared(linked, here bool) {
	linkage := ""
	if linked {
		linkage = ".visible "
		if !here {
			linkage = ".extern "
		}
	}
	fmt.Fprintf(&s.text, "%s.shared .align 4 .b8 brought[%d];\n", linkage, 4*s.Threads())
	fmt.Fprintf(&s.text, "%s.shared .align 16 .b8 copied[%d];\n", linkage, 16*s.Threads())
	fmt.Fprintf(&s.text, "%s.shared .align 4 .b8 phases[%d];\n", linkage, 4*s.Threads())
	fmt.Fprintf(&s.text, "%s.shared .align 8 .b64 meeting;\n", linkage)
}

// head is the head of a function.
func (s *styled) head(f *function) string {
	if f.number == 0 {
		return ".entry k(.param .u64 memory)"
	}
	space := ".reg"
	if s.byMemory {
		space = ".param"
	}
	return fmt.Sprintf(".func (%[1]s .b32 res) f%[2]d(%[1]s .b32 team, %[1]s .b32 fuel, %[1]s .b32 a, %[1]s .b32 b, %[1]s .b64 memory)", space, f.number)
}

// writer writes the body of a function.
type writer struct {
	*styled
	pieces                                  []piece
	guard                                   string
	n                                       map[byte]int // registers
	labels                                  int
	kept                                    int // words of local memory
	base, cta, own, lane, thread, ctaNumber string
	addresses                               strings.Builder
	depth                                   int      // of functions that are written where they are called
	later                                   []func() // what is written behind all else
}

// piece is a block: its label, and where it goes on, if that is not said by its last line.
type piece struct {
	label, next string
	lines       []string
}

// scope is a function, or one that is written where it is called.
type scope struct {
	*function
	v          [variables]string
	team, fuel string
	back       string // where it returns to
	out        string // of the loop
}

// write writes a function.
func (s *styled) write(f *function, linkage string) {
	w := &writer{styled: s, n: map[byte]int{}, pieces: []piece{{label: "$entry"}}}
	c := &scope{function: f, back: "$return"}
	for n := range c.v {
		c.v[n] = w.new('r')
	}
	w.base, w.lane, w.thread, w.ctaNumber = w.new('q'), w.new('r'), w.new('r'), w.new('r')
	c.team, c.fuel = w.new('r'), w.new('r')
	w.line("mov.u32 %s, %%laneid;", w.lane)
	w.line("mov.u32 %s, %%ctaid.x;", w.ctaNumber)
	w.threadTo(w.thread)
	switch {
	case f.number == 0:
		w.line("ld.param.u64 %s, [memory];", w.base)
	case s.byMemory:
		w.line("ld.param.b32 %s, [team]; ld.param.b32 %s, [fuel]; ld.param.b32 %s, [a]; ld.param.b32 %s, [b]; ld.param.b64 %s, [memory];", c.team, c.fuel, c.v[0], c.v[1], w.base)
	default:
		w.line("mov.b32 %s, team; mov.b32 %s, fuel; mov.b32 %s, a; mov.b32 %s, b; mov.b64 %s, memory;", c.team, c.fuel, c.v[0], c.v[1], w.base)
	}
	w.places()
	if f.number == 0 {
		w.begin(c)
	} else {
		w.line("mov.u32 %s, 7; xor.b32 %s, %s, %s; mov.u32 %s, %s;", c.v[2], c.v[3], c.v[0], c.v[1], c.v[4], c.fuel)
	}
	w.all(c, f.body)
	w.label("$return")
	switch {
	case f.number == 0:
		for n, v := range c.v {
			w.line("st.global.u32 [%s+%d], %s;", w.own, 4*(outWord+n), v)
		}
	case s.byMemory:
		w.line("st.param.b32 [res], %s;", c.v[f.result.n])
	default:
		w.line("mov.b32 res, %s;", c.v[f.result.n])
	}
	w.line("ret;")
	for _, write := range w.later {
		write()
	}
	s.text.WriteString(w.addresses.String())
	fmt.Fprintf(&s.text, "%s%s {\n", linkage, s.head(f))
	if w.kept > 0 {
		fmt.Fprintf(&s.text, "\t.local .align 4 .b8 kept[%d];\n", 4*w.kept)
	}
	for n, t := range []string{"b32", "b64", "pred"} {
		if c := "rqp"[n]; w.n[c] > 0 {
			fmt.Fprintf(&s.text, "\t.reg .%s %%%c<%d>;\n", t, c, w.n[c])
		}
	}
	w.layout()
	s.text.WriteString("}\n")
}

// threadTo writes the number of the thread in its CTA.
func (w *writer) threadTo(to string) {
	w.line("mov.u32 %s, %%tid.x;", to)
	if w.Block[1] == 1 && w.Block[2] == 1 {
		return
	}
	y, z := w.new('r'), w.new('r')
	w.line("mov.u32 %s, %%tid.y; mov.u32 %s, %%tid.z;", y, z)
	w.line("mad.lo.u32 %s, %s, %d, %s;", y, z, w.Block[1], y)
	w.line("mad.lo.u32 %s, %s, %d, %s;", to, y, w.Block[0], to)
}

// places writes the addresses of the CTA's and the thread's memory.
func (w *writer) places() {
	w.cta, w.own = w.new('q'), w.new('q')
	w.line("mad.wide.u32 %s, %s, %d, %s;", w.cta, w.ctaNumber, 4*(counters+words*w.Threads()), w.base)
	w.line("mad.wide.u32 %s, %s, %d, %s;", w.own, w.thread, 4*words, w.cta)
	w.line("add.s64 %s, %s, %d;", w.own, w.own, 4*counters)
}

// begin writes what the kernel begins with.
func (w *writer) begin(c *scope) {
	for n := range inWords {
		w.line("ld.global.u32 %s, [%s+%d];", c.v[n], w.own, 4*n)
	}
	for n := inWords; n < variables; n++ {
		w.line("mov.u32 %s, 0;", c.v[n])
	}
	w.line("mov.u32 %s, 0;", c.fuel)
	if w.fuel > 0 {
		w.line("shr.u32 %[1]s, %[2]s, 9; rem.u32 %[1]s, %[1]s, %[3]d;", c.fuel, c.v[3], w.fuel+1)
	}
	// The lanes of the warp.
	threads := w.Threads()
	switch {
	case threads%32 == 0:
		w.line("mov.u32 %s, -1;", c.team)
	case threads < 32:
		w.line("mov.u32 %s, %d;", c.team, 1<<threads-1)
	default:
		p := w.new('p')
		w.line("setp.lt.u32 %s, %s, %d; selp.b32 %s, -1, %d, %[1]s;", p, w.thread, threads&^31, c.team, 1<<(threads%32)-1)
	}
	w.line("st.shared.u32 [%s], 0;", w.sharedAt("brought", w.thread)) // others read it of threads that end before they bring something
	w.memoryBarrier()
}

func (w *writer) new(class byte) string {
	w.n[class]++
	return fmt.Sprintf("%%%c%d", class, w.n[class]-1)
}

func (w *writer) newLabel() string {
	w.labels++
	return fmt.Sprintf("$L%d", w.labels)
}

// line writes instructions, under the guard if there is one.
func (w *writer) line(format string, args ...any) {
	p := &w.pieces[len(w.pieces)-1]
	for _, one := range strings.SplitAfter(fmt.Sprintf(format, args...), ";") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		p.lines = append(p.lines, w.guard+one)
	}
}

// block writes text as it is.
func (w *writer) block(format string, args ...any) {
	p := &w.pieces[len(w.pieces)-1]
	p.lines = append(p.lines, w.guard+fmt.Sprintf(format, args...))
}

func (w *writer) label(name string) {
	w.pieces[len(w.pieces)-1].next = name
	w.pieces = append(w.pieces, piece{label: name})
}

// layout writes the blocks in an order.
func (w *writer) layout() {
	order := make([]int, len(w.pieces))
	for n := range order {
		order[n] = n
	}
	if w.shuffled {
		w.Shuffle(len(order)-1, func(a, b int) { order[a+1], order[b+1] = order[b+1], order[a+1] })
	}
	for n, at := range order {
		p := &w.pieces[at]
		fmt.Fprintf(&w.text, "%s:\n", p.label)
		for _, l := range p.lines {
			fmt.Fprintf(&w.text, "\t%s\n", l)
		}
		ends := len(p.lines) > 0 && (strings.HasPrefix(p.lines[len(p.lines)-1], "bra") || p.lines[len(p.lines)-1] == "ret;")
		if p.next != "" && !ends && (n+1 == len(order) || w.pieces[order[n+1]].label != p.next) {
			fmt.Fprintf(&w.text, "\tbra %s;\n", p.next)
		}
	}
}
