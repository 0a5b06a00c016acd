package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
)

// outcomes are what votes and the like give, of two sets of lanes, in each word of a vector: those for which the predicate
// holds, and those that take part.
var outcomes = map[string]func(s *strip, yes, all machine.Register) machine.Register{
	"vote.all": everyone,
	"vote.any": func(s *strip, yes, _ machine.Register) machine.Register {
		return s.New(encode.CMTST|encode.S4, yes, yes)
	},
	"vote.uni": func(s *strip, yes, all machine.Register) machine.Register {
		return s.New(encode.ORR, s.New(encode.CMEQZ|encode.S4, yes), everyone(s, yes, all))
	},
	"vote.ballot": func(_ *strip, yes, _ machine.Register) machine.Register { return yes },
	"activemask":  func(_ *strip, _, all machine.Register) machine.Register { return all },
	"elect": func(s *strip, _, all machine.Register) machine.Register { // the first of them
		return s.New(encode.CLZ|encode.S4, s.New(encode.RBIT|encode.B16, s.New(encode.REV32|encode.B16, all)))
	},
}

func everyone(s *strip, yes, all machine.Register) machine.Register {
	return s.New(encode.CMEQZ|encode.S4, s.New(encode.BIC, all, yes))
}

// vote writes votes, activemask and elect. All lanes have the same result, unless each sees members of its own.
func (x *exchange) vote() error {
	outcome := outcomes[x.op.Name]
	var holds, taking word
	return x.strips(func(s *strip) {
		set := x.taking(s)
		taking.add(s, set)
		if len(x.args) > 0 {
			holds.add(s, s.New(encode.AND, set, s.V(x.args[0])))
		}
	}, func() {
		all := taking.folded(x.compiler)
		yes := all
		if len(x.args) > 0 {
			yes = holds.folded(x.compiler)
		}
		var result machine.Register
		x.groups(func(s *strip) {
			switch {
			case x.varying:
				m := s.V(x.members)
				result = outcome(s, s.New(encode.AND, yes, m), s.New(encode.AND, all, m))
			case result == 0:
				result = outcome(s, yes, all)
			}
			p := result
			if x.op.D && x.op.P { // elect
				p = s.New(encode.CMEQ|encode.S4, result, x.own(s))
			}
			x.give(s, result, p)
		})
	})
}
