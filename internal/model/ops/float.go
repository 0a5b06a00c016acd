package ops

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Floating-point operations are those of Go, which round to nearest. NaNs that are computed are one for each
// type, as they are in package vm.
const (
	nanSingle = 0x7fffffff
	NanDouble = 0xfff8000000000000
	nanHalf   = 0x7fff
)

func single(v uint64) float32 { return math.Float32frombits(uint32(v)) }

func ofSingle(x float32) uint64 {
	if x != x {
		return nanSingle
	}
	return uint64(math.Float32bits(x))
}

func ofDouble(x float64) uint64 {
	if x != x {
		return NanDouble
	}
	return math.Float64bits(x)
}

// flush gives a subnormal number up for zero.
func flush(x float32) float32 {
	if b := math.Float32bits(x); b&0x7f800000 == 0 {
		return math.Float32frombits(b & 0x80000000)
	}
	return x
}

// exact is a number with as many digits as sums and products of f32 have.
func exact(x float32) *big.Float { return new(big.Float).SetPrec(700).SetFloat64(float64(x)) }

// fused is a*b+c, rounded once.
func fused(a, b, c float32) float32 {
	wide := math.FMA(float64(a), float64(b), float64(c))
	if wide != wide || math.IsInf(wide, 0) || wide == 0 {
		return float32(wide)
	}
	result, _ := product(a, b, c).Float32()
	return result
}

func product(a, b, c float32) *big.Float {
	x := exact(a)
	return x.Mul(x, exact(b)).Add(x, exact(c))
}

func quotient(a, b, _ float32) *big.Float { return new(big.Float).Quo(exact(a), exact(b)) }

// flushResult is what .ftz makes of a result: zero if it is less than the least normal number, with 24 digits and any
// exponent. That is rounded to the least normal number now and then; what remains is told from the exact result.
func flushResult(r float32, exactly func(a, b, c float32) *big.Float, v [3]float32) float32 {
	const least = 0x1p-126
	if exactly != nil && (r == least || r == -least) {
		x := new(big.Float).SetPrec(24).Set(exactly(v[0], v[1], v[2]))
		if x.Abs(x).Cmp(big.NewFloat(least)) < 0 {
			return float32(math.Copysign(0, float64(r)))
		}
	}
	return flush(r)
}

// extreme is the minimum or the maximum, in which a NaN gives way to a number.
func extreme(greatest bool) func(a, b float64) float64 {
	return func(a, b float64) float64 {
		switch {
		case a != a:
			return b
		case b != b:
			return a
		case greatest:
			return math.Max(a, b)
		}
		return math.Min(a, b)
	}
}

