package vector

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// order is a comparison: an instruction, on the operands in the other order or not, whose result is turned round or not.
type order struct {
	signed, unsigned encode.Op
	swap, not        bool
}

var ordersOf = map[string]order{
	"eq": {encode.CMEQ, encode.CMEQ, false, false}, "ne": {encode.CMEQ, encode.CMEQ, false, true},
	"gt": {encode.CMGT, encode.CMHI, false, false}, "ge": {encode.CMGE, encode.CMHS, false, false},
	"lt": {encode.CMGT, encode.CMHI, true, false}, "le": {encode.CMGE, encode.CMHS, true, false},
}

// orders are the comparisons of integers that kernels have besides [comparisons].
var orders = func() map[string]selector {
	all := map[string]selector{}
	for name, o := range ordersOf {
		for _, t := range integerTypes {
			if full := "setp." + name + "." + t.name; t.bits > 8 && comparisons[full] == nil {
				all[full] = func(s *Selection, a []simt.ID) Value { return one(s.ordered(o, t, a)) }
			}
		}
	}
	return all
}()

// ordered compares integers of a type.
func (s *Selection) ordered(o order, t integerType, a []simt.ID) machine.Register {
	op := o.unsigned
	if t.signed {
		op = o.signed
	}
	if o.swap {
		a = []simt.ID{a[1], a[0]}
	}
	var r machine.Register
	if t.bits == 64 {
		x, y := s.Both(a[0]), s.Both(a[1])
		low, high := s.New(op|encode.D2, x[0], y[0]), s.New(op|encode.D2, x[1], y[1])
		r = s.New(encode.UZP1|encode.S4, low, high)
	} else {
		r = s.New(op|encode.S4, s.extended(s.V(a[0]), t), s.extended(s.V(a[1]), t))
	}
	if o.not {
		r = s.New(encode.NOT|encode.B16, r)
	}
	return r
}
