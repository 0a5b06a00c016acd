package vector

import (
	"math"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Halves with AVX2: f16, one or two to a word, see half.go. Both halves of a word are converted where they stand: half a
// vector of words is a vector of f32, in which they alternate.

const halfUnit = 0x3c00

// vexHalves are f16 as integers.
var vexHalves = narrowFloat{infinity: halfExponent, subnormal: 0x3ff}

func defineAVX2Half() {
	with2("cvt.f32.f16", func(s *Selection, a []machine.Operand) machine.Operand {
		return vexSingles.canonical(s, openLowerAVX2(s, a[0])[0])
	})
	define(onlyAVX2, "cvt.f64.f16", selector{group: func(s *Selection) {
		parts := s.Extend(encode.VCVTPS2PD, openLowerAVX2(s, s.arg(0))[0])
		s.giveWide([2]machine.Operand{vexDoubles.canonical(s, parts[0]), vexDoubles.canonical(s, parts[1])})
	}})
	for mode, rounding := range roundings {
		for _, ending := range []string{"", ".ftz"} {
			with2("cvt."+mode+ending+".f16.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				return s.halfOfSingleAVX2(vexSingles.operands(s, a, ending != "")[0], rounding.number)
			})
		}
		define(onlyAVX2, "cvt."+mode+".f16.f64", selector{group: func(s *Selection) {
			s.give(s.halfOfSingleAVX2(s.singleToOdd(s.wide(s.Node.Args[0])), rounding.number))
		}})
	}
	for size, open := range map[string]openFunc{".f16": openLowerAVX2, ".f16x2": openBothAVX2} {
		for _, ftz := range []string{"", ".ftz"} {
			for name, compute := range narrowArithmetic {
				for _, end := range []string{"", ".sat", ".relu"} {
					if end == ".relu" && name != "fma" {
						continue
					}
					f := halfOperation{open, compute, ftz != "", end}.selector()
					with2(name+ftz+end+size, f)
					if name == "fma" && ftz == "" && end != ".sat" {
						with2("fma.oob"+end+size, vexHalves.outOfBounds(f))
					}
				}
			}
			vexHalves.defineExtremes(ftz, size)
			vexHalves.defineSigns(ftz, size)
		}
		for name, compute := range narrowApproximations {
			with2(name+size, halfOperation{open: open, compute: compute}.selector())
		}
		with2("flush"+size, func(s *Selection, a []machine.Operand) machine.Operand { return vexHalves.flush(s, a[0]) })
	}
	vexHalves.defineLimits(".f16")
}

// openFunc converts halves of words to f32.
type openFunc = func(s *Selection, x machine.Operand) halves

// openLowerAVX2 converts the lower halves of words. They are brought to the lower ends of both quarters first.
func openLowerAVX2(s *Selection, x machine.Operand) halves {
	if bits, ok := s.Const32Of(x); ok {
		return halves{s.Const32(singleOfHalf(bits & 0xffff))}
	}
	index := s.ConstBytes(func(i int) byte {
		if i &= 15; i < 8 {
			return byte(i>>1*4 + i&1)
		}
		return 0x80
	})
	const firstAndThird = 0x08
	packed := s.New(encode.VPERMQI, s.New(encode.VPSHUFB, x, index), machine.Immediate(firstAndThird))
	return halves{s.New(encode.VCVTPH2PS, packed)}
}

// openBothAVX2 is openBoth for operands that may be known.
func openBothAVX2(s *Selection, x machine.Operand) halves {
	if bits, ok := s.Const32Of(x); ok {
		k := s.ConstDwords(func(i int) uint32 { return singleOfHalf(bits >> (i & 1 * 16) & 0xffff) })
		return halves{k, k}
	}
	return openBoth(s, x)
}

// singleOfHalf returns the f32 with the value of an f16, in which a NaN is quiet.
func singleOfHalf(h uint32) uint32 {
	sign, exponent, fraction := h&halfSign<<16, h>>10&31, h&0x3ff
	switch {
	case exponent == 0:
		return sign | math.Float32bits(float32(fraction)*0x1p-24)
	case exponent < 31:
		return sign | (exponent+112)<<23 | fraction<<13
	case fraction == 0:
		return sign | 0x7f800000
	}
	return sign | 0x7fc00000 | fraction<<13
}

// halfOfSingleAVX2 rounds to halves, in words whose upper halves are zero. The NaN of f32 becomes that of f16.
func (s *Selection) halfOfSingleAVX2(x machine.Operand, mode int) machine.Operand {
	return s.New(encode.VPMOVZXWD, s.New(encode.VCVTPS2PH, vexSingles.canonical(s, x), machine.Immediate(mode)))
}

// halfOperation is an operation with its modifiers, that is computed in f32.
type halfOperation struct {
	open    openFunc
	compute partFunc
	flush   bool
	end     string
}

func (o halfOperation) selector() partFunc {
	return func(s *Selection, a []machine.Operand) machine.Operand {
		var opened [3]halves
		for n, x := range a {
			if o.flush {
				x = vexHalves.flush(s, x)
			}
			opened[n] = o.open(s, x)
		}
		var results halves
		for k := range opened[0] {
			x := make([]machine.Operand, len(a))
			for n := range x {
				x[n] = opened[n][k]
			}
			r := o.compute(s, x)
			if o.end == ".sat" { // the maximum gives its last operand where one is a NaN, or both are zeros
				r = s.New(encode.VMAXPS, r, s.Zero())
			}
			results = append(results, r)
		}
		r := o.close(s, results)
		if o.flush {
			r = vexHalves.flush(s, r)
		}
		return r
	}
}

// close is the way back to halves. Those that are not negative, and the NaN, are in the order of integers.
func (o halfOperation) close(s *Selection, x halves) machine.Operand {
	saturated := o.end == ".sat" // and no NaN
	var r machine.Operand
	switch {
	case len(x) == 1 && saturated:
		r = s.New(encode.VPMOVZXWD, s.New(encode.VCVTPS2PH, x[0], machine.Immediate(0)))
	case len(x) == 1:
		r = s.halfOfSingleAVX2(x[0], 0)
	default:
		r = s.JoinHalves([2]machine.Operand{s.New(encode.VCVTPS2PH, x[0], machine.Immediate(0)), s.New(encode.VCVTPS2PH, x[1], machine.Immediate(0))})
		if !saturated {
			r = vexHalves.canonical(s, r)
		}
	}
	switch o.end {
	case ".sat":
		return s.New(encode.VPMINSW, r, s.Const16(halfUnit))
	case ".relu":
		return s.New(encode.VPMAXSW, r, s.Zero())
	}
	return r
}