// rounders round to whole numbers.
var rounders = map[string]func(x float64) float64{"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil}

// floats enters arithmetic, comparison and conversion of f32 and f64.
func (t *Table) floats() {
	arithmetic := func(name string, n int, exactly func(a, b, c float32) *big.Float, f func(a, b, c float32) float32, g func(a, b, c float64) float64) {
		t.add(name+".f64 e, "+operands("e", n), func(s []uint64) uint64 {
			v := [3]float64{}
			for i := range s {
				v[i] = math.Float64frombits(s[i])
			}
			return ofDouble(g(v[0], v[1], v[2]))
		})
		for _, m := range []string{"", ".ftz", ".sat", ".ftz.sat"} {
			sat := strings.Contains(m, "sat")
			if sat && (strings.HasPrefix(name, "div") || strings.HasPrefix(name, "rcp") || strings.HasPrefix(name, "sqrt")) {
				continue
			}
			t.add(name+m+".f32 f, "+operands("f", n), func(s []uint64) uint64 {
				v := [3]float32{}
				for i := range s {
					v[i] = single(s[i])
				}
				ftz := strings.Contains(m, "ftz")
				if ftz {
					v = [3]float32{flush(v[0]), flush(v[1]), flush(v[2])}
				}
				r := f(v[0], v[1], v[2])
				if ftz {
					r = flushResult(r, exactly, v)
				}
				if sat {
					switch {
					case !(r > 0):
						r = 0
					case r > 1:
						r = 1
					}
				}
				return ofSingle(r)
			})
		}
	}
	// Sums are exact where they are so small, and roots are never.
	arithmetic("add", 2, nil, func(a, b, c float32) float32 { return a + b }, func(a, b, c float64) float64 { return a + b })
	arithmetic("add.rn", 2, nil, func(a, b, c float32) float32 { return a + b }, func(a, b, c float64) float64 { return a + b })
	arithmetic("sub", 2, nil, func(a, b, c float32) float32 { return a - b }, func(a, b, c float64) float64 { return a - b })
	arithmetic("mul", 2, product, func(a, b, c float32) float32 { return a * b }, func(a, b, c float64) float64 { return a * b })
	arithmetic("fma.rn", 3, product, fused, math.FMA)
	arithmetic("mad.rn", 3, product, fused, math.FMA)
	arithmetic("div.rn", 2, quotient, func(a, b, c float32) float32 { return a / b }, func(a, b, c float64) float64 { return a / b })
	arithmetic("rcp.rn", 1, func(a, b, c float32) *big.Float { return quotient(1, a, 0) }, func(a, b, c float32) float32 { return 1 / a }, func(a, b, c float64) float64 { return 1 / a })
	arithmetic("sqrt.rn", 1, nil, func(a, b, c float32) float32 { return float32(math.Sqrt(float64(a))) }, func(a, b, c float64) float64 { return math.Sqrt(a) })

	for _, name := range []string{"min", "max"} {
		f := extreme(name == "max")
		t.add(name+".f64 e, e, e", func(s []uint64) uint64 { return ofDouble(f(math.Float64frombits(s[0]), math.Float64frombits(s[1]))) })
		t.add(name+".f32 f, f, f", func(s []uint64) uint64 { return ofSingle(float32(f(float64(single(s[0])), float64(single(s[1]))))) })
	}
	t.add("copysign.f32 f, f, f", func(s []uint64) uint64 { return s[1]&^(1<<31) | s[0]&(1<<31) })
	t.add("copysign.f64 e, e, e", func(s []uint64) uint64 { return s[1]&^(1<<63) | s[0]&(1<<63) })
	t.add("neg.f32 f, F", func(s []uint64) uint64 { return s[0] ^ 1<<31 })
	t.add("abs.f32 f, F", func(s []uint64) uint64 { return s[0] &^ (1 << 31) })
	t.add("neg.f64 e, E", func(s []uint64) uint64 { return s[0] ^ 1<<63 })
	t.add("abs.f64 e, E", func(s []uint64) uint64 { return s[0] &^ (1 << 63) })
	t.floatTests()
	t.floatConversions()
}

// operands repeats a letter.
func operands(letter string, n int) string {
	return strings.TrimSuffix(strings.Repeat(letter+", ", n), ", ")
}

func (t *Table) floatTests() {
	tests := map[string]func(a, b float64) bool{
		"eq": func(a, b float64) bool { return a == b }, "ne": func(a, b float64) bool { return a < b || a > b },
		"lt": func(a, b float64) bool { return a < b }, "le": func(a, b float64) bool { return a <= b },
		"gt": func(a, b float64) bool { return a > b }, "ge": func(a, b float64) bool { return a >= b },
		"equ": func(a, b float64) bool { return !(a < b || a > b) }, "neu": func(a, b float64) bool { return a != b },
		"ltu": func(a, b float64) bool { return !(a >= b) }, "leu": func(a, b float64) bool { return !(a > b) },
		"gtu": func(a, b float64) bool { return !(a <= b) }, "geu": func(a, b float64) bool { return !(a < b) },
		"num": func(a, b float64) bool { return a == a && b == b }, "nan": func(a, b float64) bool { return a != a || b != b },
	}
	for _, name := range sortedKeys(tests) {
		f := tests[name]
		t.test(name+".%sf32", "f", func(s []uint64) bool { return f(float64(single(s[0])), float64(single(s[1]))) })
		t.test(name+".%sf64", "e", func(s []uint64) bool { return f(math.Float64frombits(s[0]), math.Float64frombits(s[1])) })
	}
	kinds := map[string]func(x, least float64) bool{
		"finite": func(x, _ float64) bool { return x-x == 0 }, "infinite": func(x, _ float64) bool { return math.IsInf(x, 0) },
		"number": func(x, _ float64) bool { return x == x }, "notanumber": func(x, _ float64) bool { return x != x },
		"subnormal": func(x, least float64) bool { return x != 0 && math.Abs(x) < least },
		"normal":    func(x, least float64) bool { return x == 0 || x-x == 0 && math.Abs(x) >= least },
	}
	for _, name := range sortedKeys(kinds) {
		f := kinds[name]
		t.add("testp."+name+".f32 p, F", func(s []uint64) uint64 { return Choose(f(float64(single(s[0])), 0x1p-126), 1, 0) })
		t.add("testp."+name+".f64 p, E", func(s []uint64) uint64 { return Choose(f(math.Float64frombits(s[0]), 0x1p-1022), 1, 0) })
	}
}

func (t *Table) floatConversions() {
	t.add("cvt.f64.f32 e, F", func(s []uint64) uint64 { return ofDouble(float64(single(s[0]))) })
	t.add("cvt.rn.f32.f64 f, E", func(s []uint64) uint64 { return ofSingle(float32(math.Float64frombits(s[0]))) })
	for _, name := range sortedKeys(rounders) {
		f := rounders[name]
		t.add("cvt."+name+".f32.f32 f, F", func(s []uint64) uint64 { return ofSingle(float32(f(float64(single(s[0]))))) })
		t.add("cvt."+name+".f64.f64 e, E", func(s []uint64) uint64 { return ofDouble(f(math.Float64frombits(s[0]))) })
		for _, i := range append([]Integer{{8, false}, {8, true}}, integerTypes...) {
			register := map[int]string{8: "h", 16: "h", 32: "r", 64: "d"}[i.Bits]
			convert := func(x float64, nan uint64) uint64 {
				if x != x {
					return i.Extend(nan)
				}
				return i.Extend(i.of(f(x)))
			}
			// What becomes of a NaN is said of cvt (PTX ISA 9.7.9.21): 0, or the highest bit.
			highest := uint64(1) << (i.Bits - 1)
			t.add(fmt.Sprintf("cvt.%s.%v.f32 %s, F", name, i, register), func(s []uint64) uint64 {
				return convert(float64(single(s[0])), Choose(i.Bits == 64, highest, 0))
			})
			t.add(fmt.Sprintf("cvt.%s.%v.f64 %s, E", name, i, register), func(s []uint64) uint64 {
				return convert(math.Float64frombits(s[0]), highest)
			})
		}
	}
	for _, i := range append([]Integer{{8, false}, {8, true}}, integerTypes...) {
		register := map[int]string{8: "H", 16: "H", 32: "R", 64: "D"}[i.Bits]
		exact := func(s []uint64) *big.Float {
			v := i.Extend(s[0])
			if i.Signed {
				return new(big.Float).SetInt64(int64(v))
			}
			return new(big.Float).SetUint64(v)
		}
		t.add(fmt.Sprintf("cvt.rn.f32.%v f, %s", i, register), func(s []uint64) uint64 {
			x, _ := exact(s).Float32()
			return ofSingle(x)
		})
		t.add(fmt.Sprintf("cvt.rn.f64.%v e, %s", i, register), func(s []uint64) uint64 {
			x, _ := exact(s).Float64()
			return ofDouble(x)
		})
	}
}

// of is the number of the type that is nearest to an integral one.
func (t Integer) of(x float64) uint64 {
	lowest, end := 0.0, math.Ldexp(1, t.Bits)
	if t.Signed {
		lowest, end = -end/2, end/2
	}
	switch {
	case x < lowest:
		return uint64(int64(lowest))
	case x >= end:
		return ^uint64(0) >> (64 - t.Bits) >> int(Choose(t.Signed, 1, 0))
	case t.Signed:
		return uint64(int64(x))
	}
	return uint64(x)
}
