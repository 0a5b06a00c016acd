package sem_test

import (
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// TestRulings holds values that tell each ruling of docs/rulings.md from its
// alternative. R13 to R20 say what is accepted, not what it computes.
func TestRulings(t *testing.T) {
	for _, r := range []struct {
		name  string
		cases []ruled
	}{
		{"R1 the scalar intermediate has 34 bits", []ruled{
			{"vshl.u32.u32.u32.sat.clamp d, a, b;", 1, 32, 0, 0xffffffff},
			{"vshl.u32.u32.u32.sat.clamp d, a, b;", 2, 32, 0, 0}, // bit 33 is the sign
			{"vshl.u32.u32.u32.sat.clamp d, a, b;", 4, 32, 0, 0}, // bit 34 is lost
			{"vshl.u32.u32.u32.sat.clamp d, a, b;", 5, 32, 0, 0xffffffff},
			{"vshl.s32.u32.u32.sat.clamp d, a, b;", 2, 32, 0, 0x80000000},
			{"vshl.s32.s32.u32.sat.clamp d, a, b;", 0x80000000, 3, 0, 0},
		}},
		{"R2 a second operation or a merge", []ruled{
			{"vadd.u32.u32.u32.add d, a, b, c;", 1, 2, 0x100, 0x103},
			{"vadd.u32.u32.u32 d.b1, a, b, c;", 1, 2, 0x10000000, 0x10000300},
		}},
		{"R3 vmad without scale does not shift", []ruled{
			{"vmad.u32.u32.u32 d, a, b, c;", 3, 5, 7, 22},
		}},
		{"R4 vmad goes by the final result, not by dtype", []ruled{
			{"vmad.u32.s32.s32.sat d, a, b, c;", 0x80000000, 2, 0, 0x80000000},
			{"vmad.s32.u32.u32.sat d, a, b, c;", 0x80000000, 2, 0, 0xffffffff},
			{"vmad.u32.s32.u32.shr7 d, a, b, c;", 0xffffff80, 1, 0, 0xffffffff},
			{"vmad.s32.u32.u32.shr7 d, a, b, c;", 0xffffff80, 1, 0, 0x01ffffff},
		}},
		{"R5 vmad -c complements 32 bits, then extends", []ruled{
			{"vmad.u32.u32.u32.sat d, a, b, -c;", 0, 0, 0xffffffff, 1},
			{"vmad.u32.u32.u32.sat d, a, b, -c;", 0, 0, 0x80000000, 0x7fffffff},
			{"vmad.u32.u32.u32.sat d, a, b, -c;", 0, 0, 0x7fffffff, 0x80000001},
			{"vmad.u32.u32.u32.shr15 d, a, b, -c;", 0, 0, 0x80000000, 0x00010000},
		}},
		{"R6 vmad keeps the sign into saturation", []ruled{
			{"vmad.s32.s32.s32.sat d, a, b, c;", 0xffffffff, 1, 0, 0xffffffff},
			{"vmad.s32.s32.s32.sat.shr7 d, a, b, c;", 0xffffffff, 1, 0, 0xffffffff},
		}},
		{"R7 -a and -b of vmad cancel", []ruled{
			{"vmad.u32.u32.u32.sat d, -a, -b, c;", 0xffffffff, 1, 0, 0xffffffff},
			{"vmad.u32.u32.u32.sat d, -a, b, c;", 5, 1, 0, 0xfffffffb},
			{"vmad.u32.u32.u32 d, -a, -b, -c;", 5, 1, 2, 3},
		}},
		{"R8 lanes not in the mask of vset2 and vset4 are from c", []ruled{
			{"vset2.u32.u32.eq d.h0, a, b, c;", 0x00010002, 0x00030002, 0xcccccccc, 0xcccc0001},
			{"vset4.u32.u32.eq d.b31, a, b, c;", 0x01020304, 0x05060708, 0xcccccccc, 0x00cc00cc},
		}},
		{"R9 each lane goes to its own position", []ruled{
			{"vadd2.u32.u32.u32 d, a, b, c;", 0x0001ffff, 0x00020002, 0, 0x00030001},
			{"vsub4.s32.s32.s32 d, a, b, c;", 0x00010203, 0x01010101, 0, 0xff000102},
		}},
		{"R10 .add adds negative lanes as such", []ruled{
			{"vsub4.u32.u32.u32.add d, a, b, c;", 0, 0x00000001, 0, 0xffffffff},
			{"vmin2.u32.s32.s32.add d, a, b, c;", 0xfffe0000, 0, 0x10, 0x0e},
		}},
		{"R11 shift amounts are extracted and zero-extended", []ruled{
			{"vshr.u32.u32.u32.clamp d, a, b.b1;", 0xffffffff, 0x0000ff00, 0, 0},
			{"vshr.u32.u32.u32.wrap d, a, b.b1;", 0x80000000, 0x0000ff00, 0, 1},
			{"vshr.s32.s32.u32.clamp d, a.b0, b;", 0x80, 33, 0, 0xffffffff},
			{"vshr.s32.s32.u32.wrap d, a.b0, b;", 0x80, 33, 0, 0xffffffc0},
			{"vshl.u32.u32.u32.clamp d, a, b;", 1, 32, 0, 0},
			{"vshl.u32.u32.u32.wrap d, a, b;", 1, 32, 0, 1},
			{"vshl.u32.s32.u32.wrap d, a.h1, b.h0;", 0x80000000, 0x00010004, 0, 0xfff80000},
		}},
		{"R12 vset compares c unsigned", []ruled{
			{"vset.s32.s32.lt.max d, a, b, c;", 0, 1, 0xffffffff, 0xffffffff},
			{"vset.s32.s32.lt.min d, a, b, c;", 0, 1, 0xffffffff, 1},
		}},
	} {
		t.Run(r.name, func(t *testing.T) {
			for _, c := range r.cases {
				f, err := conform.ParseForm(c.text)
				if err != nil {
					t.Fatal(err)
				}
				if got := sem.Eval(f, c.a, c.b, c.c); got != c.want {
					t.Errorf("%s a=%08x b=%08x c=%08x: %08x, want %08x", c.text, c.a, c.b, c.c, got, c.want)
				}
			}
		})
	}
}

type ruled struct {
	text    string
	a, b, c uint32
	want    uint32
}

// TestR2Exclusive: no form has both a second operation and a merge.
func TestR2Exclusive(t *testing.T) {
	for _, op := range isa.Ops() {
		if op.SIMD() {
			continue
		}
		for f := range isa.Forms(op) {
			if f.Second != isa.NoSecond && f.DSel != isa.Word {
				t.Fatalf("%v has both", f)
			}
		}
	}
}
