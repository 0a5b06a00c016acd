package ptxtest

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/vop-ptx/vop"
)

// device holds the buffers of a launch.
type device struct {
	t      testing.TB
	mod    *vop.Module
	slices []any
	copies []*vop.Buffer // of the slices
}

func (d *device) launch(k *vop.Kernel, grid vop.Grid, block vop.Block, args []any) {
	d.t.Helper()
	params := make([]any, len(args))
	for i, arg := range args {
		if structure, ok := arg.([]byte); ok && i < len(k.Params()) && k.Params()[i].Struct {
			params[i] = structure // passed by value
			continue
		}
		params[i] = d.param(arg)
	}
	if err := k.Launch(d.t.Context(), grid, block, params...); err != nil {
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
	d.t.Helper()
	switch arg := arg.(type) {
	case Texture:
		texture, err := d.mod.NewTexture(arg.Image, arg.Sampling)
		if err != nil {
			d.t.Fatal(err)
		}
		return texture
	case Addresses:
		var pointers []uint64
		for _, element := range arg {
			switch value := d.param(element).(type) {
			case *vop.Buffer:
				pointers = append(pointers, value.Address())
			case uint64:
				pointers = append(pointers, value)
			default:
				d.t.Fatalf("Addresses has a %T: want slices, or numbers of type uint64", element)
			}
		}
		return d.upload(pointers)
	}
	if !isBuffer(arg) {
		return arg
	}
	b := d.upload(arg)
	d.slices, d.copies = append(d.slices, arg), append(d.copies, b)
	return b
}

// upload returns a buffer with the contents of a slice.
func (d *device) upload(slice any) *vop.Buffer {
	d.t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, slice)
	if err != nil {
		d.t.Fatalf("%T cannot be a buffer: %v", slice, err)
	}
	b, err := d.mod.Alloc("buffer", len(data))
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
