package waiting

import (
	"fmt"
	"strings"
)

// address is where a word of a protocol is, and how instructions say so.
type address struct {
	space  string // ".global", ".shared" or, if it is generic, ""
	base   string // a register
	offset int
	at     string // both, as instructions have them
	shared bool
}

// plus is the address some bytes further on.
func (a address) plus(bytes int) address {
	a.offset += bytes
	a.at = fmt.Sprintf("[%s+%d]", a.base, a.offset)
	return a
}

// place writes the address of an element of cells: that with the number in a register, each of so
// many bytes, and of it the word n.
func (w *writer) place(c cells, index string, bytes, n int) address {
	a := address{space: ".global", shared: c.shared}
	base := w.global
	switch {
	case c.shared && !w.generic:
		a.space, base = ".shared", w.shared
	case c.shared:
		a.space, base = "", w.sharedGeneric
	case w.generic:
		a.space = ""
	}
	if index != "" {
		class, multiply := byte('q'), "mad.wide.u32"
		if base == w.shared {
			class, multiply = 'r', "mad.lo.u32"
		}
		to := w.new(class)
		w.line("%s %s, %s, %d, %s;", multiply, to, index, bytes, base)
		base = to
	}
	a.base = base
	return a.plus(4 * (c.at + n))
}

// scope is one that has all threads that see the address.
func (w *writer) scope(a address) string {
	if a.shared {
		return []string{"cta", "cta", "gpu"}[w.IntN(3)]
	}
	return []string{"gpu", "gpu", "sys"}[w.IntN(3)]
}

// fence writes one that orders what threads do before and behind it that see the address.
func (w *writer) fence(a address) {
	switch w.IntN(4) {
	case 0:
		if a.shared && w.oneOf(2) {
			w.line("membar.cta;")
		} else {
			w.line("membar.gl;")
		}
	case 1:
		w.line("fence.sc.%s;", w.scope(a))
	default:
		w.line("fence.acq_rel.%s;", w.scope(a))
	}
}

// classOf is the class of the registers that hold a flag.
func classOf(bits int) byte { return map[int]byte{8: 'r', 16: 'r', 32: 'r', 64: 'q'}[bits] }

// publish writes a number to a flag, behind all that has been written before.
func (w *writer) publish(a address, bits int, value string) {
	styles := 3
	if bits >= 32 {
		styles = 6
	}
	switch style := w.IntN(styles); style {
	case 0:
		w.line("st.release.%s%s.b%d %s, %s;", w.scope(a), a.space, bits, a.at, value)
	case 1:
		w.fence(a)
		w.line("st.relaxed.%s%s.b%d %s, %s;", w.scope(a), a.space, bits, a.at, value)
	case 2:
		w.fence(a)
		w.line("st.volatile%s.u%d %s, %s;", a.space, bits, a.at, value)
	case 3:
		w.line("atom.release.%s%s.exch.b%d %s, %s, %s;", w.scope(a), a.space, bits, w.new(classOf(bits)), a.at, value)
	default:
		w.fence(a)
		w.line("atom%s.exch.b%d %s, %s, %s;", a.space, bits, w.new(classOf(bits)), a.at, value)
	}
}

// add adds to a counter, behind all that has been written before.
func (w *writer) add(a address, value string) {
	switch w.IntN(4) {
	case 0:
		w.line("red.release.%s%s.add.u32 %s, %s;", w.scope(a), a.space, a.at, value)
	case 1:
		w.line("atom.acq_rel.%s%s.add.u32 %s, %s, %s;", w.scope(a), a.space, w.new('r'), a.at, value)
	default:
		w.fence(a)
		w.line("red%s.add.u32 %s, %s;", a.space, a.at, value)
	}
}

// until is what a flag is compared with by those who wait for it.
type until struct{ op, value string }

func equals(value string) until  { return until{"eq", value} }
func atLeast(value string) until { return until{"ge", value} }

