package machine

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/ordinary"
	"github.com/vop-ptx/vop/internal/sass/listing"
)

// operations are instructions of PTX, as package internal/ordinary spells them, and machine code that
// computes them, one instruction or the sequence that ptxas is known to make. The sources S0, S1 ... are in
// R10, R12 ... (with R11, R13 ... where they have 64 bits, predicates in P0, P1 ...); the results are to be in
// R20, R22 ..., P4.
var operations = []struct{ ptx, sass string }{
	{"add.u32 D0, S0, S1;", "IADD3 R20, R10, R12, RZ"},
	{"add.u32 D0, S0, S1;", "IMAD.IADD R20, R10, 0x1, R12"},
	{"add.u32 D0, S0, S1;", "VIADD R20, R10, R12"},
	{"add.u32 D0, S0, S1;", "LEA R20, R10, R12, 0x0"},
	{"sub.u32 D0, S0, S1;", "IADD3 R20, R10, -R12, RZ"},
	{"sub.u32 D0, S0, S1;", "IMAD.IADD R20, R10, 0x1, -R12"},
	{"sub.u32 D0, S0, S1;", "IADD3 R20, PT, PT, R10, -R12, RZ"},
	{"sub.u32 D0, S0, S1;", "IADD3.X R20, R10, ~R12, RZ, PT, !PT"},
	{"sub.u32 D0, S0, S1;", "LEA R20, -R12, R10, 0x0"},
	{"neg.s32 D0, S0;", "IMAD.MOV R20, RZ, RZ, -R10"},
	{"abs.s32 D0, S0;", "IABS R20, R10"},
	{"add.u64 D0, S0, S1;", "IADD3 R20, P1, R10, R12, RZ; IMAD.X R21, R11, 0x1, R13, P1"},
	{"add.u64 D0, S0, S1;", "IADD3 R20, P1, R10, R12, RZ; IADD3.X R21, R11, R13, RZ, P1, !PT"},
	{"sub.s64 D0, S0, S1;", "IADD3 R20, P1, R10, -R12, RZ; IMAD.X R21, R11, 0x1, ~R13, P1"},
	{"sub.s64 D0, S0, S1;", "IADD3 R20, P1, -R12, R10, RZ; IADD3.X R21, ~R13, R11, RZ, P1, !PT"},
	{"neg.s64 D0, S0;", "IADD3 R20, P1, RZ, -R10, RZ; IADD3.X R21, RZ, ~R11, RZ, P1, !PT"},
	{"add.cc.u32 D0, S0, S1; addc.u32 D1, 0, 0;", "IADD3 R20, P0, R10, R12, RZ; IADD3.X R22, RZ, RZ, RZ, P0, !PT"},
	{"sub.cc.u32 D0, S0, S1; subc.u32 D1, 0, 0;", "IADD3 R20, P0, R10, -R12, RZ; IADD3.X R22, RZ, ~RZ, RZ, P0, !PT"},
	{"mad.lo.u32 D0, S0, S1, S2;", "IMAD R20, R10, R12, R14"},
	{"mul.lo.u32 D0, S0, S1;", "IMAD.U32 R20, R10, R12, RZ"},
	{"mul.hi.s32 D0, S0, S1;", "IMAD.HI R20, R10, R12, RZ"},
	{"mul.hi.u32 D0, S0, S1;", "IMAD.HI.U32 R20, R10, R12, RZ"},
	{"mul.wide.s32 D0, S0, S1;", "IMAD.WIDE R20, R10, R12, RZ"},
	{"mul.wide.u32 D0, S0, S1;", "IMAD.WIDE.U32 R20, R10, R12, RZ"},
	{"mad.wide.s32 D0, S0, S1, S2;", "IMAD.WIDE R20, R10, R12, R14"},
	{"mad.wide.u32 D0, S0, S1, S2;", "IMAD.WIDE.U32 R20, R10, R12, R14"},
	{"mad.hi.u32 D0, S0, S1, S2;", "IMAD.MOV.U32 R31, RZ, RZ, R14; IMAD.MOV.U32 R30, RZ, RZ, RZ; IMAD.HI.U32 R20, R10, R12, R30"},
	{"mad.hi.s32 D0, S0, S1, S2;", "MOV R31, R14; MOV R30, RZ; IMAD.HI R20, R10, R12, R30"},
	{"mul.lo.u64 D0, S0, S1;", "IMAD R31, R13, R10, RZ; IMAD.WIDE.U32 R20, R10, R12, RZ; IMAD R31, R11, R12, R31; IMAD.IADD R21, R21, 0x1, R31"},
	{"mul.hi.u64 D0, S0, S1;", // two cross products with a carry, as long multiplications are written
		"IMAD.WIDE.U32 R30, R11, R12, RZ; IMAD.WIDE.U32 R30, P0, R10, R13, R30; IMAD.WIDE.U32 R32, R10, R12, RZ; " +
			"IADD3 RZ, P1, R33, R30, RZ; IADD3.X R35, RZ, RZ, RZ, P0, !PT; IMAD.MOV.U32 R34, RZ, RZ, R31; IMAD.WIDE.U32.X R20, R11, R13, R34, P1"},
	{"dp4a.s32.s32 D0, S0, S1, S2;", "IDP.4A.S8.S8 R20, R10, R12, R14"},
	{"dp4a.s32.u32 D0, S0, S1, S2;", "IDP.4A.S8.U8 R20, R10, R12, R14"},
	{"dp4a.u32.s32 D0, S0, S1, S2;", "IDP.4A.U8.S8 R20, R10, R12, R14"},
	{"dp4a.u32.u32 D0, S0, S1, S2;", "IDP.4A.U8.U8 R20, R10, R12, R14"},
	{"dp2a.lo.s32.s32 D0, S0, S1, S2;", "IDP.2A.LO.S16.S8 R20, R10, R12, R14"},
	{"dp2a.lo.u32.s32 D0, S0, S1, S2;", "IDP.2A.LO.U16.S8 R20, R10, R12, R14"},
	{"dp2a.hi.s32.u32 D0, S0, S1, S2;", "IDP.2A.HI.S16.U8 R20, R10, R12, R14"},
	{"dp2a.hi.u32.u32 D0, S0, S1, S2;", "IDP.2A.HI.U16.U8 R20, R10, R12, R14"},
	{"sad.s32 D0, S0, S1, S2;", "VABSDIFF R20, R10, R12, R14"},
	{"sad.u32 D0, S0, S1, S2;", "VABSDIFF.U32 R20, R10, R12, R14"},
	{"min.s32 D0, S0, S1;", "IMNMX R20, R10, R12, PT"},
	{"max.s32 D0, S0, S1;", "IMNMX R20, R10, R12, !PT"},
	{"min.u32 D0, S0, S1;", "IMNMX.U32 R20, R10, R12, PT"},
	{"max.u32 D0, S0, S1;", "VIMNMX.U32 R20, R10, R12, !PT"},
	{"max.s32 D0, S0, S1;", "VIMNMX R20, R10, R12, !PT"},
	{"min.s64 D0, S0, S1;",
		"ISETP.LT.U32.AND P0, PT, R10, R12, PT; ISETP.LT.AND.EX P0, PT, R11, R13, PT, P0; SEL R20, R10, R12, P0; SEL R21, R11, R13, P0"},
	{"max.u64 D0, S0, S1;",
		"ISETP.GT.U32.AND P0, PT, R10, R12, PT; ISETP.GT.U32.AND.EX P0, PT, R11, R13, PT, P0; SEL R20, R10, R12, P0; SEL R21, R11, R13, P0"},
	{"shl.b32 D0, S0, S1;", "SHF.L.U32 R20, R10, R12, RZ"},
	{"shr.u32 D0, S0, S1;", "SHF.R.U32.HI R20, RZ, R12, R10"},
	{"shr.s32 D0, S0, S1;", "SHF.R.S32.HI R20, RZ, R12, R10"},
	{"shl.b64 D0, S0, S1;", "SHF.L.U32 R20, R10, R12, RZ; SHF.L.U64.HI R21, R10, R12, R11"},
	{"shr.u64 D0, S0, S1;", "SHF.R.U64 R20, R10, R12, R11; SHF.R.U32.HI R21, RZ, R12, R11"},
	{"shr.s64 D0, S0, S1;", "SHF.R.S64 R20, R10, R12, R11; SHF.R.S32.HI R21, RZ, R12, R11"},
	{"shf.l.clamp.b32 D0, S0, S1, S2;", "SHF.L.U32.HI R20, R10, R14, R12"},
	{"shf.r.clamp.b32 D0, S0, S1, S2;", "SHF.R.U32 R20, R10, R14, R12"},
	{"shf.l.wrap.b32 D0, S0, S1, S2;", "SHF.L.W.U32.HI R20, R10, R14, R12"},
	{"shf.r.wrap.b32 D0, S0, S1, S2;", "SHF.R.W.U32 R20, R10, R14, R12"},
	{"szext.clamp.s32 D0, S0, S1;", "SGXT R20, R10, R12"},
	{"szext.clamp.u32 D0, S0, S1;", "SGXT.U32 R20, R10, R12"},
	{"szext.wrap.s32 D0, S0, S1;", "SGXT.W R20, R10, R12"},
	{"szext.wrap.u32 D0, S0, S1;", "SGXT.W.U32 R20, R10, R12"},
	{"bmsk.clamp.b32 D0, S0, S1;", "BMSK R20, R10, R12"},
	{"bmsk.wrap.b32 D0, S0, S1;", "BMSK.W R20, R10, R12"},
	{"prmt.b32 D0, S0, S1, S2;", "PRMT R20, R10, R14, R12"},
	{"prmt.b32.f4e D0, S0, S1, S2;", "PRMT.F4E R20, R10, R14, R12"},
	{"prmt.b32.b4e D0, S0, S1, S2;", "PRMT.B4E R20, R10, R14, R12"},
	{"prmt.b32.rc8 D0, S0, S1, S2;", "PRMT.RC8 R20, R10, R14, R12"},
	{"prmt.b32.ecl D0, S0, S1, S2;", "PRMT.ECL R20, R10, R14, R12"},
	{"prmt.b32.ecr D0, S0, S1, S2;", "PRMT.ECR R20, R10, R14, R12"},
	{"prmt.b32.rc16 D0, S0, S1, S2;", "PRMT.RC16 R20, R10, R14, R12"},
	{"popc.b32 D0, S0;", "POPC R20, R10"},
	{"brev.b32 D0, S0;", "BREV R20, R10"},
	{"bfind.u32 D0, S0;", "FLO.U32 R20, R10"},
	{"bfind.s32 D0, S0;", "FLO R20, R10"},
	{"bfind.shiftamt.u32 D0, S0;", "FLO.U32.SH R20, R10"},
	{"bfind.shiftamt.s32 D0, S0;", "FLO.SH R20, R10"},
	{"clz.b32 D0, S0;", "FLO.U32 R20, R10; IADD3 R20, -R20, 0x1f, RZ"},
	{"cvt.pack.sat.s8.s32.b32 D0, S0, S1, S2;", "I2IP.S8.S32.SAT R20, R10, R12, R14"},
	{"cvt.pack.sat.u8.s32.b32 D0, S0, S1, S2;", "I2IP.U8.S32.SAT R20, R10, R12, R14"},
	{"cvt.pack.sat.s16.s32 D0, S0, S1;", "I2IP.S16.S32.SAT R20, R10, R12, RZ"},
	{"cvt.pack.sat.u16.s32 D0, S0, S1;", "I2IP.U16.S32.SAT R20, R10, R12, RZ"},
	{"cvt.sat.s8.s32 D0, S0;", "I2I.S8.S32.SAT R20, R10"},
	{"cvt.sat.u8.s32 D0, S0;", "I2I.U8.S32.SAT R20, R10"},
	{"cvt.sat.u16.s32 D0, S0;", "I2I.U16.S32.SAT R20, R10"},
	{"cvt.sat.s16.s32 D0, S0;", "I2I.S16.S32.SAT R20, R10"},
	{"cvt.sat.s8.u32 D0, S0;", "I2I.S8.U32.SAT R20, R10"},
	{"selp.b32 D0, S0, S1, S2;", "SEL R20, R10, R12, P2"},
	{"selp.b32 D0, S0, S1, S2;", "FSEL R20, R10, R12, P2"},
	{"selp.b32 D0, S0, S1, S2;", "SEL R20, R12, R10, !P2"},
	{"selp.b32 D0, S0, S1, S2;", "MOV R20, R12; @P2 MOV R20, R10"},
	{"mov.b32 D0, S0;", "MOV R20, R10"},
	{"mov.b32 D0, S0;", "UMOV UR4, URZ; R2UR UR4, R10; IMAD.U32 R20, RZ, RZ, UR4"},
	{"add.u32 D0, S0, S1;", "R2UR UR4, R10; R2UR UR5, R12; UIADD3 UR4, UR4, UR5, URZ; IMAD.U32 R20, RZ, RZ, UR4"},
	{"add.u64 D0, S0, S1;", "R2UR UR4, R10; R2UR UR5, R11; R2UR UR6, R12; R2UR UR7, R13; UIADD3 UR8, UP0, UR4, UR6, URZ; " +
		"UIADD3.X UR9, UR5, UR7, URZ, UP0, !UPT; MOV R20, UR8; MOV R21, UR9"},
	{"and.b32 D0, S0, S1;", "R2UR UR4, R10; R2UR UR5, R12; ULOP3.LUT UR4, UR4, UR5, URZ, 0xc0, !UPT; MOV R20, UR4"},
	{"shr.s32 D0, S0, S1;", "R2UR UR4, R10; R2UR UR5, R12; USHF.R.S32.HI UR4, URZ, UR5, UR4; MOV R20, UR4"},
	{"not.b32 D0, S0;", "LOP3.LUT R20, RZ, R10, RZ, 0x33, !PT"},
	{"and.pred D0, S0, S1;", "PLOP3.LUT P4, PT, P0, P1, PT, 0x80, 0x0"},
	{"or.pred D0, S0, S1;", "PLOP3.LUT P4, PT, P0, P1, PT, 0xa8, 0x0"},
	{"xor.pred D0, S0, S1;", "PLOP3.LUT PT, P4, P0, P1, PT, 0x0, 0x28"},
	{"not.pred D0, S0;", "PLOP3.LUT P4, PT, !P0, PT, PT, 0x80, 0x0"},
	{"and.pred D0, S0, S1;", "P2R R30, PR, RZ, 0x3; LOP3.LUT R30, R30, 0x3, RZ, 0xc0, !PT; ISETP.EQ.AND P4, PT, R30, 0x3, PT"},
	{"or.pred D0, S0, S1;", "P2R.B1 R30, PR, RZ, 0x3; R2P PR, R30.B1, 0x3; LOP3.LUT P4, RZ, R30, 0xff00, RZ, 0xc0, !PT"},
}

