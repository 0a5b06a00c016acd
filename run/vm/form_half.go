package vm

import (
	"math"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// halfForms are arithmetic and comparison of f16, and of two f16 in a word (PTX ISA 9.7.4). The results are
// computed in double precision, which has them exactly or so nearly that rounding once more is
// the only rounding.
var halfForms = []row{
	{"add{.rn}{.ftz}{.sat}.(f16|f16x2)", halfArithmetic(func(x [3]float64) float64 { return x[0] + x[1] })},
	{"sub{.rn}{.ftz}{.sat}.(f16|f16x2)", halfArithmetic(func(x [3]float64) float64 { return x[0] - x[1] })},
	{"mul{.rn}{.ftz}{.sat}.(f16|f16x2)", halfArithmetic(func(x [3]float64) float64 { return x[0] * x[1] })},
	{"fma.rn{.ftz}{.sat}{.relu}.(f16|f16x2)", halfArithmetic(func(x [3]float64) float64 { return math.FMA(x[0], x[1], x[2]) })},
	{"neg{.ftz}.(f16|f16x2)", halfSign(func(h uint32) uint32 { return h ^ 0x8000 })},
	{"abs{.ftz}.(f16|f16x2)", halfSign(func(h uint32) uint32 { return h &^ 0x8000 })},
	{"min{.ftz}{.NaN}.(f16|f16x2)", halfExtreme(func(a, b float64) bool { return a < b || a == b && math.Signbit(a) })},
	{"max{.ftz}{.NaN}.(f16|f16x2)", halfExtreme(func(a, b float64) bool { return a > b || a == b && !math.Signbit(a) })},
	{"setp.<fcmp>{.(and|or|xor)}{.ftz}.f16", setPredicate},
}

const halfNaN = 0x7fff

// toSingle and roundHalf convert between f16 and wider numbers; roundHalf rounds to the nearest.
var (
	toSingle, _  = engine.Plain[engine.Map1[uint32, uint32]]("cvt.f32.f16")
	roundHalf, _ = engine.Plain[engine.Map1[uint32, uint64]]("cvt.rn.f16.f64")
)

func halfValue(h uint32) float64 {
	d, a := [1]uint32{}, [1]uint32{h & 0xffff}
	toSingle(d[:], a[:])
	return float64(math.Float32frombits(d[0]))
}

func halfOf(x float64) uint32 {
	d, a := [1]uint32{}, [1]uint64{math.Float64bits(x)}
	roundHalf(d[:], a[:])
	return d[0]
}

// flushHalf gives 0 for a number that is subnormal as an f16, if that is asked for.
func flushHalf(h uint32, flush bool) uint32 {
	if flush && h&0x7c00 == 0 {
		return h & 0x8000
	}
	return h
}

// emitHalf adds an operation on halves, for each of those in a word.
func (b *builder) emitHalf(sources int, f func(x [3]uint32) uint32) {
	packed := b.inst.has("f16x2")
	d := b.destination(b.operand(0), narrow)
	s := make([]register, 3)
	for i := range s {
		s[i] = b.constant(narrow, 0)
		if i < sources {
			s[i] = b.source(b.operand(1+i), narrow, check.B32)
		}
	}
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &map3[uint32, uint32, uint32, uint32]{func(dst, x, y, z []uint32) {
			for i := range dst {
				low := f([3]uint32{x[i] & 0xffff, y[i] & 0xffff, z[i] & 0xffff})
				if packed {
					low |= f([3]uint32{x[i] >> 16, y[i] >> 16, z[i] >> 16}) << 16
				}
				dst[i] = low
			}
		}, columnOf[uint32](fr, d), columnOf[uint32](fr, s[0]), columnOf[uint32](fr, s[1]), columnOf[uint32](fr, s[2]), private}
	})
}

// halfArithmetic builds an operation that rounds.
func halfArithmetic(f func(x [3]float64) float64) func(b *builder) {
	return func(b *builder) {
		flush, saturate, relu := b.inst.has("ftz"), b.inst.has("sat"), b.inst.has("relu")
		sources := 2
		if b.inst.name == "fma" {
			sources = 3
		}
		b.emitHalf(sources, func(x [3]uint32) uint32 {
			var values [3]float64
			for i := range values {
				values[i] = halfValue(flushHalf(x[i], flush))
			}
			r := f(values)
			switch {
			case r != r && saturate:
				return 0
			case r != r:
				return halfNaN
			case saturate:
				r = min(max(r, 0), 1)
			case relu:
				r = max(r, 0)
			}
			return flushHalf(halfOf(r), flush)
		})
	}
}

// halfSign builds neg and abs.
func halfSign(f func(h uint32) uint32) func(b *builder) {
	return func(b *builder) {
		flush := b.inst.has("ftz")
		b.emitHalf(1, func(x [3]uint32) uint32 { return f(flushHalf(x[0], flush)) })
	}
}

// halfExtreme builds min and max; a NaN gives way to a number unless .NaN is written.
func halfExtreme(first func(a, b float64) bool) func(b *builder) {
	return func(b *builder) {
		flush, propagate := b.inst.has("ftz"), b.inst.has("NaN")
		b.emitHalf(2, func(x [3]uint32) uint32 {
			p, q := flushHalf(x[0], flush), flushHalf(x[1], flush)
			u, v := halfValue(p), halfValue(q)
			switch {
			case u != u && v != v, propagate && (u != u || v != v):
				return halfNaN
			case v != v || u == u && first(u, v):
				return p
			}
			return q
		})
	}
}

// compareHalves emits the comparison of operands 1 and 2 as the f32 that have the same values.
func (b *builder) compareHalves(d register) {
	flush := b.inst.has("ftz")
	single := func(o *check.Operand) register {
		d, s := b.newRegister(narrow), b.source(o, narrow, check.B32)
		b.unguarded(func() {
			b.emit([]register{d}, []register{s}, func(fr *frame, private bool) step {
				return &map1[uint32, uint32]{func(dst, a []uint32) {
					for i := range dst {
						dst[i] = math.Float32bits(float32(halfValue(flushHalf(a[i]&0xffff, flush))))
					}
				}, columnOf[uint32](fr, d), columnOf[uint32](fr, s), private}
			})
		})
		return d
	}
	b.emitPlain("setp."+b.inst.modifiers[0]+".f32", d, single(b.operand(1)), single(b.operand(2)))
}
