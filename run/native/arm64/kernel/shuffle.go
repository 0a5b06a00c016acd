package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
)

// shuffle writes shfl: each lane takes the value of the lane that mode, b and c name, or its own if that is beyond its
// segment. Lanes that do not take part have 0. What the lanes bring stands in the frame, and behind it for each lane where
// the bytes are that it takes.
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
		bytes := s.New(encode.MUL|encode.S4, from, s.Const8(4))
		s.Save(s.inFrame(frameFound), s.New(encode.ADD|encode.B16, bytes, s.Const32(0x03020100)), false)
	}, nil)
	if err != nil || !x.op.D {
		return err
	}
	x.look()
	return nil
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

// look lets all lanes take what they have found: the bytes that the lanes bring are a table in eight registers.
func (x *exchange) look() {
	const table, half, index, taken = 0, 4, 16, 17
	v := encode.V
	for g := range numGroups {
		x.Access(encode.LDRQ, v(table+g), frameReg, frameBrought+int32(g)*arm64.Bytes)
	}
	x.Emit(encode.MOVI, v(18), encode.Imm(half*arm64.Bytes))
	for g := range numGroups {
		at := int32(g) * arm64.Bytes
		x.Access(encode.LDRQ, v(index), frameReg, frameFound+at)
		x.Emit(encode.TBLFour, v(taken), v(table), v(index))
		x.Emit(encode.SUB|encode.B16, v(index), v(index), v(18))
		x.Emit(encode.TBXFour, v(taken), v(table+half), v(index))
		if x.varying {
			x.Access(encode.LDRQ, v(index), frameReg, frameMembers+at)
			x.Emit(encode.AND, v(taken), v(taken), v(index))
		}
		x.Access(encode.STRQ, v(taken), homesReg, x.homes.Offset[x.inst.Defs[0]]+at)
	}
}
