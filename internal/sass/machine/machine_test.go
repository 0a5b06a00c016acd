package machine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/sass/listing"
	"github.com/vop-ptx/vop/sem"
)

// after runs instructions on a thread whose registers are set, and returns the thread.
func after(t *testing.T, sass string, set map[int]uint32) *thread {
	t.Helper()
	p := compiled(t, listed(sass+"; EXIT"))
	th := started(p)
	for n, x := range set {
		th.registers[n] = x
	}
	run(t, p, th)
	return th
}

// TestCarries holds what no instruction of PTX shows alone. The values follow from sums of 34 bits; a carry of -0,
// which is ffffffff and a 1, and of two carries are those of real GPUs, by published tests.
func TestCarries(t *testing.T) {
	const all = 0xffffffff
	for _, c := range []struct {
		sass          string
		a, b, c       uint32
		want          uint32
		first, second bool
	}{
		{"IADD3 R20, P0, P1, R10, R11, R12", all, all, all, 0xfffffffd, true, true},
		{"IADD3 R20, P0, P1, R10, R11, R12", all, 1, 0, 0, true, false},
		{"IADD3 R20, P0, P1, R10, R11, R12", all, 0, 0, all, false, false},
		{"IADD3 R20, P0, P1, R10, -R11, R12", 5, 0, 0, 5, true, false},
		{"IADD3 R20, P0, P1, R10, -R11, -R12", 0, 0, 0, 0, true, true},
		{"IADD3 R20, P0, P1, R10, -R11, R12", 5, 6, 0, all, false, false},
		{"IADD3.X R20, P0, P1, R10, R11, R12, PT, PT", all, all, all, all, true, true},
		{"IADD3.X R20, P0, P1, R10, ~R11, R12, PT, !PT", 5, 5, 0, 0, true, false},
		{"IADD3.X R20, P0, P1, R10, R11, RZ, PT", all, 0, 9, 0, true, false},
		{"LEA R20, P0, R10, R11, 0x4", 0x10000001, 0xfffffff0, 0, 0, true, false},
		{"LEA R20, P0, R10, R11, 0x4", 0xf0000000, 1, 0, 1, false, false},
		{"LEA R20, P0, -R10, R11, 0x2", 3, 12, 0, 0, true, false},
		{"LEA.HI R20, P0, R10, R11, R12, 0x8", 0xab000000, 7, 0x12345678, 0x345678ab + 7, false, false},
		{"LEA.HI R20, P0, R10, R11, RZ, 0x1c", 0x12345678, all, 0, 0x01234566, true, false},
		{"LEA.HI R20, P0, R10, R11, R12, 0x0", 0xab000000, 7, 0x12345678, 0x1234567f, false, false},
		{"LEA.HI.X R20, P0, R10, R11, R12, 0x3, PT", 0xe0000000, 1, 1, 17, false, false},
		{"LEA.HI.X.SX32 R20, P0, R10, R11, 0x1, !PT", 0x80000000, 0, 0, all, false, false},
		{"LEA.HI.X.SX32 R20, P0, R10, R11, 0x1, PT", 0x7fffffff, 5, 0, 6, false, false},
		{"LEA.HI.SX32 R20, P0, R10, R11, 0x4", 0xf0000000, 0, 0, all, false, false},
		{"IMAD.WIDE.U32 R20, P0, R10, R11, R12", all, all, 0, 1, false, false}, // and R13
		{"IMAD.HI.U32 R20, P0, R10, R11, RZ", all, all, 0, 0xfffffffe, false, false},
		{"LOP3.LUT P0, R20, R10, R11, RZ, 0xc0, !PT", 6, 2, 0, 2, true, false},
		{"LOP3.LUT P0, RZ, R10, R11, RZ, 0xc0, !PT", 4, 2, 0, 0, false, false},
		{"LOP3.LUT P0, RZ, R10, R11, RZ, 0xc0, PT", 4, 2, 0, 0, true, false},
		{"LOP3.LUT.PAND P0, RZ, R10, R11, RZ, 0xc0, !PT", 6, 2, 0, 0, false, false},
		{"LOP3.LUT.PAND P0, RZ, R10, R11, RZ, 0xc0, PT", 6, 2, 0, 0, true, false},
		{"LOP3.LUT.PAND P0, RZ, R10, R11, RZ, 0xc0, PT", 4, 2, 0, 0, false, false},
	} {
		th := after(t, c.sass, map[int]uint32{10: c.a, 11: c.b, 12: c.c})
		got := th.registers[20]
		if strings.Contains(c.sass, " RZ, R10") {
			got = c.want
		}
		if got != c.want || th.predicates[0] != c.first || th.predicates[1] != c.second {
			t.Errorf("%s of %x %x %x gives %x %t %t, want %x %t %t",
				c.sass, c.a, c.b, c.c, th.registers[20], th.predicates[0], th.predicates[1], c.want, c.first, c.second)
		}
	}
	th := after(t, "IMAD.WIDE.U32 R20, P0, R10, R11, R12", map[int]uint32{10: all, 11: all, 12: all, 13: 1})
	if th.registers[20] != 0 || th.registers[21] != 0 || !th.predicates[0] {
		t.Errorf("ffffffff * ffffffff + 1ffffffff gives %x %x, carry %t", th.registers[20], th.registers[21], th.predicates[0])
	}
}

