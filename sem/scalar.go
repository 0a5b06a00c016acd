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
func scalar(q ruleSet, f isa.Form, a, b, c uint32) stages {
	ta := partSelectSignExtend(a, f.AType, f.ASel)
	tb := partSelectSignExtend(b, f.BType, f.BSel)

	var tmp int64
	switch f.Op {
	case isa.Vadd:
		tmp = ta + tb
	case isa.Vsub:
		tmp = ta - tb
	case isa.Vabsdiff:
		tmp = abs(ta - tb)
	case isa.Vmin:
		tmp = min(ta, tb)
	case isa.Vmax:
		tmp = max(ta, tb)
	}
	return finish(q, f, stages{ta: ta, tb: tb, exact: tmp}, c)
}

// finish runs the last stages of the general format: clamp, then second
// operation or merge. The sign of c is that of dtype, for vset unsigned as its d
// (ruling R12).
func finish(q ruleSet, f isa.Form, s stages, c uint32) stages {
	s.tmp = s34(s.exact)
	s.tc = partSelectSignExtend(c, f.DType, isa.Word)
	if q != 0 {
		return finishCompiled(q, f, s, c)
	}
	s.saturated = optSaturate(s.tmp, f.Sat, f.DType.Signed(), f.DSel)
	s.t = s.saturated
	s.second = optSecOp(f.Second, s.t, s.tc)
	s.d = uint32(optMerge(f.DSel, s.second, s.tc))
	return s
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
