package sem

import "github.com/vop-ptx/vop/isa"

// stages holds the values of one scalar instruction but vmad, as the manual
// names them.
type stages struct {
	ta, tb    int64  // the extracted and extended operands
	tmp       int64  // the .s34 intermediate result
	saturated int64  // tmp after optSaturate
	second    int64  // saturated after optSecOp
	d         uint32 // "The lower 32-bits are then written to the destination operand."
}

// scalar is 9.7.18.1.1: vadd, vsub, vabsdiff, vmin, vmax.
func scalar(f isa.Form, a, b, c uint32) stages {
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
	return finish(f, stages{ta: ta, tb: tb, tmp: s34(tmp)}, c)
}

// finish runs the last two stages of the general format: clamp, then second
// operation or merge.
func finish(f isa.Form, s stages, c uint32) stages {
	tc := partSelectSignExtend(c, f.DType, isa.Word) // for vset unsigned, as its d (ruling R12)
	s.saturated = optSaturate(s.tmp, f.Sat, f.DType.Signed(), f.DSel)
	s.second = optSecOp(f.Second, s.saturated, tc)
	s.d = uint32(optMerge(f.DSel, s.second, tc))
	return s
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
