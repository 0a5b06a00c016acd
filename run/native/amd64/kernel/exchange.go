package kernel

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/native/amd64/warp"
	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges between the lanes of a warp: shuffles, votes and the mask of active lanes. What others take part is the same
// for all lanes, and how a shuffle is bounded is a constant; steps execute the others.

// exchange is the state of selecting one.
type exchange struct {
	*compiler
	op    *simt.ExchangeOp
	inst  *simt.Inst
	args  []simt.ID // without the mask of members
	lanes warp.Grouped
}

// nativeExchange selects an exchange, and reports whether there is machine code for it.
func (k *compiler) nativeExchange(inst *simt.Inst) bool {
	x := &exchange{compiler: k, op: inst.Aux.(*simt.ExchangeOp), inst: inst, args: inst.Args}
	members := simt.ID(0)
	if x.op.Members {
		members, x.args = inst.Args[len(inst.Args)-1], inst.Args[:len(inst.Args)-1]
		if !k.Known.IsScalar(members) {
			return false
		}
	}
	shuffles := strings.HasPrefix(x.op.Name, "shfl.")
	switch {
	case shuffles:
		if _, ok := k.ConstOf(x.args[2]); !ok {
			return false
		}
	case strings.HasPrefix(x.op.Name, "vote."), x.op.Name == "activemask":
	default:
		return false
	}
	k.BeginApart()
	x.takePart(members)
	switch {
	case shuffles:
		x.shuffle()
	default:
		x.vote()
	}
	return true
}

// takePart finds the lanes that execute the exchange and are members.
func (x *exchange) takePart(members simt.ID) {
	for g, s := range x.Groups {
		if x.inst.Guard != 0 {
			x.lanes[g] = s.GuardedBy(x.inst)
		} else {
			x.lanes[g] = s.AtWork()
		}
		if bits, ok := x.ConstOf(members); members == 0 || ok && uint32(bits) == 1<<32-1 {
			continue
		}
		x.lanes[g] = s.BothSets(x.SetOf(s, x.General(members)), x.lanes[g])
	}
}

// each is a vector of a number for each lane of a group.
func (x *exchange) each(g int, f func(lane uint32) uint32) machine.Operand {
	return x.ConstDwords(func(i int) uint32 { return f(uint32(x.Target.Lanes*g + i)) })
}

// shuffle selects shfl: each lane takes the value of the lane that mode, b and c name, or its own if that is beyond its
// segment. Lanes that do not take part have 0.
func (x *exchange) shuffle() {
	c64, _ := x.ConstOf(x.args[2])
	c := uint32(c64)
	clamp, segment := c&31, c>>8&31
	low := func(lane uint32) uint32 { return lane & segment }
	bound := func(lane uint32) uint32 { return low(lane) | clamp&^segment }
	var brought warp.Grouped
	for g, s := range x.Groups {
		a := s.Value(x.args[0]).Parts[0]
		if x.HasMasks() {
			brought[g] = s.Zeroed(encode.VMOVDQA32, x.lanes[g], a)
		} else {
			brought[g] = s.And(x.lanes[g], a)
		}
	}
	for g, s := range x.Groups {
		own := x.each(g, func(lane uint32) uint32 { return lane })
		b := s.And(s.Value(x.args[1]).Parts[0], s.Const32(31))
		var from machine.Operand
		above := true
		limit := x.each(g, bound)
		switch x.op.Name {
		case "shfl.up":
			from, above = s.New(encode.VPSUBD, own, b), false
		case "shfl.down":
			from = s.New(encode.VPADDD, own, b)
		case "shfl.bfly":
			from = s.Xor(own, b)
		default:
			from = s.Or(s.And(b, s.Const32(^segment)), x.each(g, low))
		}
		bad := x.beyond(s, from, limit, above)
		if x.op.D {
			s.Vectors[x.inst.Defs[0]].Parts[0] = x.pick(s, brought, from, own, bad)
		}
		if x.op.P {
			s.Vectors[x.inst.Defs[len(x.inst.Defs)-1]].Parts[0] = s.Complement(bad)
		}
	}
}

// beyond returns the lanes in which signed words are above a limit, or else below.
func (x *exchange) beyond(s *warp.Group, from, limit machine.Operand, above bool) machine.Operand {
	switch {
	case x.HasMasks() && above:
		return s.Test(encode.VPCMPD, from, limit, machine.Immediate(vector.CompareGreater))
	case x.HasMasks():
		return s.Test(encode.VPCMPD, from, limit, machine.Immediate(vector.CompareLess))
	case above:
		return s.New(encode.VPCMPGTD, from, limit)
	}
	return s.New(encode.VPCMPGTD, limit, from)
}

// pick returns what the lanes of a group take: of the lane from, or of their own where that is bad.
func (x *exchange) pick(s *warp.Group, brought warp.Grouped, from, own, bad machine.Operand) machine.Operand {
	if x.HasMasks() {
		index := s.Put(machine.Vector, machine.Instr{Op: encode.VPBLENDMD, Mask: bad}, []machine.Operand{from, own})
		return s.Change(encode.VPERMI2D, index, brought[0], brought[1])
	}
	// A permutation looks at the lowest three bits of the lane, the next two choose between the groups.
	index := s.New(encode.VPBLENDVB, from, own, bad)
	var all warp.Grouped
	for g := range x.Groups {
		all[g] = s.New(encode.VPERMD, index, brought[g])
	}
	odd, upper := s.New(encode.VPSLLDI, index, machine.Immediate(28)), s.New(encode.VPSLLDI, index, machine.Immediate(27))
	low, high := s.New(encode.VBLENDVPS, all[0], all[1], odd), s.New(encode.VBLENDVPS, all[2], all[3], odd)
	return s.New(encode.VBLENDVPS, low, high, upper)
}

// vote selects votes and activemask: all lanes have the same result.
func (x *exchange) vote() {
	k := x.compiler
	yes := x.lanes
	if len(x.args) > 0 {
		for g, s := range x.Groups {
			yes[g] = s.BothSets(s.Value(x.args[0]).Parts[0], x.lanes[g])
		}
	}
	// EAX = the lanes for which the predicate holds, ECX = those that take part.
	k.WordOf(encode.RAX, yes)
	if x.op.Name == "vote.ballot" || x.op.Name == "activemask" {
		for _, s := range x.Groups {
			s.Vectors[x.inst.Defs[0]].Parts[0] = s.Broadcast(rax, false)
		}
		return
	}
	k.WordOf(encode.RCX, x.lanes)
	// EDX = -1 if it holds for all or any.
	all := func() {
		k.Fixedly(encode.CMP|encode.S32, rax, rcx)
		k.Fixedly(encode.SET.If(encode.CondE), rdx)
	}
	anyone := func(c encode.Cond, to machine.Operand) {
		k.Fixedly(encode.TEST|encode.S32, rax, rax)
		k.Fixedly(encode.SET.If(c), to)
	}
	switch x.op.Name {
	case "vote.all":
		all()
	case "vote.any":
		anyone(encode.CondNE, rdx)
	default: // all or none
		all()
		anyone(encode.CondE, rax)
		k.Fixedly(encode.OR|encode.S32, rdx, rax)
	}
	k.Fixedly(encode.AND|encode.S32, rdx, machine.Immediate(1))
	k.Fixedly(encode.NEG|encode.S32, rdx)
	for _, s := range x.Groups {
		s.Vectors[x.inst.Defs[0]].Parts[0] = s.AllOrNone(rdx)
	}
}