// await writes that a thread waits until a flag is what it is to be, and that what is read behind
// that is what had been written before the flag was published.
func (w *writer) await(a address, bits int, u until) {
	if w.oneOf(4) {
		w.awaitByCall(a, bits, u)
	} else {
		w.awaitHere(a, bits, u)
	}
}

// awaitHere is await without a call.
func (w *writer) awaitHere(a address, bits int, u until) {
	flag, p := w.new(classOf(bits)), w.new('p')
	styles := 3
	if bits >= 32 {
		styles = 5
	}
	style := w.IntN(styles)
	computed := func() {}
	if w.oneOf(6) {
		a, computed = w.computedAgain(a)
	}
	w.spin(func() {
		computed()
		switch style {
		case 0:
			w.line("ld.acquire.%s%s.b%d %s, %s;", w.scope(a), a.space, bits, flag, a.at)
		case 1:
			w.line("ld.relaxed.%s%s.b%d %s, %s;", w.scope(a), a.space, bits, flag, a.at)
		case 2:
			w.line("ld.volatile%s.u%d %s, %s;", a.space, bits, flag, a.at)
		case 3:
			w.line("atom.acquire.%s%s.or.b%d %s, %s, 0;", w.scope(a), a.space, bits, flag, a.at)
		case 4:
			w.line("atom%s.cas.b%d %s, %s, 0, 0;", a.space, bits, flag, a.at)
		}
		w.line("setp.%s.u%d %s, %s, %s;", u.op, max(bits, 32), p, flag, u.value)
	}, p)
	if style != 0 && style != 3 {
		w.fence(a)
	}
}

// computedAgain returns an address that is computed in each turn of a loop, as that of one of several
// flags is, and what writes how: here it is always the same.
func (w *writer) computedAgain(a address) (again address, write func()) {
	class, bits := byte('q'), addressBits(a)
	if bits == 32 {
		class = 'r'
	}
	turn, at := w.new(class), w.new(class)
	w.line("mov.u%d %s, 0;", bits, turn)
	again = a
	again.base = at
	return again.plus(0), func() {
		w.line("add.u%d %s, %[2]s, 8;", bits, turn)
		w.line("and.b%d %s, %[2]s, 248;", bits, turn)
		w.line("shr.u%d %s, %s, 8;", bits, at, turn)
		w.line("add.u%d %s, %[2]s, %s;", bits, at, a.base)
	}
}

// spin writes a loop that looks until a predicate holds.
func (w *writer) spin(look func(), p string) {
	again, end := w.newLabel(), w.newLabel()
	switch w.IntN(5) {
	case 0:
		w.label(again)
		look()
		w.line("@%s bra %s;", p, end)
		w.line("bra %s;", again)
	case 1: // it looks once before the loop
		look()
		w.line("@%s bra %s;", p, end)
		w.label(again)
		w.line("nanosleep.u32 20;")
		look()
		w.line("@!%s bra %s;", p, again)
	case 2: // a few times, and then those again
		n, q, inner := w.new('r'), w.new('p'), w.newLabel()
		w.label(again)
		w.line("mov.u32 %s, %d;", n, 1+w.IntN(4))
		w.label(inner)
		look()
		w.line("@%s bra %s;", p, end)
		w.line("sub.u32 %s, %[1]s, 1;", n)
		w.line("setp.ne.u32 %s, %s, 0;", q, n)
		w.line("@%s bra %s;", q, inner)
		w.line("bra %s;", again)
	default:
		w.label(again)
		look()
		w.line("@!%s bra %s;", p, again)
	}
	w.label(end)
}

// access is how data is read or written that a protocol orders: weak, or stronger than need be.
func (w *writer) access(a address) string {
	switch w.IntN(6) {
	case 0:
		return ".volatile" + a.space
	case 1:
		return ".relaxed." + w.scope(a) + a.space
	}
	return a.space
}

// fill puts operands into the text of an operation.
func fill(text string, operands []any) string {
	return fmt.Sprintf(strings.ReplaceAll(text, "$", "%s"), operands...)
}