// TestPredicates moves predicates to registers and back.
func TestPredicates(t *testing.T) {
	th := after(t, "ISETP.EQ.AND P1, PT, RZ, RZ, PT; ISETP.EQ.AND P5, PT, RZ, RZ, PT; P2R R20, PR, R10, 0x7f; P2R R21, PR, R10, 0x3; P2R.B2 R22, PR, R10, 0x2;"+
		"R2P PR, R11.B1, 0x1a; P2R R23, PR, RZ, 0x7f; R2P PR, R11, 0x7f; P2R R24, PR, RZ, 0x7f", map[int]uint32{10: 0xccccccf0, 11: 0x1877})
	for n, want := range map[int]uint32{20: 0xcccccca2, 21: 0xccccccf2, 22: 0xcccecc_f0, 23: 0x38, 24: 0x77} {
		if th.registers[n] != want {
			t.Errorf("R%d is %#x, want %#x", n, th.registers[n], want)
		}
	}
}

// TestVideo holds machine code of video instructions to package sem: of the one that machines have, and of those that
// docs/rulings.md tells the expansion of, by the second reading, which is that of the expansion.
func TestVideo(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for text, sass := range map[string]string{
		"vabsdiff4.u32.u32.u32 d, a, b, c;":     "VABSDIFF4.U8 R20, R10, R11, R12",
		"vabsdiff4.u32.u32.u32.add d, a, b, c;": "VABSDIFF4.U8.ACC R20, R10, R11, R12",
		"vabsdiff4.u32.s32.s32 d, a, b, c;":     "VABSDIFF4.S8 R20, R10, R11, R12",
		"vabsdiff4.u32.s32.s32.add d, a, b, c;": "VABSDIFF4.S8.ACC R20, R10, R11, R12",
		"vadd.s32.s32.s32 d.h1, a, b, c;":       "IADD3 R30, R10, R11, RZ; SHF.R.S32.HI R31, RZ, 0x1f, R30; PRMT R20, R30, 0x3254, R12", // Q1
		"vadd.s32.s32.s32 d.h0, a, b, c;":       "IADD3 R30, R10, R11, RZ; PRMT R20, R30, 0x7610, R12",
		"vadd.s32.s32.s32 d.b2, a, b, c;":       "IADD3 R30, R10, R11, RZ; PRMT R20, R30, 0x7054, R12",
		"vmad.u32.u32.u32 d, a, b, c;":          "PRMT R30, R10, 0x3210, RZ; PRMT R31, R11, 0x3210, RZ; IMAD R20, R30, R31, R12",               // R3
		"vmad.u32.u32.u32.shr7 d, a, b, c;":     "SHF.R.S32.HI R13, RZ, 0x1f, R12; IMAD.WIDE R30, R10, R11, R12; SHF.R.U64 R20, R30, 0x7, R31", // Q6, Q11
		"vmad.s32.s32.s32.shr15 d, a, b, c;":    "SHF.R.S32.HI R13, RZ, 0x1f, R12; IMAD.WIDE R30, R10, R11, R12; SHF.R.S64 R20, R30, 0xf, R31",
		"vshr.u32.u32.u32.wrap d, a.b1, b.b2;":  "PRMT R30, R10, 0x7771, RZ; PRMT R31, R11, 0x7772, RZ; LOP3.LUT R31, R31, 0x1f, RZ, 0xc0, !PT; SHF.R.U32.HI R20, RZ, R31, R30", // R11
		"vshl.u32.u32.u32.clamp d, a, b;":       "ISETP.LT.U32.AND P0, PT, R11, 0x20, PT; SEL R31, R11, 0x20, P0; SHF.L.U32 R20, R10, R31, RZ",
		"vset.u32.u32.lt d, a, b;":              "ISETP.LT.U32.AND P0, PT, R10, R11, PT; SEL R30, RZ, 0xffffffff, !P0; ISETP.NE.AND P0, PT, R30, RZ, PT; SEL R20, RZ, 0x1, !P0",
		"vsub4.u32.u32.u32.add d.b0, a, b, c;":  "PRMT R30, R10, 0x7770, RZ; PRMT R31, R11, 0x7770, RZ; IADD3 R20, R12, R30, -R31", // R10
		"vsub.s32.s32.s32.sat d, a, b;": "IADD3 R30, P0, R10, -R11, RZ; SHF.R.S32.HI R31, RZ, 0x1f, R10; SHF.R.S32.HI R32, RZ, 0x1f, R11; IADD3.X R31, R31, ~R32, RZ, P0, !PT; " +
			"ISETP.GT.U32.AND P0, PT, R30, 0x7fffffff, PT; ISETP.GT.AND.EX P0, PT, R31, RZ, PT, P0; SEL R33, R30, 0x7fffffff, !P0; SEL R31, R31, RZ, !P0; " +
			"ISETP.GT.U32.AND P1, PT, R33, -0x80000000, PT; ISETP.GT.AND.EX P1, PT, R31, -0x1, PT, P1; SEL R20, R33, 0x80000000, P1",
	} {
		f, err := conform.ParseForm(text)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			a, b, c := conform.Operands(rng, f)
			th := after(t, sass, map[int]uint32{10: a, 11: b, 12: c})
			if got, want := th.registers[20], sem.EvalAs(sem.SM86, f, a, b, c); got != want {
				t.Fatalf("%s\n%s\nof %x %x %x gives %x, want %x", text, sass, a, b, c, got, want)
			}
		}
	}
}

