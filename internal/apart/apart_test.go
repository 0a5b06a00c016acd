package apart

import (
	"errors"
	"slices"
	"testing"
)

// TestThreadsComeToTheirEnds holds that the threads of kernels do not wait for each other for ever, that most kernels are short, and that a kernel is the same each
// time it is made.
func TestThreadsComeToTheirEnds(t *testing.T) {
	const kernels = 100
	ended := 0
	for seed := range uint64(kernels) {
		k := New(seed)
		memory := make([]uint32, k.Size())
		k.Fill(memory)
		before := slices.Clone(memory)
		switch err := k.Run(memory); {
		case err == nil:
			ended++
			if slices.Equal(memory, before) {
				t.Errorf("seed %d: the kernel does nothing", seed)
			}
		case !errors.Is(err, ErrTooLong):
			t.Error(err)
		}
		for style := range uint64(3) {
			if !slices.Equal(k.Text(style), New(seed).Text(style)) {
				t.Errorf("seed %d: style %d is not the same twice", seed, style)
			}
		}
	}
	if ended < kernels*3/4 {
		t.Errorf("%d of %d kernels come to their ends soon", ended, kernels)
	}
}
