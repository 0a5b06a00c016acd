// Package kerneltest runs the kernels of the folders beside it in their tests: each
// with every PTX file that a compiler has made of it.
package kerneltest

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/ptxtest"
	"github.com/vop-ptx/vop/run/vm"
)

// Launch launches a kernel and waits for its end: [ptxtest.Launch].
type Launch func(grid vop.Grid, block vop.Block, args ...any)

// What arguments may be besides numbers and slices.
type (
	// Addresses is a struct of pointers to buffers.
	Addresses = ptxtest.Addresses
	// Texture is a picture that the kernel gets as a texture.
	Texture = ptxtest.Texture
)

// Each runs f as a subtest for every .ptx file in the test's folder, with a function that
// launches the kernel of the given name from it.
func Each(t *testing.T, kernel string, f func(t *testing.T, launch Launch)) {
	t.Helper()
	files, err := filepath.Glob("*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no .ptx files here (%v): run kernels/build", err)
	}
	for _, file := range files {
		_, compiler, _ := strings.Cut(strings.TrimSuffix(file, ".ptx"), ".")
		t.Run(compiler, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			mod, err := vop.Load(file, string(text))
			if err != nil {
				t.Fatal(err)
			}
			k, err := mod.Kernel(kernel)
			if missing, ok := errors.AsType[*vm.MissingError](err); ok {
				checkMissing(t, missing)
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			f(t, func(grid vop.Grid, block vop.Block, args ...any) {
				t.Helper()
				ptxtest.LaunchKernel(t, mod, k, grid, block, args...)
			})
		})
	}
}

// beyond are the instructions that the machine may lack, or some of their forms: the
// kernels that have them are skipped then. A kernel that lacks any other fails its test.
var beyond = regexp.MustCompile(`^(call|ld\.param|st\.param)\b`)

func checkMissing(t *testing.T, missing *vm.MissingError) {
	t.Helper()
	for _, form := range missing.Forms {
		if !beyond.MatchString(form.Form) || form.Line == 0 {
			t.Errorf("the machine should have %s (%s:%d:%d)", form.Form, form.File, form.Line, form.Col)
		}
	}
}
