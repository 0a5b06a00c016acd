package kernel

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
)

// Sets of the lanes of a group: what predicates are, and which lanes are at work. With AVX-512 they are mask registers.
// With AVX2 they are vectors of words that are all ones or zeros, and those of the lanes at work are in the frame.

// maxGroups is how many groups of lanes a warp has at most.
const maxGroups = 4

// group is what is selected for a group of lanes.
type group struct {
	*vector.Selection
	number int // which one
}

// grouped is an operand for each group.
type grouped [maxGroups]machine.Operand

// halfOfWarp returns which half of the warp a group is of.
func (s *group) halfOfWarp() int { return s.number * s.Target.Lanes / (simt.WarpSize / 2) }

// laneClass is the class of registers that sets of lanes are in.
func (k *compiler) laneClass() machine.Class {
	if k.HasMasks() {
		return machine.Mask
	}
	return machine.Vector
}

// scratch is the vector register that the code has for itself with AVX2.
const scratch = 15

// laneBits is the vector that has in each lane of a group the bit of the lane in a set of the warp's lanes.
func (s *group) laneBits() machine.Operand {
	return s.ConstDwords(func(i int) uint32 { return 1 << (s.Target.Lanes*s.number + i) })
}

// atWork returns the lanes at work.
func (s *group) atWork() machine.Operand {
	if s.HasMasks() {
		return machine.Fixed(lanesRegs[s.number])
	}
	return s.New(encode.VMOVDQU, machine.Fixed(encode.At(frameReg, frameAtWork+int32(32*s.number))))
}

// bothSets, eitherSet and without are the lanes of two sets, of one of them, and of the first but not the second.
func (s *group) bothSets(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KANDW, x, y)
	}
	return s.And(x, y)
}

func (s *group) eitherSet(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KORW, x, y)
	}
	return s.Or(x, y)
}

func (s *group) without(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KANDNW, y, x)
	}
	return s.New(encode.VPANDN, y, x)
}

// alsoSet is eitherSet for what may be none yet.
func (s *group) alsoSet(x, y machine.Operand) machine.Operand {
	if x.None() {
		return y
	}
	return s.eitherSet(x, y)
}

// wordsOfHalf returns the lanes of a set in half h of a group, of elements of 32 bits.
func (s *group) wordsOfHalf(x machine.Operand, h int) machine.Operand {
	switch {
	case h == 0:
		return x
	case s.HasMasks():
		return s.lanesOfHalf(x, h)
	}
	return s.Upper(x)
}

// guardedBy returns the lanes at work for which an instruction's guard holds.
func (s *group) guardedBy(i *simt.Inst) machine.Operand {
	guard := s.Value(i.Guard).Parts[0]
	if i.GuardNot {
		return s.without(s.atWork(), guard)
	}
	return s.bothSets(guard, s.atWork())
}

// everyLane returns all lanes of a group.
func (s *group) everyLane() machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KXNORW, machine.Fixed(encode.K0), machine.Fixed(encode.K0))
	}
	return s.Ones()
}

// complement returns the lanes of a group that are not in a set.
func (s *group) complement(x machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KNOTW, x)
	}
	return s.Not(x)
}

// allOrNone returns all lanes or none: a general register is -1 or 0.
func (s *group) allOrNone(x machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.KMOVWR, x)
	}
	return s.broadcast(x, false)
}

// testSet compares a set with none: then CondNE holds if it has a lane.
func (k *compiler) testSet(x machine.Operand) {
	if k.HasMasks() {
		k.fixedly(encode.KORTESTW, x, x)
		return
	}
	k.fixedly(encode.VPTEST, x, x)
}

// equal32 returns the lanes in which words are equal.
func (s *group) equal32(x, y machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Test(encode.VPCMPUD, x, y, machine.Immediate(vector.CompareEqual))
	}
	return s.New(encode.VPCMPEQD, x, y)
}

// lanesOfHalf returns the lanes of a set that half h of a group of 64-bit elements has.
func (s *group) lanesOfHalf(x machine.Operand, h int) machine.Operand {
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

// notLess returns the lanes of a set in which x, of elements of a size in bytes, is not less than a limit. With AVX2 the
// set must be of elements of that size.
func (s *group) notLess(size int, lanes, x, limit machine.Operand) machine.Operand {
	switch {
	case s.HasMasks() && size == 8:
		return s.TestUnder(encode.VPCMPUQ, lanes, x, limit, machine.Immediate(vector.CompareNotLess))
	case s.HasMasks():
		return s.TestUnder(encode.VPCMPUD, lanes, x, limit, machine.Immediate(vector.CompareNotLess))
	case size == 8:
		return s.without(lanes, s.GreaterUnsigned(size, limit, x))
	}
	return s.And(lanes, s.New(encode.VPCMPEQD, x, s.New(encode.VPMAXUD, x, limit)))
}

// more returns the lanes of a set in which words are greater than a limit.
func (s *group) more(lanes, x, limit machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.TestUnder(encode.VPCMPUD, lanes, x, limit, machine.Immediate(vector.CompareGreater))
	}
	return s.without(lanes, s.New(encode.VPCMPEQD, x, s.New(encode.VPMINUD, x, limit)))
}

