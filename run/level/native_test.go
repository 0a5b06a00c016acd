//go:build !wasm

package level

import "testing"

// TestNative holds that every level but the portable one is one of package native, for arrays and for kernels.
func TestNative(t *testing.T) {
	for _, l := range Levels() {
		if _, ok := l.Native(); ok != (l != Portable) {
			t.Errorf("%v.Native(): %v", l, ok)
		}
		if _, ok := l.ForKernels(); ok != (l != Portable) {
			t.Errorf("%v.ForKernels(): %v", l, ok)
		}
	}
}
