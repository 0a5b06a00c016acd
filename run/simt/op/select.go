package op

func init() {
	define("selp.32", choose[uint32])
	define("selp.64", choose[uint64])
	define("slct.32.s32", chooseSigned[uint32])
	define("slct.64.s32", chooseSigned[uint64])
}

// choose takes a where the mask is set and b elsewhere.
func choose[W Word](dst, a, b []W, mask Mask) {
	for n := 0; n*64 < len(dst); n++ {
		d := lanes(dst, n)
		x, y := lanes(a, n)[:len(d)], lanes(b, n)[:len(d)]
		switch set := mask[n]; set {
		case 0:
			copy(d, y)
		case ^uint64(0):
			copy(d, x)
		default:
			for i := range d {
				take := -W(set >> i & 1)
				d[i] = x[i]&take | y[i]&^take
			}
		}
	}
}

// chooseSigned takes a where c is not negative and b elsewhere (9.7.6.4 slct).
func chooseSigned[W Word](dst, a, b []W, c []uint32) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		if int32(c[i]) >= 0 {
			dst[i] = a[i]
		} else {
			dst[i] = b[i]
		}
	}
}
