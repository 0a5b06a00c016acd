package matrices

import (
	"github.com/vop-ptx/vop/run/vm/vmtest"
	"math"
	"math/big"
	"math/rand/v2"
)

// matrixType is a type of elements of matrices, as the manual describes it (PTX ISA 5.2.3): sign, exponent and fraction, or an integer.
type matrixType struct {
	bits               int // of an element in a register
	exponent, fraction int // of a floating-point number
	bias               int
	kind               byte // 'f' with infinities and NaNs, 'n' with a NaN and no infinities, 'p' with neither, 's' and 'u' integers, 'b' bits
	offset             int  // of the lowest bit of a number in its element
}

var matrixTypes = map[string]matrixType{
	"f64": {64, 11, 52, 1023, 'f', 0}, "f32": {32, 8, 23, 127, 'f', 0}, "tf32": {32, 8, 10, 127, 'f', 13}, "f16": {16, 5, 10, 15, 'f', 0}, "bf16": {16, 8, 7, 127, 'f', 0},
	"e4m3": {8, 4, 3, 7, 'n', 0}, "e5m2": {8, 5, 2, 15, 'f', 0}, "e3m2": {8, 3, 2, 3, 'p', 0}, "e2m3": {8, 2, 3, 1, 'p', 0}, "e2m1": {8, 2, 1, 1, 'p', 2},
	"s32": {bits: 32, kind: 's'}, "s8": {bits: 8, kind: 's'}, "u8": {bits: 8, kind: 'u'}, "s4": {bits: 4, kind: 's'}, "u4": {bits: 4, kind: 'u'}, "b1": {bits: 1, kind: 'b'},
}

// per is how many elements a register of 32 bits has, or one of 64.
func (t matrixType) per() int { return max(32/t.bits, 1) }

// number returns the number that an element is. It is exact.
func (t matrixType) number(x uint64) float64 {
	x >>= t.offset
	fraction, exponent := x&(1<<t.fraction-1), int(x>>t.fraction&(1<<t.exponent-1))
	v := 0.0
	switch {
	case t.kind == 'f' && exponent == 1<<t.exponent-1 && fraction == 0:
		v = math.Inf(1)
	case t.kind == 'f' && exponent == 1<<t.exponent-1, t.kind == 'n' && exponent == 1<<t.exponent-1 && fraction == 1<<t.fraction-1:
		v = math.NaN()
	case exponent == 0:
		v = math.Ldexp(float64(fraction), 1-t.bias-t.fraction)
	default:
		v = math.Ldexp(float64(fraction|1<<t.fraction), exponent-t.bias-t.fraction)
	}
	if x>>(t.fraction+t.exponent)&1 != 0 {
		v = -v
	}
	return v
}

// integer returns the integer that an element is.
func (t matrixType) integer(x uint64) int64 {
	if t.kind == 's' {
		return int64(x<<(64-t.bits)) >> (64 - t.bits)
	}
	return int64(x)
}

// draw returns an element: in the first style a small whole number, in the second any number of a middling size, in the third now and then one
// at the ends of the type.
func (t matrixType) draw(rng *rand.Rand, style int) uint64 {
	mask := uint64(1)<<t.bits - 1
	if t.bits == 64 {
		mask = math.MaxUint64
	}
	random := rng.Uint64() & mask
	if t.exponent == 0 {
		if style == 2 && rng.IntN(3) == 0 {
			return []uint64{0, mask, 1 << (t.bits - 1), mask >> 1}[rng.IntN(4)]
		}
		return random
	}
	one := uint64(t.bias) << t.fraction << t.offset
	sign := random >> 63 << 63 >> (64 - t.bits)
	if t.bits < 64 {
		sign = uint64(rng.IntN(2)) << (t.exponent + t.fraction + t.offset)
	}
	all := uint64(1)<<(t.exponent+t.fraction) - 1 // of exponent and fraction
	switch {
	case style == 0:
		return sign | []uint64{0, one, one + 1<<t.fraction<<t.offset, one + 1<<(t.fraction-1)<<t.offset}[rng.IntN(4)]
	case style == 2 && rng.IntN(40) == 0:
		return sign | []uint64{0, 1, 1<<t.fraction - 1, 1 << t.fraction, all, all - 1, all &^ (1<<t.fraction - 1), all&^(1<<t.fraction-1) - 1}[rng.IntN(8)]<<t.offset
	}
	near := min(1<<(t.exponent-1)-1, 12)
	exponent := uint64(t.bias + rng.IntN(2*near) - near)
	return sign | exponent<<t.fraction<<t.offset | random&(1<<t.fraction-1)<<t.offset | random&(1<<t.offset-1)
}

