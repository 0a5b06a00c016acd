package amd64

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Sets of the lanes of a group: what predicates are, and which lanes are at work. With AVX-512 they are mask registers.
// With AVX2 they are vectors of words that are all ones or zeros, and those of the lanes at work are in the frame.

// maxGroups is how many groups of lanes a warp has at most.
const maxGroups = 4

// group is what is selected for a group of lanes.
type group struct {
	*selection
	number int // which one
}

// grouped is an operand for each group.
type grouped [maxGroups]operand

// halfOfWarp returns which half of the warp a group is of.
func (s *group) halfOfWarp() int { return s.number * s.t.lanes / (simt.WarpSize / 2) }

// laneClass is the class of registers that sets of lanes are in.
func (k *kernelCompiler) laneClass() class {
	if k.hasMasks() {
		return mask
	}
	return vector
}

// scratch is the vector register that the code has for itself with AVX2.
const scratch = 15

// laneBits is the vector that has in each lane of a group the bit of the lane in a set of the warp's lanes.
func (s *group) laneBits() operand {
	return s.constDwords(func(i int) uint32 { return 1 << (s.t.lanes*s.number + i) })
}

// atWork returns the lanes at work.
func (s *group) atWork() operand {
	if s.hasMasks() {
		return fixed(kernelLanes[s.number])
	}
	return s.new(encode.VMOVDQU, fixed(encode.At(kernelFrame, frameAtWork+int32(32*s.number))))
}

// bothSets, eitherSet and without are the lanes of two sets, of one of them, and of the first but not the second.
func (s *group) bothSets(x, y operand) operand {
	if s.hasMasks() {
		return s.test(encode.KANDW, x, y)
	}
	return s.and(x, y)
}

func (s *group) eitherSet(x, y operand) operand {
	if s.hasMasks() {
		return s.test(encode.KORW, x, y)
	}
	return s.or(x, y)
}

func (s *group) without(x, y operand) operand {
	if s.hasMasks() {
		return s.test(encode.KANDNW, y, x)
	}
	return s.new(encode.VPANDN, y, x)
}

// alsoSet is eitherSet for what may be none yet.
func (s *group) alsoSet(x, y operand) operand {
	if x.none() {
		return y
	}
	return s.eitherSet(x, y)
}

// wordsOfHalf returns the lanes of a set in half h of a group, of elements of 32 bits.
func (s *group) wordsOfHalf(x operand, h int) operand {
	switch {
	case h == 0:
		return x
	case s.hasMasks():
		return s.lanesOfHalf(x, h)
	}
	return s.upper(x)
}

// guardedBy returns the lanes at work for which an instruction's guard holds.
func (s *group) guardedBy(i *simt.Inst) operand {
	guard := s.value(i.Guard).parts[0]
	if i.GuardNot {
		return s.without(s.atWork(), guard)
	}
	return s.bothSets(guard, s.atWork())
}

// everyLane returns all lanes of a group.
func (s *group) everyLane() operand {
	if s.hasMasks() {
		return s.test(encode.KXNORW, fixed(encode.K0), fixed(encode.K0))
	}
	return s.ones()
}

// complement returns the lanes of a group that are not in a set.
func (s *group) complement(x operand) operand {
	if s.hasMasks() {
		return s.test(encode.KNOTW, x)
	}
	return s.not(x)
}

// allOrNone returns all lanes or none: a general register is -1 or 0.
func (s *group) allOrNone(x operand) operand {
	if s.hasMasks() {
		return s.test(encode.KMOVWR, x)
	}
	return s.broadcast(x, false)
}

// testSet compares a set with none: then CondNE holds if it has a lane.
func (k *kernelCompiler) testSet(x operand) {
	if k.hasMasks() {
		k.fixedly(encode.KORTESTW, x, x)
		return
	}
	k.fixedly(encode.VPTEST, x, x)
}

// equal32 returns the lanes in which words are equal.
func (s *group) equal32(x, y operand) operand {
	if s.hasMasks() {
		return s.test(encode.VPCMPUD, x, y, immediate(compareEqual))
	}
	return s.new(encode.VPCMPEQD, x, y)
}

// lanesOfHalf returns the lanes of a set that half h of a group of 64-bit elements has.
func (s *group) lanesOfHalf(x operand, h int) operand {
	switch {
	case s.hasMasks() && h == 0:
		return x
	case s.hasMasks():
		return s.test(encode.KSHIFTRW, x, immediate(8))
	case h == 0:
		return s.new(encode.VPMOVSXDQ, x)
	}
	return s.new(encode.VPMOVSXDQ, s.upper(x))
}

// notLess returns the lanes of a set in which x, of elements of a size in bytes, is not less than a limit. With AVX2 the
// set must be of elements of that size.
func (s *group) notLess(size int, lanes, x, limit operand) operand {
	switch {
	case s.hasMasks() && size == 8:
		return s.testUnder(encode.VPCMPUQ, lanes, x, limit, immediate(compareNotLess))
	case s.hasMasks():
		return s.testUnder(encode.VPCMPUD, lanes, x, limit, immediate(compareNotLess))
	case size == 8:
		return s.without(lanes, s.greaterUnsigned(size, limit, x))
	}
	return s.and(lanes, s.new(encode.VPCMPEQD, x, s.new(encode.VPMAXUD, x, limit)))
}

