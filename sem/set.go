package sem

import "github.com/vop-ptx/vop/isa"

// set is 9.7.18.1.4: vset.
func set(q ruleSet, f isa.Form, a, b, c uint32) (s stages) {
	s.ta = partSelectSignExtend(a, f.AType, f.ASel)
	s.tb = partSelectSignExtend(b, f.BType, f.BSel)
	if compare(s.ta, s.tb, f.Cmp) {
		s.exact = 1
	}
	finish(q, f, &s, c)
	return s
}

// compare is the comparison of vset, vset2 and vset4.
func compare(ta, tb int64, cmp isa.Cmp) bool {
	switch cmp {
	case isa.Eq:
		return ta == tb
	case isa.Ne:
		return ta != tb
	case isa.Lt:
		return ta < tb
	case isa.Le:
		return ta <= tb
	case isa.Gt:
		return ta > tb
	default:
		return ta >= tb
	}
}
