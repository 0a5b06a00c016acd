package matrix

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
)

// Matrix is the bits of elements, by row and column.
type Matrix [][]uint64

// Draw draws a matrix.
func Draw(rng *rand.Rand, typ string, rows, columns, style int) Matrix {
	m := make(Matrix, rows)
	for i := range m {
		for range columns {
			m[i] = append(m[i], Types[typ].Draw(rng, style))
		}
	}
	return m
}

// Product is a product of two matrices that a third one is added to.
type Product struct {
	M, N, K    int
	D, A, B, C string // types
	Saturating bool
	Conjunct   bool // of single bits: and, not xor
	Mode       big.RoundingMode
}

// Modes are the rounding modes, by their names in the text.
var Modes = map[string]big.RoundingMode{"": big.ToNearestEven, "rn": big.ToNearestEven, "rz": big.ToZero, "rm": big.ToNegativeInf, "rp": big.ToPositiveInf}

// Form reads the product of a form of mma without layouts of its own: "m16n8k32.row.col.satfinite.s32.u8.s8.s32".
func Form(form string) (p Product, err error) {
	parts := strings.Split(form, ".")
	if len(parts) < 7 {
		return p, fmt.Errorf("%s has no shape, layouts and four types", form)
	}
	if _, err := fmt.Sscanf(parts[0], "m%dn%dk%d", &p.M, &p.N, &p.K); err != nil {
		return p, fmt.Errorf("the shape of %s: %v", form, err)
	}
	var types []string
	for _, part := range parts[3:] { // behind the layouts
		if _, ok := Types[part]; ok {
			types = append(types, part)
		}
		p.Saturating = p.Saturating || part == "satfinite"
		p.Conjunct = p.Conjunct || part == "and"
		if mode, ok := Modes[part]; ok {
			p.Mode = mode
		}
	}
	if len(types) != 4 {
		return p, fmt.Errorf("%s has the types %v, want four", form, types)
	}
	p.D, p.A, p.B, p.C = types[0], types[1], types[2], types[3]
	return p, nil
}

// Of is a*b + c, each element by itself, k after k (ruling O15).
func (p Product) Of(a, b, c Matrix) Matrix {
	d := make(Matrix, p.M)
	for i := range d {
		for j := range p.N {
			column := make([]uint64, p.K)
			for k := range column {
				column[k] = b[k][j]
			}
			if p.D == "s32" {
				d[i] = append(d[i], p.integer(a[i], column, c[i][j]))
			} else {
				d[i] = append(d[i], p.number(a[i], column, c[i][j]))
			}
		}
	}
	return d
}

// integer is an element of a product of integers, or of single bits.
func (p Product) integer(a, b []uint64, c uint64) uint64 {
	ta, tb := Types[p.A], Types[p.B]
	sum := Types[p.C].Integer(c)
	for k, x := range a {
		switch {
		case ta.kind == binary && p.Conjunct:
			sum += int64(x & b[k])
		case ta.kind == binary:
			sum += int64(x ^ b[k])
		default:
			sum += ta.Integer(x) * tb.Integer(b[k])
		}
	}
	if p.Saturating {
		sum = min(max(sum, math.MinInt32), math.MaxInt32)
	}
	return uint64(uint32(sum))
}

// number is an element of a product of floating-point numbers.
func (p Product) number(a, b []uint64, c uint64) uint64 {
	sum := Types[p.C].Number(c)
	for k, x := range a {
		sum = p.added(Types[p.A].Number(x), Types[p.B].Number(b[k]), sum)
	}
	d := Types[p.D].Nearest(sum)
	switch v := Types[p.D].Number(d); {
	case p.Saturating && math.IsNaN(v): // ruling O29
		return 0
	case p.Saturating && math.IsInf(v, 0):
		return d - 1 // the number before it
	}
	return d
}

// added is a*b + c, rounded once: to f64 if the result has that type, and else to f32.
func (p Product) added(a, b, c float64) float64 {
	if s := a*b + c; math.IsNaN(s) || math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsInf(c, 0) {
		return s
	}
	const enough = 5000 // bits for a sum of any numbers
	exact := new(big.Float).SetPrec(enough)
	exact.Mul(new(big.Float).SetFloat64(a), new(big.Float).SetFloat64(b))
	negative := exact.Signbit()
	exact.Add(exact, new(big.Float).SetFloat64(c))
	if exact.Sign() == 0 { // of equal signs that sign, and else the one that the mode goes to
		if negative && math.Signbit(c) || negative != math.Signbit(c) && p.Mode == big.ToNegativeInf {
			return math.Copysign(0, -1)
		}
		return 0
	}
	if p.D != "f64" {
		r, _ := exact.Float32()
		return float64(r)
	}
	r, _ := exact.Float64()
	switch above := new(big.Float).SetFloat64(r).Cmp(exact); {
	case p.Mode == big.ToZero && above == exact.Sign():
		return math.Nextafter(r, 0)
	case p.Mode == big.ToNegativeInf && above > 0:
		return math.Nextafter(r, math.Inf(-1))
	case p.Mode == big.ToPositiveInf && above < 0:
		return math.Nextafter(r, math.Inf(1))
	}
	return r
}
