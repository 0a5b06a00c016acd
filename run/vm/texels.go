package vm

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// lanesOf are numbers of the lanes of a warp.
type lanesOf [simt.WarpSize]int

// readWarp reads texels for a warp. It returns false if it would interpolate: that is done lane by lane.
func (t *Texture) readWarp(r *portable.Reads) bool {
	if t.sampling.Linear && r.Op.Numbers && !r.Op.Whole {
		return false
	}
	var at lanesOf // where in the data the texels are
	outside := uint32(0)
	size := t.image.texelSize()
	for d := range r.Op.Dimensions {
		outside |= t.add(r, d, size, &at)
		size *= t.image.size(d)
	}
	for c, to := range r.To {
		if to == nil {
			continue
		}
		var texels [simt.WarpSize]uint32
		t.channel(c, r.Op.Numbers, &at, &texels)
		for rest := outside; rest != 0; rest &= rest - 1 {
			texels[bits.TrailingZeros32(rest)&31] = 0
		}
		if r.Lanes == math.MaxUint32 {
			*to = texels
			continue
		}
		for rest := r.Lanes; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest) & 31
			to[lane] = texels[lane]
		}
	}
	return true
}

// texels tells where the texels are, if reads neither interpolate nor convert, and coordinates outside are those of the edge.
func (t *Texture) texels(op *simt.TextureOp) (texels *simt.Texels, ok bool) {
	i := &t.image
	normalized := t.sampling.Normalized && !op.Whole
	raw := i.Texel == TexelU32 || i.Texel == TexelS32 || i.Texel == TexelF32
	switch {
	case normalized, t.sampling.Address == Border, t.sampling.Linear && op.Numbers && !op.Whole, i.Depth > 1:
		return nil, false
	case !raw && (op.Numbers || i.Texel != TexelU8 && i.Texel != TexelU16):
		return nil, false // they are converted, or extended by their sign
	case i.Width > 1<<24 || i.Height > 1<<24 || len(i.Data) == 0:
		return nil, false
	case uintptr(unsafe.Pointer(unsafe.SliceData(i.Data)))%uintptr(i.Texel.Bytes()) != 0:
		return nil, false // words that cross others
	}
	texels = &simt.Texels{Data: i.Data, Size: [2]int{i.Width, i.Height}, Bytes: i.texelSize()}
	for c := range texels.Channels {
		channel := &texels.Channels[c]
		switch {
		case c < i.Channels:
			channel.Offset, channel.Mask = c*i.Texel.Bytes(), uint32(1<<(8*i.Texel.Bytes())-1)
		case c == 3:
			channel.Set = i.one(op.Numbers)
		}
	}
	return texels, true
}

// add adds the coordinates of a dimension, in steps of so many bytes, to where the texels are. It returns the lanes whose coordinates
// are outside the image.
func (t *Texture) add(r *portable.Reads, d, size int, at *lanesOf) (outside uint32) {
	last, coordinates := t.image.size(d)-1, r.At[d]
	normalized := t.sampling.Normalized && !r.Op.Whole
	clamps := t.sampling.Address == Clamp || !normalized && t.sampling.Address != Border
	switch {
	case clamps && r.Op.Whole:
		for lane, x := range coordinates {
			at[lane] += min(max(int(int32(x)), 0), last) * size
		}
	case clamps:
		scale, end := 1.0, float64(last)
		if normalized {
			scale = float64(last + 1)
		}
		for lane, bits := range coordinates {
			x := float64(math.Float32frombits(bits)) * scale
			if x >= end {
				at[lane] += last * size
			} else if x > 0 { // not what is no number
				at[lane] += int(x) * size
			}
		}
	default:
		for lane, bits := range coordinates {
			x := int(int32(bits))
			if !r.Op.Whole {
				x = index(t.sampling.inTexels(float64(math.Float32frombits(bits)), last+1, normalized))
			}
			if x = t.sampling.place(x, last+1, normalized); x < 0 {
				outside |= 1 << lane
				x = 0
			}
			at[lane] += x * size
		}
	}
	return outside
}

// channel reads a channel of texels. float says that numbers are wanted, as f32.
func (t *Texture) channel(c int, float bool, at *lanesOf, to *[simt.WarpSize]uint32) {
	i := &t.image
	data := i.Data
	converted := float && i.Texel != TexelF32 && i.Texel != TexelU32 && i.Texel != TexelS32
	switch {
	case c >= i.Channels:
		if c == 3 {
			for lane := range to {
				to[lane] = i.one(float)
			}
		}
	case converted:
		for lane, from := range at {
			to[lane] = math.Float32bits(float32(i.value(data[from:], c)))
		}
	case i.Texel == TexelU8:
		for lane, from := range at {
			to[lane] = uint32(data[from+c])
		}
	case i.Texel == TexelU32 || i.Texel == TexelS32 || i.Texel == TexelF32:
		for lane, from := range at {
			to[lane] = binary.LittleEndian.Uint32(data[from+4*c:])
		}
	default:
		for lane, from := range at {
			to[lane] = i.bits(data[from:], c)
		}
	}
}