// TestKnownSequences executes sequences that ptxas is known to write for what a word-size instruction cannot do.
func TestKnownSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range 2000 {
		a, b, c := uint32(drawn(rng)), uint32(drawn(rng)), uint32(drawn(rng))
		wide := uint64(a)*uint64(b) + uint64(c)
		for _, s := range []struct {
			sass string
			want uint32
		}{
			// |a - b| of 34 bits, the way in which vabsdiff.s32 is expanded
			{"IADD3 R30, P0, R10, -R11, RZ; SHF.R.S32.HI R31, RZ, 0x1f, R10; SHF.R.S32.HI R32, RZ, 0x1f, R11; IMAD.X R33, R31, 0x1, ~R32, P0; " +
				"IADD3 R34, P1, RZ, -R30, RZ; ISETP.LT.AND P3, PT, R33, RZ, PT; SEL R20, R34, R30, P3", uint32(max(int64(int32(a))-int64(int32(b)), int64(int32(b))-int64(int32(a))))},
			// a / 7 by a multiplication, a shift and an addition
			{"IMAD.HI.U32 R30, R10, 0x24924925, RZ; IADD3 R31, R10, -R30, RZ; LEA.HI R31, R31, R30, RZ, 0x1f; SHF.R.U32.HI R20, RZ, 0x2, R31", a / 7},
			// the step of Newton's method in a division: c + the upper half of a product, by an addend of 64 bits
			{"IMAD.MOV.U32 R31, RZ, RZ, R12; IMAD.MOV.U32 R30, RZ, RZ, RZ; IMAD.HI.U32 R20, R10, R11, R30", c + uint32(uint64(a)*uint64(b)>>32)},
			// an element's address: base + 8 a
			{"LEA R30, P0, R10, R11, 0x3; LEA.HI.X R20, R10, R12, RZ, 0x3, P0", uint32((uint64(c)<<32 | uint64(b) + uint64(a)<<3) >> 32)},
			{"IMAD.WIDE.U32 R20, R10, R11, R40; IMAD.MOV.U32 R20, RZ, RZ, R21", uint32(wide >> 32)},
		} {
			th := after(t, s.sass, map[int]uint32{10: a, 11: b, 12: c, 40: c})
			want := s.want
			if strings.HasPrefix(s.sass, "LEA R30") {
				want = uint32((uint64(c)<<32 + uint64(b) + uint64(a)<<3) >> 32)
			}
			if got := th.registers[20]; got != want {
				t.Fatalf("%s of %x %x %x gives %x, want %x", s.sass, a, b, c, got, want)
			}
		}
	}
}

