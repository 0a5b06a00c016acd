package machine

// ISETP: certain, setp, with its second predicate and its operation with a third. With .EX it compares the
// upper halves of 64 bits: where they are equal, the comparison of the lower ones decides, which is the
// last predicate. That is certain too: it is how 64 bits are compared, and Mesa's tests hold it.
//
// IMNMX: certain; PT is the minimum, !PT the maximum. VIMNMX, which sm_90 has in its place: the same,
// certain from listings.
var comparisons = map[string]func(f *form) step{"ISETP": isetp, "IMNMX": imnmx, "VIMNMX": imnmx}

var relations = map[string]func(a, b int64) bool{
	"F": func(a, b int64) bool { return false }, "T": func(a, b int64) bool { return true },
	"EQ": func(a, b int64) bool { return a == b }, "NE": func(a, b int64) bool { return a != b },
	"LT": func(a, b int64) bool { return a < b }, "LE": func(a, b int64) bool { return a <= b },
	"GT": func(a, b int64) bool { return a > b }, "GE": func(a, b int64) bool { return a >= b },
}

func isetp(f *form) step {
	name := f.must("EQ", "NE", "LT", "LE", "GT", "GE", "F", "T")
	unsigned := f.has("U32")
	operation := f.must("AND", "OR", "XOR")
	extended := f.has("EX")
	if extended && (name == "F" || name == "T") {
		f.fail("%s is not known", spelled(f.in))
	}
	sets := [2]func(*thread, bool){f.truthResult(), f.truthResult()}
	a, b, third := f.word(), f.word(), f.truth()
	lower := func(*thread) bool { return true }
	if extended {
		lower = f.truth()
	}
	join := func(x, y bool) bool {
		switch operation {
		case "AND":
			return x && y
		case "OR":
			return x || y
		}
		return x != y
	}
	holds := relations[name]
	return func(t *thread) {
		x, y := a(t), b(t)
		left, right := int64(int32(x)), int64(int32(y))
		if unsigned {
			left, right = int64(x), int64(y)
		}
		c := holds(left, right)
		if extended && x == y {
			c = lower(t)
		}
		p := third(t)
		sets[0](t, join(c, p))
		sets[1](t, join(!c, p))
	}
}

func imnmx(f *form) step {
	unsigned := f.has("U32")
	if !unsigned {
		f.has("S32")
	}
	set, a, b, least := f.result(), f.word(), f.word(), f.truth()
	return func(t *thread) {
		x, y := a(t), b(t)
		below := int32(x) < int32(y)
		if unsigned {
			below = x < y
		}
		if below == least(t) {
			set(t, x)
		} else {
			set(t, y)
		}
	}
}
