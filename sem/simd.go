package sem

import "github.com/vop-ptx/vop/isa"

// lanes holds one value for each lane; of a two-lane instruction the first two.
type lanes [4]int32

// simdStages holds the values of one SIMD instruction, as the manual names them.
type simdStages struct {
	Va, Vb    lanes // the extracted and extended operands
	t         lanes // the intermediate results
	saturated lanes // t after .sat
	d         uint32
}

// simd is 9.7.18.2.1 and 9.7.18.2.3: vadd2, vsub2, vavrg2, vabsdiff2, vmin2,
// vmax2 and their quad byte counterparts. The manual writes them twice, once for
// n = 2 and once for n = 4.
func simd(f isa.Form, a, b, c uint32) (s simdStages) {
	n := f.Op.Lanes()
	Va := extractAndSignExt(n, a, b, f.ALane, f.AType)
	Vb := extractAndSignExt(n, a, b, f.BLane, f.BType)

	var t, saturated lanes
	low, high := saturationRange(f.DType.Signed(), 32/n)
	for i := range n {
		switch f.Op.Kind() {
		case isa.Add:
			t[i] = Va[i] + Vb[i]
		case isa.Sub:
			t[i] = Va[i] - Vb[i]
		case isa.Avrg:
			if Va[i]+Vb[i] >= 0 {
				t[i] = (Va[i] + Vb[i] + 1) >> 1
			} else {
				t[i] = (Va[i] + Vb[i]) >> 1
			}
		case isa.Absdiff:
			t[i] = max(Va[i]-Vb[i], Vb[i]-Va[i])
		case isa.Min:
			t[i] = min(Va[i], Vb[i])
		case isa.Max:
			t[i] = max(Va[i], Vb[i])
		}
		saturated[i] = t[i]
		if f.Sat {
			saturated[i] = int32(clamp(int64(t[i]), low, high))
		}
	}
	d := accumulateOrMerge(f, saturated, c)
	return simdStages{Va, Vb, t, saturated, d}
}

// simdSet is 9.7.18.2.2 and 9.7.18.2.4: vset2, vset4.
func simdSet(f isa.Form, a, b, c uint32) simdStages {
	n := f.Op.Lanes()
	Va := extractAndSignExt(n, a, b, f.ALane, f.AType)
	Vb := extractAndSignExt(n, a, b, f.BLane, f.BType)

	var t lanes
	for i := range n {
		if compare(int64(Va[i]), int64(Vb[i]), f.Cmp) {
			t[i] = 1
		}
	}
	d := accumulateOrMerge(f, t, c)
	return simdStages{Va, Vb, t, t, d}
}

// accumulateOrMerge is the end that all SIMD instructions have: "secondary
// accumulate or SIMD merge".
func accumulateOrMerge(f isa.Form, t lanes, c uint32) uint32 {
	n := f.Op.Lanes()
	mask := extractMaskBits(f.Mask)
	if f.Second == isa.SecondAdd {
		d := c
		for i := range n {
			if mask[i] {
				d += uint32(t[i]) // a negative lane is added as one, whatever dtype (ruling R10)
			}
		}
		return d
	}

	Vc := extractC(n, c)
	d := uint32(0)
	for i := range n {
		lane := Vc[i] // from c, not from b as the prose of vset2 and vset4 says (ruling R8)
		if mask[i] {
			lane = t[i]
		}
		d |= position(n, i, lane) // to its own position (ruling R9)
	}
	return d
}

// extractAndSignExt is the manual's extractAndSignExt_2 for n = 2 and
// extractAndSignExt_4 for n = 4: for each lane the selected half-word or byte of
// the pair a, b, extended as its type says.
func extractAndSignExt(n int, a, b uint32, sel isa.Lanes, typ isa.Type) (v lanes) {
	pair := uint64(b)<<32 | uint64(a)
	bits := 32 / n
	for i := range n {
		v[i] = int32(signExtend(uint32(pair>>(sel.Lane(i)*bits)), typ, bits))
	}
	return v
}

// extractC is the manual's extractAndSignExt_2( c ) and extractAndSignExt_4( c ):
// the lanes of c in their places. They are merged as they are, so it does not
// matter how they are extended.
func extractC(n int, c uint32) (v lanes) {
	bits := 32 / n
	for i := range n {
		v[i] = int32(signExtend(c>>(i*bits), isa.U32, bits))
	}
	return v
}

// extractMaskBits tells for each lane whether it is in the mask.
func extractMaskBits(mask isa.Mask) (bits [4]bool) {
	for i := range bits {
		bits[i] = mask.Has(i)
	}
	return bits
}

// position truncates a lane to its width and moves it to its place in d.
func position(n, i int, lane int32) uint32 {
	bits := 32 / n
	return uint32(lane) << (32 - bits) >> (32 - bits) << (i * bits)
}
