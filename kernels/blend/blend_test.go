package blend

import (
	"bytes"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// All pairs of bytes.
func TestBlend(t *testing.T) {
	var a, b, want []byte
	for i := range 1 << 16 {
		x, y := byte(i), byte(i>>8)
		a, b, want = append(a, x), append(b, y), append(want, byte((int(x)+int(y)+1)/2))
	}
	kerneltest.Each(t, "blend", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]byte, len(want))
		words := len(want)/4 - 1 // the last word is none of the kernel's business
		launch(vop.Grid{X: 64}, vop.Block{X: 256}, a, b, got, words)
		if !bytes.Equal(want[:4*words], got[:4*words]) || !bytes.Equal(got[4*words:], make([]byte, 4)) {
			t.Error("not the averages, or more than them")
		}
	})
}
