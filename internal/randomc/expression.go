package randomc

import "fmt"

// Expressions: each is in parentheses, or a name, and of the type that it is asked for.

func (w *writer) expression(t typ, depth int) string {
	if depth <= 0 {
		return w.leaf(t)
	}
	if t.float {
		return w.floating(t, depth-1)
	}
	return w.integer(t, depth-1)
}

// leaf is a variable, an element, or a number.
func (w *writer) leaf(t typ) string {
	switch w.rng.IntN(8) {
	case 0, 1:
		return w.number(t)
	case 2:
		if !t.float {
			return fmt.Sprintf("((%s)in[(t * %d + %d) & 255])", t.name, 1+w.rng.IntN(7), w.rng.IntN(256))
		}
	}
	if names := w.variables[t.name]; len(names) > 0 && w.rng.IntN(6) > 0 {
		return w.pick(names...)
	}
	return fmt.Sprintf("((%s)%s)", t.name, w.pick(append(w.counting, w.variables["u32"]...)...))
}

// number is a literal: small ones, and those at the edges of types.
func (w *writer) number(t typ) string {
	if t.float {
		return fmt.Sprintf("((%s)%s)", t.name, w.pick("0.0", "1.0", "-1.0", "0.5", "3.25", "-7.75", "1e10", "-1e-10", "16777217.0", "0.1"))
	}
	n := w.pick("0", "1", "2", "3", "5", "7", "8", "16", "31", "127", "128", "255", "256", "32767", "65535", "0x7fffffffu", "0x80000000u", "0xffffffffu", "0x00ff00ffu",
		"0x8000000000000000ull", "0x7fffffffffffffffull", "0xffffffffffffffffull", fmt.Sprintf("%du", w.rng.Uint32()))
	return fmt.Sprintf("((%s)%s)", t.name, n)
}

// count is an expression that is less than a power of two.
func (w *writer) count(less, depth int) string {
	return fmt.Sprintf("(%s & %d)", w.expression(u32, depth), less-1)
}

// condition is an expression that is 0 or 1.
func (w *writer) condition(depth int) string {
	t := types[w.rng.IntN(len(types))]
	switch w.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", w.condition(depth-1-w.rng.IntN(2)), w.pick("&&", "||", "&", "|", "^"), w.relation(t, depth-1))
	case 1:
		return fmt.Sprintf("(!%s)", w.relation(t, depth-1))
	}
	return w.relation(t, depth)
}

func (w *writer) relation(t typ, depth int) string {
	return fmt.Sprintf("(%s %s %s)", w.expression(t, depth-1), w.pick("<", "<=", ">", ">=", "==", "!="), w.expression(t, depth-1))
}

