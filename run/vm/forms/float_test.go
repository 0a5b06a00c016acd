package forms

import (
	"math"
	"math/big"
	"testing"
)

// The software reference of these tests computes with rational numbers, and rounds them by
// looking at the neighbours.

// f32Edges are values at which single-precision operations go wrong.
var f32Edges = []uint64{
	0, 0x80000000, 1, 0x80000001, 2, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001,
	0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x40400000, 0x4b000000, 0x4b000001, 0x4b800000, 0xcb7fffff,
	0x33800000, 0x33800001, 0x1a000000, 0x5f000000, 0x4f000000, 0x4f7fffff, 0xcf000000, 0xcf000001, 0x42fe0000, 0x437f0000,
	0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x3fc00000, 0xbfc00000, 0x40200000,
	0x3eaaaaab, 0xc2c80000, 0x0da24260, 0x20000000, 0x60000000,
}

// f64Edges are those of double precision, and those that matter when they are made single.
var f64Edges = func() (all []uint64) {
	for _, x := range f32Edges {
		v := float64(math.Float32frombits(uint32(x)))
		b := math.Float64bits(v)
		all = append(all, b)
		if v-v == 0 && v != 0 {
			all = append(all, b+1, b-1, b+1<<28, b+1<<28-1)
		}
	}
	return append(all, 1, 1<<63|1, 1<<52, 0x7fefffffffffffff, 0x7ff0000000000001, 0xfff8000000000000)
}()

// roundTo returns the f32 that a non-zero rational number rounds to.
func roundTo(x *big.Rat, mode string) float32 {
	r, _ := x.Float32() // the nearest, ties to even; infinity if it overflows
	at := func(v float32) int {
		if math.IsInf(float64(v), 0) {
			if v > 0 {
				return 1
			}
			return -1
		}
		return new(big.Rat).SetFloat64(float64(v)).Cmp(x)
	}
	next := func(v, to float32) float32 { return math.Nextafter32(v, to) }
	inf := float32(math.Inf(1))
	towardZero := mode == "rz"
	switch {
	case (mode == "rm" || towardZero && x.Sign() > 0) && at(r) > 0:
		r = next(r, -inf)
	case (mode == "rp" || towardZero && x.Sign() < 0) && at(r) < 0:
		r = next(r, inf)
	}
	if r == 0 && x.Sign() < 0 {
		return float32(math.Copysign(0, -1))
	}
	return r
}

// roundAndFlush is roundTo, and .ftz if it is asked for: of what is subnormal when it is rounded as if exponents had no end, as they have
// none to speak of where it is 2^64 times as large (ruling O2).
func roundAndFlush(x *big.Rat, mode string, ftz bool) float32 {
	if raised := new(big.Rat).Mul(x, new(big.Rat).SetFloat64(0x1p64)); ftz && math.Abs(float64(roundTo(raised, mode))) < 0x1p-62 {
		return float32(math.Copysign(0, float64(x.Sign())))
	}
	return roundTo(x, mode)
}

func flushed(x float32, ftz bool) float32 {
	if ftz && math.Abs(float64(x)) < 0x1p-126 {
		return float32(math.Copysign(0, float64(x)))
	}
	return x
}

func isFinite(x float32) bool { return x-x == 0 }

func rational(x float32) *big.Rat { return new(big.Rat).SetFloat64(float64(x)) }

// zeroSum is the sign of an exact zero that is the sum of x and y.
func zeroSum(x, y float32, mode string) float32 {
	nx, ny := math.Signbit(float64(x)), math.Signbit(float64(y))
	if nx == ny && x == 0 && y == 0 {
		return x
	}
	if mode == "rm" {
		return float32(math.Copysign(0, -1))
	}
	return 0
}

