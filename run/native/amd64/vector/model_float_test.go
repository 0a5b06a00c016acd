package vector

import (
	"math"
	"strings"

	"github.com/vop-ptx/vop/run/simt/op"
)

// The instructions of the model on f32 and f64, and those on elements of 64 bits that go with them. Arithmetic is that of package op, whose loops
// are held to other models: a NaN that it gives stands for any that the processor may give. Where the processor flushes, the results are
// those with .ftz.

// rounding takes the rounding from a mnemonic: "vaddps {rz}".
func rounding(name string) (base, mode string) {
	base, end, ok := strings.Cut(name, " {")
	if !ok {
		return name, "rn"
	}
	return base, map[string]string{"rd": "rm", "ru": "rp", "rz": "rz", "rn": "rn"}[strings.TrimSuffix(end, "}")]
}

// isWide reports whether an instruction has elements of 64 bits.
func isWide(name string) bool {
	base, _ := rounding(name)
	return base == "vcvtps2pd" || base != "vcvtpd2ps" && (strings.HasSuffix(base, "pd") || strings.HasSuffix(base, "pdk") || strings.HasSuffix(base, "q") ||
		strings.HasSuffix(base, "qi") || strings.HasSuffix(base, "64"))
}

// singleArithmetic are instructions on f32 by their operations.
var singleArithmetic = map[string]string{"vaddps": "add", "vsubps": "sub", "vmulps": "mul", "vdivps": "div", "vsqrtps": "sqrt", "vfmadd213ps": "fma"}

// doubleArithmetic are those on f64, rounded to nearest. x is the old content of what they change.
var doubleArithmetic = map[string]func(x, y, z float64) float64{
	"vaddpd": func(x, y, z float64) float64 { return y + z }, "vsubpd": func(x, y, z float64) float64 { return y - z },
	"vmulpd": func(x, y, z float64) float64 { return y * z }, "vdivpd": func(x, y, z float64) float64 { return y / z },
	"vsqrtpd":      func(x, y, z float64) float64 { return math.Sqrt(y) },
	"vfnmadd213pd": func(x, y, z float64) float64 { return math.FMA(-x, y, z) },
	"vminpd": func(x, y, z float64) float64 {
		if y < z {
			return y
		}
		return z
	},
	"vmaxpd": func(x, y, z float64) float64 {
		if y > z {
			return y
		}
		return z
	},
	"vrndscalepd": func(x, y, z float64) float64 { return math.RoundToEven(y) }, // the only mode that is used
}

// quads are those on integers of 64 bits.
var quads = map[string]func(x, y uint64) uint64{
	"vpaddq": func(x, y uint64) uint64 { return x + y }, "vpsubq": func(x, y uint64) uint64 { return x - y },
	"vpandq": func(x, y uint64) uint64 { return x & y }, "vporq": func(x, y uint64) uint64 { return x | y }, "vpxorq": func(x, y uint64) uint64 { return x ^ y },
	"vpsllqi": func(x, y uint64) uint64 { return x << y }, "vpsrlqi": func(x, y uint64) uint64 { return x >> y },
	"vmovdqa64": func(x, _ uint64) uint64 { return x },
}

// holds is the result of a comparison of floats by its predicate.
func holds(predicate uint32, x, y float64) bool {
	unordered := x != x || y != y
	switch predicate & 0xf {
	case 0x0:
		return x == y
	case 0x1:
		return x < y
	case 0x2:
		return x <= y
	case 0x3:
		return unordered
	case 0x4:
		return unordered || x != y
	case 0x5:
		return !(x < y)
	case 0x6:
		return !(x <= y)
	case 0x7:
		return !unordered
	case 0x8:
		return unordered || x == y
	case 0x9:
		return !(x >= y)
	case 0xa:
		return !(x > y)
	case 0xc:
		return !unordered && x != y
	case 0xd:
		return x >= y
	case 0xe:
		return x > y
	}
	panic("the model has no such predicate")
}

// flushed is an operand as an instruction takes it.
func (m *model) flushed(x uint32) uint32 {
	if m.flushing && x&0x7f800000 == 0 {
		return x & (1 << 31)
	}
	return x
}

// ftz is how the operations are called.
func (m *model) ftz() string {
	if m.flushing {
		return ".ftz"
	}
	return ""
}

// float executes an instruction on vectors of floats, or of elements of 64 bits.
func (m *model) float(name string, a *[3]modelVector, old *modelVector) (r modelVector, ok bool) {
	base, mode := rounding(name)
	wide := func(v *modelVector, n int) uint64 { return uint64(v[2*n]) | uint64(v[2*n+1])<<32 }
	put := func(n int, x uint64) { r[2*n], r[2*n+1] = uint32(x), uint32(x>>32) }
	if operation := singleArithmetic[base]; operation != "" {
		o := op.Must(operation + "." + mode + m.ftz() + ".f32")
		for n := range r {
			all := []uint64{uint64(a[0][n]), uint64(a[1][n])}
			if operation == "fma" {
				all = append([]uint64{uint64(old[n])}, all...)
			}
			r[n] = uint32(op.Fold(o, all[:len(o.Shape())-2]...))
		}
		return r, true
	}
	if f := doubleArithmetic[base]; f != nil && mode == "rn" {
		for n := range 8 {
			x := f(double(wide(old, n)), double(wide(&a[0], n)), double(wide(&a[1], n)))
			if m.flushing && math.Abs(x) < 0x1p-1022 && x != 0 {
				panic("the model flushes no f64")
			}
			put(n, math.Float64bits(x))
		}
		return r, true
	}
	if f := quads[base]; f != nil {
		for n := range 8 {
			y := wide(&a[1], n)
			if strings.HasSuffix(base, "i") {
				y = uint64(a[1][0])
			}
			put(n, f(wide(&a[0], n), y))
		}
		return r, true
	}
	switch base {
	case "vcmppsk":
		for n := range r {
			r[n] = allIf(holds(a[2][0], float64(single(m.flushed(a[0][n]))), float64(single(m.flushed(a[1][n])))))
		}
	case "vcmppdk":
		for n := range 8 {
			put(n, uint64(allIf(holds(a[2][0], double(wide(&a[0], n)), double(wide(&a[1], n))))))
		}
	case "vcvtps2pd":
		for n := range 8 {
			put(n, math.Float64bits(float64(single(m.flushed(a[0][n])))))
		}
	case "vcvtpd2ps":
		for n := range 8 {
			r[n] = uint32(op.Fold(op.Must("cvt."+mode+m.ftz()+".f32.f64"), wide(&a[0], n)))
		}
	case "vminps", "vmaxps": // the second operand, where they are equal, or one is no number
		for n := range r {
			x, y := m.flushed(a[0][n]), m.flushed(a[1][n])
			if r[n] = y; base == "vminps" && single(x) < single(y) || base == "vmaxps" && single(x) > single(y) {
				r[n] = x
			}
		}
	case "vrangeps":
		for n := range r {
			r[n] = uint32(op.Fold(op.Must([]string{"min", "max"}[a[2][0]-4]+m.ftz()+".f32"), uint64(a[0][n]), uint64(a[1][n])))
		}
	case "vrndscaleps":
		for n := range r {
			mode := []string{"rni", "rmi", "rpi", "rzi"}[a[1][0]&3]
			r[n] = uint32(op.Fold(op.Must("cvt."+mode+".f32.f32"), uint64(m.flushed(a[0][n]))))
		}
	default:
		return r, false
	}
	return r, true
}
