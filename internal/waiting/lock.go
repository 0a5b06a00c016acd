package waiting

import (
	"fmt"
	"math/bits"
)

// lock has each thread add to four words, of one of several places, under the lock of that place,
// and execute a body before it gives that back.
type lock struct {
	locks, data cells
	places      uint32 // a power of 2
	by, x, y    operand
	form        form
	wide        int // bits of a lock
	behind      bool
	body        []statement
}

// form is how the words are read and written.
type form uint8

const (
	wordByWord form = iota
	quad            // four words at once
	pairs           // two words of 64 bits, one after the other
	pairAtOnce      // two words of 64 bits at once
	narrow          // bytes and halves
	forms
)

// add adds to the words.
func (f form) add(d []uint32, x, y uint32) {
	switch f {
	case wordByWord, quad:
		d[0], d[1], d[2], d[3] = d[0]+x, d[1]^y, d[2]+1, max(d[3], x)
	case pairs, pairAtOnce:
		low, carry := bits.Add32(d[0], x, 0)
		d[0], d[1] = low, d[1]+y+carry
		d[2], d[3] = d[2]^x, d[3]^y
	case narrow:
		d[0] = d[0]&^0xff | (d[0]+x)&0xff
		d[0] = d[0]&^0xff00 | (d[0]+y<<8)&0xff00
		d[0] = d[0]&^0xffff0000 | (d[0]+x&^0xffff)&0xffff0000
		d[1] = d[1]&^0xffff | (d[1]^y)&0xffff
		d[2]++
	}
}

func (s *lock) run(m *machine, who []*thread) {
	for _, t := range who {
		s.form.add(m.at(t, s.data, 4*int(s.by.of(t)&(s.places-1))), s.x.of(t), s.y.of(t))
	}
	m.all(s.body, who)
}

func (s *lock) write(w *writer) {
	place := w.new('r')
	w.line("and.b32 %s, %s, %d;", place, w.register(s.by), s.places-1)
	at, data := w.place(s.locks, place, 8, 0), s.data
	got, x, y := w.new('p'), w.copied(s.x), w.copied(s.y)
	critical := func() {
		w.fence(at) // one is needed only behind an operation that does not acquire
		w.addTo(s.form, data, place, x, y)
		w.all(s.body)
		w.publish(at, s.wide, "0")
	}
	if s.behind {
		if w.oneOf(4) {
			w.call(at, nil, func(w *writer, at address, _ []string) { w.take(at, s.wide) })
		} else {
			w.take(at, s.wide)
		}
		critical()
		return
	}
	again, skip, done := w.newLabel(), w.newLabel(), w.new('p')
	w.line("setp.ne.u32 %s, 0, 0;", done)
	w.label(again)
	w.tryLock(at, s.wide)(got)
	w.line("@!%s bra %s;", got, skip)
	critical()
	w.line("setp.eq.u32 %s, 0, 0;", done)
	w.label(skip)
	w.line("@!%s bra %s;", done, again)
}

// take writes that a thread waits until it has taken a lock.
func (w *writer) take(at address, wide int) {
	got, try := w.new('p'), w.tryLock(at, wide)
	w.spin(func() { try(got) }, got)
}

// tryLock returns what writes a try to take a lock.
func (w *writer) tryLock(a address, wide int) func(got string) {
	kind := w.IntN(3)
	if wide == 16 {
		kind = 0
	}
	order := []string{"", ".acquire." + w.scope(a), ".relaxed." + w.scope(a), ".acq_rel." + w.scope(a)}[w.IntN(4)]
	class := classOf(wide)
	if wide == 16 {
		class = 'h'
	}
	return func(got string) {
		old := w.new(class)
		try := func() {
			switch kind {
			case 0:
				w.line("atom%s%s.cas.b%d %s, %s, 0, 1;", order, a.space, wide, old, a.at)
			default:
				w.line("atom%s%s.exch.b%d %s, %s, 1;", order, a.space, wide, old, a.at)
			}
			w.line("setp.eq.b%d %s, %s, 0;", wide, got, old)
		}
		if kind != 2 || wide < 32 {
			try()
			return
		}
		// It looks first, so as not to disturb whoever has the lock.
		skip := w.newLabel()
		w.line("ld.relaxed.%s%s.b%d %s, %s;", w.scope(a), a.space, wide, old, a.at)
		w.line("setp.eq.b%d %s, %s, 0;", wide, got, old)
		w.line("@!%s bra %s;", got, skip)
		try()
		w.label(skip)
	}
}

