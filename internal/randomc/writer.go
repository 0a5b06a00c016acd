package randomc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer writes functions.
type writer struct {
	strings.Builder
	rng    *rand.Rand
	indent int

	external  []string
	functions []function
	variables map[string][]string // of the function that is written, by type
	counting  []string            // the counters of the loops around
	arrays    []array
	loops     int  // that a break leaves
	long      bool // one loop of a phase has thousands of turns, another number in each thread: those in it let others go on
	counters  int
	labels    int

	sums              []sum // of the phase that is written
	added             bool  // to one of them
	phases, exchanges int
}

// function is one that may be called. array says that it takes an array of eight words, too.
type function struct {
	name   string
	params []typ
	array  bool
}

// array is an array of a function; its length is a power of two.
type array struct {
	name     string
	typ      typ
	length   int
	constant bool // it is only read
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, strings.Repeat("  ", w.indent)+format+"\n", args...)
}

func (w *writer) pick(all ...string) string { return all[w.rng.IntN(len(all))] }

// function picks a function that takes an array, or one that takes none, if there is one.
func (w *writer) function(array bool) (function, bool) {
	var all []function
	for _, f := range w.functions {
		if f.array == array {
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		return function{}, false
	}
	return all[w.rng.IntN(len(all))], true
}

// define writes a function that others may call.
func (w *writer) define(n int) {
	f := function{name: fmt.Sprintf("f%d", n), array: w.rng.IntN(3) == 0}
	w.begin()
	params := "const u32 *in, u32 t"
	if f.array {
		params += ", u32 *a0"
		w.arrays = append(w.arrays, array{name: "a0", typ: u32, length: 8})
	}
	for i := range w.rng.IntN(4) {
		p := types[w.rng.IntN(len(types))]
		name := fmt.Sprintf("p%d", i)
		f.params = append(f.params, p)
		params += ", " + p.name + " " + name
		w.variables[p.name] = append(w.variables[p.name], name)
	}
	result := types[w.rng.IntN(len(types))]
	if result.float {
		result = s32
	}
	w.line("FN static %s%s %s(%s) {", w.pick("", "__attribute__((noinline)) ", "__attribute__((noinline)) "), result.name, f.name, params)
	w.indent++
	w.declare()
	w.statements(1+w.rng.IntN(4), 1)
	w.line("return %s;", w.expression(result, 2))
	w.indent--
	w.line("}")
	w.functions = append(w.functions, f)
}

// kernel writes a function that the threads execute.
func (w *writer) kernel(n int) {
	w.begin()
	w.line("FN static void body%d(const u32 *in, u32 *out, u32 t) {", n)
	w.indent++
	w.declare()
	w.statements(3+w.rng.IntN(8), 1+w.rng.IntN(3))
	if w.rng.IntN(4) == 0 {
		w.line("out[0] = %s;", w.expression(u32, 2))
		w.line("if (%s) return;", w.condition(2))
		w.statements(1+w.rng.IntN(4), 2)
	}
	w.show()
	w.indent--
	w.line("}")
}

// begin forgets what the last function had.
func (w *writer) begin() {
	w.variables, w.counting, w.arrays, w.sums, w.added = map[string][]string{}, nil, nil, nil, false
}

// declare declares variables, one of each type at least, and arrays, a0 first.
func (w *writer) declare() {
	for n := range 12 {
		t := u32
		if n < len(types) {
			t = types[n]
		}
		name := fmt.Sprintf("%s_%d", t.name, n)
		kind := ""
		if w.rng.IntN(12) == 0 {
			kind = "volatile "
		}
		value := fmt.Sprintf("(%s)in[(t * %d + %d) & 255]", t.name, w.rng.IntN(8), w.rng.IntN(256))
		if n == 4 {
			value = "t"
		}
		w.line("%s%s %s = %s;", kind, t.name, name, value)
		w.variables[t.name] = append(w.variables[t.name], name)
	}
	for n := len(w.arrays); n < 1+w.rng.IntN(3); n++ {
		x := array{name: fmt.Sprintf("a%d", n), typ: types[w.rng.IntN(integers)], length: 4 << w.rng.IntN(3)}
		if n == 0 {
			x.typ, x.length = u32, 8
		}
		w.line("%s %s[%d] = {%s, %s, %s};", x.typ.name, x.name, x.length, w.number(x.typ), w.leaf(x.typ), w.leaf(x.typ))
		w.arrays = append(w.arrays, x)
	}
	if len(w.arrays) == 0 {
		w.line("u32 a0[8] = {t};")
		w.arrays = append(w.arrays, array{name: "a0", typ: u32, length: 8})
	}
}

// show writes all that has been computed.
func (w *writer) show() {
	for n, value := range w.values() {
		w.line("out[%d] = %s;", n+1, value)
	}
}

// values are words that have all that has been computed.
func (w *writer) values() (all []string) {
	put := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, t := range types {
		for _, name := range w.variables[t.name] {
			switch {
			case t.name == "f32":
				put("bits_f32(%s)", name)
			case t.name == "f64":
				put("(u32)bits_f64(%s)", name)
				put("(u32)(bits_f64(%s) >> 32)", name)
			case t.bits == 64:
				put("(u32)%s", name)
				put("(u32)(%s >> 32)", name)
			default:
				put("(u32)%s", name)
			}
		}
	}
	for _, x := range w.arrays {
		sum := "0"
		for i := range min(x.length, 32) {
			sum += fmt.Sprintf(" ^ ((u32)%s[%d] * %du)", x.name, i, 2*i+1)
		}
		put("%s", sum)
	}
	return all
}
