package op

import "math"

func init() {
	for name, holds := range floatComparisons {
		define("setp."+name+".f32", compareFloats(holds, readSingle))
		define("setp."+name+".ftz.f32", compareFloats(holds, readFlushed))
		define("setp."+name+".f64", compareFloats(holds, math.Float64frombits))
	}
	for name, holds := range floatClasses {
		define("testp."+name+".f32", testFloats(func(x uint32) bool {
			v := math.Float32frombits(x)
			return holds(float64(v), x&0x7f800000 == 0 && v != 0)
		}))
		define("testp."+name+".f64", testFloats(func(x uint64) bool {
			v := math.Float64frombits(x)
			return holds(v, x&(0x7ff<<52) == 0 && v != 0)
		}))
	}
}

func readSingle(x uint32) float64 { return float64(math.Float32frombits(x)) }

func readFlushed(x uint32) float64 { return float64(flush(math.Float32frombits(x))) }

// floatComparisons are the comparisons of PTX ISA 9.7.6.2; those with a u hold for NaNs too.
var floatComparisons = map[string]func(a, b float64) bool{
	"eq":  func(a, b float64) bool { return a == b },
	"ne":  func(a, b float64) bool { return a < b || a > b },
	"lt":  func(a, b float64) bool { return a < b },
	"le":  func(a, b float64) bool { return a <= b },
	"gt":  func(a, b float64) bool { return a > b },
	"ge":  func(a, b float64) bool { return a >= b },
	"equ": func(a, b float64) bool { return !(a < b || a > b) },
	"neu": func(a, b float64) bool { return a != b },
	"ltu": func(a, b float64) bool { return !(a >= b) },
	"leu": func(a, b float64) bool { return !(a > b) },
	"gtu": func(a, b float64) bool { return !(a <= b) },
	"geu": func(a, b float64) bool { return !(a < b) },
	"num": func(a, b float64) bool { return a == a && b == b },
	"nan": func(a, b float64) bool { return a != a || b != b },
}

// floatClasses are the properties that testp tests (9.7.3.1). Zeros are normal numbers there.
var floatClasses = map[string]func(x float64, subnormal bool) bool{
	"finite":     func(x float64, _ bool) bool { return x-x == 0 },
	"infinite":   func(x float64, _ bool) bool { return math.IsInf(x, 0) },
	"number":     func(x float64, _ bool) bool { return x == x },
	"notanumber": func(x float64, _ bool) bool { return x != x },
	"normal":     func(x float64, subnormal bool) bool { return x-x == 0 && !subnormal },
	"subnormal":  func(_ float64, subnormal bool) bool { return subnormal },
}

func compareFloats[W Word](holds func(a, b float64) bool, read func(W) float64) Compare[W, W] {
	return func(dst Mask, a, b []W) {
		for n := range dst {
			x := lanes(a, n)
			y := lanes(b, n)[:len(x)]
			var set uint64
			for i := range x {
				set |= bit(holds(read(x[i]), read(y[i]))) << i
			}
			dst[n] = set
		}
	}
}

func testFloats[W Word](holds func(W) bool) Test[W] {
	return func(dst Mask, a []W) {
		for n := range dst {
			var set uint64
			for i, x := range lanes(a, n) {
				set |= bit(holds(x)) << i
			}
			dst[n] = set
		}
	}
}