// addTo writes what is done to the words of a place.
func (w *writer) addTo(f form, data cells, place, x, y string) {
	p := w.place(data, place, 16, 0)
	at := p.plus
	access := w.access(p)
	switch f {
	case wordByWord, quad:
		d := [4]string{w.new('r'), w.new('r'), w.new('r'), w.new('r')}
		all := fmt.Sprintf("{%s, %s, %s, %s}", d[0], d[1], d[2], d[3])
		if f == quad {
			w.line("ld%s.v4.u32 %s, %s;", access, all, p.at)
		}
		for n, change := range [4][2]string{{"add.u32", x}, {"xor.b32", y}, {"add.u32", "1"}, {"max.u32", x}} {
			if f == wordByWord {
				w.line("ld%s.u32 %s, %s;", access, d[n], at(4*n).at)
			}
			w.line("%s %s, %[2]s, %s;", change[0], d[n], change[1])
			if f == wordByWord {
				w.line("st%s.u32 %s, %s;", access, at(4*n).at, d[n])
			}
		}
		if f == quad {
			w.line("st%s.v4.u32 %s, %s;", access, p.at, all)
		}
	case pairs, pairAtOnce:
		both, low, high := w.new('q'), w.new('q'), w.new('q')
		w.line("mov.b64 %s, {%s, %s};", both, x, y)
		if f == pairAtOnce {
			w.line("ld%s.v2.u64 {%s, %s}, %s;", access, low, high, p.at)
		} else {
			w.line("ld%s.u64 %s, %s;", access, low, p.at)
			w.line("ld%s.u64 %s, %s;", access, high, at(8).at)
		}
		w.line("add.u64 %s, %[1]s, %s;", low, both)
		w.line("xor.b64 %s, %[1]s, %s;", high, both)
		if f == pairAtOnce {
			w.line("st%s.v2.u64 %s, {%s, %s};", access, p.at, low, high)
		} else {
			w.line("st%s.u64 %s, %s;", access, at(8).at, high)
			w.line("st%s.u64 %s, %s;", access, p.at, low)
		}
	case narrow:
		r, shifted := w.new('r'), w.new('r')
		w.line("ld%s.u8 %s, %s;", access, r, p.at)
		w.line("add.u32 %s, %[1]s, %s;", r, x)
		w.line("st%s.u8 %s, %s;", access, p.at, r)
		w.line("ld%s.u8 %s, %s;", access, r, at(1).at)
		w.line("add.u32 %s, %[1]s, %s;", r, y)
		w.line("st%s.u8 %s, %s;", access, at(1).at, r)
		w.line("ld%s.u16 %s, %s;", access, r, at(2).at)
		w.line("shr.u32 %s, %s, 16;", shifted, x)
		w.line("add.u32 %s, %[1]s, %s;", r, shifted)
		w.line("st%s.u16 %s, %s;", access, at(2).at, r)
		w.line("ld%s.u16 %s, %s;", access, r, at(4).at)
		w.line("xor.b32 %s, %[1]s, %s;", r, y)
		w.line("st%s.u16 %s, %s;", access, at(4).at, r)
		w.line("ld%s.u32 %s, %s;", access, r, at(8).at)
		w.line("add.u32 %s, %[1]s, 1;", r)
		w.line("st%s.u32 %s, %s;", access, at(8).at, r)
	}
}
