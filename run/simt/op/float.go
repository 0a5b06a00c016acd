package op

import "math"

func init() {
	for name, mode := range roundings {
		defineFloat2("add."+name, mode, func(a, b float64) float64 { return sumOdd(a, b, mode) })
		defineFloat2("sub."+name, mode, func(a, b float64) float64 { return sumOdd(a, -b, mode) })
		defineFloat2("mul."+name, mode, func(a, b float64) float64 { return a * b })
		defineFloat2("div."+name, mode, quotientOdd)
		defineFloat3("fma."+name, mode, func(a, b, c float64) float64 { return sumOdd(a*b, c, mode) })
		defineFloat1("rcp."+name, mode, func(a float64) float64 { return quotientOdd(1, a) })
		defineFloat1("sqrt."+name, mode, rootOdd)
	}
	for _, ftz := range []bool{false, true} {
		suffix := ".f32"
		if ftz {
			suffix = ".ftz.f32"
		}
		for nan, propagate := range map[string]bool{"": false, ".NaN": true} {
			insert := suffix[:len(suffix)-len(".f32")] + nan + ".f32"
			define("min"+insert, extreme(ftz, propagate, false))
			define("max"+insert, extreme(ftz, propagate, true))
		}
		define("neg"+suffix, signed(ftz, func(b uint32) uint32 { return b ^ 0x80000000 }))
		define("abs"+suffix, signed(ftz, func(b uint32) uint32 { return b &^ 0x80000000 }))
		define("slct.32"+suffix, chooseFloat[uint32](ftz))
		define("slct.64"+suffix, chooseFloat[uint64](ftz))
	}
	define("copysign.f32", func(dst, a, b []uint32) {
		for i := range dst {
			dst[i] = b[i]&^0x80000000 | a[i]&0x80000000
		}
	})
}

// finisher brings a result, exact or rounded to odd, into its form: rounded, flushed and
// saturated as the instruction asks for.
type finisher struct {
	mode     rounding
	ftz, sat bool
}

func (f finisher) operand(x uint32) float64 {
	v := math.Float32frombits(x)
	if f.ftz {
		v = flush(v)
	}
	return float64(v)
}

func (f finisher) result(x float64) uint32 {
	if f.ftz {
		x = leastSingle.flushed(x, f.mode)
	}
	r := single(x, f.mode)
	if f.sat {
		r = saturated(r)
	}
	return bitsOf(r)
}

// finishers calls define for each combination of .ftz and .sat, with the end of the
// operation's name.
func finishers(mode rounding, define func(suffix string, f finisher)) {
	define(".f32", finisher{mode: mode})
	define(".ftz.f32", finisher{mode: mode, ftz: true})
	define(".sat.f32", finisher{mode: mode, sat: true})
	define(".ftz.sat.f32", finisher{mode: mode, ftz: true, sat: true})
}

// defineFloat1 enters a function of one f32; f computes it exactly, or rounded to odd.
func defineFloat1(name string, mode rounding, f func(a float64) float64) {
	finishers(mode, func(suffix string, finish finisher) {
		define(name+suffix, func(dst, a []uint32) {
			for i := range dst {
				dst[i] = finish.result(f(finish.operand(a[i])))
			}
		})
	})
}

func defineFloat2(name string, mode rounding, f func(a, b float64) float64) {
	finishers(mode, func(suffix string, finish finisher) {
		operation := func(dst, a, b []uint32) {
			for i := range dst {
				dst[i] = finish.result(f(finish.operand(a[i]), finish.operand(b[i])))
			}
		}
		if fast, ok := nearest[name+suffix]; ok {
			operation = fast
		}
		define(name+suffix, operation)
	})
}

func defineFloat3(name string, mode rounding, f func(a, b, c float64) float64) {
	finishers(mode, func(suffix string, finish finisher) {
		define(name+suffix, func(dst, a, b, c []uint32) {
			for i := range dst {
				dst[i] = finish.result(f(finish.operand(a[i]), finish.operand(b[i]), finish.operand(c[i])))
			}
		})
	})
}

// nearest are the operations that the machine has itself.
var nearest = map[string]Map2[uint32, uint32, uint32]{
	"add.rn.f32": func(dst, a, b []uint32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = bitsOf(math.Float32frombits(a[i]) + math.Float32frombits(b[i]))
		}
	},
	"sub.rn.f32": func(dst, a, b []uint32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = bitsOf(math.Float32frombits(a[i]) - math.Float32frombits(b[i]))
		}
	},
	"mul.rn.f32": func(dst, a, b []uint32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = bitsOf(math.Float32frombits(a[i]) * math.Float32frombits(b[i]))
		}
	},
	"div.rn.f32": func(dst, a, b []uint32) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = bitsOf(math.Float32frombits(a[i]) / math.Float32frombits(b[i]))
		}
	},
}

// extreme is min or max: a NaN gives way to a number unless it is propagated, and -0 is
// less than +0 (9.7.3.11).
func extreme(ftz, propagate, greatest bool) Map2[uint32, uint32, uint32] {
	return func(dst, a, b []uint32) {
		for i := range dst {
			x, y := math.Float32frombits(a[i]), math.Float32frombits(b[i])
			if ftz {
				x, y = flush(x), flush(y)
			}
			switch {
			case x != x && y != y, propagate && (x != x || y != y):
				dst[i] = canonicalNaN
				continue
			case x != x:
				x = y
			case y != y:
			case x == y:
				if math.Signbit(float64(x)) == greatest {
					x = y
				}
			case x < y == greatest:
				x = y
			}
			dst[i] = math.Float32bits(x)
		}
	}
}

// signed is neg or abs.
func signed(ftz bool, f func(b uint32) uint32) Map1[uint32, uint32] {
	return func(dst, a []uint32) {
		for i := range dst {
			x := a[i]
			if ftz {
				x = math.Float32bits(flush(math.Float32frombits(x)))
			}
			dst[i] = f(x)
		}
	}
}

// chooseFloat takes a where c is zero or more, and b where it is less or a NaN (9.7.6.4 slct).
func chooseFloat[W Word](ftz bool) Map3[W, W, W, uint32] {
	return func(dst, a, b []W, c []uint32) {
		for i := range dst {
			x := math.Float32frombits(c[i])
			if ftz {
				x = flush(x)
			}
			if x >= 0 {
				dst[i] = a[i]
			} else {
				dst[i] = b[i]
			}
		}
	}
}
