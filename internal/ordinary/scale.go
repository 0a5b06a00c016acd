package ordinary

import "math"

// scaled finds the power of two, as ue8m0, that is next to a magnitude from below or from above, by trying all.
func scaled(x float64, up, finite bool) uint64 {
	const nan, top = 0xff, 0xfe
	x = math.Abs(x)
	power := func(code uint64) float64 { return math.Ldexp(1, int(code)-127) }
	switch {
	case x != x:
		return nan
	case x > power(top) && (up || math.IsInf(x, 0)):
		if finite {
			return top
		}
		return nan
	}
	for code := uint64(0); code <= top; code++ {
		if up && power(code) >= x || !up && (code == top || power(code+1) > x) {
			return code
		}
	}
	panic("ordinary: no power of two")
}

// scaleConversions enters the conversions to and from ue8m0 (9.7.9.21).
func (t *table) scaleConversions() {
	for name, up := range map[string]bool{"rz": false, "rp": true} {
		for _, finite := range []bool{false, true} {
			form := "cvt." + name + map[bool]string{true: ".satfinite"}[finite] + ".ue8m0x2."
			t.bitwise(form+"f32", "b16", "f32 f32", func(x []uint64) uint64 {
				one := func(x uint64) uint64 { return scaled(float64(math.Float32frombits(uint32(x))), up, finite) }
				return one(x[0])<<8 | one(x[1])
			})
			t.bitwise(form+"bf16x2", "b16", "bf16x2", func(x []uint64) uint64 {
				one := func(x uint64) uint64 { return scaled(float64(math.Float32frombits(uint32(x<<16))), up, finite) }
				return one(x[0]>>16)<<8 | one(x[0]&0xffff)
			})
		}
	}
	t.bitwise("cvt.rn.bf16x2.ue8m0x2", "bf16x2", "b16", func(x []uint64) uint64 {
		one := func(code uint64) uint64 {
			if code == 0xff {
				return brain.nan
			}
			return brain.encode(double.decode(math.Float64bits(math.Ldexp(1, int(code)-127))), Nearest)
		}
		return one(x[0]>>8)<<16 | one(x[0]&0xff)
	})
}