// reference computes an operation on f32 operands.
func reference(op, mode string, ftz bool, x []float32) float32 {
	negativeIf := func(b bool, v float32) float32 {
		if b {
			return -v
		}
		return v
	}
	sign := func(i int) bool { return math.Signbit(float64(x[i])) }
	inf := float32(math.Inf(1))
	switch op {
	case "add", "sub":
		a, b := x[0], x[1]
		if op == "sub" {
			b = -b
		}
		if !isFinite(a) || !isFinite(b) {
			return a + b
		}
		sum := new(big.Rat).Add(rational(a), rational(b))
		if sum.Sign() == 0 {
			return zeroSum(a, b, mode)
		}
		return roundAndFlush(sum, mode, ftz)
	case "mul", "fma":
		a, b := x[0], x[1]
		product := a * b
		if isFinite(a) && isFinite(b) {
			p := new(big.Rat).Mul(rational(a), rational(b))
			if op == "fma" && isFinite(x[2]) {
				sum := new(big.Rat).Add(p, rational(x[2]))
				if sum.Sign() != 0 {
					return roundAndFlush(sum, mode, ftz)
				}
				zero := negativeIf(sign(0) != sign(1), 0)
				if p.Sign() != 0 {
					zero = 1 // not a zero that decides
				}
				return zeroSum(zero, x[2], mode)
			}
			if op == "fma" {
				return x[2]
			}
			if p.Sign() == 0 {
				return negativeIf(sign(0) != sign(1), 0)
			}
			return roundAndFlush(p, mode, ftz)
		}
		if op == "fma" {
			return product + x[2]
		}
		return product
	case "rcp":
		return reference("div", mode, ftz, []float32{1, x[0]})
	case "div":
		if !isFinite(x[0]) || !isFinite(x[1]) || x[1] == 0 {
			if x[1] == 0 && x[0] != 0 && x[0] == x[0] {
				return negativeIf(sign(0) != sign(1), inf)
			}
			return x[0] / x[1]
		}
		if x[0] == 0 {
			return negativeIf(sign(0) != sign(1), 0)
		}
		return roundAndFlush(new(big.Rat).Quo(rational(x[0]), rational(x[1])), mode, ftz)
	case "sqrt":
		if !isFinite(x[0]) || x[0] <= 0 {
			return float32(math.Sqrt(float64(x[0])))
		}
		// An integer root of x * 4^200, with a sticky bit below.
		scaled := new(big.Rat).Mul(rational(x[0]), new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 400)))
		n := new(big.Int).Quo(scaled.Num(), scaled.Denom())
		root := new(big.Int).Sqrt(n)
		twice := new(big.Int).Lsh(root, 1)
		if new(big.Rat).SetInt(new(big.Int).Mul(root, root)).Cmp(scaled) != 0 {
			twice.SetBit(twice, 0, 1)
		}
		return roundAndFlush(new(big.Rat).SetFrac(twice, new(big.Int).Lsh(big.NewInt(1), 201)), mode, ftz)
	}
	panic(op)
}

func saturate(x float32, sat bool) float32 {
	switch {
	case !sat:
		return x
	case x > 1:
		return 1
	case x > 0:
		return x
	}
	return 0
}

func bits32(x float32) uint64 {
	if x != x {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(x))
}

// floatCase is a case whose operands are f32.
func floatCase(code string, count int, want func(x []float32) uint64) formCase {
	sources := "f32 f32 f32"[:4*count-1]
	return formCase{code, "f32", sources, func(x []uint64) uint64 {
		var v []float32
		for _, b := range x {
			v = append(v, math.Float32frombits(uint32(b)))
		}
		return want(v)
	}}
}

func TestFloatArithmetic(t *testing.T) {
	operands := []string{" %d, %a;", " %d, %a, %b;", " %d, %a, %b, %c;"}
	for _, op := range []struct {
		name  string
		count int
		sat   bool
	}{{"add", 2, true}, {"sub", 2, true}, {"mul", 2, true}, {"fma", 3, true}, {"div", 2, false}, {"rcp", 1, false}, {"sqrt", 1, false}} {
		for _, mode := range []string{"rn", "rz", "rm", "rp"} {
			for _, ftz := range []string{"", ".ftz"} {
				for _, sat := range []string{"", ".sat"} {
					if sat != "" && !op.sat {
						continue
					}
					code := op.name + "." + mode + ftz + sat + ".f32" + operands[op.count-1]
					testForms(t, []formCase{floatCase(code, op.count, func(x []float32) uint64 {
						var in []float32
						for _, v := range x {
							in = append(in, flushed(v, ftz != ""))
						}
						return bits32(saturate(reference(op.name, mode, ftz != "", in), sat != ""))
					})})
				}
			}
		}
	}
}