// TestConstants holds the ways in which constants are written as floating-point numbers.
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		sass string
		code uint64 // 0 where none is printed
		want uint32
	}{
		{"HFMA2.MMA R20, -RZ, RZ, 0, 5.9604644775390625e-08", 0, 1},
		{"HFMA2.MMA R20, -RZ, RZ, 0, 2.384185791015625e-07", 0, 4},
		{"HFMA2 R20, -RZ, RZ, 1.5, 0", 0, 0x3e000000},
		{"HFMA2.MMA R20, -RZ, RZ, -1.5, 65504", 0, 0xbe007bff},
		{"HFMA2.MMA R20, -RZ, RZ, 0, 6.103515625e-05", 0, 0x400},
		{"HFMA2.MMA R20, -RZ, RZ, 0, 6.0975551605224609375e-05", 0, 0x3ff},
		{"HFMA2.MMA R20, -RZ, RZ, -INF , +INF", 0, 0xfc007c00},
		{"HFMA2.MMA R20, -RZ, RZ, QNAN , 0", 0x7e000000_ff147435, 0x7e000000},
		{"HFMA2.MMA R20, -RZ, RZ, 0, 5.9604644775390625e-08", 0x00000001_ff147435, 1},
		{"FSEL R20, R10, 1, !PT", 0, 0x3f800000},
		{"FSEL R20, R10, 1.40129846432481707092e-45, !PT", 0x00000001_0a147808, 1},
		{"FSEL R20, R10, -QNAN , !PT", 0xffffffff_0a147808, 0xffffffff},
		{"FSEL R20, R10, -QNAN , PT", 0xffffffff_0a147808, 77},
		{"MOV R20, 0xffffffff", 0, 0xffffffff},
		{"MOV R20, -0x1", 0, 0xffffffff},
		{"IADD3 R20, R10, 0x10, RZ", 0, 93},
		{"IADD3 R20, RZ, RZ, RZ", 0, 0},
		{"MOV RZ, 0x5; MOV R20, RZ", 0, 0},
	} {
		text := listed(c.sass + "; EXIT")
		if c.code != 0 {
			text = strings.Replace(text, " ;\n", fmt.Sprintf(" ;  /* 0x%016x */\n /* 0x000fe200000001ff */\n", c.code), 1)
		}
		p := compiled(t, text)
		th := started(p)
		th.registers[10] = 77
		run(t, p, th)
		if got := th.registers[20]; got != c.want {
			t.Errorf("%s gives %#x, want %#x", c.sass, got, c.want)
		}
	}
}