// more returns the lanes of a set in which words are greater than a limit.
func (s *group) more(lanes, x, limit operand) operand {
	if s.hasMasks() {
		return s.testUnder(encode.VPCMPUD, lanes, x, limit, immediate(compareGreater))
	}
	return s.without(lanes, s.new(encode.VPCMPEQD, x, s.new(encode.VPMINUD, x, limit)))
}

// hasBits returns the lanes of a set in which x, of elements of a size in bytes, has any of some bits.
func (s *group) hasBits(size int, lanes, x, bits operand) operand {
	if s.hasMasks() {
		op := encode.Op(encode.VPTESTMD)
		if size == 8 {
			op = encode.VPTESTMQ
		}
		return s.testUnder(op, lanes, x, bits)
	}
	equal := [9]encode.Op{4: encode.VPCMPEQD, 8: encode.VPCMPEQQ}[size]
	return s.without(lanes, s.new(equal, s.and(x, bits), s.zero()))
}

// broadcast gives all lanes what a general register has.
func (s *group) broadcast(x operand, wide bool) operand {
	if s.t.level == AVX512 {
		if wide {
			return s.new(encode.VPBROADCASTQR, x)
		}
		return s.new(encode.VPBROADCASTDR, x)
	}
	if wide {
		return s.new(encode.VPBROADCASTQ, s.new(encode.VMOVQR, x))
	}
	return s.new(encode.VPBROADCASTD, s.new(encode.VMOVD, x))
}

// expand returns the lanes of a set of the warp that all elements of a vector are.
func (s *group) expand(all operand) operand {
	return s.new(encode.VPCMPEQD, s.and(all, s.laneBits()), s.laneBits())
}

// setOf returns the lanes of a set of the warp that is in a general register.
func (k *kernelCompiler) setOf(s *group, x operand) operand {
	if !k.hasMasks() {
		return s.expand(s.broadcast(x, false))
	}
	if s.number == 1 {
		x = k.change(encode.SHR|encode.S32, x, immediate(16))
	}
	return s.test(encode.KMOVWR, x)
}

// wordOf leaves in a general register the set of the warp that the groups have.
func (k *kernelCompiler) wordOf(to encode.Operand, sets grouped) {
	if k.hasMasks() {
		k.fixedly(encode.KUNPCKWD, fixed(encode.K0), sets[1], sets[0])
		k.fixedly(encode.KMOVDR, fixed(to), fixed(encode.K0))
		return
	}
	s := k.groups[0]
	low, high := s.new(encode.VPACKSSDW, sets[0], sets[1]), s.new(encode.VPACKSSDW, sets[2], sets[3])
	// The first four lanes of each group, then the others.
	order := s.constDwords(func(i int) uint32 { return uint32(i/2 + i%2*4) })
	k.fixedly(encode.VPMOVMSKB, fixed(to), s.new(encode.VPERMD, order, s.new(encode.VPACKSSWB, low, high)))
}

// writeWordAtWork leaves in a general register the lanes at work.
func (k *kernelCompiler) writeWordAtWork(to encode.Operand) {
	if k.hasMasks() {
		k.emit(encode.KUNPCKWD, encode.K0, kernelLanes[1], kernelLanes[0])
		k.emit(encode.KMOVDR, to, encode.K0)
		return
	}
	k.emit(encode.MOV|encode.S32, to, encode.At(kernelFrame, FrameLanes))
}

// wordOfGroup leaves in RCX a set of the lanes of one group.
func (k *kernelCompiler) wordOfGroup(set operand) {
	if k.hasMasks() {
		k.fixedly(encode.KMOVWR, rcx, set)
		return
	}
	k.fixedly(encode.VMOVMSKPS, rcx, set)
}

// storeLanes writes the lanes at work to the frame.
func (k *kernelCompiler) storeLanes(at int32) {
	if k.hasMasks() {
		k.emit(encode.KMOVW, encode.At(kernelFrame, at), kernelLanes[0])
		k.emit(encode.KMOVW, encode.At(kernelFrame, at+2), kernelLanes[1])
		return
	}
	if at != FrameLanes { // where they are
		k.emit(encode.MOV|encode.S32, encode.RCX, encode.At(kernelFrame, FrameLanes))
		k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, at), encode.RCX)
	}
}

// loadLanes makes lanes that are in the frame those at work.
func (k *kernelCompiler) loadLanes(at int32) {
	if k.hasMasks() {
		k.emit(encode.KMOVW, kernelLanes[0], encode.At(kernelFrame, at))
		k.emit(encode.KMOVW, kernelLanes[1], encode.At(kernelFrame, at+2))
		return
	}
	if at != FrameLanes {
		k.emit(encode.MOV|encode.S32, encode.RCX, encode.At(kernelFrame, at))
		k.emit(encode.MOV|encode.S32, encode.At(kernelFrame, FrameLanes), encode.RCX)
	}
	for _, s := range k.groups {
		var bits [64]byte
		for i := range s.t.lanes {
			lane := s.t.lanes*s.number + i
			bits[4*i+lane/8] = 1 << (lane % 8)
		}
		table := k.asm.Const(bits[:32])
		k.emit(encode.VPBROADCASTD|encode.L256, encode.V(scratch), encode.At(kernelFrame, FrameLanes))
		k.emit(encode.VPAND|encode.L256, encode.V(scratch), encode.V(scratch), table)
		k.emit(encode.VPCMPEQD|encode.L256, encode.V(scratch), encode.V(scratch), table)
		k.emit(encode.VMOVDQU|encode.L256, encode.At(kernelFrame, frameAtWork+int32(32*s.number)), encode.V(scratch))
	}
}