// integer is an operation on integers. Sums, products and left shifts are those of types without signs.
func (w *writer) integer(t typ, depth int) string {
	a := func() string { return w.expression(t, depth) }
	word := func() string { return w.expression(u32, depth) }
	switch w.rng.IntN(24) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("((%s)((%s)%s %s (%s)%s))", t.name, w.wide(t), a(), w.pick("+", "-", "*", "&", "|", "^"), w.wide(t), a())
	case 4:
		return fmt.Sprintf("((%s)((%s)%s << %s))", t.name, w.wide(t), a(), w.count(t.bits, depth-1))
	case 5:
		return fmt.Sprintf("((%s)(%s >> %s))", t.name, a(), w.count(t.bits, depth-1))
	case 6:
		return fmt.Sprintf("((%s)(%s(%s)%s))", t.name, w.pick("~", "-"), w.wide(t), a())
	case 7:
		return fmt.Sprintf("%s_%s(%s, %s)", w.pick("div", "rem"), t.name, a(), a())
	case 8, 9:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(depth), a(), a())
	case 10:
		return fmt.Sprintf("((%s)%s)", t.name, w.condition(depth))
	case 11, 12:
		return fmt.Sprintf("((%s)%s)", t.name, w.expression(types[w.rng.IntN(integers)], depth))
	case 13:
		from := types[integers+w.rng.IntN(2)]
		return fmt.Sprintf("((%s)%s_%s(%s))", t.name, w.pick("whole", "bits"), from.name, w.expression(from, depth))
	case 14:
		return fmt.Sprintf("((%s)%s(%s))", t.name, w.pick("__builtin_popcount", "leading", "trailing", "__builtin_bswap32"), word())
	case 15:
		return fmt.Sprintf("((%s)%s(%s, %s))", t.name, w.pick("high_u32", "high_s32", "rotate", "average", "least_s8", "saturated"), word(), word())
	case 16:
		if len(w.arrays) > 0 {
			x := w.arrays[w.rng.IntN(len(w.arrays))]
			return fmt.Sprintf("((%s)%s[%s])", t.name, x.name, w.count(x.length, depth-1))
		}
	case 17:
		return w.call(t, depth)
	case 18:
		return fmt.Sprintf("((%s)table[%s])", t.name, w.count(16, depth-1))
	case 19:
		long := func() string { return w.expression(u64, depth) }
		return fmt.Sprintf("((%s)%s(%s, %s))", t.name, w.pick("high_u64", "high_s64", "funnel", "differ"), long(), long())
	case 20:
		return fmt.Sprintf("((%s)%s(%s, %s, %s))", t.name, w.pick("structures", "quads", "deep", "moved", "pointed"), word(), word(), word())
	case 21, 22, 23:
		if len(w.external) > 0 {
			return fmt.Sprintf("((%s)%s(%s, %s, %s))", t.name, w.pick(w.external...), word(), word(), word())
		}
	}
	return w.leaf(t)
}

// wide is the type in which something is computed: that of integers of 32 bits at least, without a sign.
func (w *writer) wide(t typ) string {
	if t.bits < 32 {
		return "u32"
	}
	return t.unsigned()
}

// floating is an operation on numbers with a fraction. What is chosen has 0 added, so that it is not -0: compilers make minima of
// choices, and which zero is less than the other is their own.
func (w *writer) floating(t typ, depth int) string {
	a := func() string { return w.expression(t, depth) }
	letter := map[string]string{"f32": "f", "f64": ""}[t.name]
	switch w.rng.IntN(12) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", a(), w.pick("+", "-", "*", "*", "/"), a())
	case 4:
		return fmt.Sprintf("(-%s)", a())
	case 5:
		return fmt.Sprintf("__builtin_%s%s(%s)", w.pick("sqrt", "fabs", "floor", "ceil", "trunc", "rint"), letter, a())
	case 6:
		return fmt.Sprintf("__builtin_fma%s(%s, %s, %s)", letter, a(), a(), a())
	case 7:
		return fmt.Sprintf("((%s ? %s : %s) + (%s)0)", w.condition(depth), a(), a(), t.name)
	case 8:
		from := types[w.rng.IntN(integers)]
		return fmt.Sprintf("((%s)%s)", t.name, w.expression(from, depth))
	case 9:
		from := types[integers+w.rng.IntN(2)]
		return fmt.Sprintf("((%s)%s)", t.name, w.expression(from, depth))
	case 10:
		return fmt.Sprintf("%s_%s(%s, %s)", w.pick("least", "greatest"), t.name, a(), a())
	case 11:
		return fmt.Sprintf("from_%s(%s)", t.name, w.expression(typ{name: "u" + t.name[1:], bits: t.bits}, depth))
	}
	return w.leaf(t)
}

// call calls one of the functions that have been written, and that write nothing: the order of operands is the compiler's own.
func (w *writer) call(t typ, depth int) string {
	if f, ok := w.function(false); ok {
		return fmt.Sprintf("((%s)%s)", t.name, w.called(f, depth))
	}
	return w.leaf(t)
}

// called is a call of a function.
func (w *writer) called(f function, depth int) string {
	args := "in, t"
	if f.array {
		args += ", a0"
	}
	for _, p := range f.params {
		args += ", " + w.expression(p, min(depth, 1))
	}
	return fmt.Sprintf("%s(%s)", f.name, args)
}