// TestUnnamed executes minima that are printed as code alone. The codes are those that listings show beside the name.
func TestUnnamed(t *testing.T) {
	for _, c := range []struct {
		low, high uint64
		a, b      uint32
		want      uint32
	}{
		{0x0000000b0a147248, 0x004fe20003fe0100, 0xffffffff, 1, 0xffffffff}, // VIMNMX R20, R10, R11, PT
		{0x0000000b0a147248, 0x004fe20007fe0100, 0xffffffff, 1, 1},          // !PT
		{0x0000000b0a147248, 0x004fe20003fe0000, 0xffffffff, 1, 1},          // VIMNMX.U32, PT
		{0x0000000b0a147248, 0x004fe20007fe0000, 0xffffffff, 1, 0xffffffff}, // !PT
		{0xffffff800a147848, 0x004fe20007fe0100, 0x80000000, 1, 0xffffff80}, // VIMNMX R20, R10, -0x80, !PT
		{0x000084000a147a48, 0x004fe20003fe0000, 0x80000000, 1, 0x12345678}, // VIMNMX.U32 R20, R10, c[0x0][0x210], PT
		{0x000000040a147c48, 0x004fe2000ffe0100, 3, 1, 5},                   // VIMNMX R20, R10, UR4, !PT
		{0x0000000b0a140248, 0x004fe20003fe0100, 7, 1, 1},                   // @P0, which holds
		{0x0000000b0a148248, 0x004fe20003fe0100, 7, 1, 99},                  // @!P0, which does not
		{0x0000000b0aff7248, 0x004fe20003fe0100, 7, 1, 99},                  // VIMNMX RZ
		{0x000000ff0a147248, 0x004fe20007fe0100, 0xffffffff, 1, 0},          // R20, R10, RZ, !PT
	} {
		text := listed("MOV R20, 0x63; UMOV UR4, 0x5; ISETP.EQ.AND P0, PT, RZ, RZ, PT; NOP; EXIT")
		text = strings.Replace(text, "        /*0030*/                   NOP ;\n", fmt.Sprintf("        /*0030*/      /* 0x%016x */\n        /* 0x%016x */\n", c.low, c.high), 1)
		p := compiled(t, text)
		th := started(p)
		th.launch.Target, th.launch.Parameters = 90, bytesOf(0x12345678)
		th.registers[10], th.registers[11] = c.a, c.b
		run(t, p, th)
		if got := th.registers[20]; got != c.want {
			t.Errorf("%#x %#x of %x %x gives %#x, want %#x", c.low, c.high, c.a, c.b, got, c.want)
		}
	}
}