func TestFloatForms(t *testing.T) {
	isNaN := func(x float32) bool { return x != x }
	less := func(a, b float32) bool {
		return a < b || a == b && math.Signbit(float64(a)) && !math.Signbit(float64(b))
	}
	extreme := func(ftz, propagate, greatest bool) func(x []float32) uint64 {
		return func(x []float32) uint64 {
			a, b := flushed(x[0], ftz), flushed(x[1], ftz)
			switch {
			case isNaN(a) && isNaN(b), propagate && (isNaN(a) || isNaN(b)):
				return 0x7fffffff
			case isNaN(a):
				return bits32(b)
			case isNaN(b):
				return bits32(a)
			case less(a, b) == greatest:
				return bits32(b)
			}
			return bits32(a)
		}
	}
	cases := []formCase{
		floatCase("min.f32 %d, %a, %b;", 2, extreme(false, false, false)),
		floatCase("max.f32 %d, %a, %b;", 2, extreme(false, false, true)),
		floatCase("min.ftz.f32 %d, %a, %b;", 2, extreme(true, false, false)),
		floatCase("max.ftz.NaN.f32 %d, %a, %b;", 2, extreme(true, true, true)),
		floatCase("add.f32 %d, %a, 0f3F800000;", 1, func(x []float32) uint64 { return bits32(x[0] + 1) }),
		floatCase("mov.f32 %d, 1.5;", 1, func(x []float32) uint64 { return 0x3fc00000 }),
		floatCase("copysign.f32 %d, %a, %b;", 2, func(x []float32) uint64 {
			return uint64(math.Float32bits(x[1])&0x7fffffff | math.Float32bits(x[0])&0x80000000)
		}),
		floatCase("mad.rn.f32 %d, %a, %b, %c;", 3, func(x []float32) uint64 { return bits32(reference("fma", "rn", false, x)) }),
		{"neg.f32 %d, %a;", "f32", "f32", func(x []uint64) uint64 { return x[0] ^ 0x80000000 }},
		{"abs.ftz.f32 %d, %a;", "f32", "f32", func(x []uint64) uint64 {
			if x[0]&0x7f800000 == 0 {
				return 0
			}
			return x[0] &^ 0x80000000
		}},
		{"slct.u32.f32 %d, %a, %b, %c;", "u32", "u32 u32 f32", func(x []uint64) uint64 {
			if math.Float32frombits(uint32(x[2])) >= 0 {
				return x[0]
			}
			return x[1]
		}},
		{"testp.subnormal.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "u32", "f32", func(x []uint64) uint64 {
			return bool64(x[0]&0x7f800000 == 0 && x[0]&0x7fffffff != 0)
		}},
		{"testp.finite.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "u32", "f32", func(x []uint64) uint64 { return bool64(x[0]&0x7f800000 != 0x7f800000) }},
	}
	for name, holds := range map[string]func(a, b float32) bool{
		"eq": func(a, b float32) bool { return a == b },
		"ne": func(a, b float32) bool { return a != b && !isNaN(a) && !isNaN(b) },
		"lt": func(a, b float32) bool { return a < b }, "le": func(a, b float32) bool { return a <= b },
		"gt": func(a, b float32) bool { return a > b }, "ge": func(a, b float32) bool { return a >= b },
		"equ": func(a, b float32) bool { return a == b || isNaN(a) || isNaN(b) },
		"neu": func(a, b float32) bool { return a != b || isNaN(a) || isNaN(b) },
		"ltu": func(a, b float32) bool { return a < b || isNaN(a) || isNaN(b) },
		"leu": func(a, b float32) bool { return a <= b || isNaN(a) || isNaN(b) },
		"gtu": func(a, b float32) bool { return a > b || isNaN(a) || isNaN(b) },
		"geu": func(a, b float32) bool { return a >= b || isNaN(a) || isNaN(b) },
		"num": func(a, b float32) bool { return !isNaN(a) && !isNaN(b) },
		"nan": func(a, b float32) bool { return isNaN(a) || isNaN(b) },
	} {
		for _, ftz := range []bool{false, true} {
			suffix := map[bool]string{true: ".ftz"}[ftz]
			holds := func(x []float32) bool { return holds(flushed(x[0], ftz), flushed(x[1], ftz)) }
			cases = append(cases,
				floatCase("setp."+name+suffix+".f32 %p, %a, %b; selp.f32 %d, 0f00000001, 0f00000000, %p;", 2, func(x []float32) uint64 { return bool64(holds(x)) }),
				floatCase("set."+name+suffix+".f32.f32 %d, %a, %b;", 2, func(x []float32) uint64 { return 0x3f800000 * bool64(holds(x)) }),
				floatCase("set."+name+suffix+".u32.f32 %d, %a, %b;", 2, func(x []float32) uint64 { return 0xffffffff * bool64(holds(x)) }))
		}
	}
	testForms(t, cases)
}

