package vector

import (
	"math"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Halves: f16, one or two to a word. Arithmetic is that of f32, whose results are rounded once more (see narrowArithmetic). Both
// halves of a word are converted where they stand: half a vector of words is a vector of f32, in which they alternate.

const (
	halfNaN       = 0x7fff
	halfExponent  = 0x7c00
	halfSign      = 0x8000
	halfMagnitude = 0x7fff
	halfUnit      = 0x3c00
)

// halfBits are f16 as integers.
var halfBits = narrowFloat{infinity: halfExponent, subnormal: 0x3ff}

// halves are 32-bit floats of a group's halves: one vector of a lane's lower halves, or two of all
// halves.
type halves []machine.Operand

func defineHalf() {
	both("cvt.f32.f16", func(s *Selection, a []machine.Operand) machine.Operand {
		return s.forms(vexSingles).canonical(s, openLower(s, a[0])[0])
	})
	groupBoth("cvt.f64.f16", func(s *Selection) {
		parts, forms := s.Extend(encode.VCVTPS2PD, openLower(s, s.arg(0))[0]), s.forms(vexDoubles)
		s.giveWide([2]machine.Operand{forms.canonical(s, parts[0]), forms.canonical(s, parts[1])})
	})
	for mode, rounding := range roundings {
		for _, ending := range []string{"", ".ftz"} {
			both("cvt."+mode+ending+".f16.f32", func(s *Selection, a []machine.Operand) machine.Operand {
				return s.halfOfSingle(s.forms(vexSingles).operands(s, a, ending != "")[0], rounding.number)
			})
		}
		groupBoth("cvt."+mode+".f16.f64", func(s *Selection) {
			s.give(s.halfOfSingle(s.singleToOdd(s.wide(s.Node.Args[0])), rounding.number))
		})
	}
	for size, open := range map[string]openFunc{".f16": openLower, ".f16x2": openBoth} {
		for _, ftz := range []string{"", ".ftz"} {
			for name, compute := range narrowArithmetic {
				for _, end := range []string{"", ".sat", ".relu"} {
					if end == ".relu" && name != "fma" {
						continue
					}
					f := halfOperation{open, compute, ftz != "", end}.selector()
					both(name+ftz+end+size, f)
					if name == "fma" && ftz == "" && end != ".sat" {
						both("fma.oob"+end+size, outOfBounds(f))
					}
				}
			}
			halfBits.defineExtremes(ftz, size)
			halfBits.defineSigns(ftz, size)
		}
		for name, compute := range narrowApproximations {
			both(name+size, halfOperation{open: open, compute: compute}.selector())
		}
		both("flush"+size, func(s *Selection, a []machine.Operand) machine.Operand { return halfBits.flush(s, a[0]) })
	}
	halfBits.defineLimits(".f16")
}

// openFunc converts halves of words to f32.
type openFunc = func(s *Selection, x machine.Operand) halves

// openLower converts the lower halves of words. AVX2 has no instruction that packs them: they are brought to the lower ends of both
// quarters first.
func openLower(s *Selection, x machine.Operand) halves {
	if bits, ok := s.Const32Of(x); ok {
		return halves{s.Const32(singleOfHalf(bits & 0xffff))}
	}
	if s.HasMasks() {
		return halves{s.New(encode.VCVTPH2PS, s.New(encode.VPMOVDW, x))}
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

// openBoth converts all halves: those of the lower lanes, then of the upper lanes.
func openBoth(s *Selection, x machine.Operand) halves {
	if bits, ok := s.Const32Of(x); ok {
		k := s.ConstDwords(func(i int) uint32 { return singleOfHalf(bits >> (i & 1 * 16) & 0xffff) })
		return halves{k, k}
	}
	return halves{s.New(encode.VCVTPH2PS, x), s.New(encode.VCVTPH2PS, s.Upper(x))}
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

// halfOfSingle rounds to halves, in words whose upper halves are zero. The NaN of f32 becomes that of f16.
func (s *Selection) halfOfSingle(x machine.Operand, mode int) machine.Operand {
	return s.New(encode.VPMOVZXWD, s.New(encode.VCVTPS2PH, s.forms(vexSingles).canonical(s, x), machine.Immediate(mode)))
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
				x = halfBits.flush(s, x)
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
			if o.flush {
				r = s.flushBelow(op.FlushedHalves, r, r)
			}
			if o.end == ".sat" { // the maximum gives its last operand where one is a NaN, or both are zeros
				r = s.New(encode.VMAXPS, r, s.Zero())
			}
			results = append(results, r)
		}
		return o.close(s, results)
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
		r = s.halfOfSingle(x[0], 0)
	default:
		r = s.JoinHalves([2]machine.Operand{s.New(encode.VCVTPS2PH, x[0], machine.Immediate(0)), s.New(encode.VCVTPS2PH, x[1], machine.Immediate(0))})
		if !saturated {
			r = halfBits.canonical(s, r)
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