// addedProduct returns a*b + c of numbers, rounded once to f32 or f64.
func addedProduct(a, b, c float64, to string, mode big.RoundingMode) float64 {
	if s := a*b + c; math.IsNaN(s) || math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsInf(c, 0) {
		return s
	}
	exact := new(big.Float).SetPrec(5000)
	exact.Mul(new(big.Float).SetFloat64(a), new(big.Float).SetFloat64(b))
	negative := exact.Signbit()
	exact.Add(exact, new(big.Float).SetFloat64(c))
	if exact.Sign() == 0 { // of equal signs that sign, and else the one that the mode goes to
		if negative && math.Signbit(c) || negative != math.Signbit(c) && mode == big.ToNegativeInf {
			return math.Copysign(0, -1)
		}
		return 0
	}
	if to == "f32" {
		r, _ := exact.Float32()
		return float64(r)
	}
	r, _ := exact.Float64()
	nearest := new(big.Float).SetFloat64(r)
	switch above := nearest.Cmp(exact); {
	case mode == big.ToZero && above == exact.Sign():
		return math.Nextafter(r, 0)
	case mode == big.ToNegativeInf && above > 0:
		return math.Nextafter(r, math.Inf(-1))
	case mode == big.ToPositiveInf && above < 0:
		return math.Nextafter(r, math.Inf(1))
	}
	return r
}

// encoded returns the bits of a sum in the type of the result.
func encoded(sum float64, to string) uint64 {
	switch {
	case to == "f64" && math.IsNaN(sum):
		return 0xfff8000000000000
	case to == "f64":
		return math.Float64bits(sum)
	case to == "f32" && math.IsNaN(sum):
		return 0x7fffffff
	case to == "f32":
		return uint64(math.Float32bits(float32(sum)))
	case math.IsNaN(sum):
		return 0x7fff
	}
	return vmtest.NearestHalf(new(big.Float).SetFloat64(sum))
}

// matrix is the bits of elements, by row and column.
type matrix [][]uint64

func drawMatrix(rng *rand.Rand, typ string, rows, columns, style int) matrix {
	m := make(matrix, rows)
	for i := range m {
		for range columns {
			m[i] = append(m[i], matrixTypes[typ].draw(rng, style))
		}
	}
	return m
}

// matrixProduct is a product with the types of a, b, c and d.
type matrixProduct struct {
	m, n, k    int
	da, db     string
	dc, dd     string
	saturating bool
	conjunct   bool // of single bits: and, not xor
	mode       big.RoundingMode
}

// of returns a*b + c, each element by itself, k after k.
func (p matrixProduct) of(a, b, c matrix) matrix {
	d := make(matrix, p.m)
	ta, tb, tc := matrixTypes[p.da], matrixTypes[p.db], matrixTypes[p.dc]
	for i := range d {
		for j := range p.n {
			if p.dd == "s32" {
				sum := tc.integer(c[i][j])
				for k := range p.k {
					x, y := a[i][k], b[k][j]
					switch {
					case ta.kind == 'b' && p.conjunct:
						sum += int64(x & y)
					case ta.kind == 'b':
						sum += int64(x ^ y)
					default:
						sum += ta.integer(x) * tb.integer(y)
					}
				}
				if p.saturating {
					sum = min(max(sum, math.MinInt32), math.MaxInt32)
				}
				d[i] = append(d[i], uint64(uint32(sum)))
				continue
			}
			sum, by := tc.number(c[i][j]), "f32"
			if p.dd == "f64" {
				by = "f64"
			}
			for k := range p.k {
				sum = addedProduct(ta.number(a[i][k]), tb.number(b[k][j]), sum, by, p.mode)
			}
			d[i] = append(d[i], encoded(sum, p.dd))
		}
	}
	return d
}

// store puts an element into memory, after so many others.
func (t matrixType) store(memory []byte, at int, x uint64) {
	if t.bits < 8 {
		shift := at * t.bits % 8
		memory[at*t.bits/8] |= byte(x << shift)
		return
	}
	for i := range t.bits / 8 {
		memory[at*t.bits/8+i] = byte(x >> (8 * i))
	}
}

// words are the registers, of 32 bits, of elements.
func (t matrixType) words(elements []uint64) (words []uint32) {
	per := t.per()
	for i := 0; i < len(elements); i += per {
		if t.bits == 64 {
			words = append(words, uint32(elements[i]), uint32(elements[i]>>32))
			continue
		}
		w := uint32(0)
		for e, x := range elements[i : i+per] {
			w |= uint32(x) << (e * t.bits)
		}
		words = append(words, w)
	}
	return words
}
