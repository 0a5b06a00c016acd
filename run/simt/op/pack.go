package op

func init() {
	for name, size := range map[string]int{"u16": 16, "s16": 16, "u8": 8, "s8": 8, "u4": 4, "s4": 4, "u2": 2, "s2": 2} {
		define("cvt.pack.sat."+name, packSaturated(size, name[0] == 's'))
	}
}

// packSaturated is cvt.pack (PTX ISA 9.7.9.22): b and above it a, each saturated, and above them what c
// has at its lower end.
func packSaturated(size int, signed bool) Map3[uint32, uint32, uint32, uint32] {
	least, most := int32(0), int32(1)<<size-1
	if signed {
		least, most = -1<<(size-1), 1<<(size-1)-1
	}
	part := func(x uint32) uint32 { return uint32(min(max(int32(x), least), most)) & (1<<size - 1) }
	return func(dst, a, b, c []uint32) {
		for i := range dst {
			dst[i] = c[i]<<(2*size) | part(a[i])<<size | part(b[i])
		}
	}
}
