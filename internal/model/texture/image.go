package texture

import (
	"encoding/binary"
	"math"
	"math/big"
)

// Channel is the type of a channel of texels.
type Channel uint8

// The types of channels.
const (
	U8 Channel = iota
	S8
	U16
	S16
	U32
	S32
	F16
	F32
	Channels // how many there are
)

// Bytes is the size of a channel.
func (c Channel) Bytes() int { return [...]int{1, 1, 2, 2, 4, 4, 2, 4}[c] }

// Image is texels side by side: x runs fastest, then y, then z; the channels of a texel are side by
// side. The layers of an array and the faces of cubes are its depth.
type Image struct {
	Width, Height, Depth int
	Count                int // of channels: 1, 2 or 4
	Channel              Channel
	Data                 []byte
}

// texelBytes is the size of a texel.
func (i *Image) texelBytes() int { return i.Count * i.Channel.Bytes() }

// Bytes is the size of the data.
func (i *Image) Bytes() int { return i.Width * i.Height * i.Depth * i.texelBytes() }

// row is the size of a row.
func (i *Image) row() int { return i.Width * i.texelBytes() }

// size is how many texels there are along an axis.
func (i *Image) size(axis int) int { return [...]int{i.Width, i.Height, i.Depth}[axis] }

// Address says what texel a coordinate outside of the image gives.
type Address uint8

// The address modes.
const (
	Clamp Address = iota
	Border
	Wrap
	Mirror
)

// Sampling says how a texture is read.
type Sampling struct {
	Address    Address
	Linear     bool
	Normalized bool
}

// Texture is an image and how it is read.
type Texture struct {
	Image
	Sampling
}

// texel is a texel's place in the image; ok is false for the one outside, whose components are
// zeros.
type texel struct {
	x, y, z int
	ok      bool
}

// raw is a channel as bits, extended by the sign of its type.
func (i *Image) raw(t texel, channel int) uint32 {
	at := ((t.z*i.Height+t.y)*i.Width+t.x)*i.texelBytes() + channel*i.Channel.Bytes()
	data := i.Data[at : at+i.Channel.Bytes()]
	switch i.Channel {
	case U8:
		return uint32(data[0])
	case S8:
		return uint32(int32(int8(data[0])))
	case U16, F16:
		return uint32(binary.LittleEndian.Uint16(data))
	case S16:
		return uint32(int32(int16(binary.LittleEndian.Uint16(data))))
	}
	return binary.LittleEndian.Uint32(data)
}

// number is a channel as the bits of an f32: integers of 8 and 16 bits stand for 0 to 1, or for -1
// to 1, of which the least one and the next stand for -1. Integers of 32 bits are not converted.
func (i *Image) number(t texel, channel int) uint32 {
	bits := i.raw(t, channel)
	greatest := int64(0)
	switch i.Channel {
	case U8:
		greatest = 1<<8 - 1
	case S8:
		greatest = 1<<7 - 1
	case U16:
		greatest = 1<<16 - 1
	case S16:
		greatest = 1<<15 - 1
	case F16:
		return fromHalf(bits)
	default:
		return bits
	}
	value, _ := big.NewRat(max(int64(int32(bits)), -greatest), greatest).Float32()
	return math.Float32bits(value)
}

// component is a component of a texel: those that the image has no channel for are 0, 0 and 1.
func (i *Image) component(t texel, n int, numbers bool) uint32 {
	switch {
	case !t.ok:
		return 0
	case n < i.Count && numbers:
		return i.number(t, n)
	case n < i.Count:
		return i.raw(t, n)
	case n < 3:
		return 0
	case numbers:
		return math.Float32bits(1)
	}
	return 1
}
