package warp

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// The lanes at work, and sets of the lanes of a warp: in general registers and in the frame they are words of 32 bits.

// AtWork returns the lanes at work.
func (s *Group) AtWork() machine.Operand {
	if s.HasMasks() {
		return machine.Fixed(lanesRegs[s.Number])
	}
	return s.New(encode.VMOVDQU, machine.Fixed(encode.At(FrameReg, frameAtWork+int32(32*s.Number))))
}

// GuardedBy returns the lanes at work for which an instruction's guard holds.
func (s *Group) GuardedBy(i *simt.Inst) machine.Operand {
	guard := s.Value(i.Guard).Parts[0]
	if i.GuardNot {
		return s.Without(s.AtWork(), guard)
	}
	return s.BothSets(guard, s.AtWork())
}

// laneBits is the vector that has in each lane of a group the bit of the lane in a set of the warp's lanes.
func (s *Group) laneBits() machine.Operand {
	return s.ConstDwords(func(i int) uint32 { return 1 << (s.Target.Lanes*s.Number + i) })
}

// Expand returns the lanes of a set of the warp that all elements of a vector are.
func (s *Group) Expand(all machine.Operand) machine.Operand {
	return s.New(encode.VPCMPEQD, s.And(all, s.laneBits()), s.laneBits())
}

// SetOf returns the lanes of a set of the warp that is in a general register.
func (k *Compiler) SetOf(s *Group, x machine.Operand) machine.Operand {
	if !k.HasMasks() {
		return s.Expand(s.Broadcast(x, false))
	}
	if s.Number == 1 {
		x = k.Change(encode.SHR|encode.S32, x, machine.Immediate(16))
	}
	return s.Test(encode.KMOVWR, x)
}

// WordOf leaves in a general register the set of the warp that the groups have.
func (k *Compiler) WordOf(to encode.Operand, sets Grouped) {
	if k.HasMasks() {
		k.Fixedly(encode.KUNPCKWD, machine.Fixed(encode.K0), sets[1], sets[0])
		k.Fixedly(encode.KMOVDR, machine.Fixed(to), machine.Fixed(encode.K0))
		return
	}
	s := k.Groups[0]
	low, high := s.New(encode.VPACKSSDW, sets[0], sets[1]), s.New(encode.VPACKSSDW, sets[2], sets[3])
	// The first four lanes of each group, then the others.
	order := s.ConstDwords(func(i int) uint32 { return uint32(i/2 + i%2*4) })
	k.Fixedly(encode.VPMOVMSKB, machine.Fixed(to), s.New(encode.VPERMD, order, s.New(encode.VPACKSSWB, low, high)))
}

// WriteWordAtWork leaves in a general register the lanes at work.
func (k *Compiler) WriteWordAtWork(to encode.Operand) {
	if k.HasMasks() {
		k.Emit(encode.KUNPCKWD, encode.K0, lanesRegs[1], lanesRegs[0])
		k.Emit(encode.KMOVDR, to, encode.K0)
		return
	}
	k.Emit(encode.MOV|encode.S32, to, encode.At(FrameReg, frame.Lanes))
}

// WordOfGroup leaves in RCX a set of the lanes of one group.
func (k *Compiler) WordOfGroup(set machine.Operand) {
	if k.HasMasks() {
		k.Fixedly(encode.KMOVWR, RCX, set)
		return
	}
	k.Fixedly(encode.VMOVMSKPS, RCX, set)
}

// StoreLanes writes the lanes at work to the frame.
func (k *Compiler) StoreLanes(at int32) {
	if !k.HasMasks() && at == frame.Lanes {
		return // they are there
	}
	k.WriteWordAtWork(encode.RCX) // in one piece: it may be loaded soon
	k.Emit(encode.MOV|encode.S32, encode.At(FrameReg, at), encode.RCX)
}

// LoadLanes makes lanes that are in the frame those at work.
func (k *Compiler) LoadLanes(at int32) {
	if k.HasMasks() {
		k.Emit(encode.KMOVW, lanesRegs[0], encode.At(FrameReg, at))
		k.Emit(encode.KMOVW, lanesRegs[1], encode.At(FrameReg, at+2))
		return
	}
	if at != frame.Lanes {
		k.Emit(encode.MOV|encode.S32, encode.RCX, encode.At(FrameReg, at))
		k.Emit(encode.MOV|encode.S32, encode.At(FrameReg, frame.Lanes), encode.RCX)
	}
	for _, s := range k.Groups {
		var bits [64]byte
		for i := range s.Target.Lanes {
			lane := s.Target.Lanes*s.Number + i
			bits[4*i+lane/8] = 1 << (lane % 8)
		}
		table := k.Asm.Const(bits[:32])
		k.Emit(encode.VPBROADCASTD|encode.L256, encode.V(scratch), encode.At(FrameReg, frame.Lanes))
		k.Emit(encode.VPAND|encode.L256, encode.V(scratch), encode.V(scratch), table)
		k.Emit(encode.VPCMPEQD|encode.L256, encode.V(scratch), encode.V(scratch), table)
		k.Emit(encode.VMOVDQU|encode.L256, encode.At(FrameReg, frameAtWork+int32(32*s.Number)), encode.V(scratch))
	}
}
