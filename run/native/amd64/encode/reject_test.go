package encode

import (
	"strings"
	"testing"
)

// TestRejects holds what cannot be encoded: each is refused with its reason, and nothing
// is written.
func TestRejects(t *testing.T) {
	mem := At(RSI, 8)
	lanes := AtIndex(RSI, V(3), 4, 0)
	for _, c := range []struct {
		what     string
		op       Op
		operands []Operand
		reason   string
	}{
		{"two lengths", VPADDD | L128 | L256, []Operand{V(0), V(1), V(2)}, "one of the lengths"},
		{"zeroing on a store", (VMOVDQU32 | L512).Mask(K1).Zeroing(), []Operand{mem, V(1)}, "store cannot zero"},
		{"zeroing on a narrowing store", (VPMOVDB | L512).Mask(K1).Zeroing(), []Operand{mem, V(1)}, "store cannot zero"},
		{"zeroing on a compressing store", (VPCOMPRESSD | L512).Mask(K1).Zeroing(), []Operand{mem, V(1)}, "store cannot zero"},
		{"zeroing without a mask", (VPADDD | L512).Zeroing(), []Operand{V(0), V(1), V(2)}, "needs a write mask"},
		{"zeroing a compare", (VPCMPD | L512).Mask(K1).Zeroing(), []Operand{K2, V(1), V(2), Imm(1)}, "cannot zero"},
		{"zeroing a gather", (VPGATHERDD | L512).Mask(K1).Zeroing(), []Operand{V(0), lanes}, "cannot zero"},
		{"K0 as write mask", (VPADDD | L512).Mask(K0), []Operand{V(0), V(1), V(2)}, "k1 to k7"},
		{"a vector as write mask", (VPADDD | L512).Mask(V(1)), []Operand{V(0), V(1), V(2)}, "k1 to k7"},
		{"two write masks", (VPADDD | L512).Mask(K1).Mask(K2), []Operand{V(0), V(1), V(2)}, "k1 to k7"},
		{"two roundings", (VADDPS | L512).RoundUp().RoundDown(), []Operand{V(0), V(1), V(2)}, "one rounding"},
		{"a mask on what takes none", (VPSADBW | L512).Mask(K1), []Operand{V(0), V(1), V(2)}, "takes no write mask"},
		{"a mask on a general instruction", (ADD | S32).Mask(K1), []Operand{RAX, RCX}, "no EVEX"},
		{"a mask on a VEX instruction", (VPAND | L256).Mask(K1), []Operand{V(0), V(1), V(2)}, "no EVEX"},

		{"a gather without mask", VPGATHERDD | L512, []Operand{V(0), lanes}, "needs a write mask"},
		{"a scatter without mask", VPSCATTERDD | L512, []Operand{lanes, V(0)}, "needs a write mask"},
		{"a gather into its index", (VPGATHERDD | L512).Mask(K1), []Operand{V(3), lanes}, "must differ"},
		{"an AVX2 gather into its index", VPGATHERDDV | L256, []Operand{V(3), lanes, V(1)}, "must differ"},
		{"an AVX2 gather into its mask", VPGATHERDDV | L256, []Operand{V(1), lanes, V(1)}, "must differ"},
		{"an AVX2 gather with its index as mask", VPGATHERDDV | L256, []Operand{V(1), lanes, V(3)}, "must differ"},
		{"a gather of one address", (VPGATHERDD | L512).Mask(K1), []Operand{V(0), mem}, "index must be a vector"},
		{"a gather of a register", (VPGATHERDD | L512).Mask(K1), []Operand{V(0), V(1)}, "must be memory"},
		{"a load with a vector as index", VMOVDQU32 | L512, []Operand{V(0), lanes}, "only gathers"},
		{"a general load with a vector as index", MOV | S32, []Operand{RAX, lanes}, "only gathers"},

		{"VEX with register 16", VPAND | L256, []Operand{V(16), V(1), V(2)}, "above 15"},
		{"VEX with register 31 in vvvv", VPAND | L256, []Operand{V(0), V(31), V(2)}, "above 15"},
		{"VEX with register 17 in r/m", VPAND | L256, []Operand{V(0), V(1), V(17)}, "above 15"},
		{"VEX with index 17", VPGATHERDDV | L256, []Operand{V(0), AtIndex(RSI, V(17), 4, 0), V(1)}, "above 15"},
		{"VEX with register 16 as the fourth", VPBLENDVB | L256, []Operand{V(0), V(1), V(2), V(16)}, "above 15"},
		{"VEX of 512 bits", VPAND | L512, []Operand{V(0), V(1), V(2)}, "lengths"},
		{"VEX with broadcast", VPAND | L256, []Operand{V(0), V(1), mem.Broadcast()}, "no EVEX"},

		{"broadcast of words", VPADDW | L512, []Operand{V(0), V(1), mem.Broadcast()}, "cannot broadcast"},
		{"broadcast store", VMOVDQU32 | L512, []Operand{mem.Broadcast(), V(1)}, "cannot broadcast"},
		{"broadcast of a scalar", VADDSS, []Operand{V(0), V(1), mem.Broadcast()}, "cannot broadcast"},
		{"broadcast of a general instruction", ADD | S32, []Operand{RAX, mem.Broadcast()}, "cannot broadcast"},
		{"broadcast of a register", VPADDD | L512, []Operand{V(0), V(1), V(2).Broadcast()}, "only a memory operand"},

		{"rounding with memory", (VADDPS | L512).RoundUp(), []Operand{V(0), V(1), mem}, "need a register"},
		{"rounding of 256 bits", (VADDPS | L256).RoundUp(), []Operand{V(0), V(1), V(2)}, "L512"},
		{"rounding of 128 bits", (VADDPS | L128).RoundUp(), []Operand{V(0), V(1), V(2)}, "L512"},
		{"suppressed exceptions of 256 bits", (VMAXPS | L256).SAE(), []Operand{V(0), V(1), V(2)}, "L512"},
		{"rounding where there is only suppression", (VMAXPS | L512).RoundUp(), []Operand{V(0), V(1), V(2)}, "this rounding"},
		{"suppression where there is rounding", (VADDPS | L512).SAE(), []Operand{V(0), V(1), V(2)}, "this rounding"},
		{"rounding of integers", (VPADDD | L512).RoundUp(), []Operand{V(0), V(1), V(2)}, "this rounding"},
		{"rounding an exact conversion", (VCVTSI2SD | S32).RoundUp(), []Operand{V(0), V(1), RAX}, "exact"},

		{"no length", VPADDD, []Operand{V(0), V(1), V(2)}, "lengths"},
		{"a size for a length", VPADDD | S32, []Operand{V(0), V(1), V(2)}, "lengths"},
		{"a length that is not there", VPERMD | L128, []Operand{V(0), V(1), V(2)}, "lengths"},
		{"a length of a scalar", VADDSS | L128, []Operand{V(0), V(1), V(2)}, "sizes"},
		{"no size", ADD, []Operand{RAX, RCX}, "sizes"},
		{"a size that is not there", MOVZX16 | S16, []Operand{RAX, RCX}, "sizes"},
		{"a size of what has none", RET | S64, nil, "sizes"},
		{"no size of a conversion", VCVTSI2SS, []Operand{V(0), V(1), RAX}, "sizes"},
		{"a byte size of a VEX instruction", ANDN | S8, []Operand{RAX, RCX, RDX}, "sizes"},

		{"a byte immediate of 256", VPSHUFD | L128, []Operand{V(0), V(1), Imm(256)}, "does not fit"},
		{"a byte immediate of -1", VPSHUFD | L128, []Operand{V(0), V(1), Imm(-1)}, "does not fit"},
		{"an immediate of 9 bits", ADD | S8, []Operand{RAX, Imm(256)}, "does not fit"},
		{"an immediate of 17 bits", ADD | S16, []Operand{RAX, Imm(1 << 16)}, "does not fit"},
		{"an immediate of 33 bits", ADD | S32, []Operand{RAX, Imm(1 << 32)}, "does not fit"},
		{"an immediate that its sign extends wrongly", ADD | S64, []Operand{RAX, Imm(1 << 31)}, "does not fit"},
		{"a 64-bit immediate of a move", MOV | S64, []Operand{RAX, Imm(1 << 32)}, "does not fit"},
		{"an immediate of 60 bits", MOV | S64, []Operand{RAX, Imm(1 << 60)}, "does not fit"},
		{"a shift by 32 of 32 bits", SHL | S32, []Operand{RAX, Imm(32)}, "less than 32"},
		{"a shift by 64", SHL | S64, []Operand{RAX, Imm(64)}, "less than 32"},
		{"a shift by -1", SHL | S64, []Operand{RAX, Imm(-1)}, "less than 32"},
		{"a shift by another register", SHL | S64, []Operand{RAX, RDX}, "kind"},

		{"RSP as index", MOV | S64, []Operand{RAX, AtIndex(RCX, RSP, 1, 0)}, "other than rsp"},
		{"a mask as index", MOV | S64, []Operand{RAX, AtIndex(RCX, K1, 1, 0)}, "other than rsp"},
		{"a vector as base", MOV | S64, []Operand{RAX, At(V(1), 0)}, "base"},
		{"a vector as base of an index", MOV | S64, []Operand{RAX, AtIndex(V(1), RCX, 1, 0)}, "base"},
		{"a scale of 3", MOV | S64, []Operand{RAX, AtIndex(RCX, RDX, 3, 0)}, "scale"},
		{"register 16", MOV | S64, []Operand{R(16), RAX}, "no register"},
		{"register -1", MOV | S64, []Operand{R(-1), RAX}, "no register"},
		{"vector 32", VPADDD | L512, []Operand{V(32), V(1), V(2)}, "no register"},
		{"mask 8", KANDW, []Operand{K(8), K1, K2}, "no register"},

		{"too few operands", VPADDD | L512, []Operand{V(0), V(1)}, "number of operands"},
		{"too many operands", VPADDD | L512, []Operand{V(0), V(1), V(2), V(3)}, "number of operands"},
		{"no operands where there is an immediate", VPSHUFD | L512, nil, "number of operands"},
		{"operands of what has none", RET, []Operand{RAX}, "number of operands"},
		{"no immediate", VPSHUFD | L512, []Operand{V(0), V(1)}, "kind"},
		{"a general register for a vector", VPADDD | L512, []Operand{V(0), V(1), RAX}, "kind"},
		{"a mask for a vector", VPADDD | L512, []Operand{K1, V(1), V(2)}, "kind"},
		{"a vector for a mask", KANDW, []Operand{K1, V(1), K2}, "kind"},
		{"a vector for a general register", ADD | S32, []Operand{RAX, V(1)}, "kind"},
		{"an immediate as destination", ADD | S32, []Operand{Imm(1), RAX}, "kind"},
		{"memory twice", ADD | S32, []Operand{mem, mem}, "kind"},
		{"memory twice in a move", MOV | S32, []Operand{mem, mem}, "kind"},
		{"an empty operand", ADD | S32, []Operand{RAX, 0}, "kind"},
		{"an empty operand of a bit test", BT | S32, []Operand{RAX, 0}, "kind"},
		{"an empty operand of a test", TEST | S32, []Operand{0, RAX}, "kind"},
		{"an empty vector", VPADDD | L512, []Operand{V(0), 0, V(2)}, "kind"},
		{"memory in the middle", VPADDD | L512, []Operand{V(0), mem, V(2)}, "kind"},
		{"memory for a mask operation", KANDW, []Operand{K1, K2, mem}, "must be a register"},
		{"memory for a byte swap", BSWAP | S32, []Operand{mem}, "must be a register"},
		{"a register for an address", LEA | S64, []Operand{RAX, RCX}, "must be memory"},
		{"a register for a prefetch", PREFETCHT0, []Operand{RAX}, "must be memory"},
		{"a register for a streaming store", VMOVNTDQ | L512, []Operand{V(0), V(1)}, "must be memory"},
		{"a jump without its function", JMP, []Operand{RAX}, "kind"},

		{"lock of a register", (ADD | S32).Lock(), []Operand{RAX, RCX}, "needs memory"},
		{"lock of a load", (ADD | S32).Lock(), []Operand{RAX, mem}, "needs memory"},
		{"lock of a compare", (CMP | S32).Lock(), []Operand{mem, RAX}, "cannot be locked"},
		{"lock of a move", (MOV | S32).Lock(), []Operand{mem, RAX}, "cannot be locked"},
		{"lock of a vector", (VPAND | L256).Lock(), []Operand{V(0), V(1), V(2)}, "cannot be locked"},
		{"lock of an EVEX vector", (VPANDD | L256).Lock(), []Operand{V(0), V(1), V(2)}, "cannot be locked"},
		{"lock of a fence", MFENCE.Lock(), nil, "cannot be locked"},
		{"lock of a return", RET.Lock(), nil, "cannot be locked"},
	} {
		t.Run(c.what, func(t *testing.T) {
			a := New(AllFeatures)
			a.Emit(c.op, c.operands...)
			code, err := a.Finish()
			if err == nil {
				t.Fatalf("encoded as %x", code)
			}
			if !strings.Contains(err.Error(), c.reason) {
				t.Errorf("got %q, want a reason with %q", err, c.reason)
			}
			if !strings.Contains(err.Error(), "reject_test.go:") {
				t.Errorf("%q does not say which call it was", err)
			}
			if a.Len() != 0 {
				t.Errorf("%d bytes were written", a.Len())
			}
		})
	}
}

