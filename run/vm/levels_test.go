package vm_test

import (
	"os"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestLevels runs compiled kernels on all levels.
func TestLevels(t *testing.T) {
	file := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first, second := grayPixels(t, "../../examples/motion/frame0.png").Pix, grayPixels(t, "../../examples/motion/frame1.png").Pix
	for name, c := range map[string]vmtest.Trial{
		"motion": {
			Text: file("../../examples/motion/motion.ptx"), Kernel: "motion",
			Grid: vm.Grid{Grid: vm.Dim{X: 4, Y: 3}, Block: vm.Dim{X: 16, Y: 16}},
			Args: []any{first, second, 480, 480, make([]byte, 30*30*4), make([]byte, 1440*1440*3)},
		},
		"call": {
			Text: file("testdata/call.ptx"), Kernel: "call", Grid: vm.Grid{Block: vm.Dim{X: 77}},
			Args: []any{make([]byte, 4*77), float32(2.25)},
		},
		"print": {
			Text: file("testdata/print.ptx"), Kernel: "print", Grid: vm.Grid{Block: vm.Dim{X: 6}},
			Args: []any{make([]byte, 4*6), float32(1.5)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.Differ(vmtest.Ways()); err != nil {
				t.Error(err)
			}
		})
	}
}
