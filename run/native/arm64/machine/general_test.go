package machine

import (
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
)

// TestRoundingIsRestored holds that FPCR is written where the mode changes, and that code behind a piece rounds to nearest.
func TestRoundingIsRestored(t *testing.T) {
	b := NewBuilder(arm64.Options{})
	p := &Piece{Width: 16, Advance: 16}
	b.Begin(p)
	x := b.Load(1, 0)
	b.Round(ToNearest) // as it is
	b.Round(Upwards)
	x = b.New(encode.FADD|encode.S4, x, x)
	b.Round(Upwards)
	x = b.New(encode.FMUL|encode.S4, x, x)
	b.Round(ToZero)
	b.Store(0, 0, b.New(encode.FSQRT|encode.S4, x))
	if err := b.Allocate(p); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range p.placed {
		if m.kind == Compute {
			got = append(got, m.op.Text(m.args[:m.n]...))
		}
	}
	write := func(mode string) []string { return []string{"movz x3, #" + mode + ", lsl #16", "msr FPCR, x3"} }
	want := slices.Concat(write("64"), []string{"fadd", "fmul"}, write("192"), []string{"fsqrt"}, write("0"))
	if !slices.EqualFunc(got, want, func(x, y string) bool { return x == y || strings.HasPrefix(x, y+" ") }) {
		t.Errorf("got %q, want %q", got, want)
	}
}
