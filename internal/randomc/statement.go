package randomc

import "fmt"

// Statements: all loops end, whatever their conditions are.

func (w *writer) statements(n, depth int) {
	for range n {
		w.statement(depth)
	}
}

func (w *writer) statement(depth int) {
	kind := w.rng.IntN(20)
	if depth <= 0 && kind >= 8 && kind < 16 {
		kind = w.rng.IntN(8)
	}
	switch kind {
	default:
		w.assign()
	case 6, 7:
		w.store()
	case 8, 9, 10:
		w.line("if (%s) {", w.condition(2))
		w.block(1+w.rng.IntN(3), depth-1)
		if w.rng.IntN(2) == 0 {
			w.line("} else {")
			w.block(1+w.rng.IntN(3), depth-1)
		}
		w.line("}")
	case 11, 12:
		w.loop(depth)
	case 13:
		w.choose(depth)
	case 14:
		w.labels++
		label := w.labels
		w.line("if (%s) goto L%d;", w.condition(1), label)
		w.block(1+w.rng.IntN(2), depth-1)
		w.line("L%d:;", label)
	case 16:
		if w.loops > 0 {
			w.line("if (%s) %s;", w.condition(1), w.pick("break", "continue"))
		}
	case 17:
		w.invoke()
	case 18:
		w.add()
	}
}

// block writes the statements of a block.
func (w *writer) block(n, depth int) {
	w.indent++
	w.statements(n, depth)
	w.indent--
}

func (w *writer) assign() {
	t := types[w.rng.IntN(len(types))]
	names := w.variables[t.name]
	if len(names) == 0 {
		t = u32
		names = w.variables[t.name]
	}
	name := w.pick(names...)
	if !t.float && t.bits >= 32 && !t.sign && w.rng.IntN(3) == 0 {
		w.line("%s %s %s;", name, w.pick("+=", "-=", "*=", "^=", "|=", "&="), w.expression(t, 2))
		return
	}
	w.line("%s = %s;", name, w.expression(t, 1+w.rng.IntN(3)))
}

// invoke calls a function that writes an array.
func (w *writer) invoke() {
	f, ok := w.function(true)
	names := w.variables[u32.name]
	if !ok || len(names) == 0 {
		w.assign()
		return
	}
	w.line("%s = (u32)%s;", w.pick(names...), w.called(f, 2))
}

// store writes an element of an array.
func (w *writer) store() {
	if len(w.arrays) == 0 {
		w.assign()
		return
	}
	x := w.arrays[w.rng.IntN(len(w.arrays))]
	if x.constant {
		w.assign()
		return
	}
	w.line("%s[%s] = %s;", x.name, w.count(x.length, 1), w.expression(x.typ, 2))
}

// loop writes a loop. Its counter is read in it, and not written.
func (w *writer) loop(depth int) {
	w.counters++
	i, turns := fmt.Sprintf("i%d", w.counters), fmt.Sprint(1+w.rng.IntN(6))
	if w.rng.IntN(2) == 0 {
		turns = w.count(8, 1)
	}
	end, kind := "}", w.rng.IntN(3)
	if w.long && w.loops == 0 {
		w.long = false
		turns, kind, depth = w.count(4096, 1), 2*w.rng.IntN(2), 1
	}
	switch kind {
	case 0:
		w.line("for (u32 %s = 0, end%s = %s; %s < end%s; %s++) {", i, i, turns, i, i, i)
	case 1:
		w.line("for (u32 %s = 0; %s < 6 && %s; %s++) {", i, i, w.condition(1), i)
	case 2:
		w.line("{ u32 %s = %s; do {", i, turns)
		end = fmt.Sprintf("} while (%s-- > 1); }", i)
	}
	w.counting = append(w.counting, i)
	w.loops++
	w.block(1+w.rng.IntN(4), depth-1)
	w.loops--
	w.counting = w.counting[:len(w.counting)-1]
	w.line("%s", end)
}

func (w *writer) choose(depth int) {
	w.line("switch (%s) {", w.count(8, 1))
	loops := w.loops
	w.loops = 0 // a break would be the switch's
	for n := range 2 + w.rng.IntN(5) {
		w.line("case %d:", n)
		w.block(1+w.rng.IntN(2), depth-1)
		if w.rng.IntN(4) > 0 {
			w.line("  break;")
		}
	}
	if w.rng.IntN(2) == 0 {
		w.line("default:")
		w.block(1, depth-1)
	}
	w.loops = loops
	w.line("}")
}
