package vm

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Texel is the type of the channels of an [Image].
type Texel uint8

// The types of channels.
const (
	TexelU8 Texel = iota
	TexelS8
	TexelU16
	TexelS16
	TexelU32
	TexelS32
	TexelF16
	TexelF32
)

// Bytes returns the size of a channel.
func (t Texel) Bytes() int { return [...]int{1, 1, 2, 2, 4, 4, 2, 4}[t] }

func (t Texel) String() string {
	return [...]string{"u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"}[t]
}

// Image is what textures and surfaces read and write: CUDA's array. Texels are side by side, x
// runs fastest, then y, then z; the channels of a texel are side by side. Depth counts the layers of
// arrays, also of those of lines, whose Height is 1, and the faces of cubes.
type Image struct {
	Width, Height, Depth int // 0 counts as 1
	Channels             int // 1, 2 or 4; 0 counts as 1
	Texel                Texel
	Data                 []byte // nil makes zeros of it
}

// AddressMode says what texel a coordinate outside the image gives (CUDA C++ Programming Guide, texture
// fetching). Wrap and Mirror are for normalised coordinates; others clamp instead.
type AddressMode uint8

// The address modes.
const (
	Clamp  AddressMode = iota // that of the edge
	Border                    // zeros
	Wrap                      // as if the image went on, again and again
	Mirror                    // the same, every second time mirrored
)

// Sampling says how a texture is read.
type Sampling struct {
	Address AddressMode // in all dimensions
	// Linear interpolates between the texels next to the coordinates; otherwise the texel is
	// read that they are in. It is for reads as .f32.
	Linear bool
	// Normalized coordinates go from 0 to 1 over the image, others from 0 to its size.
	Normalized bool
}

// Texture is an image with a way to read it, that kernels can be given: as the argument for a 64-bit parameter, or
// bound to a .texref or .surfref variable by [Module.BindTexture]. It is a surface as well.
type Texture struct {
	image    Image
	sampling Sampling
	memory   *Memory
	handle   uint64
}

