package sem

import "github.com/vop-ptx/vop/isa"

// shift is 9.7.18.1.2: vshl, vshr. The value is extended as atype says before
// it is shifted; the amount is always unsigned (ruling R11).
func shift(q ruleSet, f isa.Form, a, b, c uint32) stages {
	ta := partSelectSignExtend(a, f.AType, f.ASel)
	tb := partSelectSignExtend(b, isa.U32, f.BSel)
	if f.Mode == isa.Clamp && tb > 32 {
		tb = 32
	}
	if f.Mode == isa.Wrap {
		tb = tb & 0x1f
	}

	var tmp int64
	switch f.Op {
	case isa.Vshl:
		tmp = ta << tb
	case isa.Vshr:
		tmp = ta >> tb
	}
	return finish(q, f, stages{ta: ta, tb: tb, exact: tmp}, c)
}
