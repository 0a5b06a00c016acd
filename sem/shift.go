package sem

import "github.com/vop-ptx/vop/isa"

// shift is 9.7.18.1.2: vshl, vshr. The value is extended as atype says before
// it is shifted; the amount is always unsigned (ruling R11).
func shift(q ruleSet, f isa.Form, a, b, c uint32) (s stages) {
	s.ta = partSelectSignExtend(a, f.AType, f.ASel)
	s.tb = partSelectSignExtend(b, isa.U32, f.BSel)
	if f.Mode == isa.Clamp && s.tb > 32 {
		s.tb = 32
	}
	if f.Mode == isa.Wrap {
		s.tb = s.tb & 0x1f
	}
	switch f.Op {
	case isa.Vshl:
		s.exact = s.ta << s.tb
	case isa.Vshr:
		s.exact = s.ta >> s.tb
	}
	finish(q, f, &s, c)
	return s
}