// TestErrorText shows a whole message.
func TestErrorText(t *testing.T) {
	_, err := encodeOne((VPADDD | L512).Mask(K3).Zeroing(), V(0), V(1), AtIndex(RSI, RDI, 4, -8), RAX)
	const want = "encode VEX/EVEX.66.0F.FE 512 {k3} {z} v0, v1, [rsi+rdi*4-8], rax: wrong number of operands (sample_test.go:"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s...", err, want)
	}
}

// TestFirstErrorSticks: what follows an error is not written and does not replace it.
func TestFirstErrorSticks(t *testing.T) {
	a := New(AllFeatures)
	a.Emit(RET)
	a.Emit(ADD|S32, RAX, V(0))
	a.Emit(RET)
	a.Emit(VPADDD, V(0))
	l := a.NewLabel()
	a.Jump(l)
	a.Align(16)
	a.MoveConst(RAX, 1<<40)
	if _, err := a.Finish(); err == nil || !strings.Contains(err.Error(), "kind") {
		t.Errorf("got %v", err)
	}
	if a.Len() != 1 {
		t.Errorf("%d bytes, want the first instruction's only", a.Len())
	}
	a.Reset()
	a.Emit(RET)
	if code, err := a.Finish(); err != nil || len(code) != 1 {
		t.Errorf("after a reset: %x, %v", code, err)
	}
}

