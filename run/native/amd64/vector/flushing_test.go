package vector_test

import (
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
)

// TestFlushes: the code of a function runs where the processor flushes if something asks for that, and nothing is against it.
func TestFlushes(t *testing.T) {
	for _, c := range []struct {
		want  bool
		lines []string
	}{
		{true, []string{"x = mul.rn.ftz.f32 a b"}},
		{true, []string{"x = setp.lt.ftz.f32 a b"}},
		{true, []string{"i = add.u32 a b", "f = cvt.rn.f32.u32 i", "x = fma.rn.ftz.sat.f32 f f b"}},
		{true, []string{"f = sin.approx.ftz.f32 a", "x = mul.rn.ftz.f32 f b"}},
		{false, []string{"x = add.u32 a b"}},
		{false, []string{"x = mul.rn.f32 a b"}},
		{false, []string{"f = mul.rn.ftz.f32 a b", "x = add.rn.f32 f b"}},
		{false, []string{"f = mul.rn.ftz.f32 a b", "x = setp.lt.f32 f b"}},
		{false, []string{"f = mul.rn.ftz.f32 a b", "x = add.rz.ftz.f32 f b"}}, // what it is short by may be subnormal
		{false, []string{"f = mul.rn.ftz.f32 a b", "e = cvt.f64.f32 f", "x = add.rn.f64 e e"}},
		{false, []string{"f = mul.rn.ftz.f32 a b", "x = fma.bf16x2 f a b"}},
	} {
		f := function(t, c.lines...)
		for _, l := range []amd64.Level{amd64.AVX2, amd64.AVX512} {
			if got := vector.Flushes(l, f); got != c.want {
				t.Errorf("%v, %q: %v, want %v", l, c.lines, got, c.want)
			}
		}
	}
}