// hasBits returns the lanes of a set in which x, of elements of a size in bytes, has any of some bits.
func (s *group) hasBits(size int, lanes, x, bits machine.Operand) machine.Operand {
	if s.HasMasks() {
		op := encode.Op(encode.VPTESTMD)
		if size == 8 {
			op = encode.VPTESTMQ
		}
		return s.TestUnder(op, lanes, x, bits)
	}
	equal := [9]encode.Op{4: encode.VPCMPEQD, 8: encode.VPCMPEQQ}[size]
	return s.without(lanes, s.New(equal, s.And(x, bits), s.Zero()))
}

// broadcast gives all lanes what a general register has.
func (s *group) broadcast(x machine.Operand, wide bool) machine.Operand {
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

// expand returns the lanes of a set of the warp that all elements of a vector are.
func (s *group) expand(all machine.Operand) machine.Operand {
	return s.New(encode.VPCMPEQD, s.And(all, s.laneBits()), s.laneBits())
}

// setOf returns the lanes of a set of the warp that is in a general register.
func (k *compiler) setOf(s *group, x machine.Operand) machine.Operand {
	if !k.HasMasks() {
		return s.expand(s.broadcast(x, false))
	}
	if s.number == 1 {
		x = k.change(encode.SHR|encode.S32, x, machine.Immediate(16))
	}
	return s.Test(encode.KMOVWR, x)
}

// wordOf leaves in a general register the set of the warp that the groups have.
func (k *compiler) wordOf(to encode.Operand, sets grouped) {
	if k.HasMasks() {
		k.fixedly(encode.KUNPCKWD, machine.Fixed(encode.K0), sets[1], sets[0])
		k.fixedly(encode.KMOVDR, machine.Fixed(to), machine.Fixed(encode.K0))
		return
	}
	s := k.groups[0]
	low, high := s.New(encode.VPACKSSDW, sets[0], sets[1]), s.New(encode.VPACKSSDW, sets[2], sets[3])
	// The first four lanes of each group, then the others.
	order := s.ConstDwords(func(i int) uint32 { return uint32(i/2 + i%2*4) })
	k.fixedly(encode.VPMOVMSKB, machine.Fixed(to), s.New(encode.VPERMD, order, s.New(encode.VPACKSSWB, low, high)))
}

// writeWordAtWork leaves in a general register the lanes at work.
func (k *compiler) writeWordAtWork(to encode.Operand) {
	if k.HasMasks() {
		k.Emit(encode.KUNPCKWD, encode.K0, lanesRegs[1], lanesRegs[0])
		k.Emit(encode.KMOVDR, to, encode.K0)
		return
	}
	k.Emit(encode.MOV|encode.S32, to, encode.At(frameReg, FrameLanes))
}

// wordOfGroup leaves in RCX a set of the lanes of one group.
func (k *compiler) wordOfGroup(set machine.Operand) {
	if k.HasMasks() {
		k.fixedly(encode.KMOVWR, rcx, set)
		return
	}
	k.fixedly(encode.VMOVMSKPS, rcx, set)
}

// storeLanes writes the lanes at work to the frame.
func (k *compiler) storeLanes(at int32) {
	if !k.HasMasks() && at == FrameLanes {
		return // they are there
	}
	k.writeWordAtWork(encode.RCX) // in one piece: it may be loaded soon
	k.Emit(encode.MOV|encode.S32, encode.At(frameReg, at), encode.RCX)
}

// loadLanes makes lanes that are in the frame those at work.
func (k *compiler) loadLanes(at int32) {
	if k.HasMasks() {
		k.Emit(encode.KMOVW, lanesRegs[0], encode.At(frameReg, at))
		k.Emit(encode.KMOVW, lanesRegs[1], encode.At(frameReg, at+2))
		return
	}
	if at != FrameLanes {
		k.Emit(encode.MOV|encode.S32, encode.RCX, encode.At(frameReg, at))
		k.Emit(encode.MOV|encode.S32, encode.At(frameReg, FrameLanes), encode.RCX)
	}
	for _, s := range k.groups {
		var bits [64]byte
		for i := range s.Target.Lanes {
			lane := s.Target.Lanes*s.number + i
			bits[4*i+lane/8] = 1 << (lane % 8)
		}
		table := k.Asm.Const(bits[:32])
		k.Emit(encode.VPBROADCASTD|encode.L256, encode.V(scratch), encode.At(frameReg, FrameLanes))
		k.Emit(encode.VPAND|encode.L256, encode.V(scratch), encode.V(scratch), table)
		k.Emit(encode.VPCMPEQD|encode.L256, encode.V(scratch), encode.V(scratch), table)
		k.Emit(encode.VMOVDQU|encode.L256, encode.At(frameReg, frameAtWork+int32(32*s.number)), encode.V(scratch))
	}
}