// TestFeatures holds what instructions need, and that what is not allowed is rejected.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		op       Op
		operands []Operand
		want     Feature
	}{
		{ADD | S32, []Operand{RAX, RCX}, 0},
		{POPCNT | S32, []Operand{RAX, RCX}, HasPOPCNT},
		{TZCNT | S32, []Operand{RAX, RCX}, HasBMI1},
		{SHLX | S32, []Operand{RAX, RCX, RDX}, HasBMI2},
		{VPADDD | L256, []Operand{V(0), V(1), V(2)}, HasAVX2},
		{VPADDD | L256, []Operand{V(16), V(1), V(2)}, HasAVX512F | HasAVX512VL},
		{VPADDD | L512, []Operand{V(0), V(1), V(2)}, HasAVX512F},
		{VPADDB | L512, []Operand{V(0), V(1), V(2)}, HasAVX512F | HasAVX512BW},
		{VADDSS, []Operand{V(0), V(1), V(2)}, HasAVX},
		{VADDSS, []Operand{V(16), V(1), V(2)}, HasAVX512F},
		{VPERMB | L512, []Operand{V(0), V(1), V(2)}, HasAVX512F | HasAVX512VBMI},
		{VPDPBUSD | L256, []Operand{V(0), V(1), V(2)}, HasAVX512F | HasAVX512VL | HasAVX512VNNI},
		{VPDPBUSDV | L256, []Operand{V(0), V(1), V(2)}, HasAVXVNNI},
		{VGF2P8AFFINEQB | L512, []Operand{V(0), V(1), V(2), Imm(0)}, HasAVX512F | HasGFNI},
		{VGF2P8AFFINEQBV | L256, []Operand{V(0), V(1), V(2), Imm(0)}, HasAVX | HasGFNI},
		{KANDW, []Operand{K1, K2, K3}, HasAVX512F},
		{KANDQ, []Operand{K1, K2, K3}, HasAVX512BW},
		{CMPXCHG16B, []Operand{At(RSI, 0)}, HasCX16},
		{ADCX | S64, []Operand{RAX, RCX}, HasADX},
		{VCVTPH2PS | L256, []Operand{V(0), V(1)}, HasF16C},
		{VFMADD231PS | L256, []Operand{V(0), V(1), V(2)}, HasFMA},
	} {
		a := New(c.want)
		a.Emit(c.op, c.operands...)
		if _, err := a.Finish(); err != nil || a.Used() != c.want {
			t.Errorf("%v needs %v, want %v (%v)", c.op, a.Used(), c.want, err)
		}
		if c.want == 0 {
			continue
		}
		a = New(0)
		a.Emit(c.op, c.operands...)
		if _, err := a.Finish(); err == nil || !strings.Contains(err.Error(), c.want.String()) {
			t.Errorf("%v without its features: %v", c.op, err)
		}
	}
}
