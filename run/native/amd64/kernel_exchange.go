package amd64

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges between the lanes of a warp: shuffles, votes and the mask of active lanes. What others take part is the same
// for all lanes, and how a shuffle is bounded is a constant; steps execute the others.

// exchange is the state of selecting one.
type exchange struct {
	*kernelCompiler
	op    *simt.ExchangeOp
	inst  *simt.Inst
	args  []simt.ID // without the mask of members
	lanes [2]operand
}

// nativeExchange selects an exchange, and reports whether there is machine code for it.
func (k *kernelCompiler) nativeExchange(inst *simt.Inst) bool {
	x := &exchange{kernelCompiler: k, op: inst.Aux.(*simt.ExchangeOp), inst: inst, args: inst.Args}
	members := simt.ID(0)
	if x.op.Members {
		members, x.args = inst.Args[len(inst.Args)-1], inst.Args[:len(inst.Args)-1]
		if !k.isScalarOrConst(members) {
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
	for _, s := range k.groups {
		s.node, s.temporary = &node{}, vreg(len(k.registers))
	}
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
	for g, s := range x.groups {
		x.lanes[g] = fixed(kernelLanes[g])
		if x.inst.Guard != 0 {
			op := encode.Op(encode.KANDW)
			if x.inst.GuardNot {
				op = encode.KANDNW
			}
			x.lanes[g] = s.test(op, s.value(x.inst.Guard).parts[0], x.lanes[g])
		}
		if bits, ok := x.ConstOf(members); members == 0 || ok && uint32(bits) == 1<<32-1 {
			continue
		}
		m := x.general(members)
		if g == 1 {
			m = x.change(encode.SHR|encode.S32, m, immediate(16))
		}
		x.lanes[g] = s.test(encode.KANDW, s.test(encode.KMOVWR, m), x.lanes[g])
	}
}

// each is a vector of a number for each lane of a group.
func (x *exchange) each(g int, f func(lane uint32) uint32) operand {
	return x.constDwords(func(i int) uint32 { return f(uint32(16*g + i)) })
}

// shuffle selects shfl: each lane takes the value of the lane that mode, b and c name, or its own if that is beyond its
// segment. Lanes that do not take part have 0.
func (x *exchange) shuffle() {
	c64, _ := x.ConstOf(x.args[2])
	c := uint32(c64)
	clamp, segment := c&31, c>>8&31
	low := func(lane uint32) uint32 { return lane & segment }
	bound := func(lane uint32) uint32 { return low(lane) | clamp&^segment }
	var brought [2]operand
	for g, s := range x.groups {
		a := s.value(x.args[0]).parts[0]
		brought[g] = s.zeroed(encode.VMOVDQA32, x.lanes[g], a)
	}
	for g, s := range x.groups {
		own := x.each(g, func(lane uint32) uint32 { return lane })
		b := s.and(s.value(x.args[1]).parts[0], s.const32(31))
		var from, good operand
		above := immediate(compareGreater)
		limit := x.each(g, bound)
		switch x.op.Name {
		case "shfl.up":
			from, above = s.new(encode.VPSUBD, own, b), immediate(compareLess)
		case "shfl.down":
			from = s.new(encode.VPADDD, own, b)
		case "shfl.bfly":
			from = s.xor(own, b)
		default:
			from = s.or(s.and(b, s.const32(^segment)), x.each(g, low))
		}
		bad := s.test(encode.VPCMPD, from, limit, above)
		if x.op.D {
			index := s.put(vector, instr{op: encode.VPBLENDMD, mask: bad}, []operand{from, own})
			d := s.change(encode.VPERMI2D, index, brought[0], brought[1])
			s.values[x.inst.Defs[0]].parts[0] = d
		}
		if x.op.P {
			good = s.test(encode.KNOTW, bad)
			s.values[x.inst.Defs[len(x.inst.Defs)-1]].parts[0] = good
		}
	}
}

// vote selects votes and activemask: all lanes have the same result.
func (x *exchange) vote() {
	k := x.kernelCompiler
	yes := x.lanes
	if len(x.args) > 0 {
		for g, s := range x.groups {
			yes[g] = s.test(encode.KANDW, s.value(x.args[0]).parts[0], x.lanes[g])
		}
	}
	// EAX = the lanes for which the predicate holds, ECX = those that take part.
	k.fixedly(encode.KUNPCKWD, fixed(encode.K0), yes[1], yes[0])
	k.fixedly(encode.KMOVDR, rax, fixed(encode.K0))
	if x.op.Name == "vote.ballot" || x.op.Name == "activemask" {
		for _, s := range x.groups {
			s.values[x.inst.Defs[0]].parts[0] = s.new(encode.VPBROADCASTDR, rax)
		}
		return
	}
	k.fixedly(encode.KUNPCKWD, fixed(encode.K0), x.lanes[1], x.lanes[0])
	k.fixedly(encode.KMOVDR, rcx, fixed(encode.K0))
	// EDX = -1 if it holds for all or any.
	all := func() {
		k.fixedly(encode.CMP|encode.S32, rax, rcx)
		k.fixedly(encode.SET.If(encode.CondE), rdx)
	}
	anyone := func(c encode.Cond, to operand) {
		k.fixedly(encode.TEST|encode.S32, rax, rax)
		k.fixedly(encode.SET.If(c), to)
	}
	switch x.op.Name {
	case "vote.all":
		all()
	case "vote.any":
		anyone(encode.CondNE, rdx)
	default: // all or none
		all()
		anyone(encode.CondE, rax)
		k.fixedly(encode.OR|encode.S32, rdx, rax)
	}
	k.fixedly(encode.AND|encode.S32, rdx, immediate(1))
	k.fixedly(encode.NEG|encode.S32, rdx)
	for _, s := range x.groups {
		s.values[x.inst.Defs[0]].parts[0] = s.test(encode.KMOVWR, rdx)
	}
}
