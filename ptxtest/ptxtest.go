// Package ptxtest tests PTX kernels in Go, without a GPU: kernels run on the CPU, on buffers made of
// slices, and what they write is held against what is wanted.
//
//	func TestScale(t *testing.T) {
//		ptxtest.Run(t, ptxtest.Load(t, "scale.ptx"), "scale", []ptxtest.Case{
//			{
//				Name: "doubles",
//				Grid: vop.Grid{X: 2}, Block: vop.Block{X: 64},
//				Args: []any{[]float32{1, 2, 3}, make([]float32, 3), float32(2), uint32(3)},
//				Want: []any{nil, []float32{2, 4, 6}},
//			},
//		})
//	}
//
// Unless -short is given, each launch is run twice: once with all checks of [vop.LaunchOptions], which find races,
// unset memory and the like, and once without. Both must give the same.
package ptxtest

import (
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/vop-ptx/vop"
)

// Addresses is a struct of pointers to buffers, itself in a buffer: gcc passes a kernel's arguments so. Its
// elements are slices as those of [Launch], or numbers of 64 bits.
type Addresses []any

// Texture is a picture that the kernel gets as a texture.
type Texture struct {
	Image    vop.Image
	Sampling vop.Sampling
}

// Load reads a PTX file, or several that are linked to one module. If they cannot be used, the test fails with all that
// is wrong with them.
func Load(t testing.TB, file string, more ...string) *vop.Module {
	t.Helper()
	var texts []vop.Text
	for _, name := range append([]string{file}, more...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, vop.Text{Name: name, Text: string(text)})
	}
	m, err := vop.LoadAll(texts, vop.LoadOptions{})
	if err != nil {
		fatal(t, err)
	}
	return m
}

// Parse is [Load] of a text; name stands for it in messages.
func Parse(t testing.TB, name, text string) *vop.Module {
	t.Helper()
	m, err := vop.Load(name, text)
	if err != nil {
		fatal(t, err)
	}
	return m
}

// Launch launches a kernel and waits for its end. An argument is a number, a [Texture], [Addresses], a
// *vop.Buffer; or a slice of numbers, or of structs of them, which the kernel gets as a buffer in the layout of
// C without padding, and which holds what the kernel has made of it afterwards. A parameter that is a struct takes []byte. If the
// launch fails, so does the test, at once.
func Launch(t testing.TB, m *vop.Module, kernel string, grid vop.Grid, block vop.Block, args ...any) {
	t.Helper()
	k, err := m.Kernel(kernel)
	if err != nil {
		fatal(t, err)
	}
	LaunchKernel(t, m, k, grid, block, args...)
}

// LaunchKernel is [Launch] of a kernel of the module that has been found already.
func LaunchKernel(t testing.TB, m *vop.Module, k *vop.Kernel, grid vop.Grid, block vop.Block, args ...any) {
	t.Helper()
	var checked *device
	if !testing.Short() { // on a copy of the arguments, before they are written
		checked = &device{t: t, mod: m}
		watched := k.Options()
		watched.Check, watched.Stats, watched.Ended = true, nil, nil
		checked.launch(k.With(watched), grid, block, args)
	}
	d := &device{t: t, mod: m}
	d.launch(k, grid, block, args)
	if checked != nil {
		d.compare(checked)
	}
	d.download()
}

// fatal fails the test with an error. The diagnostics of a text that cannot be used are all told.
func fatal(t testing.TB, err error) {
	t.Helper()
	if input, ok := errors.AsType[*vop.InputError](err); ok {
		t.Fatalf("the text cannot be used:\n%v", input.Findings)
	}
	t.Fatal(err)
}

// isBuffer reports whether an argument becomes a buffer.
func isBuffer(arg any) bool {
	return arg != nil && reflect.TypeOf(arg).Kind() == reflect.Slice
}
