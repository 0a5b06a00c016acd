package vm

import (
	"encoding/binary"
	"fmt"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// inside returns the place of a surface that coordinates from 0 up to limits stand for. Outside, .clamp takes the nearest
// place there is, and all else none.
func inside(at, limits [3]int, mode string) (place [3]int, ok bool) {
	for d := range at {
		if at[d] >= 0 && at[d] <= limits[d] {
			continue
		}
		if mode != "clamp" || limits[d] < 0 {
			return at, false
		}
		at[d] = min(max(at[d], 0), limits[d])
	}
	return at, true
}

// surface returns so many bytes at a place of a surface, whose first coordinate counts bytes.
func (t *Texture) surface(at [3]int, span int, mode string) (data []byte, ok bool) {
	i := &t.image
	row := i.Width * i.texelSize()
	if at, ok = inside(at, [3]int{row - span, i.Height - 1, i.Depth - 1}, mode); !ok {
		return nil, false
	}
	from := (at[2]*i.Height+at[1])*row + at[0]
	return i.Data[from : from+span], true
}

// access loads defs from a surface, or stores values there.
func (t *Texture) access(x *simt.TextureOp, at [3]int, values, defs []uint64) *portable.Fault {
	i := &t.image
	if x.Reduce != "" {
		return t.reduce(x, at, values[0])
	}
	if x.Formatted {
		place, ok := inside(at, [3]int{i.Width - 1, i.Height - 1, i.Depth - 1}, x.Mode)
		if ok {
			i.store(i.at(place[0], place[1], place[2]), values)
		} else if x.Mode == "trap" {
			return &portable.Fault{Kind: portable.BadSurface, Address: t.handle,
				Detail: fmt.Sprintf("texel %d of row %d of layer %d, in a surface of %d texels x %d x %d", at[0], at[1], at[2], i.Width, i.Height, i.Depth)}
		}
		return nil
	}
	if !x.Writes {
		values = defs
	}
	data, ok := t.surface(at, x.Size*len(values), x.Mode)
	if !ok && x.Mode == "trap" {
		return t.outside(at)
	}
	for k := range values {
		var all [8]byte
		var part []byte
		if data != nil {
			part = data[k*x.Size:][:x.Size]
		}
		if x.Writes {
			binary.LittleEndian.PutUint64(all[:], values[k])
			copy(part, all[:])
			continue
		}
		copy(all[:], part)
		values[k] = binary.LittleEndian.Uint64(all[:])
	}
	return nil
}

// outside is the fault of an access outside of a surface, whose first coordinate counts bytes.
func (t *Texture) outside(at [3]int) *portable.Fault {
	i := &t.image
	return &portable.Fault{Kind: portable.BadSurface, Address: t.handle,
		Detail: fmt.Sprintf("byte %d of row %d of layer %d, in a surface of %d bytes x %d x %d", at[0], at[1], at[2], i.Width*i.texelSize(), i.Height, i.Depth)}
}

// reduce changes a value in a surface at once (PTX ISA 9.7.11.3).
func (t *Texture) reduce(x *simt.TextureOp, at [3]int, value uint64) *portable.Fault {
	signed := x.Signed
	if x.Formatted {
		at[0] *= x.Size
		switch t.image.Texel {
		case TexelS8, TexelS16, TexelS32:
			signed = true
		}
	}
	data, ok := t.surface(at, x.Size, x.Mode)
	switch {
	case !ok && x.Mode == "trap":
		return t.outside(at)
	case !ok:
		return nil
	}
	t.memory.reductions.Lock()
	defer t.memory.reductions.Unlock()
	if x.Size == 8 {
		binary.LittleEndian.PutUint64(data, reduced(x.Reduce, signed, binary.LittleEndian.Uint64(data), value))
		return nil
	}
	old, b := uint64(binary.LittleEndian.Uint32(data)), uint64(uint32(value))
	if signed {
		old, b = uint64(int32(old)), uint64(int32(b))
	}
	binary.LittleEndian.PutUint32(data, uint32(reduced(x.Reduce, signed, old, b)))
	return nil
}

// reduced is what an operation makes of what is in a surface and a value.
func reduced(operation string, signed bool, old, value uint64) uint64 {
	less := old < value
	if signed {
		less = int64(old) < int64(value)
	}
	switch operation {
	case "add":
		return old + value
	case "and":
		return old & value
	case "or":
		return old | value
	case "min":
		less = !less
	}
	if less {
		return value
	}
	return old
}

// store converts values to the components of a texel (PTX ISA 9.7.11.2, sust.p): values for which it has no component are passed
// over, and components for which there is no value, of which the manual says nothing, get zeros. Values of the wrong size are the
// nearest that there is: the manual says that they are converted, and not how (ruling O9).
func (i *Image) store(texel []byte, values []uint64) {
	clear(texel)
	size := i.Texel.Bytes()
	for c := range min(i.Channels, len(values)) {
		bits := uint32(values[c])
		switch i.Texel {
		case TexelU8, TexelU16:
			bits = min(bits, 1<<(8*size)-1)
		case TexelS8, TexelS16:
			most := int32(1)<<(8*size-1) - 1
			bits = uint32(min(max(int32(bits), -most-1), most))
		case TexelF16:
			bits = uint32(op.Fold(op.Must("cvt.rn.f16.f32"), uint64(bits)))
		}
		var all [4]byte
		binary.LittleEndian.PutUint32(all[:], bits)
		copy(texel[c*size:][:size], all[:])
	}
}
