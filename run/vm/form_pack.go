package vm

import "github.com/vop-ptx/vop/read/check"

// packForms are the conversions of two numbers into parts of a word (PTX ISA 9.7.9.22).
var packForms = []row{
	{"cvt.pack.sat.(u16|s16).s32", packNumbers},
	{"cvt.pack.sat.(u8|s8|u4|s4|u2|s2).s32.b32", packNumbers},
}

// packNumbers builds cvt.pack: b and above it a, each saturated, and above them what c has at its
// lower end.
func packNumbers(b *builder) {
	name := b.inst.modifiers[2]
	size := int(name[1] - '0')
	if len(name) == 3 {
		size = 16
	}
	least, most := int32(0), int32(1)<<size-1
	if name[0] == 's' {
		least, most = -1<<(size-1), 1<<(size-1)-1
	}
	part := func(x uint32) uint32 { return uint32(min(max(int32(x), least), most)) & (1<<size - 1) }
	d := b.destination(b.operand(0), narrow)
	s := []register{b.source(b.operand(1), narrow, check.S32), b.source(b.operand(2), narrow, check.S32), b.constant(narrow, 0)}
	if b.inst.has("b32") {
		s[2] = b.source(b.operand(3), narrow, check.B32)
	}
	b.emit([]register{d}, s, func(fr *frame, private bool) step {
		return &map3[uint32, uint32, uint32, uint32]{func(dst, x, y, z []uint32) {
			for i := range dst {
				dst[i] = z[i]<<(2*size) | part(x[i])<<size | part(y[i])
			}
		}, columnOf[uint32](fr, d), columnOf[uint32](fr, s[0]), columnOf[uint32](fr, s[1]), columnOf[uint32](fr, s[2]), private}
	})
}
