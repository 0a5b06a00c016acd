package vop

import "github.com/vop-ptx/vop/run/vm"

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

// String returns "u8", "f32" and so on.
func (t Texel) String() string { return vm.Texel(t).String() }

// Image is what textures and surfaces read and write: CUDA's array. Texels are side by side, x runs fastest, then y, then z;
// the channels of a texel are side by side. Depth counts the layers of arrays, also of those of lines, whose Height is 1, and the
// faces of cubes.
type Image struct {
	Width, Height, Depth int // 0 counts as 1
	Channels             int // 1, 2 or 4; 0 counts as 1
	Texel                Texel
	Data                 []byte // nil makes zeros of it
}

// AddressMode says what texel a coordinate outside the image gives. Wrap and Mirror are for normalised coordinates; others
// clamp instead.
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
	Address    AddressMode // in all dimensions
	Linear     bool        // reads as .f32 interpolate between texels; otherwise the texel is read that the coordinates are in
	Normalized bool        // coordinates go from 0 to 1 over the image, others from 0 to its size
}

// Texture is an image with a way to read it, that kernels can be given: as the argument for a 64-bit parameter, or bound to a
// .texref or .surfref variable by [Module.BindTexture]. It is a surface as well.
type Texture struct{ texture *vm.Texture }

// NewTexture returns a texture of an image, in the memory of the module.
func (m *Module) NewTexture(i Image, s Sampling) (*Texture, error) {
	image := vm.Image{Width: i.Width, Height: i.Height, Depth: i.Depth, Channels: i.Channels, Texel: vm.Texel(i.Texel), Data: i.Data}
	t, err := m.module.Memory().NewTexture(image, vm.Sampling{Address: vm.AddressMode(s.Address), Linear: s.Linear, Normalized: s.Normalized})
	if err != nil {
		return nil, err
	}
	return &Texture{t}, nil
}

// BindTexture makes a texture what the module's .texref or .surfref variable of the given name refers to.
func (m *Module) BindTexture(name string, t *Texture) error {
	return m.module.BindTexture(name, t.texture)
}

// Image returns the image, with the data as kernels see and change it.
func (t *Texture) Image() Image {
	i := t.texture.Image()
	return Image{i.Width, i.Height, i.Depth, i.Channels, Texel(i.Texel), i.Data}
}
