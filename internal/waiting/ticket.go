package waiting

// ticket has threads wait until the number that they have drawn is called. What is added up depends
// on the order of numbers.
type ticket struct {
	cells cells // the next number, the one that is called, the sum in order, the sum of values
	x     operand
	body  []statement
}

func (s *ticket) run(m *machine, who []*thread) {
	for _, t := range who {
		d := m.at(t, s.cells, 0)
		d[2] = fold(d[2], d[0]*d[0])
		d[3] += s.x.of(t)
		d[0]++
		d[1]++
	}
	m.all(s.body, who)
}

func (s *ticket) write(w *writer) {
	next, called := w.place(s.cells, "", 0, 0), w.place(s.cells, "", 0, 1)
	sum, values := w.place(s.cells, "", 0, 2), w.place(s.cells, "", 0, 3)
	mine, r, square, x := w.new('r'), w.new('r'), w.new('r'), w.copied(s.x)
	order := []string{"", ".relaxed." + w.scope(next)}[w.IntN(2)]
	w.line("atom%s%s.add.u32 %s, %s, 1;", order, next.space, mine, next.at)
	w.await(called, 32, equals(mine))
	access := w.access(sum)
	w.line("mul.lo.u32 %s, %s, %[2]s;", square, mine)
	w.line("ld%s.u32 %s, %s;", access, r, sum.at)
	w.fold(r, r, square)
	w.line("st%s.u32 %s, %s;", access, sum.at, r)
	w.line("ld%s.u32 %s, %s;", access, r, values.at)
	w.line("add.u32 %s, %[1]s, %s;", r, x)
	w.line("st%s.u32 %s, %s;", access, values.at, r)
	w.all(s.body)
	w.line("add.u32 %s, %[1]s, 1;", mine)
	w.publish(called, 32, mine)
}