// TestMemory executes loads and stores of each width, constants, local memory and special registers.
func TestMemory(t *testing.T) {
	p := compiled(t, listed(`MOV R1, c[0x0][0x28]; ULDC.64 UR4, c[0x0][0x118]; S2R R0, SR_TID.X; S2R R3, SR_CTAID.X;
		IMAD R0, R3, c[0x0][0x0], R0; IMAD.WIDE.U32 R2, R0, 0x20, c[0x0][0x160]; LDG.E.128 R4, [R2.64]; LDG.E.U8 R8, [R2.64+0x11]; LDG.E.S8 R9, [R2.64+0x11];
		LDG.E.U16.CONSTANT R10, [R2.64+0x12]; LDG.E.S16 R11, [R2.64+0x12]; LDG.E.64 R12, [R2.64+0x18]; IADD3 R1, R1, -0x8, RZ; STL.64 [R1], R12; LDL R14, [R1+0x4];
		STG.E.64 [R2.64], R8; STG.E.64 [R2.64+0x8], R10; STG.E desc[UR4][R2.64+0x10], R14; STG.E.U8 [R2.64+0x14], R4; MOV R15, 0x4; LDC R16, c[0x0][R15+0x164];
		STG.E [R2.64+0x18], R16; CS2R R18, SRZ; STG.E [R2.64+0x1c], R18; ULDC.64 UR6, c[0x0][0x160]; LDG.E R19, [R15.U32+UR6+0x4]; CS2R.32 R20, SRZ;
		LDG.E R21, [UR6+0x8]; LDC.U8 R22, c[0x0][0x169]; MOV R24, c[0x3][0x4]; S2UR UR8, SR_TID.X; MOV R25, UR8; EXIT`))
	p.constants = map[int][]byte{3: bytesOf(1, 0xcafe)}
	buffer := make([]byte, 5*32)
	for i := range buffer {
		buffer[i] = byte(0x7e + i)
	}
	l := Launch{Target: 80, Memory: &Memory{}, Block: [3]uint32{3, 1, 1}}
	l.Memory.Add(make([]byte, 100))
	l.Parameters = binary.LittleEndian.AppendUint64(nil, l.Memory.Add(buffer))
	l.Parameters = append(l.Parameters, bytesOf(0x8899aabb)...)
	before := append([]byte{}, buffer...)
	th := &thread{launch: &l, program: p, tid: [3]uint32{1}, cta: [3]uint32{1}, local: map[uint32]byte{}} // element 4
	if err := p.run(context.Background(), th, 100); err != nil {
		t.Fatal(err)
	}
	in, out := before[4*32:], buffer[4*32:]
	word := binary.LittleEndian.Uint32
	want := bytesOf(uint32(in[0x11]), uint32(int32(int8(in[0x11]))), uint32(binary.LittleEndian.Uint16(in[0x12:])), uint32(int32(int16(binary.LittleEndian.Uint16(in[0x12:])))),
		word(in[0x1c:]))
	want = append(want, in[0])
	want = append(want, in[0x15:0x18]...)
	want = append(want, bytesOf(0x8899aabb, 0)...)
	if string(out) != string(want) {
		t.Errorf("the element is\n%x, want\n%x", out, want)
	}
	for n, x := range map[int]uint32{19: word(before[8:]), 21: word(before[8:]), 22: 0xaa, 24: 0xcafe, 20: 0, 25: 1} {
		if th.registers[n] != x {
			t.Errorf("R%d is %#x, want %#x", n, th.registers[n], x)
		}
	}
}

// TestFlow executes a loop with a branch in it: the sum of the odd numbers below R10.
func TestFlow(t *testing.T) {
	text := listed(`MOV R20, RZ; MOV R11, RZ; BSSY B0, ` + "`(.L_x_2)" + `; LOP3.LUT R12, R11, 0x1, RZ, 0xc0, !PT; ISETP.NE.AND P0, PT, R12, RZ, PT; @!P0 BRA ` + "`(.L_x_1)" + `;
		IADD3 R20, R20, R11, RZ; IADD3 R11, R11, 0x1, RZ; ISETP.GE.U32.AND P1, PT, R11, R10, PT; @!P1 BRA 0x30; BSYNC B0; WARPSYNC 0xffffffff; MEMBAR.SC.GPU; YIELD;
		BMOV.32.CLEAR RZ, B0; BREAK B0; DEPBAR.LE SB0, 0x0; NOP; BRA.U UP1, 0x140; MOV R21, 0x7; @P6 BPT.TRAP 0x1; BRA P1, 0x170; MOV R22, 0x8; EXIT`)
	text = strings.Replace(text, "        /*0070*/", ".L_x_1:\n        /*0070*/", 1)
	text = strings.Replace(text, "        /*00a0*/", ".L_x_2:\n        /*00a0*/", 1)
	p := compiled(t, text)
	th := started(p)
	th.registers[10] = 10
	run(t, p, th)
	if th.registers[20] != 25 || th.registers[21] != 7 || th.registers[22] != 0 {
		t.Errorf("the results are %d %d %d, want 25 7 0", th.registers[20], th.registers[21], th.registers[22])
	}
}

