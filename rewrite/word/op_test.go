package word

import "testing"

// TestApply has one line or more for each operation that is not what its name says in any
// language: values worked out by hand from the definitions in op.go.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		op      Op
		x, y, z uint64
		imm     uint64
		want    uint64
	}{
		{AndNot, 0xff00ff00, 0x0ff00ff0, 0, 0, 0xf000f000},
		{Logic3, 0xf0, 0xcc, 0xaa, 0x80, 0x80},       // x & y & z
		{Logic3, 0xf0, 0xcc, 0xaa, 0x96, 0x96},       // x ^ y ^ z
		{Logic3, 0xf0, 0xcc, 0xaa, 0xca, 0xca},       // y where x, else z
		{Logic3, 0x12345678, 0, 0, 0x0f, 0xedcba987}, // ^x
		{Shl, 0x80000001, 32, 0, 0, 0},
		{Shl, 1, 0xffffffff, 0, 0, 0},
		{ShrU, 0x80000000, 31, 0, 0, 1},
		{ShrU, 0x80000000, 32, 0, 0, 0},
		{ShrS, 0x80000000, 40, 0, 0, 0xffffffff},
		{ShrS, 0x7fffffff, 40, 0, 0, 0},
		{MinS, 0x80000000, 1, 0, 0, 0x80000000},
		{MinU, 0x80000000, 1, 0, 0, 1},
		{CmpLtS, 0xffffffff, 0, 0, 0, 0xffffffff},
		{CmpLtU, 0xffffffff, 0, 0, 0, 0},
		{Select, 0xffffffff, 7, 8, 0, 7},
		{Select, 0, 7, 8, 0, 8},
		{SadU, 1, 0xffffffff, 3, 0, 1},
		{SadS, 1, 0xffffffff, 3, 0, 5},
		{SadS, 0x80000000, 0x7fffffff, 0, 0, 0xffffffff},
		{Perm, 0x33221100, 0x77665544, 0, 0x7520, 0x77552200},
		{PermS, 0x33221180, 0x77665544, 0, 0xcb98, 0x000000ff},
		{PackSatS8, 200, 0xffffff00, 0x12345678, 0, 0x5678807f},
		{PackSatU8, 300, 0xffffffff, 0, 0, 0x000000ff},
		{PackSatS16, 0x12345, 0xffff0000, 0, 0, 0x80007fff},
		{PackSatU16, 0x12345, 5, 0, 0, 0x0005ffff},
		{Add8, 0xff01ff01, 0x01010101, 0, 0, 0x00020002},
		{Sub16, 0x00010000, 0x00000001, 0, 0, 0x0001ffff},
		{AddSatU8, 0xff80407f, 0x01804001, 0, 0, 0xffff8080},
		{AddSatS8, 0xff80407f, 0x01804001, 0, 0, 0x00807f7f},
		{SubSatU16, 0x00018000, 0x00027fff, 0, 0, 0x00000001},
		{SubSatS16, 0x80007fff, 0x0001ffff, 0, 0, 0x80007fff},
		{MinU8, 0x80017f00, 0x7f02ff01, 0, 0, 0x7f017f00},
		{MaxS8, 0x80017f00, 0x7f02ff01, 0, 0, 0x7f027f01},
		{MaxU16, 0x80000001, 0x7fff0002, 0, 0, 0x80000002},
		{MinS16, 0x80000001, 0x7fff0002, 0, 0, 0x80000001},
		{AvgU8, 0xff000102, 0xff010001, 0, 0, 0xff010102},
		{CmpEq8, 0x01020304, 0x01000304, 0, 0, 0xff00ffff},
		{CmpGtU16, 0x80000001, 0x7fff0001, 0, 0, 0xffff0000},
		{CmpGtS16, 0x80000002, 0x7fff0001, 0, 0, 0x0000ffff},
		{AbsDiffU8, 0x00ff0180, 0xff000280, 0, 0, 0xffff0100},
		{AbsDiffS8, 0x80ff0180, 0x7f000280, 0, 0, 0xff010100},
		{SadU8, 0x00ff0180, 0xff000280, 1, 0, 512},
		{SadS8, 0x80ff0180, 0x7f000280, 1, 0, 258},
		{DotU8, 0xff000102, 10, 0, 0x010001ff, 10 + 255 + 1 - 2},
		{DotS8, 0xff000102, 10, 0, 0x010001ff, 10 - 1 + 1 - 2},
		{DotU16, 0xffff0003, 0, 0, 0x01ff, 0xffff - 3},
		{DotS16, 0xffff0003, 0, 0, 0x02ff, 0xfffffffb},
		{DotU8U8, 0xff000002, 0xff050003, 10, 0, 10 + 255*255 + 6},
		{DotU8S8, 0xff000002, 0xff050003, 10, 0, 0xffffff11}, // 10 - 255 + 6
		{DotS8S8, 0xff000080, 0xfe050080, 10, 0, 10 + 2 + 16384},
		{DotU16U8, 0xffff0003, 0x0505ff02, 10, 0, 10 + 65535*255 + 6}, // the high bytes of y are of no account
		{DotU16S8, 0xffff0003, 0x0505ff02, 10, 0, 0xffff0011},         // 10 - 65535 + 6
		{DotS16U8, 0xffff0003, 0x0505ff02, 10, 0, 0xffffff11},         // 10 - 255 + 6
		{DotS16S8, 0x80000003, 0x05058002, 10, 0, 10 + 32768*128 + 6},
		{FunnelL, 0x80000001, 0x12345678, 0, 0, 0x12345678},
		{FunnelL, 0x80000001, 0x12345678, 8, 0, 0x34567880},
		{FunnelL, 0x80000001, 0x12345678, 33, 0, 0x80000001},
		{FunnelR, 0x80000001, 0x12345678, 0, 0, 0x80000001},
		{FunnelR, 0x80000001, 0x12345678, 4, 0, 0x88000000},
		{FunnelR, 0x80000001, 0x12345678, 0xffffffff, 0, 0x12345678},
		{WideS, 0x80000000, 0, 0, 0, 0xffffffff80000000},
		{WideU, 0x80000000, 0, 0, 0, 0x80000000},
		{MulWideU, 0xffffffff, 0xffffffff, 0, 0, 0xfffffffe00000001},
		{MulWideS, 0xffffffff, 0xffffffff, 0, 0, 1},
		{ShlWide, 1, 63, 0, 0, 1 << 63},
		{ShlWide, 1, 64, 0, 0, 0},
		{ShrWideS, 1 << 63, 0, 0, 63, 0xffffffffffffffff},
		{ShrWideU, 1 << 63, 0, 0, 63, 1},
		{MinWideS, 1 << 63, 1, 0, 0, 1 << 63},
		{MinWideU, 1 << 63, 1, 0, 0, 1},
		{MaxWideS, 1 << 63, 1, 0, 0, 1},
		{Lo, 0x123456789abcdef0, 0, 0, 0, 0x9abcdef0},
	} {
		if got := c.op.Apply(c.x, c.y, c.z, c.imm); got != c.want {
			t.Errorf("%v %x, %x, %x, %x is %x, want %x", c.op, c.x, c.y, c.z, c.imm, got, c.want)
		}
	}
}

// TestOps checks that the table of shapes knows every operation and that names are unique.
func TestOps(t *testing.T) {
	names := map[string]Op{}
	for _, op := range Ops() {
		if other, ok := names[op.String()]; ok || op.String() == "" {
			t.Errorf("%d and %d are both called %q", other, op, op)
		}
		names[op.String()] = op
		if op.Commutes() && op.Args() < 2 {
			t.Errorf("%v commutes with %d arguments", op, op.Args())
		}
	}
}

// TestCommutes tries whether the operations that say so do not mind the order of their arguments.
func TestCommutes(t *testing.T) {
	x, y := uint64(0x80ff017f12345678), uint64(0x7f01ff80fedcba98)
	for _, op := range Ops() {
		if op.Args() < 2 || op == Perm || op == PermS {
			continue
		}
		same := op.Apply(x, y, 5, 0) == op.Apply(y, x, 5, 0)
		if op.Commutes() && !same {
			t.Errorf("%v does not commute", op)
		}
	}
}
