package kernel

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges between the lanes of a warp: shuffles, votes and the mask of active lanes. What others take part is the same
// for all lanes, and how a shuffle is bounded is a constant; steps execute the others.

// exchange is the state of writing one.
type exchange struct {
	*compiler
	op      *simt.ExchangeOp
	inst    *simt.Inst
	args    []simt.ID // without the mask of members
	members simt.ID   // or 0
}

// nativeExchange returns the state for an exchange that there is machine code for.
func (k *compiler) nativeExchange(inst *simt.Inst) (x *exchange, ok bool) {
	if inst.Kind != simt.Exchange {
		return nil, false
	}
	x = &exchange{compiler: k, op: inst.Aux.(*simt.ExchangeOp), inst: inst, args: inst.Args}
	if x.op.Members {
		last := len(inst.Args) - 1
		x.members, x.args = inst.Args[last], inst.Args[:last]
		if !k.allScalar(inst.Args[last:]) {
			return nil, false
		}
	}
	switch {
	case strings.HasPrefix(x.op.Name, "shfl."):
		_, ok = k.ConstOf(x.args[2])
	case strings.HasPrefix(x.op.Name, "vote."), x.op.Name == "activemask":
		ok = true
	}
	return x, ok
}

// write writes the exchange.
func (x *exchange) write() error {
	if strings.HasPrefix(x.op.Name, "shfl.") {
		return x.shuffle()
	}
	return x.vote()
}

// lanes are those of a group that execute the exchange and are members.
func (x *exchange) lanes(s *strip) machine.Register {
	set := s.guarded(x.inst)
	if bits, ok := x.ConstOf(x.members); x.members == 0 || ok && uint32(bits) == 1<<32-1 {
		return set
	}
	return s.New(encode.AND, set, s.New(encode.CMTST|encode.S4, s.V(x.members), s.laneBits()))
}

// each is a vector of a number for each lane of a group.
func (x *exchange) each(s *strip, f func(lane uint32) uint32) machine.Register {
	return x.compiler.lanes(func(i int) uint64 { return uint64(f(uint32(arm64.Lanes*s.number + i))) }, 4)
}

// shuffle writes shfl: each lane takes the value of the lane that mode, b and c name, or its own if that is beyond its
// segment. Lanes that do not take part have 0. What the lanes bring stands in the frame, and behind it where each lane finds
// what it takes.
func (x *exchange) shuffle() error {
	const chosen = frameOffsets + numGroups*arm64.Bytes
	c64, _ := x.ConstOf(x.args[2])
	c := uint32(c64)
	clamp, segment := c&31, c>>8&31
	low := func(lane uint32) uint32 { return lane & segment }
	bound := func(lane uint32) uint32 { return low(lane) | clamp&^segment }
	err := x.strips(func(s *strip) {
		at := int32(s.number) * arm64.Bytes
		s.Save(machine.Place{Base: frameReg, Offset: frameOffsets + at}, s.New(encode.AND, s.V(x.args[0]), x.lanes(s)), false)
		own := x.each(s, func(lane uint32) uint32 { return lane })
		b := s.New(encode.AND, s.V(x.args[1]), s.Const32(31))
		limit := x.each(s, bound)
		var from, bad machine.Register
		switch x.op.Name {
		case "shfl.up":
			from = s.New(encode.SUB|encode.S4, own, b)
		case "shfl.down":
			from = s.New(encode.ADD|encode.S4, own, b)
		case "shfl.bfly":
			from = s.New(encode.EOR, own, b)
		default:
			from = s.New(encode.ORR, s.New(encode.AND, b, s.Const32(^segment)), x.each(s, low))
		}
		if x.op.Name == "shfl.up" {
			bad = s.New(encode.CMGT|encode.S4, limit, from)
		} else {
			bad = s.New(encode.CMGT|encode.S4, from, limit)
		}
		if x.op.P {
			places, _ := s.places(x.inst.Defs[len(x.inst.Defs)-1])
			s.Save(places[0], s.New(encode.NOT|encode.B16, bad), false)
		}
		index := s.NewImm(encode.SHL|encode.S4, 2, s.Change(encode.BIT, from, own, bad))
		s.Save(machine.Place{Base: frameReg, Offset: chosen + at}, index, false)
	}, nil)
	if err != nil || !x.op.D {
		return err
	}
	x.addNumber(offsetsReg, frameReg, frameOffsets, x0)
	x.addNumber(valuesReg, homesReg, uint64(x.homes.Offset[x.inst.Defs[0]]), x0)
	for lane := range int32(simt.WarpSize) {
		x.Access(encode.LDRW, x0, frameReg, chosen+4*lane)
		x.Emit(encode.LDRWIndexed, x0, offsetsReg, x0)
		x.Access(encode.STRW, x0, valuesReg, 4*lane)
	}
	return nil
}

// vote writes votes and activemask: all lanes have the same result.
func (x *exchange) vote() error {
	var yes, taking word
	err := x.strips(func(s *strip) {
		set := x.lanes(s)
		taking.add(s, set)
		if len(x.args) > 0 {
			set = s.New(encode.AND, set, s.V(x.args[0]))
		}
		yes.add(s, set)
	}, func() {
		yes.extract(x.compiler, x0)
		taking.extract(x.compiler, x1)
	})
	if err != nil {
		return err
	}
	// X0 = the lanes for which the predicate holds, X1 = those that take part.
	d := x.inst.Defs[0]
	if x.op.D {
		x.Emit(encode.DUPW|encode.S4, encode.V(0), x0)
		for g := range int32(numGroups) {
			x.Access(encode.STRQ, encode.V(0), homesReg, x.homes.Offset[d]+g*arm64.Bytes)
		}
		return nil
	}
	all := func(to encode.Operand) {
		x.Emit(encode.CMPW, x0, x1)
		x.Emit(encode.CSET, to, encode.Imm(encode.EQ))
	}
	switch x.op.Name {
	case "vote.all":
		all(x2)
	case "vote.any":
		x.Emit(encode.TSTW, x0, x0)
		x.Emit(encode.CSET, x2, encode.Imm(encode.NE))
	default: // all or none
		all(x2)
		x.Emit(encode.TSTW, x0, x0)
		x.Emit(encode.CSET, x0, encode.Imm(encode.EQ))
		x.Emit(encode.ORRW, x2, x2, x0)
	}
	x.Emit(encode.NEGW, x2, x2)
	x.Emit(encode.DUPW|encode.S4, encode.V(0), x2)
	for g := range int32(numGroups) {
		x.Access(encode.STRQ, encode.V(0), frameReg, x.place[d]+g*arm64.Bytes)
	}
	return nil
}
