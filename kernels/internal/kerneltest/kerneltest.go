// Package kerneltest runs the kernels of the folders beside it in their tests: each
// with every PTX file that a compiler has made of it, on buffers made of Go slices.
package kerneltest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/run/vm"
)

// Launch launches a kernel and waits for its end. An argument is a number; or a slice
// of numbers, or of structs of them, which the kernel gets as a buffer in the layout
// of C, and which holds what the kernel has made of it afterwards; or [Addresses].
// If the launch fails, so does the test.
type Launch func(grid vop.Grid, args ...any)

// Addresses is a struct of pointers to buffers, itself in a buffer: gcc passes a kernel's
// arguments so. Its elements are slices as those of a [Launch].
type Addresses []any

// Texture is a picture that the kernel gets as a texture.
type Texture struct {
	Image    vm.Image
	Sampling vm.Sampling
}

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
			f(t, func(grid vop.Grid, args ...any) {
				t.Helper()
				checked := (*device)(nil)
				if !testing.Short() { // on a copy of the arguments, before they are written
					checked = &device{t: t, mod: mod}
					grid := grid
					grid.Check = true
					checked.launch(k, grid, args)
				}
				d := device{t: t, mod: mod}
				d.launch(k, grid, args)
				if checked != nil {
					d.compare(checked)
				}
				d.download()
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

// device holds the buffers of a launch.
type device struct {
	t      *testing.T
	mod    *vop.Module
	slices []any
	copies []*vop.Buffer // of the slices
}

// launch launches a kernel. Real kernels are clean: a check that finds something is wrong about it.
func (d *device) launch(k *vop.Kernel, grid vop.Grid, args []any) {
	d.t.Helper()
	params := make([]any, len(args))
	for i, arg := range args {
		params[i] = d.param(arg)
	}
	if err := k.Launch(d.t.Context(), grid, params...); err != nil {
		d.t.Fatal(err)
	}
}

// compare holds the buffers against those of a launch that was checked.
func (d *device) compare(checked *device) {
	d.t.Helper()
	for i := range d.copies {
		if !bytes.Equal(d.copies[i].Bytes(), checked.copies[i].Bytes()) {
			d.t.Errorf("buffer %d is another after a launch with checks", i)
		}
	}
}

// param returns what the kernel gets for an argument.
func (d *device) param(arg any) any {
	if picture, ok := arg.(Texture); ok {
		texture, err := d.mod.Memory().NewTexture(picture.Image, picture.Sampling)
		if err != nil {
			d.t.Fatal(err)
		}
		return texture
	}
	addresses, ok := arg.(Addresses)
	if !ok && reflect.TypeOf(arg).Kind() != reflect.Slice {
		return arg
	}
	if !ok {
		b := d.upload(arg)
		d.slices, d.copies = append(d.slices, arg), append(d.copies, b)
		return b
	}
	var pointers []uint64
	for _, slice := range addresses {
		pointers = append(pointers, d.param(slice).(*vop.Buffer).Address())
	}
	return d.upload(pointers)
}

// upload returns a buffer with the contents of a slice.
func (d *device) upload(slice any) *vop.Buffer {
	d.t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, slice)
	if err != nil {
		d.t.Fatal(err)
	}
	b, err := d.mod.Memory().Alloc("buffer", len(data))
	if err != nil {
		d.t.Fatal(err)
	}
	copy(b.Bytes(), data)
	return b
}

// download copies the buffers back into the slices.
func (d *device) download() {
	d.t.Helper()
	for i, slice := range d.slices {
		if _, err := binary.Decode(d.copies[i].Bytes(), binary.LittleEndian, slice); err != nil {
			d.t.Fatal(err)
		}
	}
}
