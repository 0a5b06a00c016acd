package warp

import (
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
)

// AtHalf is an address of a half of the group, whose indexes stand in the lower half of a vector.
func (s *Group) AtHalf(at machine.Operand, half int) machine.Operand {
	if half == 1 {
		at.Index = s.Upper(machine.Virtual(at.Index)).Reg
	}
	return at
}

// Gathering is what a gather is with either level. Its two letters are the index and the element.
type Gathering struct{ masks, vectors encode.Op }

// The gathers.
var (
	GatherDD = Gathering{encode.VPGATHERDD, encode.VPGATHERDDV}
	GatherDQ = Gathering{encode.VPGATHERDQ, encode.VPGATHERDQV}
	GatherQD = Gathering{encode.VPGATHERQD, encode.VPGATHERQDV}
	GatherQQ = Gathering{encode.VPGATHERQQ, encode.VPGATHERQQV}
)

// Gather loads elements of the lanes, zeros elsewhere. The instruction clears the set of lanes that it has.
func (s *Group) Gather(op Gathering, at, lanes machine.Operand) machine.Operand {
	if s.HasMasks() {
		return s.Put(machine.Vector, machine.Instr{Op: op.masks, Tie: s.Zero().Reg, Mask: s.Test(encode.KMOVW, lanes)}, []machine.Operand{at})
	}
	own := s.Put(machine.Vector, machine.Instr{Op: s.Target.Move, Move: true}, []machine.Operand{lanes})
	return s.Put(machine.Vector, machine.Instr{Op: op.vectors, Tie: s.Zero().Reg}, []machine.Operand{at, own})
}

// Zip makes elements of 64 bits of their lower and upper words.
func (s *Group) Zip(low, high machine.Operand) (x [2]machine.Operand) {
	if s.Target.Level == amd64.AVX2 {
		// Inside lanes of 128 bits, of which the lower ones come first.
		even, odd := s.New(encode.VPUNPCKLDQ, low, high), s.New(encode.VPUNPCKHDQ, low, high)
		return [2]machine.Operand{s.New(encode.VPERM2I128, even, odd, machine.Immediate(0x20)), s.New(encode.VPERM2I128, even, odd, machine.Immediate(0x31))}
	}
	for h := range x {
		index := s.ConstDwords(func(i int) uint32 { return uint32(8*h + i/2 + i%2*16) })
		x[h] = s.Change(encode.VPERMI2D, index, low, high)
	}
	return x
}

// Packed puts the lowest bytes of words side by side, with AVX2: so many of each.
func (s *Group) Packed(x machine.Operand, size int) machine.Operand {
	x = s.New(encode.VPSHUFB, x, s.ConstBytes(func(i int) byte {
		if i%16 >= 4*size {
			return 0x80
		}
		return byte(i%16/size*4 + i%size)
	}))
	return s.New(encode.VPERMD, s.ConstDwords(func(i int) uint32 {
		return uint32(i%size + i/size%2*4)
	}), x)
}