// roundIntegral rounds a finite number to an integer.
func roundIntegral(x float64, mode string) float64 {
	switch mode {
	case "rz":
		return math.Trunc(x)
	case "rm":
		return math.Floor(x)
	case "rp":
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

func TestFloatConversions(t *testing.T) {
	for _, mode := range []string{"rn", "rz", "rm", "rp"} {
		for _, typ := range []string{"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"} {
			n := uint(bitsOf(typ))
			low, high := big.NewInt(0), new(big.Int).SetUint64(field(n))
			if typ[0] == 's' {
				low, high = new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), n-1)), new(big.Int).SetUint64(field(n-1))
			}
			wider := typ
			if n == 8 {
				wider = typ[:1] + "32"
			}
			testForms(t, []formCase{
				{"cvt." + mode + "i." + typ + ".f32 %d, %a;", wider, "f32", func(x []uint64) uint64 {
					v := math.Float32frombits(uint32(x[0]))
					switch {
					case v != v && n == 64:
						return 1 << 63
					case v != v:
						return 0
					case math.IsInf(float64(v), 1):
						return wrapped(high)
					case math.IsInf(float64(v), -1):
						return wrapped(low)
					}
					i, _ := big.NewFloat(roundIntegral(float64(v), mode)).Int(nil)
					if i.Cmp(low) < 0 {
						i = low
					}
					if i.Cmp(high) > 0 {
						i = high
					}
					return wrapped(i)
				}},
				{"cvt." + mode + ".f32." + typ + " %d, %a;", "f32", typ, func(x []uint64) uint64 {
					v := value(typ, x[0])
					if v.Sign() == 0 {
						return 0
					}
					return bits32(roundTo(new(big.Rat).SetInt(v), mode))
				}},
			})
		}
		testForms(t, []formCase{
			floatCase("cvt."+mode+"i.f32.f32 %d, %a;", 1, func(x []float32) uint64 {
				if !isFinite(x[0]) {
					return bits32(x[0])
				}
				return bits32(float32(roundIntegral(float64(x[0]), mode)))
			}),
			{"cvt." + mode + ".f32.f64 %d, %a;", "f32", "f64", func(x []uint64) uint64 {
				v := math.Float64frombits(x[0])
				if v == 0 || v-v != 0 {
					return bits32(float32(v))
				}
				return bits32(roundTo(new(big.Rat).SetFloat64(v), mode))
			}},
		})
	}
	testForms(t, []formCase{
		floatCase("cvt.sat.f32.f32 %d, %a;", 1, func(x []float32) uint64 { return bits32(saturate(x[0], true)) }),
		floatCase("cvt.ftz.f32.f32 %d, %a;", 1, func(x []float32) uint64 { return bits32(flushed(x[0], true)) }),
		{"cvt.f64.f32 %d, %a;", "f64", "f32", func(x []uint64) uint64 {
			v := math.Float32frombits(uint32(x[0]))
			if v != v {
				return 0xfff8000000000000
			}
			return math.Float64bits(float64(v))
		}},
	})
}