// comparisons of setp, each as one instruction, or two of 64 bits.
func init() {
	signs := map[string]string{"u": ".U32", "s": ""}
	for _, relation := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		for sign, mod := range signs {
			for _, op := range []string{"", "and", "or", "xor"} {
				ptx, third, OP := fmt.Sprintf("setp.%s.%s32 D0, S0, S1;", relation, sign), "PT", "AND"
				if op != "" {
					ptx, third, OP = fmt.Sprintf("setp.%s.%s.%s32 D0|D1, S0, S1, S2;", relation, op, sign), "P2", strings.ToUpper(op)
				}
				operations = append(operations, struct{ ptx, sass string }{
					ptx, fmt.Sprintf("ISETP.%s%s.%s P4, P5, R10, R12, %s", strings.ToUpper(relation), mod, OP, third),
				})
			}
			operations = append(operations, struct{ ptx, sass string }{
				fmt.Sprintf("setp.%s.%s64 D0, S0, S1;", relation, sign),
				fmt.Sprintf("ISETP.%s.U32.AND P0, PT, R10, R12, PT; ISETP.%[1]s%s.AND.EX P4, PT, R11, R13, PT, P0", strings.ToUpper(relation), mod),
			})
		}
	}
	for table := range 256 {
		operations = append(operations, struct{ ptx, sass string }{
			fmt.Sprintf("lop3.b32 D0, S0, S1, S2, 0x%x;", table), fmt.Sprintf("LOP3.LUT R20, R10, R12, R14, 0x%x, !PT", table),
		})
	}
}

