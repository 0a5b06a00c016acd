package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// Conditions: what comparisons give and choices take. With AVX-512 they are masks, with AVX2 vectors of elements that are all ones or
// zeros. A selector that is written with these does for both.

// greater16 is where halves of words are greater, as integers with signs.
func (s *Selection) greater16(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.VPCMPGTWK, x, y)
	}
	return s.New(encode.VPCMPGTW, x, y)
}

// choose16 is x where a condition on halves of words holds, and y elsewhere.
func (s *Selection) choose16(k, x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.BlendUnder(2, k, x, y)
	}
	return s.New(encode.VPBLENDVB, y, x, k)
}

// singleIf is y where a comparison of f32 holds, and z elsewhere.
func (s *Selection) singleIf(predicate int, a, b, y, z machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Merged(singles.move, s.Test(singles.compare, a, b, machine.Immediate(predicate)), z, y)
	}
	return s.New(vexSingles.blend, z, y, vexSingles.compare(s, predicate, a, b))
}

// doubleIf is y where a comparison of f64 holds, and z elsewhere.
func (s *Selection) doubleIf(predicate int, a, b, y, z machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Merged(doubles.move, s.Test(doubles.compare, a, b, machine.Immediate(predicate)), z, y)
	}
	return s.New(vexDoubles.blend, z, y, vexDoubles.compare(s, predicate, a, b))
}

// wordIfEqual is y where words are equal, and z elsewhere.
func (s *Selection) wordIfEqual(a, b, y, z machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Merged(singles.move, s.Test(encode.VPCMPEQDK, a, b), z, y)
	}
	return s.New(vexSingles.blend, z, y, s.New(encode.VPCMPEQD, a, b))
}

// keepGreater is x where it is greater than y, as integers with signs, and zero elsewhere.
func (s *Selection) keepGreater(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Zeroed(singles.move, s.Test(encode.VPCMPGTDK, x, y), x)
	}
	return s.And(x, s.New(encode.VPCMPGTD, x, y))
}

// floatForms bring floats into the forms that PTX has for operands and results.
type floatForms interface {
	canonical(s *Selection, x machine.Operand) machine.Operand
	operands(s *Selection, a []machine.Operand, ftz bool) []machine.Operand
	flush(s *Selection, x machine.Operand) machine.Operand
	finish(s *Selection, x machine.Operand, sat bool) machine.Operand
}

// forms are those of the level.
func (s *Selection) forms(f *vexFloats) floatForms {
	if s.HasMasks() {
		return f.floats
	}
	return f
}
