package forms

import (
	"fmt"
	"math"
	"testing"

	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestHalfApproximations holds tanh and ex2 of f16 and bf16, alone and two at once, to the manual's bounds (PTX ISA 9.7.4.9 and
// 9.7.4.10), for every value.
func TestHalfApproximations(t *testing.T) {
	brain := func(h uint64) float64 { return float64(math.Float32frombits(uint32(h << 16))) }
	for _, c := range []struct {
		name   string
		decode func(uint64) float64
		want   func(float64) float64
		wrong  func(got, want float64) bool
	}{
		{"tanh.approx.f16", vmtest.Half, math.Tanh, func(got, want float64) bool { return math.Abs(got-want) > math.Exp2(-10.987) }},
		{"tanh.approx.bf16", brain, math.Tanh, func(got, want float64) bool { return math.Abs(got-want) > math.Exp2(-8) }},
		{"ex2.approx.f16", vmtest.Half, math.Exp2, func(got, want float64) bool { return math.Abs(got-want) > math.Exp2(-9.9)*want+math.Exp2(-24) }},
		{"ex2.approx.ftz.bf16", brain, math.Exp2, func(got, want float64) bool { return math.Abs(got-want) > math.Exp2(-7)*want+math.Exp2(-126) }},
	} {
		for _, pair := range []bool{false, true} {
			code := c.name + " %h, %h; mov.b32 %r, {%h, %g};"
			if pair {
				code = c.name + "x2 %r, %r;"
			}
			k := vmtest.Trial{
				Text: fmt.Sprintf(`%s.visible .entry test(.param .u64 out) {
.reg .b16 %%h, %%g; .reg .b32 %%i, %%r; .reg .b64 %%at;
mov.u32 %%i, %%ctaid.x; shl.b32 %%i, %%i, 8; mov.u32 %%r, %%tid.x; add.u32 %%i, %%i, %%r; mad.lo.u32 %%r, %%i, 65536, %%i; mov.b32 {%%h, %%g}, %%r;
%s
ld.param.u64 %%at, [out]; mad.wide.u32 %%at, %%i, 4, %%at; st.global.b32 [%%at], %%r; ret; }`, ordinaryHeader, code),
				Kernel: "test", Grid: vm.Grid{Grid: vm.Dim{X: 256}, Block: vm.Dim{X: 256}}, Args: []any{make([]byte, 4<<16)},
			}
			m, err := k.Checked()
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range level.Levels() {
				e, err := k.Run(m, vmtest.Way{Level: l, Workers: 1})
				if err != nil {
					t.Fatalf("%s: %v: %v", c.name, l, err)
				}
				for x := range uint64(1 << 16) {
					result := vmtest.Get(e.Buffers[0], int(x), 32)
					want := c.want(c.decode(x))
					halves := []uint64{result & 0xffff}
					if pair {
						halves = append(halves, result>>16)
					}
					for _, bits := range halves {
						got := c.decode(bits)
						switch {
						case want != want && got != got:
						case math.IsInf(got, 1) && (math.IsInf(want, 1) || want > 65504):
						case got != got || want != want || c.wrong(got, want):
							t.Fatalf("%v, %s, two at once %v, of %#x: %v, want %v", l, c.name, pair, x, got, want)
						}
					}
				}
			}
		}
	}
}
