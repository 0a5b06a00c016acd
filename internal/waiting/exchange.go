package waiting

import "fmt"

// exchange adds to a word by comparing and exchanging it until nobody has come in between.
type exchange struct {
	cells  cells
	x      operand
	change string // of the word
	wide   int
}

// changes are what is done to a word, in any order.
var changes = map[string]func(old, x uint64) uint64{
	"add.u": func(old, x uint64) uint64 { return old + x },
	"xor.b": func(old, x uint64) uint64 { return old ^ x },
	"max.u": func(old, x uint64) uint64 { return max(old, x) },
}

var changeNames = []string{"add.u", "xor.b", "max.u"}

func (s *exchange) run(m *machine, who []*thread) {
	for _, t := range who {
		d, x := m.at(t, s.cells, 0), uint64(s.x.of(t))
		switch s.wide {
		case 16:
			d[0] = d[0]&^0xffff | uint32(changes[s.change](uint64(d[0]&0xffff), x&0xffff))&0xffff
		case 32:
			d[0] = uint32(changes[s.change](uint64(d[0]), x))
		case 64:
			x |= uint64(^uint32(x)) << 32
			new := changes[s.change](uint64(d[1])<<32|uint64(d[0]), x)
			d[0], d[1] = uint32(new), uint32(new>>32)
		}
		d[2]++
	}
}

func (s *exchange) write(w *writer) {
	class := map[int]byte{16: 'h', 32: 'r', 64: 'q'}[s.wide]
	at, count := w.place(s.cells, "", 0, 0), w.place(s.cells, "", 0, 2)
	x, old, new, seen, p, again := w.copied(s.x), w.new(class), w.new(class), w.new(class), w.new('p'), w.newLabel()
	switch s.wide {
	case 16:
		h := w.new('h')
		w.line("cvt.u16.u32 %s, %s;", h, x)
		x = h
	case 64:
		q, not := w.new('q'), w.new('r')
		w.line("not.b32 %s, %s;", not, x)
		w.line("mov.b64 %s, {%s, %s};", q, x, not)
		x = q
	}
	change := s.change + fmt.Sprint(s.wide)
	order := []string{"", ".relaxed." + w.scope(at), ".acq_rel." + w.scope(at)}[w.IntN(3)]
	w.line("ld.relaxed.%s%s.b%d %s, %s;", w.scope(at), at.space, s.wide, old, at.at)
	w.label(again)
	w.line("%s %s, %s, %s;", change, new, old, x)
	w.line("atom%s%s.cas.b%d %s, %s, %s, %s;", order, at.space, s.wide, seen, at.at, old, new)
	w.line("setp.ne.b%d %s, %s, %s;", s.wide, p, seen, old)
	w.line("mov.b%d %s, %s;", s.wide, old, seen)
	w.line("@%s bra %s;", p, again)
	w.line("red%s.add.u32 %s, 1;", count.space, count.at)
}