// listed writes instructions as nvdisasm does.
func listed(sass string) string {
	var s strings.Builder
	s.WriteString("\t.section\t.text.k,\"ax\",@progbits\n\t.align\t128\n        .global         k\nk:\n.text.k:\n")
	for i, text := range strings.Split(sass, ";") {
		fmt.Fprintf(&s, "        /*%04x*/                   %s ;\n", 16*i, strings.TrimSpace(text))
	}
	return s.String()
}

// compiled compiles the one kernel of a listing.
func compiled(t *testing.T, text string) *Program {
	t.Helper()
	kernels, err := listing.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(kernels) != 1 {
		t.Fatalf("%d kernels, want 1\n%s", len(kernels), text)
	}
	p, err := Compile(&kernels[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// started is a thread that has not executed anything.
func started(p *Program) *thread {
	return &thread{launch: &Launch{Target: 80, Memory: &Memory{}}, program: p, local: map[uint32]byte{}}
}

// run executes a program on a thread.
func run(t *testing.T, p *Program, th *thread) {
	t.Helper()
	if err := p.run(context.Background(), th, 1000); err != nil {
		t.Fatal(err)
	}
}

var edges = []uint64{
	0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x01010101, 0x7f80ff01, 0x7fffffff,
	0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x5410, 0x7632, 0x1_0000_0000, 0x7fffffff_ffffffff, 0x80000000_00000000, ^uint64(0), ^uint64(0) - 1,
}

func drawn(rng *rand.Rand) uint64 {
	switch rng.IntN(3) {
	case 0:
		return edges[rng.IntN(len(edges))]
	case 1:
		return edges[rng.IntN(len(edges))]<<32 | edges[rng.IntN(len(edges))]&0xffffffff
	}
	return rng.Uint64() >> rng.IntN(64)
}

// TestOperations holds machine instructions to the PTX instructions that they are known to implement, as the model
// of the manual computes them.
func TestOperations(t *testing.T) {
	forms := map[string]*ordinary.Form{}
	for _, f := range ordinary.Forms() {
		wider := false
		for _, o := range slices.Concat(f.Results, f.Sources) {
			wider = wider || o.Kind != 'p' && o.Register > max(o.Bits, 16) && o.Register != 32
		}
		if old := forms[f.Code]; !wider && (old == nil || old.Results[0].Register < f.Results[0].Register) {
			forms[f.Code] = &f
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, o := range operations {
		f := forms[o.ptx]
		if f == nil || f.Compute == nil {
			t.Errorf("there is no form %q", o.ptx)
			continue
		}
		p := compiled(t, listed(o.sass+"; EXIT"))
		for range 400 {
			th := started(p)
			for i := range th.registers {
				th.registers[i] = rng.Uint32()
			}
			x := make([]uint64, len(f.Sources))
			for i := range x {
				x[i] = drawn(rng)
				if f.Sources[i].Kind == 'p' {
					x[i] &= 1
					th.predicates[i] = x[i] != 0
				} else if f.Sources[i].Bits < 64 {
					x[i] &= 0xffffffff
				}
			}
			if f.Restrict != nil {
				f.Restrict(x)
			}
			for i, v := range x {
				if f.Sources[i].Kind != 'p' {
					th.registers[10+2*i], th.registers[11+2*i] = uint32(v), uint32(v>>32)
				}
			}
			want := f.Compute(slices.Clone(x))
			run(t, p, th)
			for i, w := range want {
				got := uint64(th.registers[20+2*i])
				switch r := f.Results[i]; {
				case r.Kind == 'p':
					got = 0
					if th.predicates[4+i] {
						got = 1
					}
				case r.Register == 64:
					got |= uint64(th.registers[21+2*i]) << 32
				}
				if got != w {
					t.Fatalf("%s\n%s\nof %#x: result %d is %#x, want %#x", o.sass, o.ptx, x, i, got, w)
				}
			}
		}
	}
}

// TestEveryOperationIsTested demands that each instruction that computes is in the table above, or in a test that
// this names.
func TestEveryOperationIsTested(t *testing.T) {
	seen := map[string]bool{
		"HFMA2": true,                                                                                              // TestConstants
		"S2R":   true, "S2UR": true, "CS2R": true, "LDG": true, "STG": true, "LDC": true, "LDL": true, "STL": true, // TestMemory
		"VABSDIFF4": true,                                                                                                                                         // TestVideo
		"IADD":      true,                                                                                                                                         // VIADD by an older name
		"BPT":       true,                                                                                                                                         // TestFaults
		"BRA":       true, "BSSY": true, "BSYNC": true, "BREAK": true, "WARPSYNC": true, "BMOV": true, "YIELD": true, "DEPBAR": true, "MEMBAR": true, "NOP": true, // TestFlow
		"EXIT": true,
	}
	for _, o := range operations {
		for _, text := range strings.Split(o.sass, ";") {
			op := strings.Fields(text)[0]
			if strings.HasPrefix(op, "@") {
				op = strings.Fields(text)[1]
			}
			op, _, _ = strings.Cut(op, ".")
			seen[op] = true
			if uniformOps[op] {
				seen[op[1:]] = true
			}
		}
	}
	for _, op := range slices.Sorted(maps.Keys(known)) {
		if !seen[op] {
			t.Errorf("%s is executed by no test", op)
		}
	}
}

// bytesOf returns words as bytes.
func bytesOf(words ...uint32) (all []byte) {
	for _, w := range words {
		all = binary.LittleEndian.AppendUint32(all, w)
	}
	return all
}
