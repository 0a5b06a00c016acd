package waiting

// queue has threads, or the first lane of each warp for all of it, take items until there are
// none left.
type queue struct {
	cells   cells // the next item, then what has been made of each
	items   int
	byWarp  bool
	members members
}

// made is what becomes of an item.
func (s *queue) made(item uint32) uint32 { return item*0x9e3779b9 ^ item>>3 }

func (s *queue) run(m *machine, who []*thread) {
	ctas := [][]*thread{who}
	if s.cells.shared {
		ctas = m.byCTA(who)
	}
	for _, all := range ctas {
		takers := len(all)
		if s.byWarp {
			takers = len(m.byWarp(all))
		}
		d := m.at(all[0], s.cells, 0)
		if d[4] == 0 { // nobody has come before
			d[0] += uint32(s.items)
			for n := range s.items {
				d[4+n] = s.made(uint32(n + 1))
			}
		}
		d[0] += uint32(takers)
	}
}

func (s *queue) write(w *writer) {
	next := w.place(s.cells, "", 0, 0)
	item, p, r, q := w.new('r'), w.new('p'), w.new('r'), w.new('p')
	again, end, skip := w.newLabel(), w.newLabel(), w.newLabel()
	mask := ""
	if s.byWarp {
		mask = w.present(s.members)
		w.line("brev.b32 %s, %s;", r, mask)
		w.line("bfind.shiftamt.u32 %s, %[1]s;", r)
		w.line("setp.eq.u32 %s, %s, %s;", q, r, w.lane)
	}
	first := w.new('r')
	w.line("mov.u32 %s, 0;", item)
	if s.byWarp {
		w.line("mov.u32 %s, %s;", first, r)
	}
	w.label(again)
	if s.byWarp {
		w.line("@!%s bra %s;", q, skip)
		w.line("atom%s.add.u32 %s, %s, 1;", next.space, item, next.at)
		w.label(skip)
		w.line("shfl.sync.idx.b32 %s, %[1]s, %s, 31, %s;", item, first, mask)
	} else {
		w.line("atom%s.add.u32 %s, %s, 1;", next.space, item, next.at)
	}
	w.line("setp.ge.u32 %s, %s, %d;", p, item, s.items)
	w.line("@%s bra %s;", p, end)
	at := w.place(s.cells, item, 4, 4)
	x := w.new('r')
	w.line("add.u32 %s, %s, 1;", x, item)
	w.line("shr.u32 %s, %s, 3;", r, x)
	w.line("mul.lo.u32 %s, %[1]s, %#x;", x, uint32(0x9e3779b9))
	w.line("xor.b32 %s, %[1]s, %s;", x, r)
	w.line("st%s.u32 %s, %s;", at.space, at.at, x)
	w.line("bra %s;", again)
	w.label(end)
}