// TestRefused demands that whatever is not known is refused, with the place and the text.
func TestRefused(t *testing.T) {
	for sass, want := range map[string]string{
		"FADD R0, R1, R2":                        "FADD is not known",
		"LOP3.LUT.POR R0, R1, R2, RZ, 0xc0, !PT": "LOP3 with .POR is not known",
		"LOP3 R0, R1, R2, RZ, 0xc0, !PT":         "without .LUT",
		"LOP3.LUT R0, R1, R2, RZ, 0x1c0, !PT":    "the operand 0x1c0",
		"IADD3 R0, R1, ~R2, RZ":                  "the operand ~R2",
		"IADD3.X R0, R1, -R2, RZ, P0, !PT":       "the operand -R2",
		"IADD3 R0, R1, R2":                       "with 3 operands",
		"IADD3 R0, R1, R2, RZ, P0":               "the operand P0",
		"IADD3 R0, R1, |R2|, RZ":                 "the operand |R2|",
		"IADD3 R0, R1, R2.H0_H0, RZ":             "the operand R2.H0_H0",
		"IADD3 R0, R1, 0x100000000, RZ":          "the operand 0x100000000",
		"IADD3 R0, R1, 1.5, RZ":                  "the operand 1.5",
		"IADD3 P0, R1, R2, RZ":                   "the operand P0",
		"IADD3 R0, R1, c[0x0][R2+0x160], RZ":     "the operand c[0x0][R2+0x160]",
		"IADD3 R0, !P0, R1, R2, RZ":              "the operand !P0",
		"IMAD R0, -R1, R2, R3":                   "the operand -R1",
		"IMAD.WIDE R0, R2, R3, -R4":              "the operand -R4",
		"IMAD.WIDE R0, R2, R3, R5":               "the operand R5",
		"IMAD.WIDE R1, R2, R3, R4":               "the operand R1",
		"IMAD.WIDE R0, P0, R2, R3, R4":           "with a carry",
		"ISETP.LT.AND.EX P0, PT, R0, R1, PT":     "with 5 operands",
		"ISETP.LTU.AND P0, PT, R0, R1, PT":       "ISETP with .LTU",
		"SHF.R.HI R0, RZ, 0x1, R2":               "without .U32 or",
		"PRMT.XYZ R0, R1, 0x5410, R2":            "PRMT with .XYZ",
		"VIMNMX.S16x2 R0, R1, R2, PT":            "VIMNMX with .S16x2",
		"VABSDIFF4.U16 R0, R1, R2, R3":           "VABSDIFF4 with .U16",
		"IDP.4A.U8.U16 R0, R1, R2, R3":           "IDP with .U16",
		"I2IP.U4.S32.SAT R0, R1, R2, R3":         "I2IP with .U4",
		"I2I.U8.S32 R0, R1":                      "without .SAT",
		"S2R R0, SR_CLOCKLO":                     "the operand SR_CLOCKLO",
		"CS2R R0, SR_CLOCKLO":                    "the operand SR_CLOCKLO",
		"LDG.E R0, [R2+UR4]":                     "the operand [R2+UR4]",
		"LDG.E R0, R2":                           "the operand R2",
		"LDG.E.64 R1, [R2.64]":                   "the operand R1",
		"LDG.E.LTC128B R0, [R2.64]":              "LDG with .LTC128B",
		"BRA `(.L_x_9)":                          "the target `(.L_x_9) is not there",
		"BRA 0x18":                               "the target 0x18 is not there",
		"BRA.DIV UR4, 0x0":                       "BRA with .DIV",
		"CALL.REL.NOINC 0x0":                     "CALL is not known",
		"HFMA2.MMA R0, R1, R2, 0, 0":             "only with -RZ, RZ",
		"HFMA2.MMA R0, -RZ, RZ, QNAN , 0":        "the bits of a NaN",
		"FSEL R0, R1, 0.1, P0":                   "the bits of 0.1",
		"FSEL.FTZ R0, R1, R2, P0":                "FSEL with .FTZ",
		"MOV R0, R4, 0xe":                        "the operand 0xe",
		"MOV R0, 32@lo((k + .L_x_1@srel))":       "32@lo",
		"R2P PR, R1.B4, 0x7f":                    "the operand R1.B4",
		"P2R R0, CC, R1, 0x7f":                   `"CC" is not known`,
		"SEL R0, R1, R2, R3":                     "the operand R3",
		"@R1 MOV R0, R1":                         "a guard that is no predicate",
		"MOV R255, R0":                           "there is no register R255",
	} {
		kernels, err := listing.Parse(listed("NOP; " + sass + "; EXIT"))
		if err != nil {
			t.Errorf("%s: %v", sass, err)
			continue
		}
		_, err = Compile(&kernels[0])
		if err == nil {
			t.Errorf("%s is not refused", sass)
			continue
		}
		text := err.Error()
		if !strings.HasPrefix(text, "k: line 7: ") || !strings.HasSuffix(text, ": "+sass) || !strings.Contains(text, want) {
			t.Errorf("%s is refused with %q, want %q in it", sass, text, want)
		}
	}
	for _, code := range []string{
		"/* 0x0000000b0a147247 */\n /* 0x004fe20003fe0100 */", // another opcode
		"/* 0x0000000b0a147248 */\n /* 0x004fe20003fe0900 */", // another bit
		"/* 0x0000010b0a147248 */\n /* 0x004fe20003fe0100 */", // a register above 255
	} {
		kernels, err := listing.Parse(strings.Replace(listed("NOP; NOP; EXIT"), "        /*0010*/                   NOP ;", code, 1))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := Compile(&kernels[0]); err == nil || !strings.Contains(err.Error(), "without a name") {
			t.Errorf("%s is refused with %v", code, err)
		}
	}
	if _, err := Compile(&compiledListing(t, "@!PT SHFL.IDX PT, RZ, RZ, RZ, RZ; EXIT")[0]); err != nil {
		t.Errorf("what is never executed is refused: %v", err)
	}
}

