package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// shuffle writes shfl: each lane takes the value of the lane that mode, b and c name, or its own if that is beyond its
// segment. Lanes that do not take part have 0. What the lanes bring stands in the frame, and behind it where each lane finds
// what it takes.
func (x *exchange) shuffle() error {
	err := x.strips(func(s *strip) {
		s.Save(s.inFrame(frameBrought), s.New(encode.AND, s.V(x.args[0]), x.taking(s)), false)
		from, bad := x.source(s)
		from = s.Change(encode.BIT, from, x.own(s), bad)
		if x.varying {
			chosen := s.New(encode.USHL|encode.S4, s.V(x.members), s.New(encode.NEG|encode.S4, from))
			s.Save(s.inFrame(frameMembers), s.New(encode.CMTST|encode.S4, chosen, s.Const32(1)), false)
		}
		if x.op.P {
			places, _ := s.places(x.inst.Defs[len(x.inst.Defs)-1])
			s.Save(places[0], s.New(encode.NOT|encode.B16, bad), false)
		}
		s.Save(s.inFrame(frameFound), s.NewImm(encode.SHL|encode.S4, 2, from), false)
	}, nil)
	if err != nil || !x.op.D {
		return err
	}
	return x.look()
}

// source returns for each lane of a group which one it takes from, and where that is beyond its segment.
func (x *exchange) source(s *strip) (from, bad machine.Register) {
	own, b := x.own(s), s.New(encode.AND, s.V(x.args[1]), s.Const32(31))
	low, bound, inside := x.segment(s)
	switch x.op.Name {
	case "shfl.up":
		from = s.New(encode.SUB|encode.S4, own, b)
		return from, s.New(encode.CMGT|encode.S4, bound, from)
	case "shfl.down":
		from = s.New(encode.ADD|encode.S4, own, b)
	case "shfl.bfly":
		from = s.New(encode.EOR, own, b)
	default:
		from = s.New(encode.ORR, s.New(encode.BIC, b, inside), low)
	}
	return from, s.New(encode.CMGT|encode.S4, from, bound)
}

// segment returns the first lane of each lane's segment, its bound, and which bits of a lane's number tell segments apart: c is
// a constant in nearly all code.
func (x *exchange) segment(s *strip) (low, bound, mask machine.Register) {
	if c, ok := x.ConstOf(x.args[2]); ok {
		clamp, segment := uint32(c)&31, uint32(c)>>8&31
		low = x.each(s, func(lane uint32) uint32 { return lane & segment })
		bound = x.each(s, func(lane uint32) uint32 { return lane&segment | clamp&^segment })
		return low, bound, s.Const32(segment)
	}
	c, low31 := s.V(x.args[2]), s.Const32(31)
	mask = s.New(encode.AND, s.NewImm(encode.USHR|encode.S4, 8, c), low31)
	low = s.New(encode.AND, x.own(s), mask)
	return low, s.New(encode.ORR, low, s.New(encode.BIC, s.New(encode.AND, c, low31), mask)), mask
}

// look lets all lanes take what they have found. A table of eight registers (tbl, tbx) would be half as many instructions, but slow ones on
// many processors, and three times slower under qemu.
func (x *exchange) look() error {
	home := x.homes.Offset[x.inst.Defs[0]]
	x.addNumber(offsetsReg, frameReg, frameBrought, x0)
	x.addNumber(valuesReg, homesReg, uint64(home), x0)
	for lane := range int32(simt.WarpSize) {
		x.Access(encode.LDRW, x0, frameReg, frameFound+4*lane)
		x.Emit(encode.LDRWIndexed, x0, offsetsReg, x0)
		x.Access(encode.STRW, x0, valuesReg, 4*lane)
	}
	if !x.varying {
		return nil
	}
	return x.strips(func(s *strip) {
		places, _ := s.places(x.inst.Defs[0])
		s.Save(places[0], s.New(encode.AND, s.From(places[0]), s.From(s.inFrame(frameMembers))), false)
	}, nil)
}
