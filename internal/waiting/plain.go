package waiting

import "fmt"

// plainLock has one thread of each of two CTAs add to words under a lock that is made of plain
// words, without an atomic operation (Peterson, 1981): each says that it wants to, lets the other
// go first, and waits until that does not want to or has let it go. It is right if all of that is
// seen in one order, which fences make.
type plainLock struct {
	cells  cells // of each two CTAs what they want, who goes first, and what is added up
	leader uint32
	times  int
	x      operand
}

// Of the words of two CTAs, each of the first has a cell of 16 bytes.
const (
	wantWords  = 4 // of each
	firstWord  = 2 * wantWords
	countWord  = firstWord + 4
	plainWords = countWord + 4
)

func (s *plainLock) run(m *machine, who []*thread) {
	for _, all := range m.byCTA(who) {
		t := all[s.leader]
		d := m.at(t, s.cells, t.cta/2*plainWords)
		d[countWord] += uint32(s.times)
		d[countWord+1] += uint32(s.times) * s.x.of(t)
	}
}

func (s *plainLock) write(w *writer) {
	p, skip, again, left := w.new('p'), w.newLabel(), w.newLabel(), w.new('r')
	w.line("setp.ne.u32 %s, %s, %d;", p, w.thread, s.leader)
	w.line("@%s bra %s;", p, skip)
	pair, me, other := w.new('r'), w.new('r'), w.new('r')
	w.line("shr.u32 %s, %s, 1;", pair, w.cta)
	w.line("and.b32 %s, %s, 1;", me, w.cta)
	w.line("xor.b32 %s, %s, 1;", other, me)
	mine := w.inPair(s.cells, pair, me)
	theirs := w.inPair(s.cells, pair, other)
	first := w.place(s.cells, pair, 4*plainWords, firstWord)
	count := w.place(s.cells, pair, 4*plainWords, countWord)
	w.line("mov.u32 %s, %d;", left, s.times)
	w.label(again)
	store, load := w.plainly("st", first), w.plainly("ld", first)
	w.line("%s %s, 1;", store, mine.at)
	w.line("fence.sc.gpu;")
	w.line("%s %s, %s;", store, first.at, other)
	w.line("fence.sc.gpu;")
	w.awaitPlainly(load, theirs, first, other)
	sum := w.new('r')
	for n, x := range []string{"1", w.value(s.x)} {
		at := count.plus(4 * n)
		access := w.access(at)
		w.line("ld%s.u32 %s, %s;", access, sum, at.at)
		w.line("add.u32 %s, %[1]s, %s;", sum, x)
		w.line("st%s.u32 %s, %s;", access, at.at, sum)
	}
	w.line("fence.sc.gpu;")
	w.line("%s %s, 0;", store, mine.at)
	w.line("fence.sc.gpu;")
	w.line("sub.u32 %s, %[1]s, 1;", left)
	w.line("setp.ne.u32 %s, %s, 0;", p, left)
	w.line("@%s bra %s;", p, again)
	w.line("%s %s, 0;", store, first.at) // as nobody waits for it who does not want to
	w.label(skip)
}

// inPair is the address of what one of two CTAs wants.
func (w *writer) inPair(c cells, pair, which string) address {
	index := w.new('r')
	w.line("mad.lo.u32 %s, %s, %d, %s;", index, pair, plainWords/wantWords, which)
	return w.place(c, index, 4*wantWords, 0)
}

// plainly is how a word is written or read that other CTAs access meanwhile.
func (w *writer) plainly(name string, a address) string {
	return fmt.Sprintf("%s%s%s.u32", name, []string{".volatile", ".relaxed.gpu", ".relaxed.sys"}[w.IntN(3)], a.space)
}

// awaitPlainly writes that a thread waits until the other one does not want to or has let it go.
func (w *writer) awaitPlainly(load string, theirs, first address, other string) {
	p, q, wants, goes := w.new('p'), w.new('p'), w.new('r'), w.new('r')
	w.spin(func() {
		w.line("%s %s, %s;", load, wants, theirs.at)
		w.line("fence.sc.gpu;")
		w.line("%s %s, %s;", load, goes, first.at)
		w.line("setp.eq.u32 %s, %s, 0;", p, wants)
		w.line("setp.ne.u32 %s, %s, %s;", q, goes, other)
		w.line("or.pred %s, %[1]s, %s;", p, q)
	}, p)
	w.line("fence.sc.gpu;")
}
