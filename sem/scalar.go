package sem

import "github.com/vop-ptx/vop/isa"

// stages holds the values of one scalar instruction but vmad, as the manual
// names them.
type stages struct {
	ta, tb    int64  // the extracted and extended operands
	exact     int64  // the result of the operation
	tmp       int64  // the .s34 intermediate result
	saturated int64  // tmp after optSaturate
	t, tc     int64  // what enters the secondary operation: saturated, and c extended
	second    int64  // t after optSecOp
	d         uint32 // "The lower 32-bits are then written to the destination operand."
}

// scalar is 9.7.18.1.1: vadd, vsub, vabsdiff, vmin, vmax.
func scalar(q ruleSet, f isa.Form, a, b, c uint32) (s stages) {
	s.ta = partSelectSignExtend(a, f.AType, f.ASel)
	s.tb = partSelectSignExtend(b, f.BType, f.BSel)
	switch f.Op {
	case isa.Vadd:
		s.exact = s.ta + s.tb
	case isa.Vsub:
		s.exact = s.ta - s.tb
	case isa.Vabsdiff:
		s.exact = abs(s.ta - s.tb)
	case isa.Vmin:
		s.exact = min(s.ta, s.tb)
	case isa.Vmax:
		s.exact = max(s.ta, s.tb)
	}
	finish(q, f, &s, c)
	return s
}

// finish runs the last stages of the general format: clamp, then second
// operation or merge. The sign of c is that of dtype, for vset unsigned as its d
// (ruling R12).
func finish(q ruleSet, f isa.Form, s *stages, c uint32) {
	s.tmp = s34(s.exact)
	s.tc = partSelectSignExtend(c, f.DType, isa.Word)
	if q != 0 {
		finishCompiled(q, f, s, c)
		return
	}
	s.saturated = optSaturate(s.tmp, f.Sat, f.DType.Signed(), f.DSel)
	s.t = s.saturated
	s.second = optSecOp(f.Second, s.t, s.tc)
	s.d = uint32(optMerge(f.DSel, s.second, s.tc))
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