func TestDoubles(t *testing.T) {
	// referenceDouble rounds a rational number by looking at the neighbours of the nearest f64.
	round := func(x *big.Rat, mode string) float64 {
		r, _ := x.Float64()
		order := func(v float64) int {
			if math.IsInf(v, 0) {
				return int(math.Copysign(1, v))
			}
			return new(big.Rat).SetFloat64(v).Cmp(x)
		}
		down := mode == "rm" || mode == "rz" && x.Sign() > 0
		up := mode == "rp" || mode == "rz" && x.Sign() < 0
		switch {
		case down && order(r) > 0:
			r = math.Nextafter(r, math.Inf(-1))
		case up && order(r) < 0:
			r = math.Nextafter(r, math.Inf(1))
		}
		if r == 0 && x.Sign() < 0 {
			return math.Copysign(0, -1)
		}
		return r
	}
	bits64 := func(x float64) uint64 {
		if x != x {
			return 0xfff8000000000000
		}
		return math.Float64bits(x)
	}
	for _, mode := range []string{"rn", "rz", "rm", "rp"} {
		zero := func(nearest float64, cancels bool) uint64 {
			if cancels && mode == "rm" {
				return 1 << 63
			}
			return bits64(nearest)
		}
		two := func(name string, native func(a, b float64) float64, exact func(a, b *big.Rat) *big.Rat, sum bool) formCase {
			return formCase{name + "." + mode + ".f64 %d, %a, %b;", "f64", "f64 f64", func(x []uint64) uint64 {
				a, b := math.Float64frombits(x[0]), math.Float64frombits(x[1])
				if a-a != 0 || b-b != 0 || name == "div" && b == 0 {
					return bits64(native(a, b))
				}
				r := exact(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
				if r.Sign() == 0 {
					if name == "sub" {
						b = -b
					}
					return zero(native(math.Float64frombits(x[0]), math.Float64frombits(x[1])), sum && math.Signbit(a) != math.Signbit(b))
				}
				return bits64(round(r, mode))
			}}
		}
		testForms(t, []formCase{
			two("add", func(a, b float64) float64 { return a + b }, func(a, b *big.Rat) *big.Rat { return a.Add(a, b) }, true),
			two("sub", func(a, b float64) float64 { return a - b }, func(a, b *big.Rat) *big.Rat { return a.Sub(a, b) }, true),
			two("mul", func(a, b float64) float64 { return a * b }, func(a, b *big.Rat) *big.Rat { return a.Mul(a, b) }, false),
			two("div", func(a, b float64) float64 { return a / b }, func(a, b *big.Rat) *big.Rat { return a.Quo(a, b) }, false),
			{"fma." + mode + ".f64 %d, %a, %b, %c;", "f64", "f64 f64 f64", func(x []uint64) uint64 {
				a, b, c := math.Float64frombits(x[0]), math.Float64frombits(x[1]), math.Float64frombits(x[2])
				if a-a != 0 || b-b != 0 || c-c != 0 {
					return bits64(math.FMA(a, b, c))
				}
				r := new(big.Rat).Mul(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
				r.Add(r, new(big.Rat).SetFloat64(c))
				if r.Sign() == 0 {
					return zero(math.FMA(a, b, c), math.Signbit(a) != math.Signbit(b) != math.Signbit(c))
				}
				return bits64(round(r, mode))
			}},
			{"sqrt." + mode + ".f64 %d, %a;", "f64", "f64", func(x []uint64) uint64 {
				a := math.Float64frombits(x[0])
				if a-a != 0 || a <= 0 {
					return bits64(math.Sqrt(a))
				}
				exact := new(big.Float).SetPrec(2000).SetFloat64(a)
				r, _ := exact.Sqrt(exact).Rat(nil)
				return bits64(round(r, mode))
			}},
		})
	}
	testForms(t, []formCase{
		{"neg.f64 %d, %a;", "f64", "f64", func(x []uint64) uint64 { return x[0] ^ 1<<63 }},
		{"setp.ltu.f64 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "u32", "f64 f64", func(x []uint64) uint64 {
			return bool64(!(math.Float64frombits(x[0]) >= math.Float64frombits(x[1])))
		}},
		{"setp.gt.f64 %p, %a, 0d3FF0000000000000; selp.f64 %d, %a, %b, %p;", "f64", "f64 f64", func(x []uint64) uint64 {
			if math.Float64frombits(x[0]) > 1 {
				return x[0]
			}
			return x[1]
		}},
		{"max.f64 %d, %a, %b;", "f64", "f64 f64", func(x []uint64) uint64 {
			a, b := math.Float64frombits(x[0]), math.Float64frombits(x[1])
			switch {
			case a != a:
				a = b
			case b == b:
				a = math.Max(a, b)
			}
			return bits64(a)
		}},
	})
}

// TestHalves converts every f16 to f32 and back, and numbers between them.
func TestHalves(t *testing.T) {
	half := func(h uint64) float64 {
		exponent, fraction := int(h>>10&31), float64(h&0x3ff)
		v := math.Ldexp(1024+fraction, exponent-25)
		switch {
		case exponent == 0:
			v = math.Ldexp(fraction, -24)
		case exponent == 31 && fraction == 0:
			v = math.Inf(1)
		case exponent == 31:
			return math.NaN()
		}
		if h>>15 != 0 {
			return -v
		}
		return v
	}
	cases := []formCase{{"cvt.f32.f16 %d, %a;", "f32", "u16", func(x []uint64) uint64 { return bits32(float32(half(x[0]))) }}}
	for _, mode := range []string{"rn", "rz", "rm", "rp"} {
		cases = append(cases, formCase{"cvt." + mode + ".f16.f32 %d, %a;", "u16", "f32", func(x []uint64) uint64 {
			v := float64(math.Float32frombits(uint32(x[0])))
			sign := x[0] >> 31 << 15
			if v != v {
				return 0x7fff
			}
			low := uint64(0) // the greatest magnitude not above that of v
			for h := uint64(0); h <= 0x7c00 && half(h) <= math.Abs(v); h++ {
				low = h
			}
			rest := math.Abs(v) - half(low)
			if rest == 0 || math.IsInf(v, 0) {
				return sign | low
			}
			step := 0x1p16 - half(0x7bff)
			if low < 0x7bff {
				step = half(low+1) - half(low)
			}
			up := mode == "rp" && sign == 0 || mode == "rm" && sign != 0 ||
				mode == "rn" && (rest > step/2 || rest == step/2 && low&1 != 0)
			return sign | low + bool64(up)
		}})
	}
	testForms(t, cases)
}

// TestApproximate looks whether the .approx instructions are as close as the PTX ISA promises.
func TestApproximate(t *testing.T) {
	for name, f := range map[string]func(float64) float64{
		"rcp": func(x float64) float64 { return 1 / x }, "sqrt": math.Sqrt, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
		"lg2": math.Log2, "ex2": math.Exp2,
	} {
		testForms(t, []formCase{
			floatCase(name+".approx.f32 %d, %a;", 1, func(x []float32) uint64 { return bits32(float32(f(float64(x[0])))) }),
			floatCase(name+".approx.ftz.f32 %d, %a;", 1, func(x []float32) uint64 {
				return bits32(flushed(float32(f(float64(flushed(x[0], true)))), true))
			}),
		})
	}
	testForms(t, []formCase{
		floatCase("tanh.approx.f32 %d, %a;", 1, func(x []float32) uint64 { return bits32(float32(math.Tanh(float64(x[0])))) }),
		floatCase("div.full.f32 %d, %a, %b;", 2, func(x []float32) uint64 { return bits32(reference("div", "rn", false, x)) }),
	})
}
