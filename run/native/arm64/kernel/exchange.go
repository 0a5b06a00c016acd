package kernel

import (
	"strings"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// Exchanges between the lanes of a warp: shuffles (shuffle.go), votes and the like, which are functions of two sets of lanes
// (vote.go), and those by keys, match and redux (match.go). Who takes part is in most code the same for all lanes; where it
// varies, each lane sees what its own mask of members has.

// exchange is the state of writing one.
type exchange struct {
	*compiler
	op      *simt.ExchangeOp
	inst    *simt.Inst
	args    []simt.ID // without the mask of members
	members simt.ID   // or 0
	varying bool      // the mask of members is not the same in all lanes
}

// writers write the exchanges, by what their names begin with.
var writers = map[string]func(x *exchange) error{
	"shfl": (*exchange).shuffle, "vote": (*exchange).vote, "activemask": (*exchange).vote, "elect": (*exchange).vote,
	"match": (*exchange).match, "redux": (*exchange).reduce,
}

// writerOf returns what writes an exchange, or nil.
func writerOf(op *simt.ExchangeOp) func(x *exchange) error {
	family, _, _ := strings.Cut(op.Name, ".")
	return writers[family]
}

// nativeExchange reports whether an instruction is an exchange that there is machine code for.
func nativeExchange(i *simt.Inst) bool {
	return i.Kind == simt.Exchange && writerOf(i.Aux.(*simt.ExchangeOp)) != nil
}

// newExchange returns the state for an exchange.
func (k *compiler) newExchange(inst *simt.Inst) *exchange {
	x := &exchange{compiler: k, op: inst.Aux.(*simt.ExchangeOp), inst: inst, args: inst.Args}
	if x.op.Members {
		last := len(inst.Args) - 1
		x.members, x.args = inst.Args[last], inst.Args[:last]
		x.varying = !k.allScalar(inst.Args[last:])
	}
	return x
}

// write writes the exchange.
func (x *exchange) write() error { return writerOf(x.op)(x) }

// taking are the lanes of a group that execute the exchange. If the mask of members is the same in all lanes, they are members.
func (x *exchange) taking(s *strip) machine.Register {
	set := s.guarded(x.inst)
	if bits, ok := x.ConstOf(x.members); x.members == 0 || x.varying || ok && uint32(bits) == 1<<32-1 {
		return set
	}
	return s.New(encode.AND, set, s.New(encode.CMTST|encode.S4, s.V(x.members), s.laneBits()))
}

// each is a vector of a number for each lane of a group.
func (x *exchange) each(s *strip, f func(lane uint32) uint32) machine.Register {
	return x.compiler.lanes(func(i int) uint64 { return uint64(f(uint32(arm64.Lanes*s.number + i))) }, 4)
}

// own are the numbers of a group's lanes.
func (x *exchange) own(s *strip) machine.Register {
	return x.each(s, func(lane uint32) uint32 { return lane })
}

// inFrame is where a group's vector is in the frame, from the first group's on.
func (s *strip) inFrame(offset int32) machine.Place {
	return machine.Place{Base: frameReg, Offset: offset + int32(s.number)*arm64.Bytes}
}

// give makes a group's vectors the results of the exchange: the value, and the predicate.
func (x *exchange) give(s *strip, d, p machine.Register) {
	if x.op.D {
		places, _ := s.places(x.inst.Defs[0])
		s.Save(places[0], d, false)
	}
	if x.op.P {
		places, _ := s.places(x.inst.Defs[len(x.inst.Defs)-1])
		s.Save(places[0], p, false)
	}
}