func compiledListing(t *testing.T, sass string) []listing.Kernel {
	t.Helper()
	kernels, err := listing.Parse(listed(sass))
	if err != nil {
		t.Fatal(err)
	}
	return kernels
}

// TestFaults demands an error, with its place, of a thread that goes wrong.
func TestFaults(t *testing.T) {
	for sass, want := range map[string]string{
		"LDG.E R0, [R2.64]; EXIT":             "k: line 6: a load of 4 bytes from 0x0",
		"STG.E.64 [R2.64], R0; EXIT":          "a store of 8 bytes to 0x0",
		"MOV R0, c[0x0][0x170]; EXIT":         "c[0x0][0x170] is not there",
		"MOV R0, c[0x0][0x2c]; EXIT":          "c[0x0][0x2c] of 4 bytes is not known",
		"MOV R0, c[0x2][0x0]; EXIT":           "c[0x2][0x0] is not there",
		"LDL R0, [R1]; EXIT":                  "where nothing has been stored",
		"MOV R1, 0x10000; STL [R1], R0; EXIT": "a store of 4 bytes to local memory at 0x10000",
		"P2R R0, PR, RZ, 0xff; EXIT":          "the mask 0xff of predicates is not known",
		"BPT.TRAP 0x1; EXIT":                  "a trap",
		"NOP":                                 "runs past the last instruction",
		"BRA 0x0":                             "has executed 1000 instructions, and not ended: BRA 0x0",
	} {
		p := compiled(t, listed(sass))
		if err := p.run(context.Background(), started(p), 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s fails with %v, want %q", sass, err, want)
		}
	}
	th := started(compiled(t, listed("MOV R0, c[0x0][0x380]; EXIT")))
	th.launch.Target = 100
	if err := th.program.run(context.Background(), th, 10); err == nil || !strings.Contains(err.Error(), "is not known of sm_100") {
		t.Errorf("a parameter of sm_100: %v", err)
	}
	p := compiled(t, listed("BRA 0x0"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Run(ctx, Launch{}, [3]uint32{}, [3]uint32{}); err != context.Canceled {
		t.Errorf("a thread that has no end, in a context that has: %v", err)
	}
}
