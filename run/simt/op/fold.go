package op

// Fold computes an operation on constants. Values of type i are the low halves of operands
// and result; predicates are 0 or 1.
func Fold(o Op, a ...uint64) uint64 {
	var x [4][1]uint32
	var w [4][1]uint64
	for i := range a {
		x[i][0], w[i][0] = uint32(a[i]), a[i]
	}
	x0, x1, x2, x3 := x[0][:], x[1][:], x[2][:], x[3][:]
	w0, w1, w2 := w[0][:], w[1][:], w[2][:]
	var narrow [1]uint32
	var wide [1]uint64
	i, l := narrow[:], wide[:]
	mask := Mask(l)
	switch f := o.Info().Loop.(type) {
	case Map1[uint32, uint32]:
		f(i, x0)
	case Map1[uint64, uint64]:
		f(l, w0)
	case Map1[uint32, uint64]:
		f(i, w0)
	case Map1[uint64, uint32]:
		f(l, x0)
	case Map2[uint32, uint32, uint32]:
		f(i, x0, x1)
	case Map2[uint64, uint64, uint64]:
		f(l, w0, w1)
	case Map2[uint64, uint64, uint32]:
		f(l, w0, x1)
	case Map2[uint64, uint32, uint32]:
		f(l, x0, x1)
	case Map3[uint32, uint32, uint32, uint32]:
		f(i, x0, x1, x2)
	case Map3[uint64, uint64, uint64, uint64]:
		f(l, w0, w1, w2)
	case Map3[uint64, uint32, uint32, uint64]:
		f(l, x0, x1, w2)
	case Map3[uint64, uint64, uint32, uint32]:
		f(l, w0, x1, x2)
	case Map3[uint64, uint64, uint64, uint32]:
		f(l, w0, w1, x2)
	case Map4[uint32, uint32, uint32, uint32, uint32]:
		f(i, x0, x1, x2, x3)
	case Map4[uint64, uint64, uint64, uint32, uint32]:
		f(l, w0, w1, x2, x3)
	case Test[uint32]:
		f(mask, x0)
	case Test[uint64]:
		f(mask, w0)
	case Compare[uint32, uint32]:
		f(mask, x0, x1)
	case Compare[uint64, uint64]:
		f(mask, w0, w1)
	case Choose[uint32]:
		f(i, x0, x1, Mask(w2))
	case Choose[uint64]:
		f(l, w0, w1, Mask(w2))
	case CarryOut[uint32]:
		f(mask, x0, x1, Mask(w2))
	case CarryOut[uint64]:
		f(mask, w0, w1, Mask(w2))
	case Logic1:
		wide[0] = f(w0[0]) & 1
	case Logic2:
		wide[0] = f(w0[0], w1[0]) & 1
	case Logic3:
		wide[0] = f(w0[0], w1[0], w2[0]) & 1
	}
	switch o.Shape()[0] {
	case 'i':
		return uint64(narrow[0])
	case 'p':
		return wide[0] & 1
	}
	return wide[0]
}
