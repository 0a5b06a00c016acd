package warp

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// Sets of the lanes of a group: what predicates are, and which lanes are at work. With AVX-512 they are mask registers.
// With AVX2 they are vectors of words that are all ones or zeros, and those of the lanes at work are in the frame.

// HalfOfWarp returns which half of the warp a group is of.
func (s *Group) HalfOfWarp() int { return s.Number * s.Target.Lanes / (simt.WarpSize / 2) }

// LaneClass is the class of registers that sets of lanes are in.
func (k *Compiler) LaneClass() machine.Class {
	if k.HasMasks() {
		return machine.Mask
	}
	return machine.Vector
}

// BothSets returns the lanes that are in two sets.
func (s *Group) BothSets(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KANDW, x, y)
	}
	return s.And(x, y)
}

// EitherSet returns the lanes that are in one of two sets.
func (s *Group) EitherSet(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KORW, x, y)
	}
	return s.Or(x, y)
}

// Without returns the lanes that are in the first set but not in the second.
func (s *Group) Without(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KANDNW, y, x)
	}
	return s.New(encode.VPANDN, y, x)
}

// AlsoSet is EitherSet for what may be none yet.
func (s *Group) AlsoSet(x, y machine.Operand) machine.Operand {
	if x.None() {
		return y
	}
	return s.EitherSet(x, y)
}

// WordsOfHalf returns the lanes of a set in half h of a group, of elements of 32 bits.
func (s *Group) WordsOfHalf(x machine.Operand, h int) machine.Operand {
	switch {
	case h == 0:
		return x
	case s.HasMasks():
		return s.LanesOfHalf(x, h)
	}
	return s.Upper(x)
}

// EveryLane returns all lanes of a group.
func (s *Group) EveryLane() machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KXNORW, machine.Fixed(encode.K0), machine.Fixed(encode.K0))
	}
	return s.Ones()
}

// Complement returns the lanes of a group that are not in a set.
func (s *Group) Complement(x machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KNOTW, x)
	}
	return s.Not(x)
}

// AllOrNone returns all lanes or none: a general register is -1 or 0.
func (s *Group) AllOrNone(x machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KMOVWR, x)
	}
	return s.Broadcast(x, false)
}

// TestSet compares a set with none: then CondNE holds if it has a lane.
func (k *Compiler) TestSet(x machine.Operand) {
	if k.HasMasks() {
		k.Fixedly(encode.KORTESTW, x, x)
		return
	}
	k.Fixedly(encode.VPTEST, x, x)
}

// Equal32 returns the lanes in which words are equal.
func (s *Group) Equal32(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.VPCMPUD, x, y, machine.Immediate(vector.CompareEqual))
	}
	return s.New(encode.VPCMPEQD, x, y)
}

// LanesOfHalf returns the lanes of a set that half h of a group of 64-bit elements has.
func (s *Group) LanesOfHalf(x machine.Operand, h int) machine.Operand {
	switch {
	case s.HasMasks() && h == 0:
		return x
	case s.HasMasks():
		return s.Test(encode.KSHIFTRW, x, machine.Immediate(8))
	case h == 0:
		return s.New(encode.VPMOVSXDQ, x)
	}
	return s.New(encode.VPMOVSXDQ, s.Upper(x))
}

// NotLess returns the lanes of a set in which x, of elements of a size in bytes, is not less than a limit. With AVX2 the
// set must be of elements of that size.
func (s *Group) NotLess(size int, lanes, x, limit machine.Operand) machine.Operand {
	switch {
	case s.HasMasks() && size == 8:
		return s.TestUnder(encode.VPCMPUQ, lanes, x, limit, machine.Immediate(vector.CompareNotLess))
	case s.HasMasks():
		return s.TestUnder(encode.VPCMPUD, lanes, x, limit, machine.Immediate(vector.CompareNotLess))
	case size == 8:
		return s.Without(lanes, s.GreaterUnsigned(size, limit, x))
	}
	return s.And(lanes, s.New(encode.VPCMPEQD, x, s.New(encode.VPMAXUD, x, limit)))
}

// More returns the lanes of a set in which words are greater than a limit.
func (s *Group) More(lanes, x, limit machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.TestUnder(encode.VPCMPUD, lanes, x, limit, machine.Immediate(vector.CompareGreater))
	}
	return s.Without(lanes, s.New(encode.VPCMPEQD, x, s.New(encode.VPMINUD, x, limit)))
}

// HasBits returns the lanes of a set in which x, of elements of a size in bytes, has any of some bits.
func (s *Group) HasBits(size int, lanes, x, bits machine.Operand) machine.Operand {
	if s.HasMasks() {
		op := encode.Op(encode.VPTESTMD)
		if size == 8 {
			op = encode.VPTESTMQ
		}
		return s.TestUnder(op, lanes, x, bits)
	}
	equal := [9]encode.Op{4: encode.VPCMPEQD, 8: encode.VPCMPEQQ}[size]
	return s.Without(lanes, s.New(equal, s.And(x, bits), s.Zero()))
}

// Broadcast gives all lanes what a general register has.
func (s *Group) Broadcast(x machine.Operand, wide bool) machine.Operand {
	if s.Target.Level == amd64.AVX512 {
		if wide {
			return s.New(encode.VPBROADCASTQR, x)
		}
		return s.New(encode.VPBROADCASTDR, x)
	}
	if wide {
		return s.New(encode.VPBROADCASTQ, s.New(encode.VMOVQR, x))
	}
	return s.New(encode.VPBROADCASTD, s.New(encode.VMOVD, x))
}
