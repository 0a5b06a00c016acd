package encode

import "testing"

// TestShape holds what a compiler asks about memory operands.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		name       string
		op         Op
		rm         int
		evex, vex  bool
		broadcasts int
	}{
		{"VPADDD", VPADDD | L512, 2, true, true, 4},
		{"VPADDB", VPADDB | L512, 2, true, true, 0},
		{"VPADDQ", VPADDQ | L512, 2, true, true, 8},
		{"VPSLLDI", VPSLLDI | L512, 1, true, false, 4},
		{"VPSLLD", VPSLLD | L512, 2, false, false, 0},
		{"VPTERNLOGD", VPTERNLOGD | L512, 2, true, false, 4},
		{"VPMOVZXDQ", VPMOVZXDQ | L512, 1, false, false, 0},
		{"VCVTDQ2PD", VCVTDQ2PD | L512, 1, false, false, 4},
		{"VADDPS", VADDPS | L512, 2, true, true, 4},
		{"VADDPS rounded", (VADDPS | L512).RoundUp(), 2, false, false, 0},
		{"VPCMPEQD", VPCMPEQD | L256, 2, true, true, 0},
		{"VPBLENDVB", VPBLENDVB | L256, 2, true, true, 0},
		{"VINSERTI64X4", VINSERTI64X4 | L512, 2, false, false, 0},
		{"VPMOVDW, a store", VPMOVDW | L512, -1, false, false, 0},
		{"VPMOVM2B, of masks", VPMOVM2B | L512, -1, false, false, 0},
		{"VPGATHERDD", VPGATHERDD | L512, -1, false, false, 0},
		{"ADD", ADD | S64, -1, false, false, 0},
	} {
		if got := c.op.RM(); got != c.rm {
			t.Errorf("%s: operand %d may be memory, want %d", c.name, got, c.rm)
		}
		if got := c.op.FullMemory(true); got != c.evex {
			t.Errorf("%s: memory as long as the vectors: %v", c.name, got)
		}
		if got := c.op.FullMemory(false); got != c.vex {
			t.Errorf("%s: the same in VEX: %v", c.name, got)
		}
		if got := c.op.BroadcastBytes(); got != c.broadcasts {
			t.Errorf("%s: broadcasts %d bytes, want %d", c.name, got, c.broadcasts)
		}
	}
	if !(VPADDD | L512).HasLength() || VPADDD.NeedsLength() != true || VPERM2I128.NeedsLength() || Op(ADD).NeedsLength() {
		t.Error("lengths are not told")
	}
}
