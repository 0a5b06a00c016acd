package ops

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Flushing has the operations of kernels that flush all subnormal f32: those of All that are not about them or have .ftz, and
// others with .ftz.
var Flushing = func() *Table {
	t := *All
	subnormal := func(op *Op) bool { return !allowsFlushing(op.Name) }
	t.Plain, t.Tests = slices.DeleteFunc(slices.Clone(t.Plain), subnormal), slices.DeleteFunc(slices.Clone(t.Tests), subnormal)
	t.Matrices, t.named = nil, map[string]*Op{}
	t.flushing()
	return &t
}()

// allowsFlushing reports whether an operation computes the same where subnormal f32 and f64 are zeros.
func allowsFlushing(name string) bool {
	if !strings.Contains(name, ".f32") && !strings.Contains(name, ".f64") {
		return true
	}
	parts := strings.Split(name, ".")
	from := parts[len(parts)-1]
	switch parts[0] {
	case "neg", "abs", "copysign":
		return true
	case "cvt":
		// From integers, and what is not normal as an f16 or as an integer.
		return from[0] != 'f' || name == "cvt.f32.f16" || name == "cvt.rn.f16.f32" || from == "f32" && (parts[1] == "rzi" || parts[1] == "rni")
	}
	return strings.Contains(name, ".ftz") && from == "f32"
}

// flushing enters operations with .ftz of which those without it are in other tables.
func (t *Table) flushing() {
	f32 := func(x uint64) float64 { return float64(flush(single(x))) }
	tests := map[string]func(a, b float64) bool{
		"eq": func(a, b float64) bool { return a == b }, "lt": func(a, b float64) bool { return a < b }, "neu": func(a, b float64) bool { return a != b },
		"leu": func(a, b float64) bool { return !(a > b) }, "gt": func(a, b float64) bool { return a > b }, "num": func(a, b float64) bool { return a == a && b == b },
	}
	for _, name := range sortedKeys(tests) {
		test := tests[name]
		t.test(name+".%sftz.f32", "f", func(s []uint64) bool { return test(f32(s[0]), f32(s[1])) })
	}
	for _, name := range []string{"min", "max"} {
		f := extreme(name == "max")
		t.add(name+".ftz.f32 f, f, f", func(s []uint64) uint64 { return ofSingle(float32(f(f32(s[0]), f32(s[1])))) })
	}
	flushedBits := func(x uint64) uint64 { return Choose(x>>23&0xff == 0, x&(1<<31), x&(1<<32-1)) }
	t.add("neg.ftz.f32 f, F", func(s []uint64) uint64 { return flushedBits(s[0]) ^ 1<<31 })
	t.add("abs.ftz.f32 f, F", func(s []uint64) uint64 { return flushedBits(s[0]) &^ (1 << 31) })
	t.add("cvt.ftz.f64.f32 e, F", func(s []uint64) uint64 { return ofDouble(f32(s[0])) })
	t.add("cvt.ftz.f32.f32 f, F", func(s []uint64) uint64 { return ofSingle(float32(f32(s[0]))) })
	t.add("cvt.rn.ftz.f32.f64 f, E", func(s []uint64) uint64 {
		x := math.Float64frombits(s[0])
		if math.Abs(x) < 0x1p-126-0x1p-151 {
			x = math.Copysign(0, x)
		}
		return ofSingle(float32(x))
	})
	for _, name := range sortedKeys(rounders) {
		round := rounders[name]
		t.add("cvt."+name+".ftz.f32.f32 f, F", func(s []uint64) uint64 { return ofSingle(float32(round(f32(s[0])))) })
		for _, i := range integerTypes {
			t.add(fmt.Sprintf("cvt.%s.ftz.%v.f32 %s, F", name, i, map[int]string{16: "h", 32: "r", 64: "d"}[i.Bits]), func(s []uint64) uint64 {
				x := f32(s[0])
				if x != x {
					return i.Extend(Choose(i.Bits == 64, 1<<63, 0))
				}
				return i.Extend(i.of(round(x)))
			})
		}
	}
}