// NewTexture returns a texture of an image, in the address space.
func (m *Memory) NewTexture(image Image, sampling Sampling) (*Texture, error) {
	size := Dim{image.Width, image.Height, image.Depth}
	if size.X < 0 || size.Y < 0 || size.Z < 0 {
		return nil, fmt.Errorf("texture: the size %v is negative", size)
	}
	size = size.normal()
	image.Width, image.Height, image.Depth = size.X, size.Y, size.Z
	image.Channels = max(image.Channels, 1)
	if image.Texel > TexelF32 || image.Channels != 1 && image.Channels != 2 && image.Channels != 4 {
		return nil, fmt.Errorf("texture: texels of %d channels: want 1, 2 or 4", image.Channels)
	}
	bytes := uint64(image.texelSize())
	for _, n := range []int{size.X, size.Y, size.Z} {
		over, product := bits.Mul64(bytes, uint64(n))
		if bytes = product; over != 0 {
			bytes = math.MaxUint64
		}
	}
	if image.Data != nil && uint64(len(image.Data)) != bytes {
		return nil, fmt.Errorf("texture: %d bytes of data, want %d for %v texels of %d x %v", len(image.Data), bytes, size, image.Channels, image.Texel)
	}
	if err := m.reserve(bytes, fmt.Sprintf("a texture of %v texels", size), "global memory"); err != nil {
		return nil, err
	}
	if image.Data == nil {
		image.Data = allocate(int(bytes))
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	t := &Texture{image: image, sampling: sampling, memory: m, handle: textureWindow + 16*uint64(m.handles)}
	m.handles++
	m.enterTexture(t.handle, t)
	return t, nil
}

// enterTexture makes a texture known by a handle or the address of a variable. The caller holds the mutex.
func (m *Memory) enterTexture(handle uint64, t *Texture) {
	all := map[uint64]*Texture{}
	if old := m.textures.Load(); old != nil {
		all = maps.Clone(*old)
	}
	all[handle] = t
	m.textures.Store(&all)
}

// Handle returns what stands for the texture in kernels.
func (t *Texture) Handle() uint64 { return t.handle }

// Image returns the image, with the data as kernels see and change it.
func (t *Texture) Image() Image { return t.image }

// BindTexture makes a texture what the module's .texref or .surfref variable of the given name refers to.
func (m *Module) BindTexture(name string, t *Texture) error {
	if t.memory != m.memory {
		return fmt.Errorf("the texture for %s is in another address space than the module", name)
	}
	if _, b := m.named(name, func(t check.Type) bool { return t == check.TexRef || t == check.SurfRef }); b != nil {
		m.memory.mutex.Lock()
		defer m.memory.mutex.Unlock()
		m.memory.enterTexture(b.address, t)
		return nil
	}
	return fmt.Errorf("the module has no .texref or .surfref %s", name)
}

// texture returns the texture that a handle or the address of a variable stands for.
func (m *Memory) texture(handle uint64) *Texture {
	if all := m.textures.Load(); all != nil {
		return (*all)[handle]
	}
	return nil
}

func (i *Image) texelSize() int { return i.Channels * i.Texel.Bytes() }

func (i *Image) size(dimension int) int { return [...]int{i.Width, i.Height, i.Depth}[dimension] }

// at returns the bytes of a texel.
func (i *Image) at(x, y, z int) []byte {
	return i.Data[((z*i.Height+y)*i.Width+x)*i.texelSize():][:i.texelSize()]
}

// bits returns a channel of a texel, extended to 32 bits by its type's sign.
func (i *Image) bits(texel []byte, channel int) uint32 {
	switch i.Texel {
	case TexelU8:
		return uint32(texel[channel])
	case TexelS8:
		return uint32(int8(texel[channel]))
	case TexelU16, TexelF16:
		return uint32(binary.LittleEndian.Uint16(texel[2*channel:]))
	case TexelS16:
		return uint32(int16(binary.LittleEndian.Uint16(texel[2*channel:])))
	}
	return binary.LittleEndian.Uint32(texel[4*channel:])
}

// value returns a channel of a texel as a number: integers of 8 and 16 bits stand for 0 to 1, or -1 to 1.
func (i *Image) value(texel []byte, channel int) float64 {
	b := i.bits(texel, channel)
	switch i.Texel {
	case TexelU8:
		return float64(b) / 0xff
	case TexelS8:
		return max(float64(int32(b))/0x7f, -1)
	case TexelU16:
		return float64(b) / 0xffff
	case TexelS16:
		return max(float64(int32(b))/0x7fff, -1)
	case TexelF16:
		return halfValue(b)
	}
	return float64(math.Float32frombits(b))
}

// quietNaN is the NaN that arithmetic gives (ruling O4). What processors make of one that they are given, or of infinities, differs.
const quietNaN = 0x7fffffff

// halfValue returns the number that an f16 is.
func halfValue(h uint32) float64 {
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	sign := math.Copysign(1, float64(int16(h)))
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 0x1f:
		if fraction != 0 {
			return float64(math.Float32frombits(quietNaN))
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// one is what reads give for the fourth channel of an image with fewer; for the second and third they
// give 0.
func (i *Image) one(float bool) uint32 {
	if float {
		return math.Float32bits(1)
	}
	return 1
}

// place returns the number of the texel in a row of n that an index, maybe outside, stands for; -1 if
// for none.
func (s Sampling) place(i, n int, normalized bool) int {
	mode := s.Address
	if !normalized && (mode == Wrap || mode == Mirror) {
		mode = Clamp
	}
	switch mode {
	case Border:
		if i < 0 || i >= n {
			return -1
		}
		return i
	case Wrap:
		return (i%n + n) % n
	case Mirror:
		i = (i%(2*n) + 2*n) % (2 * n)
		return min(i, 2*n-1-i)
	}
	return min(max(i, 0), n-1)
}

// coordinate is a place along an axis, in texels from the left edge of the first one: x, and so many halves.
type coordinate struct {
	x      float64
	halves int
}

// split returns the texel that a place is in, and which part of it is before the place.
func (c coordinate) split() (whole int, fraction float64) {
	x := c.x + float64(c.halves&1)/2
	if x != x {
		return 0, 0
	}
	whole = index(x)
	return whole + c.halves>>1, x - float64(whole)
}

// inTexels returns a coordinate among n texels, counted in texels. Where images repeat it is one of the two images before the first
// one, or behind them, that the same texel is read at: so many texels as infinity has cannot be counted.
func (s Sampling) inTexels(x float64, n int, normalized bool) float64 {
	if !normalized {
		return x
	}
	return s.repeated(x*float64(n), n)
}

// repeated returns the place in texels among images that repeat, if they do, that is not far from the first one.
func (s Sampling) repeated(x float64, n int) float64 {
	if two := float64(2 * n); (s.Address == Wrap || s.Address == Mirror) && !(math.Abs(x) < two) {
		return math.Mod(x, two)
	}
	return x
}

// index is the whole part of a coordinate, rounded down. Coordinates far outside stay so.
func index(x float64) int {
	if x != x {
		return 0
	}
	return int(math.Floor(min(max(x, -1<<31), 1<<31)))
}

// fetch reads the texel at whole coordinates as bits. float says that numbers are wanted, as f32.
func (t *Texture) fetch(at [3]int, dimensions int, normalized, float bool) (texel [4]uint32) {
	for d := range at {
		if d >= dimensions { // the layer, and of a line the only row
			at[d] = min(max(at[d], 0), t.image.size(d)-1)
		} else if at[d] = t.sampling.place(at[d], t.image.size(d), normalized); at[d] < 0 {
			return texel
		}
	}
	data := t.image.at(at[0], at[1], at[2])
	texel[3] = t.image.one(float)
	for c := range t.image.Channels {
		texel[c] = t.image.bits(data, c)
		if float && t.image.Texel != TexelF32 && t.image.Texel != TexelU32 && t.image.Texel != TexelS32 {
			texel[c] = math.Float32bits(float32(t.image.value(data, c)))
		}
	}
	return texel
}

// sample reads the texture at coordinates that are numbers.
func (t *Texture) sample(at [3]coordinate, offset [3]int, layer, dimensions int, float bool) (texel [4]uint32) {
	whole, fraction := [3]int{}, [3]float64{}
	linear := t.sampling.Linear && float
	for d := range dimensions {
		if linear {
			at[d].halves--
		}
		whole[d], fraction[d] = at[d].split()
		// The weights have 8 bits after the point. Infinity has none.
		fraction[d] = math.Round(fraction[d]*256) / 256
		if !(fraction[d] >= 0 && fraction[d] <= 1) {
			fraction[d] = 0
		}
		whole[d] += offset[d]
	}
	if dimensions < 3 {
		whole[2] = layer
	}
	if !linear {
		return t.fetch(whole, dimensions, t.sampling.Normalized, float)
	}
	var sum [4]float64
	for corner := range 1 << dimensions {
		weight, place := 1.0, whole
		for d := range dimensions {
			if corner>>d&1 != 0 {
				weight *= fraction[d]
				place[d]++
			} else {
				weight *= 1 - fraction[d]
			}
		}
		if weight == 0 {
			continue
		}
		for c, bits := range t.fetch(place, dimensions, t.sampling.Normalized, true) {
			sum[c] += weight * float64(math.Float32frombits(bits))
		}
	}
	for c := range sum {
		texel[c] = quietNaN
		if sum[c] == sum[c] {
			texel[c] = math.Float32bits(float32(sum[c]))
		}
	}
	return texel
}

// execute does for one lane what a texture instruction says.
func (t *Texture) execute(op *simt.TextureOp, args, defs []uint64) *portable.Fault {
	if op.Query != "" {
		i := &t.image
		defs[0] = uint64(map[string]int{"width": i.Width, "height": i.Height, "depth": i.Depth, "array_size": i.Depth, "num_mipmap_levels": 1}[op.Query])
		return nil
	}
	args = args[1:]
	layer := 0
	if op.Layered {
		layer = int(uint32(args[0])) // "interpreted as an unsigned integer index" (PTX ISA 9.7.10.3, 9.7.11.1)
		args = args[1:]
	}
	if op.Read {
		texel, f := t.texel(op, args, layer)
		if f == nil {
			results(op, texel, defs)
		}
		return f
	}
	at := [3]int{}
	for d := range op.Dimensions {
		at[d] = int(int32(args[d]))
	}
	if op.Dimensions < 3 {
		at[2] = layer
	}
	return t.access(op, at, args[op.Dimensions:], defs)
}

// results gives what a read gives for a texel: numbers as f16 are those of f32, rounded (ruling O21).
func results(x *simt.TextureOp, texel [4]uint32, defs []uint64) {
	for c, bits := range texel {
		if x.Half {
			bits = uint32(op.Fold(op.Must("cvt.rn.f16.f32"), uint64(bits)))
		}
		switch {
		case !x.Pairs:
			defs[c] = uint64(bits)
		case c%2 == 0:
			defs[c/2] = uint64(bits)
		default:
			defs[c/2] |= uint64(bits) << 16
		}
	}
}

// texel reads a texel, or interpolates between several.
func (t *Texture) texel(op *simt.TextureOp, args []uint64, layer int) (texel [4]uint32, f *portable.Fault) {
	var offset [3]int
	if op.Offset {
		for d, bits := range args[op.Dimensions:] {
			offset[d] = int(int8(bits<<4) >> 4) // from -8 to 7, of which the manual tells (ruling O22)
		}
	}
	if !op.Whole {
		var at [3]float64
		for d := range op.Dimensions {
			at[d] = float64(math.Float32frombits(uint32(args[d])))
		}
		if op.Cube {
			if f := t.notCubes(); f != nil {
				return texel, f
			}
			return t.readCube(op, at, layer), nil
		}
		var places [3]coordinate
		for d := range op.Dimensions {
			places[d].x = t.sampling.inTexels(at[d], t.image.size(d), t.sampling.Normalized)
		}
		return t.read(op, places, offset, layer), nil
	}
	at := [3]int{}
	for d := range op.Dimensions {
		at[d] = int(int32(args[d])) + offset[d]
	}
	if op.Dimensions < 3 {
		at[2] = layer
	}
	return t.fetch(at, op.Dimensions, false, op.Numbers), nil
}
